import { generateTexts } from '../../../nodes/GenerateContent/generateTexts';
import { answerOf, makeContext } from './support/textContext';

const GOOD = { json: answerOf({ text: 'Blue' }) };

describe('an answer that n8n cannot store', () => {
	const image = { inlineData: { mimeType: 'image/png', data: 'AAAA' } };
	const failing = (prompts: string[], more: object = {}) =>
		makeContext({
			parameters: prompts.map((prompt) => ({ prompt })),
			service: () => ({ json: answerOf({ text: 'Blue' }, image) }),
			helpers: {
				prepareBinaryData: async () => await Promise.reject(new Error('The disk is full')),
			},
			more,
		});
	const failure = {
		message: expect.stringMatching(
			/^The answer arrived, but could not be turned into an item: the disk is full \[item 0\]$/,
		),
		description: expect.stringContaining('The model wrote: "Blue"'),
	};

	it('is a matter of the usage page', async () => {
		const { context } = failing(['first'], { continueOnFail: () => true });
		const [{ json }] = await generateTexts(context);
		expect(json.error).toMatchObject({ ...failure, next: 'checkUsage', retryable: false });
	});

	it('lets nothing new be sent', async () => {
		// Five requests are sent at once, so the sixth waits for a place.
		const prompts = [...Array<string>(5).fill('first'), 'late'];
		const { context, sentPrompts } = failing(prompts);
		await expect(generateTexts(context)).rejects.toMatchObject(failure);
		expect(sentPrompts).toEqual(prompts.slice(0, 5));
	});
});

it('tells of all answers that are cut off in one line', async () => {
	const hints: Array<{ message: string }> = [];
	const { context } = makeContext({
		parameters: Array.from({ length: 10 }, () => ({})),
		service: () => GOOD,
		more: { addExecutionHints: (hint: { message: string }) => hints.push(hint) },
	});
	await generateTexts(context);
	expect(hints).toMatchObject([
		{ message: expect.stringMatching(/^Cut off .*\(\[item 0\] and 9 more\)/) },
	]);
	// As n8n asks of hints.
	expect(hints[0].message.length).toBeLessThanOrEqual(120);
});

it('a file is loaded for each try, and given up in between', async () => {
	let loads = 0;
	const { context, sentPrompts } = makeContext({
		parameters: { inputBinaryFields: 'data' },
		binary: { data: { data: 'YWJj', mimeType: 'audio/mpeg' } },
		service: () =>
			sentPrompts.length < 3 ? { status: 429, headers: { 'retry-after': '0' }, json: {} } : GOOD,
	});
	context.helpers.getBinaryDataBuffer = async () => {
		loads++;
		return Buffer.from('abc');
	};
	expect(await generateTexts(context)).toHaveLength(1);
	expect([sentPrompts.length, loads]).toEqual([3, 3]);
});
