import { KEY } from './anyAnswer';
import type { HostileAnswer } from './hostileService';

// Answers that quote the key in every place where words of a service are shown: whatever an answer
// by chance does not hold, these do.

const answer = (status: number, value: unknown, type = 'application/json'): HostileAnswer => ({
	status,
	headers: [['content-type', type]],
	body: typeof value === 'string' ? value : JSON.stringify(value),
});

const refusal = { error: { message: KEY, code: KEY, type: KEY }, message: KEY, code: KEY };
const task = (status: string) => ({
	...{ task_id: 'task_1', id: 'task_1', status, model: KEY, [KEY]: KEY },
	...{ fail_reason: `Because ${KEY}`, result_url: `http://127.0.0.1:9/?k=${KEY}` },
});
/** Parts that hold the key only together. */
const text = (...parts: string[]) => ({
	candidates: [
		{
			content: { role: 'model', parts: parts.map((part) => ({ text: part })) },
			...{ finishReason: 'STOP', finishMessage: KEY },
		},
	],
	modelVersion: KEY,
});
const blocked = { promptFeedback: { blockReason: KEY, blockReasonMessage: KEY } };
const picture = (mimeType: string) => ({
	candidates: [
		{
			content: { parts: [{ inlineData: { mimeType, data: 'iVBORw0KGgo=' } }] },
			finishReason: 'STOP',
		},
	],
});
/** As a server writes it that says nothing of its two bytes for a letter. */
const wide = (value: unknown) => [...JSON.stringify(value)].join('\0');
/** Three boxes: what kind of file it is, and that there is nothing to play. */
const FILM = '\0\0\0\x10ftypisom\0\0\0\0\0\0\0\x08moov\0\0\0\x08mdat';
const events = (...values: unknown[]) =>
	values.map((value) => `data: ${JSON.stringify(value)}\n\n`).join('');

export const quotingAnswers: HostileAnswer[] = [
	answer(400, refusal),
	answer(200, refusal),
	answer(502, `<html><title>${KEY}</title></html>`, 'text/html'),
	...['SUCCESS', 'FAILURE', 'IN_PROGRESS', KEY].map((status) =>
		answer(200, { code: 'success', data: task(status) }),
	),
	answer(200, task('SUCCESS')),
	answer(200, text(KEY)),
	answer(200, text(KEY.slice(0, 7), KEY.slice(7))),
	answer(200, blocked),
	answer(200, FILM, `video/${KEY}`),
	answer(200, picture(`image/${KEY}`)),
	answer(200, picture(`image/png; key=${KEY}`)),
	answer(400, wide(refusal)),
];

/** Chunks that hold the key only together, where they are read as such. */
export const quotingStreams: HostileAnswer[] = [
	answer(200, events(text(`See ${KEY.slice(0, 9)}`), text(KEY.slice(9))), 'text/event-stream'),
];
