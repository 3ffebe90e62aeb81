import type { IDataObject } from 'n8n-workflow';

import { byId, CONTINUE, MODEL, toInput, useStage, videoGenerate } from '../../support/stage';

const stage = useStage();
const PICTURE = { imageSource: 'url', image: 'https://example.com/a.png' };
const PDF = { data: Buffer.from('%PDF-1.7').toString('base64'), mimeType: 'image/png' };
const bodies = () => stage.sandbox.submissions().map(({ body }) => body as IDataObject);

interface Refused {
	what: string;
	parameters?: IDataObject;
	json?: IDataObject;
	says: RegExp;
}
const REFUSED: Refused[] = [
	{ what: 'a prompt that the item does not have', json: { text: 'x' }, says: /^Prompt is empty/ },
	{
		what: 'a model that the item does not have',
		parameters: { model: byId('={{ $json.model }}') },
		says: /^Model is empty \[item 0\]/,
	},
	{
		what: 'two image URLs',
		parameters: { imageSource: 'url', image: 'https://a.example/1.png, https://a.example/2.png' },
		says: /^Image URL is not one http or https address/,
	},
	{
		what: 'base64 that is no image',
		parameters: { imageSource: 'base64', image: 'SGVsbG8gd29ybGQ=' },
		says: /^Image Data is not a base64-encoded image \[item 0\]/,
	},
	{
		what: 'a binary field that the item does not have',
		parameters: { imageSource: 'binary', imageBinaryProperty: 'photo' },
		says: /^The item has no binary field "photo" \(Input Binary Field\) \[item 0\]/,
	},
	{
		what: 'a binary field that contains no image',
		parameters: { imageSource: 'binary' },
		says: /^The file of Input Binary Field is not an image \[item 0\]/,
	},
	{
		what: 'a row of Images that has none',
		parameters: { options: { images: { image: [{ imageSource: 'base64', image: 'AAAA' }] } } },
		says: /^Images, row 1: Image Data is not a base64-encoded image \[item 0\]/,
	},
	{
		what: 'First Frame by an expression that gives nothing',
		parameters: { ...PICTURE, imageSource: '={{ $json.not }}' },
		says: /^First Frame is empty/,
	},
	{
		what: 'Wait by an expression that gives nothing',
		parameters: { wait: '={{ $json.not }}' },
		says: /is empty/,
	},
	{
		what: 'a setting that the model of Additional Fields does not have',
		parameters: { resolution: '720p', options: { additionalFields: '{"model":"kling-v1-6"}' } },
		says: /^"kling-v1-6" has no field for: Resolution/,
	},
];

it.each(REFUSED)('$what costs nothing, and is told', async ({ parameters, json, says }) => {
	const items = [{ json: json ?? { prompt: 'A boat' }, binary: { data: PDF } }];
	const [[item]] = (await stage.run(videoGenerate(parameters, CONTINUE), items)).outputs();
	const message = expect.stringMatching(says) as string;
	expect(item.json.error).toMatchObject({ message, next: 'changeRequest' });
	expect(bodies()).toEqual([]);
});

it('has no option whose expression gave nothing', async () => {
	const nothing = '={{ null }}';
	const choices = { aspectRatio: nothing, resolution: '={{ "" }}', duration: '={{ $json.no }}' };
	const options = { additionalFields: nothing, seed: '={{ $json.seed }}' };
	await stage.run(videoGenerate({ ...choices, options }), toInput({ prompt: 'A boat' }));
	expect(bodies()).toEqual([{ model: MODEL, prompt: 'A boat' }]);
});

it('is spelled as the family that somebody chose, or that the service tells', async () => {
	stage.sandbox.set({ models: { video: ['house-model'] }, owners: { 'house-model': 'kling' } });
	const run = async (model: string, options: IDataObject) => {
		const node = videoGenerate({ model: byId(model), aspectRatio: '9:16', options });
		await stage.run(node, toInput({ prompt: 'A boat' }));
	};
	await run('house-model', {});
	await run('other-model', { modelFamily: 'Seedance' });
	expect(bodies().map(({ metadata }) => metadata)).toEqual([
		{ aspect_ratio: '9:16' },
		{ ratio: '9:16' },
	]);
});

it('is checked by the family of the service where only Additional Fields are set', async () => {
	stage.sandbox.set({ models: { video: ['house'] }, owners: { house: 'google gemini' } });
	const options = { additionalFields: { image: 'https://example.com/a.png' } };
	const node = videoGenerate({ model: byId('house'), options });
	const { error } = await stage.run(node, toInput({ prompt: 'A boat' }));
	expect(error?.message).toMatch(/^Veo opens no web addresses/);
	expect(bodies()).toEqual([]);
});

it.each<[string, IDataObject, set: IDataObject, sent: IDataObject]>([
	[
		'a choice',
		{ metadata: { aspectRatio: '16:9', personGeneration: 'allow_all' } },
		{ aspectRatio: '9:16', resolution: '720p' },
		{ metadata: { aspectRatio: '16:9', resolution: '720p', personGeneration: 'allow_all' } },
	],
	['the prompt', { prompt: 'Another' }, {}, { prompt: 'Another' }],
	['the picture', { images: ['a'] }, { model: byId('kling-v1'), ...PICTURE }, { images: ['a'] }],
])('takes from Additional Fields %s, as a dry run shows: %j', async (_what, byHand, set, sent) => {
	const run = async (dryRun: boolean) => {
		const options = { additionalFields: JSON.stringify(byHand), cost: { dryRun } };
		const node = videoGenerate({ ...set, wait: 'none', options });
		return await stage.run(node, toInput({ prompt: 'A boat' }));
	};
	const shown = (await run(true)).outputs()[0][0].json.request;
	await run(false);
	expect(bodies()).toEqual([shown]);
	expect(shown).toEqual({ model: expect.any(String) as string, prompt: 'A boat', ...sent });
});

it('is written as Settings of the credential says, at a service that is not New API', async () => {
	stage.sandbox.set({ isNewApi: false });
	const { credentials } = stage;
	const access = credentials.videoGenerationApi;
	const set = { model: byId('house-model'), resolution: '1080p', aspectRatio: '16:9' };
	const options = { cost: { dryRun: true } };
	const requestBy = async (settings: string) => {
		credentials.videoGenerationApi = { ...access, settings };
		const result = await stage.run(videoGenerate({ ...set, options }), toInput({ prompt: 'A' }));
		return result.outputs()[0][0].json.request;
	};
	const plain = await requestBy('plain');
	const openAi = await requestBy('openAi');
	credentials.videoGenerationApi = access;
	const video = { model: 'house-model', prompt: 'A' };
	expect(plain).toEqual({ ...video, aspect_ratio: '16:9', resolution: '1080p' });
	expect(openAi).toEqual({ ...video, size: '1920x1080' });
});
