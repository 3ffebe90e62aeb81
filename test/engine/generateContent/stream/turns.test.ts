import type { StructuredChunk } from 'n8n-workflow';

import type { Plan } from '../../../../sandbox/service';
import { until } from '../../../support/clock';
import { orderOf, planned, toInput } from '../../../support/stage';
import { answerWith } from '../support/answers';
import { STREAMING, type TextRun, useTextStage, wordsOf } from '../support/stage';

// A chat takes what a node says as one message: a single item speaks word by word, several have a
// line each at the end.

const { stage, run, listen, actions, toRequest } = useTextStage();

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
const linesIn = (chunks: StructuredChunk[]) => wordsOf(chunks).split('\n\n').slice(0, -1);
const errorsIn = (chunks: StructuredChunk[]) =>
	chunks.filter(({ type }) => type === 'error').map(({ content }) => content);
const NO_CREDIT = 'Nothing was generated: the account is out of credit';

describe('several items', () => {
	it('have a line each, in their order, and their answers come whole', async () => {
		const { chunks } = await run(
			saying(says('Paris is\n\n*the* capital'), ['a picture', PICTURE], says('x'.repeat(2_000))),
		);
		expect(orderOf(chunks)).toBe('begin item end');
		expect(linesIn(chunks)).toEqual([
			'Paris is \\*the\\* capital',
			'(a file: image.png)',
			`${'x'.repeat(1_000)}...`,
		]);
		expect(actions()).toEqual(Array(3).fill('generateContent'));
	});

	it('one that ends the node has its message, and n8n adds its description', async () => {
		const { chunks, error } = await run(saying(says('say this'), ['no', refused]));
		expect(linesIn(chunks)).toEqual(['say this', NO_CREDIT]);
		expect(errorsIn(chunks)).toEqual([error?.description]);
		expect(error?.description).not.toContain(NO_CREDIT);
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

it('behind a Stop nothing is said', async () => {
	const request = saying(says('say this'), ['slow', { text: 'hang' }]);
	const { done, stop } = stage.engine.start(toRequest(request));
	await until(() => actions().length === 2);
	await stop();
	const { status, chunks } = await done;
	expect([status, chunks]).toEqual(['canceled', []]);
});
