import * as fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import {
	findUnusable,
	readAnswer,
	toResponse,
} from '../../../../nodes/GenerateContent/gemini/answer';
import { withoutBytes } from '../../../../nodes/GenerateContent/gemini/files';

const chunk = (parts: unknown, more: IDataObject = {}): IDataObject => ({
	candidates: [{ content: { parts, role: 'model' } as never, index: 0, ...more }],
});
const read = (...chunks: IDataObject[]) => readAnswer(chunks);
const readParts = (...parts: IDataObject[]) => read(chunk(parts, { finishReason: 'STOP' }));

/** Any JSON, built of the protocol's words. */
const WORDS = [
	...['candidates', 'content', 'parts', 'text', 'thought', 'inlineData', 'data', 'mimeType'],
	...['finishReason', 'promptFeedback', 'blockReason', 'usageMetadata', 'groundingMetadata'],
	...['groundingChunks', 'functionCall', 'codeExecutionResult', 'fileData', '__proto__'],
];
const anyAnswer = fc.letrec((tie) => ({
	value: fc.oneof(
		{ maxDepth: 6 },
		fc.constantFrom(null, true, 7, '', 'text', 'STOP', 'SAFETY'),
		fc.array(tie('value'), { maxLength: 3 }),
		fc.dictionary(fc.constantFrom(...WORDS), tie('value'), { maxKeys: 6 }),
	),
	answer: fc.dictionary(fc.constantFrom(...WORDS), tie('value'), { maxKeys: 6 }),
})).answer;

it('any JSON is read into something of the own form', () => {
	fc.assert(
		fc.property(fc.array(anyAnswer), (any) => {
			const chunks = any as IDataObject[];
			const answer = read(...chunks);
			expect(typeof answer.text).toBe('string');
			expect(Array.isArray(answer.usageMetadata)).toBe(false);
			expect(() => findUnusable(answer)).not.toThrow();
			expect(() => withoutBytes(toResponse(chunks))).not.toThrow();
		}),
		{ numRuns: 500 },
	);
});

const CHUNKS = [
	{ ...chunk([{ text: 'a' }]), usageMetadata: { promptTokenCount: 1 }, responseId: 'r' },
	{ ...chunk([{ text: 'b' }], { finishReason: 'STOP' }), usageMetadata: { totalTokenCount: 9 } },
	{ ...chunk([], { finishReason: null }), usageMetadata: null, modelVersion: '' },
];

it('of several chunks the texts join, and the last that says something counts', () => {
	expect(read(...CHUNKS)).toMatchObject({
		...{ text: 'ab', finishReason: 'STOP', responseId: 'r', modelVersion: undefined },
		usageMetadata: { totalTokenCount: 9 },
	});
	expect(toResponse(CHUNKS)).toEqual({
		candidates: [
			{ content: { role: 'model', parts: [{ text: 'ab' }] }, finishReason: 'STOP', index: 0 },
		],
		usageMetadata: { totalTokenCount: 9 },
		responseId: 'r',
	});
});

it('of several candidates the first counts', () => {
	const other = { index: 1, content: { parts: [{ text: 'b' }] }, finishReason: 'SAFETY' };
	const [first] = chunk([{ text: 'a' }], { finishReason: 'STOP' }).candidates as object[];
	const answer = read({ candidates: [first, other] }, { candidates: [other] });
	expect(answer).toMatchObject({ text: 'a', finishReason: 'STOP' });
});

const ended = (finishReason: string, ...parts: IDataObject[]) => chunk(parts, { finishReason });
const CALL = { functionCall: { name: 'f' } };

it.each<[string, IDataObject[], message?: RegExp, reason?: string]>([
	['a cut text', [ended('MAX_TOKENS', { text: 'a' })], undefined, undefined],
	['a call', [ended('STOP', CALL)], undefined, undefined],
	['a filtered text', [ended('SAFETY', { text: 'a' })], /in the middle/, 'SAFETY'],
	['thoughts', [ended('STOP', { text: 'a', thought: true })], /without any text/, 'STOP'],
	['nothing within the limit', [ended('MAX_TOKENS')], /before writing/, 'MAX_TOKENS'],
	[
		'a block',
		[ended('STOP', { text: 'a' }), { promptFeedback: { blockReason: 'B' } }],
		/blocked half-way/,
		'B',
	],
])('%s: is it of use?', (_what, chunks, message, reason) => {
	const failure = findUnusable(read(...chunks));
	expect(failure?.fail_reason).toBe(reason);
	if (message) expect(failure?.message).toMatch(message);
	else expect(failure).toBeUndefined();
});

it('a call goes with its signature, and its turn without files and what is empty', () => {
	const functionCall = { name: 'f', args: {} };
	const call = { functionCall, thoughtSignature: 's' };
	const file = { inlineData: { mimeType: 'image/png', data: 'AAAA' } };
	const texts = ['', 'a', 'b'].map((text) => ({ text }));
	const { functionCalls, content } = readParts(...texts, call, file);
	expect(functionCalls).toEqual([{ ...functionCall, thoughtSignature: 's' }]);
	expect(content).toEqual({ role: 'model', parts: [{ text: 'ab' }, call] });
	expect(readParts({ text: 'a' }).content).toBeUndefined();
});

it('each run of code has its result', () => {
	const code = (text: string) => ({ executableCode: { language: 'PYTHON', code: text } });
	const result = (output: string) => ({ codeExecutionResult: { outcome: 'OK', output } });
	const { codeExecution } = readParts(code('1+1'), result('2'), { text: 'b' }, code('x'));
	expect(codeExecution).toEqual([
		{ language: 'PYTHON', code: '1+1', outcome: 'OK', output: '2' },
		{ language: 'PYTHON', code: 'x' },
	]);
});

it('sources are told once, with the last status of a page', () => {
	const web = (uri: string) => ({
		groundingMetadata: { groundingChunks: [{ web: { uri, title: 'T' } }] },
	});
	const page = (status: string) => ({
		urlContextMetadata: { urlMetadata: [{ retrievedUrl: 'p', urlRetrievalStatus: status }] },
	});
	const cited = { citationMetadata: { citationSources: [{ uri: 'c', startIndex: 1 }, {}] } };
	const more = [web('a'), web('b'), web('a'), page('ERROR'), page('SUCCESS'), cited];
	expect(read(...more.map((one) => chunk([], one))).sources).toEqual([
		{ kind: 'web', title: 'T', uri: 'a' },
		{ kind: 'web', title: 'T', uri: 'b' },
		{ kind: 'urlContext', uri: 'p', status: 'SUCCESS' },
		{ kind: 'citation', uri: 'c' },
	]);
});
