import { generateTexts } from '../../../nodes/GenerateContent/generateTexts';
import { answerOf, makeTextRun } from './support/textContext';

it('an answer that n8n cannot store is a matter of the usage page, and its text is kept', async () => {
	const image = { inlineData: { mimeType: 'image/png', data: 'AAAA' } };
	const { context } = makeTextRun({
		answer: answerOf({ text: 'Blue' }, image),
		helpers: { prepareBinaryData: async () => await Promise.reject(new Error('The disk is full')) },
	});
	const [{ json }] = await generateTexts(context);
	expect(json.error).toMatchObject({
		message: 'The answer arrived, but could not be turned into an item: the disk is full [item 0]',
		...{ text: 'Blue', next: 'checkUsage', retryable: false },
	});
});
