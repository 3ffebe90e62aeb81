import type { IDataObject } from 'n8n-workflow';

import { byId, CONTINUE, MODEL, toInput, useStage, videoGenerate } from '../../support/stage';

// What is submitted for an item. Where each setting goes: recorded.test.ts.

const stage = useStage();
const PICTURE = { imageSource: 'url', image: 'https://example.com/a.png' };
const PDF = { data: Buffer.from('%PDF-1.7').toString('base64'), mimeType: 'image/png' };
const NO_IMAGE = { imageSource: 'base64', image: 'SGVsbG8gd29ybGQ=' };
const bodies = () => stage.sandbox.submissions().map(({ body }) => body as IDataObject);

it.each<[what: string, IDataObject, RegExp]>([
	['a prompt that the item lacks', { prompt: '={{ $json.not }}' }, /^Prompt is empty/],
	['a model that the item lacks', { model: byId('={{ $json.not }}') }, /^Model is empty/],
	[
		'two image URLs',
		{ ...PICTURE, image: 'https://a.example/1.png, https://a.example/2.png' },
		/^Image URL is not one http or https address/,
	],
	['base64 that is no image', NO_IMAGE, /^Image Data is not a base64-encoded image/],
	[
		'a binary field that the item lacks',
		{ imageSource: 'binary', imageBinaryProperty: 'photo' },
		/^The item has no binary field "photo" \(Input Binary Field\)/,
	],
	[
		'a file that is no image',
		{ imageSource: 'binary' },
		/^The file of Input Binary Field is not an image/,
	],
	[
		'a setting that the model of Additional Fields lacks',
		{ resolution: '720p', options: { additionalFields: '{"model":"kling-v1-6"}' } },
		/^"kling-v1-6" has no field for: Resolution/,
	],
])('%s costs nothing, and is told', async (_what, parameters, says) => {
	const items = [{ json: { prompt: 'A boat' }, binary: { data: PDF } }];
	const [[item]] = (await stage.run(videoGenerate(parameters, CONTINUE), items)).outputs();
	const message = expect.stringMatching(says) as string;
	expect(item.json.error).toMatchObject({ message, next: 'changeRequest', item_index: 0 });
	expect(bodies()).toEqual([]);
});

it('a text in Additional Fields sets no other field, as the pages write it', async () => {
	const prompt = 'A "boat", "model": "dear"';
	const additionalFields = '={ "style": {{ JSON.stringify($json.prompt) }} }';
	await stage.run(videoGenerate({ options: { additionalFields } }), toInput({ prompt }));
	expect(bodies()).toEqual([{ model: MODEL, prompt, style: prompt }]);
});

describe('the family of a model whose name says nothing', () => {
	const run = async (parameters: IDataObject) => {
		stage.sandbox.set({ models: { video: ['house'] }, owners: { house: 'kling' } });
		const node = videoGenerate({ model: byId('house'), ...parameters });
		return await stage.run(node, toInput({ prompt: 'A boat' }));
	};

	it('is the one that somebody chose, or else that the service tells', async () => {
		await run({ aspectRatio: '9:16' });
		await run({ aspectRatio: '9:16', options: { modelFamily: 'Seedance' } });
		expect(bodies().map(({ metadata }) => metadata)).toEqual([
			{ aspect_ratio: '9:16' },
			{ ratio: '9:16' },
		]);
	});

	it('is asked for where only Additional Fields are set', async () => {
		const additionalFields = { image: PICTURE.image, mode: 'std', sound: 'on' };
		const [note] = (
			await run({ options: { additionalFields, cost: { dryRun: true } } })
		).outputs()[0];
		expect(note.json.family).toBe('Kling');
	});
});

it.each<[string, IDataObject, set: IDataObject, sent: IDataObject]>([
	[
		'a choice',
		{ metadata: { aspectRatio: '16:9', personGeneration: 'allow_all' } },
		{ aspectRatio: '9:16', resolution: '720p' },
		{ metadata: { aspectRatio: '16:9', resolution: '720p', personGeneration: 'allow_all' } },
	],
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

it('is written as the service of the credential takes it', async () => {
	stage.sandbox.set({ isNewApi: false });
	const access = stage.credentials.videoGenerationApi;
	const set = { model: byId('house-model'), resolution: '1080p', aspectRatio: '16:9' };
	const requestBy = async (api: string, options: IDataObject = {}) => {
		const node = videoGenerate({ ...set, options: { cost: { dryRun: true }, ...options } });
		const credentials = { videoGenerationApi: { ...access, api } };
		const result = await stage.run(node, toInput({ prompt: 'A' }), { credentials });
		return result.error?.message ?? result.outputs()[0][0].json.request;
	};
	const video = { model: 'house-model', prompt: 'A' };
	expect(await requestBy('openAiVideos')).toEqual({ ...video, size: '1920x1080' });
	expect(await requestBy('customPaths')).toMatchObject({
		...{ ...video, aspect_ratio: '16:9', resolution: '1080p', size: '1920x1080' },
	});
	expect(await requestBy('customPaths', { modelFamily: 'Veo' })).toMatch(
		/^Model Family is for New API alone, and the credential is for Custom Paths/,
	);
});
