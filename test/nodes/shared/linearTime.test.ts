import type { IDataObject } from 'n8n-workflow';

import { readFacts } from '../../../nodes/shared/download/readVideo';
import { toFileName } from '../../../nodes/shared/download/storeVideo';
import { explainReason } from '../../../nodes/shared/item/textWords';
import { shortReason, wordsFor } from '../../../nodes/shared/item/words';
import { toJson } from '../../../nodes/shared/lib/json';
import { oneLine, sentences } from '../../../nodes/shared/lib/text';
import { toHttpUrl, toPathSegment } from '../../../nodes/shared/service/credential';
import { readFailure, readReport } from '../../../nodes/shared/service/failure';
import { readRetryAfter } from '../../../nodes/shared/service/later';
import { createRedaction } from '../../../nodes/shared/service/redact';
import { readTaskIds } from '../../../nodes/shared/service/taskIds';
import { readTask } from '../../../nodes/shared/service/videoTask';
import { createStreamReader } from '../../../nodes/shared/text/eventStream';
import { readPcmFormat, toFile, withoutBytes } from '../../../nodes/shared/text/answerFiles';
import { readJsonText } from '../../../nodes/shared/text/jsonText';
import { createMerge } from '../../../nodes/shared/text/mergeChunks';
import { toProtocolNames } from '../../../nodes/shared/text/names';
import { readAnswer, toEmptyFailure } from '../../../nodes/shared/text/response';
import { processorSeconds } from '../../support/processorTime';

jest.setTimeout(300_000);

const CHARS = 128 * 1024;
/** Of a slow and busy machine; what is not linear takes much longer. */
const MAX_SECONDS = 4;
const KEY = `sk-${'aB3x'.repeat(12)}`;
const redaction = createRedaction(KEY);

/** What makes patterns go back and try again: the same for long, and then not what it promised. */
const UNITS = [
	...[' ', '\n', '\r\n', '.', '...', '-', '/', '9', '1e', 'a', 'aB', 'e.', '\u2028', '\ud83d'],
	...['"', '\\', '\\"', '\\u', '\\u00', '%', '%25', '&', '&#', '&amp;', '`', '```', '```json\n'],
	...['<', '<title>', '<script', '</', '{', '{}', '[', '[]', '{"a":', '},', 'data:'],
	...['data: {}\n\n', '<think>', '</think>', '{"</think>', '[1]```'],
	...[KEY, KEY.slice(0, -1), `${KEY.slice(0, 8)}...`, 'sk-sk-aB3', 'http://a', '[API key]'],
];

const answer = (body: string) => ({ status: 500, headers: {}, body });
const pieces = (text: string, length: number) =>
	Array.from({ length: Math.ceil(text.length / length) }, (_, i) =>
		text.slice(i * length, (i + 1) * length),
	);
const candidate = (text: string) => ({ content: { parts: [{ text }] }, finishReason: text });

/** Everything that touches text from outside. */
const READERS: Record<string, (text: string) => unknown> = {
	readFailure: (text) =>
		[text, JSON.stringify(text)].map((body) => readFailure('submit', answer(body))),
	readReport: (text) => readReport({ code: text, message: text }, false),
	readTaskIds: (text) => readTaskIds({ id: text, [text]: { id: text }, error: text }),
	readTask: (text) =>
		readTask({ status: text, progress: text, result_url: text, fail_reason: text }, 'task_1'),
	readRetryAfter: (text) => readRetryAfter({ ...answer(''), headers: { 'retry-after': text } }),
	readFacts: (text) => readFacts({ status: 206, headers: { 'content-range': text, etag: text } }),
	addresses: (text) => [toHttpUrl(`https://a/${text}`), toPathSegment(text)],
	toFileName: (text) => [
		toFileName(`${text}x`, text, 'video/mp4'),
		toFileName(`${text}.${text}x`, '', 'video/webm'),
	],
	words: (text) => [shortReason(text), sentences(text, text), oneLine(text)],
	redact: (text) => redaction.redact(text),
	redactPieces: (text) => {
		const shown = redaction.redactPieces();
		return [...pieces(text, 64).map((piece) => shown.add(piece)), shown.end()];
	},
	show: (text) => redaction.show({ text, [text]: pieces(text, 256), a: { b: [text] } }),
	toJson: (text) => toJson({ [text]: pieces(text, 256) }),
	readJsonText: (text) => [readJsonText(text), readJsonText(`\`\`\`json${text}x`)],
	streamReader: (text) => {
		const reader = createStreamReader();
		return [...pieces(`data: ${text}`, 512).map((piece) => reader.read(piece)), reader.end()];
	},
	jsonStreamReader: (text) => {
		const reader = createStreamReader();
		return [...pieces(`[${text}`, 512).map((piece) => reader.read(piece)), reader.end()];
	},
	readAnswer: (text) => {
		const read = readAnswer({ candidates: [candidate(text)], usageMetadata: { a: text } });
		return [wordsFor(toEmptyFailure(read)), explainReason(text), withoutBytes({ [text]: [text] })];
	},
	spelling: (text) => [
		toProtocolNames({ [text]: { [text]: text } }),
		readPcmFormat(`audio/pcm${text}`),
	],
};

