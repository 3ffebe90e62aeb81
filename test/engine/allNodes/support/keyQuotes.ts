import type { Reply } from '../../services/support/serve';

export const KEY = 'sk-Secret/key+1';

// Answers that quote the key in every place where words of a service are shown: whatever an answer
// by chance does not hold, these do.

const answer = (status: number, value: unknown, type = 'application/json'): Reply => [
	status,
	value,
	{ 'content-type': type },
];

const refusal = { error: { message: KEY, code: KEY, type: KEY }, message: KEY, code: KEY };
const task = (status: string) => ({
	task_id: 'task_1',
	id: 'task_1',
	status,
	model: KEY,
	[KEY]: KEY,
	...{ fail_reason: `Because ${KEY}`, result_url: `http://127.0.0.1:9/?k=${KEY}` },
});
const generated = (parts: object[], more: object = {}) => ({
	candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP', ...more }],
});
/** Parts that hold the key only together. */
const text = (...parts: string[]) => ({
	...generated(
		parts.map((part) => ({ text: part })),
		{ finishMessage: KEY },
	),
	modelVersion: KEY,
});
const picture = { inlineData: { mimeType: `image/png; key=${KEY}`, data: 'iVBORw0KGgo=' } };
/** Three boxes: what kind of file it is, and that there is nothing to play. */
const FILM = '\0\0\0\x10ftypisom\0\0\0\0\0\0\0\x08moov\0\0\0\x08mdat';
const events = (...values: unknown[]) =>
	values.map((value) => `data: ${JSON.stringify(value)}\n\n`).join('');

export const keyQuotes: Reply[] = [
	answer(400, refusal),
	answer(200, refusal),
	answer(502, `<html><title>${KEY}</title></html>`, 'text/html'),
	...['SUCCESS', 'FAILURE', 'IN_PROGRESS', KEY].map((status) =>
		answer(200, { code: 'success', data: task(status) }),
	),
	answer(200, text(KEY)),
	answer(200, text(KEY.slice(0, 7), KEY.slice(7))),
	answer(200, { promptFeedback: { blockReason: KEY, blockReasonMessage: KEY } }),
	answer(200, generated([picture])),
	answer(200, FILM, `video/${KEY}`),
	answer(200, events(text(`See ${KEY.slice(0, 9)}`), text(KEY.slice(9))), 'text/event-stream'),
];
