import * as fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { isPlain, parseJson } from '../../../../nodes/shared/lib/json';
import { withoutBytes } from '../../../../nodes/shared/text/answerFiles';
import { chooseCandidate, readAnswer, textOrOutput } from '../../../../nodes/shared/text/response';

const read = (answer: unknown) => readAnswer(answer as IDataObject);
const readParts = (parts: unknown) => read({ candidates: [{ content: { parts } }] }).candidate!;

const WORDS = [
	...['candidates', 'content', 'parts', 'text', 'thought', 'inlineData', 'data', 'mimeType'],
	...['finishReason', 'safetyRatings', 'promptFeedback', 'blockReason', 'usageMetadata'],
];

/** Any JSON, built of the protocol's words. */
const anyAnswer = fc.letrec((tie) => ({
	value: fc.oneof(
		{ maxDepth: 6 },
		fc.constantFrom(null, true, 7, '', 'text', 'STOP', 'SAFETY'),
		fc.array(tie('value'), { maxLength: 3 }),
		fc.dictionary(fc.constantFrom(...WORDS), tie('value'), { maxKeys: 6 }),
	),
	answer: fc.dictionary(fc.constantFrom(...WORDS), tie('value'), { maxKeys: 6 }),
})).answer;

it('reads any JSON without a throw into something of its own form', () => {
	fc.assert(
		fc.property(anyAnswer, (answer) => {
			const { candidate, usageMetadata } = read(answer);
			if (candidate) {
				const { text, finishReason, files } = candidate;
				expect([typeof text, typeof finishReason]).toEqual(['string', 'string']);
				for (const { pieces } of files) expect(pieces).not.toContain('');
			}
			expect(Array.isArray(usageMetadata)).toBe(false);
			expect(() => chooseCandidate(read(answer))).not.toThrow();
			expect(JSON.stringify(withoutBytes(answer))).not.toMatch(
				/"inlineData":\{([^{}]*,)?"data":"(text|STOP)"/,
			);
		}),
		{ numRuns: 500 },
	);
});

describe('chooseCandidate', () => {
	const choose = (...candidates: unknown[]) => chooseCandidate(read({ candidates }))?.text;
	const say = (text: string, finishReason = 'STOP') => ({
		content: { parts: [{ text }] },
		finishReason,
	});

	it.each([
		['the first, which is the one that is streamed', [say('a'), say('b')], 'a'],
		['none if the first is empty or was cut', [say(' '), say('b')], undefined],
		['one that was cut by the token limit, in another spelling', [say('a', 'length')], 'a'],
		['none that a filter has cut', [say('a', 'content_filter'), say('b')], undefined],
	])('takes %s', (_what, candidates, text) => {
		expect(choose(...candidates)).toBe(text);
	});
});

describe('a call', () => {
	const functionCall = { name: 'f', args: {} };

	it('inside a thought is none', () => {
		const { functionCalls, turn } = readParts([{ functionCall, thought: true }, { text: 'a' }]);
		expect([functionCalls, turn]).toEqual([[], undefined]);
	});

	it.each([{}, { name: '' }, { name: ' ', args: {} }])(
		'without a name is no answer: %j',
		(call) => {
			const parts = [{ text: 'a' }, { functionCall }, { functionCall: call }];
			const answer = read({ candidates: [{ content: { parts }, finishReason: 'STOP' }] });
			expect(answer.candidate?.finishReason).toBe('MALFORMED_FUNCTION_CALL');
			expect(chooseCandidate(answer)).toBeUndefined();
		},
	);

	it('is repeated in the next turn, without what says nothing', () => {
		const signed = { text: '', thoughtSignature: 'a' };
		const empty = [{ text: '' }, {}, { text: '', thought: true }, { text: '', inlineData: null }];
		const parts = [{ functionCall }, ...empty, { text: '', thoughtSignature: '' }, signed];
		expect(readParts(parts).turn).toEqual({ role: 'model', parts: [{ functionCall }, signed] });
	});
});

describe('runs of code', () => {
	const code = (text: string) => ({ executableCode: { language: 'PYTHON', code: text } });
	const result = (output: string) => ({ codeExecutionResult: { outcome: 'OK', output } });

	it('have each result with its code', () => {
		const parts = [result('0'), code('1+1'), result('2'), { text: 'b' }, code('x')];
		const { codeRuns } = readParts(parts);
		expect(codeRuns).toEqual([
			{ outcome: 'OK', output: '0' },
			{ language: 'PYTHON', code: '1+1', outcome: 'OK', output: '2' },
			{ language: 'PYTHON', code: 'x' },
		]);
		expect(textOrOutput({ text: ' ', codeRuns })).toBe('2');
	});

	it('are plain objects, whatever their fields are called', () => {
		const odd = parseJson('{"codeExecutionResult":{"__proto__":{"a":1},"output":"2"}}');
		const { codeRuns } = readParts([code('1+1'), odd as IDataObject]);
		expect(isPlain(codeRuns[0])).toBe(true);
	});
});
