import { createHash } from 'node:crypto';

import { byId, CONTINUE, inARow } from '../../support/stage';
import { fileOf, pngOf, withParts } from './support/answers';
import { TEXT_MODEL, TYPE, useTextStage } from './support/stage';

const { stage, requests, bodyOf } = useTextStage();

const PNG = fileOf(pngOf('a'), 'image/png');
const PDF = fileOf('%PDF-1.7', 'application/pdf');
const LIST = fileOf('{"a":1}', 'text/plain');

it('files go along with the prompt, by their bytes and as Gemini takes them', async () => {
	const binary = {
		data: { ...PNG.inlineData, mimeType: 'application/octet-stream' },
		report: PDF.inlineData,
		list: { ...LIST.inlineData, mimeType: 'application/json; charset=utf-8' },
	};
	const parameters = { prompt: 'Compare', inputBinaryFields: 'data, report,list' };
	const { contents } = await bodyOf({ parameters, items: [{ json: {}, binary }] });
	expect(contents[0].parts).toEqual([PNG, PDF, LIST, { text: 'Compare' }]);
});

it('files may go along without a prompt, with the last turn of the user', async () => {
	const conversation = { turns: [{ role: 'user', text: 'What is it?' }] };
	const parameters = { inputBinaryFields: 'data', options: { conversation } };
	const items = [{ json: {}, binary: { data: PNG.inlineData } }];
	const { contents } = await bodyOf({ parameters, items });
	expect(contents).toEqual([{ role: 'user', parts: [PNG, { text: 'What is it?' }] }]);
});

it.each(['default', 'filesystem'] as const)(
	'files come from where n8n keeps them: %s',
	async (binaryMode) => {
		const files = [3_000_001, 2_000_000].map((length) => fileOf('a'.repeat(length), 'audio/mpeg'));
		const node = (name: string, more: object) => ({
			...{ name, type: TYPE, ...CONTINUE },
			parameters: { model: byId(TEXT_MODEL), prompt: name, ...more },
		});
		stage.sandbox.set({ plan: withParts(...files) });
		await stage.engine.run({
			...inARow(node('Make', {}), node('Pass On', { inputBinaryFields: 'data, data_1' })),
			credentials: stage.credentials,
			binaryMode,
		});
		// The sandbox keeps the digest of what is large.
		const sent = files.map(({ inlineData: { mimeType, data } }) => {
			const sha256 = createHash('sha256').update(data).digest('hex');
			return { inlineData: { mimeType, data: { length: data.length, sha256 } } };
		});
		expect(requests()[1].body?.contents?.[0].parts).toEqual([...sent, { text: 'Pass On' }]);
	},
);