describe.each(Object.entries(READERS))('%s', (_name, read) => {
	it('takes time in proportion to a long text of the worst', () => {
		const slow = UNITS.map((unit): [string, number] => {
			const text = `${unit.repeat(CHARS / unit.length)}x`;
			return [unit.slice(0, 20), processorSeconds(() => read(text))];
		}).filter(([, seconds]) => seconds > MAX_SECONDS);
		expect(slow).toEqual([]);
	});
});

const MANY = 20_000;
const many = <T>(make: (n: number) => T) => Array.from({ length: MANY }, (_, n) => make(n));

/** Many small things instead of a long one. */
const CROWDS: Record<string, () => unknown> = {
	'chunks with a new field each': () => {
		const merge = createMerge();
		many((n) =>
			merge.add({ [`f${n}`]: n, candidates: [{ [`c${n}`]: n, content: { [`p${n}`]: n } }] }),
		);
		return merge.answer();
	},
	'chunks with a part each': () => {
		const merge = createMerge();
		many((n) =>
			merge.add({ candidates: [{ content: { parts: [{ text: 'a', n }, { text: 'b' }] } }] }),
		);
		return readAnswer(merge.answer());
	},
	'objects in one piece of a stream': () =>
		createStreamReader().read(`data: ${'{}'.repeat(10 * MANY)}\n\n`),
	'events in one piece of a stream': () => createStreamReader().read('data: {}\n\n'.repeat(MANY)),
	'objects inside objects': () => {
		const answer = { data: many((n) => ({ id: n, [`n${n}`]: { task_id: `t${n}` } })) };
		return [readTaskIds(answer), readTask(answer, 'x'), toJson(answer)];
	},
	'texts that are parts of keys': () =>
		redaction.show(many((n) => ({ text: KEY.slice(0, 1 + (n % KEY.length)), [`${n}`]: KEY }))),
	'usage records behind as many candidates': () => {
		const merge = createMerge();
		const usage = { usageMetadata: { totalTokenCount: 1 } };
		merge.add({ candidates: many((index) => ({ ...candidate('a'), index })) });
		for (let n = 0; n < MANY; n++) merge.add(usage);
		return merge.reasonCameLast();
	},
	'sources in a chunk each': () => {
		const merge = createMerge();
		const groundingMetadata = (n: number): IDataObject => ({
			groundingChunks: [{ web: { uri: `https://a.example/${n}`, title: `${n}` } }],
			groundingSupports: [
				{ groundingChunkIndices: [n % 2 ? 0 : n], segment: { startIndex: n, endIndex: MANY } },
			],
			webSearchQueries: [`${n}`],
		});
		many((n) =>
			merge.add({
				candidates: [
					{ content: { parts: [{ text: 'ä' }] }, groundingMetadata: groundingMetadata(n) },
				],
			}),
		);
		return readAnswer(merge.answer());
	},
	'sources of one place': () => {
		const groundingSupports = many(() => ({ groundingChunkIndices: [0, 0, 1], segment: {} }));
		const citations = many(() => ({ uri: 'a', endIndex: CHARS }));
		const said = { groundingMetadata: { groundingSupports }, citationMetadata: { citations } };
		return readAnswer({ candidates: [{ ...candidate('a'.repeat(CHARS)), ...said }] });
	},
	'parts of sound': () => {
		const inlineData = { mimeType: 'audio/L16;rate=24000', data: 'AAAA' };
		const parts = many(() => ({ inlineData }));
		return readAnswer({ candidates: [{ content: { parts } }] }).candidate!.files.map(toFile);
	},
	'names in snake case': () =>
		toProtocolNames(Object.fromEntries(many((n) => [`some_${n}`, { a_b: [{ c_d: n }] }]))),
	candidates: () => {
		const answer: IDataObject = { candidates: many(() => candidate('a')) };
		return [readAnswer(answer), withoutBytes(answer)];
	},
};

it.each(Object.entries(CROWDS))('many %s take time in proportion', (_what, work) => {
	expect(processorSeconds(work)).toBeLessThan(MAX_SECONDS);
});
