import { answerWith, events } from '../support/answers';
import { CONTINUE, onlyFailure } from '../support/stage';
import { orderOf, useStreamStage, wordsOf } from '../support/streamStage';

// A chat that hears nothing guesses that the workflow is set up wrongly.

const { listen } = useStreamStage();

const file = (mimeType: string) => ({ inlineData: { mimeType, data: 'AAAA' } });
const said = async (...parts: object[]) => {
	const plan = answerWith({ candidates: [{ content: { parts }, finishReason: 'STOP' }] });
	const { chunks } = await listen(plan);
	expect(orderOf(chunks)).toBe('begin item end');
	return wordsOf(chunks);
};

describe('an answer without words says', () => {
	const executableCode = { language: 'PYTHON', code: 'print(6*7)' };
	const fileData = { fileUri: 'https://files.example.com/a.mp4' };
	it.each<[string, object[], string]>([
		['an image', [file('image/png')], '(a file: image.png)'],
		[
			'several files',
			['image/png', 'image/jpeg', 'video/mp4', 'application/zip'].map(file),
			'(a file: image.png, a file: image_1.jpg, a file: video_2.mp4, a file: file_3.zip)',
		],
		['an address', [{ fileData }], '(a file: https://files.example.com/a.mp4)'],
		[
			'what its code has printed',
			[{ executableCode }, { codeExecutionResult: { outcome: 'OUTCOME_OK', output: '42\n' } }],
			'42\n',
		],
		['a call', [{ functionCall: { name: 'light', args: {} } }], '(a call of light)'],
	])('what it is: %s', async (_what, parts, words) => {
		expect(await said(...parts)).toBe(words);
	});
});

it('an answer that is blocked in its midst ends with why', async () => {
	const chunk = (text: string, finishReason?: string) => ({
		candidates: [{ content: { parts: [{ text }] }, finishReason }],
	});
	const result = await listen(events(chunk('bad'), chunk('', 'SAFETY')), CONTINUE);
	expect(onlyFailure(result)).toMatchObject({ fail_reason: 'SAFETY' });
	expect(orderOf(result.chunks)).toBe('begin item error');
});
