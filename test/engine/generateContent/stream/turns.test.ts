import type { StructuredChunk } from 'n8n-workflow';

import type { Plan } from '../../../../sandbox/service';
import { orderOf, planned, toInput } from '../../../support/stage';
import { answerWith } from '../support/answers';
import { STREAMING, type TextRun, useTextStage, wordsOf } from '../support/stage';

// A chat takes what a node says as one message, so only the first item speaks.

const { run, listen, actions } = useTextStage();

const saying = (...rows: Array<[text: string, plan?: Plan]>): TextRun => ({
	...STREAMING,
	parameters: { prompt: '={{ $json.prompt }}' },
	items: toInput(...rows.map(([text, plan]) => ({ prompt: text && planned(text, plan ?? {}) }))),
});
const says = (text: string, more: Plan = {}): [string, Plan] => [
	text,
	{ says: text, chunks: 3, ...more },
];
const inlineData = { mimeType: 'image/png', data: 'AAAA' };
const PICTURE = answerWith({
	candidates: [{ content: { parts: [{ inlineData }] }, finishReason: 'STOP' }],
});
const refused: Plan = { text: { always: 'forbidden' } };
const errorsIn = (chunks: StructuredChunk[]) =>
	chunks.filter(({ type }) => type === 'error').map(({ content }) => content);

describe('of several items', () => {
	it('the first is said word by word, and the others not at all', async () => {
		const result = await run(saying(says('Paris'), ['a picture', PICTURE], says('Rome')));
		expect(orderOf(result.chunks)).toBe('begin item end');
		expect(wordsOf(result.chunks)).toBe('Paris');
		expect(result.outputs()[0].map(({ json }) => json.text)).toEqual(['Paris', '', 'Rome']);
		expect(actions().sort()).toEqual([
			...['generateContent', 'generateContent', 'streamGenerateContent'],
		]);
	});

	it('one that ends the node is told by n8n', async () => {
		const { chunks, error } = await run(saying(says('say this'), ['no', refused]));
		expect(wordsOf(chunks)).toBe('say this');
		expect(errorsIn(chunks)).toEqual([error?.description]);
	});
});

// A chat that hears nothing guesses that the workflow is set up wrongly.
describe('an answer without words says what it is', () => {
	const file = (mimeType: string) => ({ inlineData: { mimeType, data: 'AAAA' } });
	const executableCode = { language: 'PYTHON', code: 'print(6*7)' };
	const codeExecutionResult = { outcome: 'OUTCOME_OK', output: '42\n' };
	const fileUri = 'https://files.example.com/a.mp4';
	it.each<[string, object[], string]>([
		[
			'files',
			['image/png', 'image/jpeg', 'video/mp4', 'application/zip'].map(file),
			'(a file: image.png, a file: image_1.jpg, a file: video_2.mp4, a file: file_3.zip)',
		],
		['an address', [{ fileData: { fileUri } }], `(a file: ${fileUri})`],
		['what its code has printed', [{ executableCode }, { codeExecutionResult }], '42\n'],
		['a call', [{ functionCall: { name: 'light', args: {} } }], '(a call of light)'],
	])('%s', async (_what, parts, words) => {
		const candidates = [{ content: { parts }, finishReason: 'STOP' }];
		const { chunks } = await listen(answerWith({ candidates }));
		expect([orderOf(chunks), wordsOf(chunks)]).toEqual(['begin item end', words]);
	});
});

describe('a single item that fails', () => {
	it.each<[string, [string, Plan?], RegExp]>([
		['that was refused', ['no', refused], /^Nothing was generated: .* \[item 0\]\. ./],
		['for which nothing was sent', [''], /^Prompt is empty \[item 0\]\. Fill in Prompt\./],
	])('%s is told by n8n where it ends the node, and once', async (_what, row, words) => {
		const { chunks } = await run(saying(row));
		expect(orderOf(chunks)).toBe('error');
		expect(errorsIn(chunks)).toEqual([expect.stringMatching(words)]);
	});

	it('is told for each try of Retry On Fail that has spoken', async () => {
		const request = saying(says('say this', { errorAfterChunks: 2 }));
		const node = { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 };
		const { chunks } = await run({ ...request, node });
		const types = chunks.map(({ type }) => type).filter((type) => type !== 'item');
		expect(types.join(' ')).toBe('begin error begin error error');
	});
});
