import type { IDataObject } from 'n8n-workflow';

import { byId, CONTINUE, MODEL, toInput, useStage, videoGenerate } from '../../support/stage';

const stage = useStage();

describe('Video Generate', () => {
	it('sends no option whose expression gave nothing', async () => {
		const { sandbox } = stage;
		const nothing = '={{ null }}';
		const inSight = { aspectRatio: nothing, resolution: '={{ "" }}', duration: '={{ $json.no }}' };
		const options = { additionalFields: nothing, seed: '={{ $json.seed }}' };
		await stage.run(videoGenerate({ ...inSight, options }), toInput({ prompt: 'A boat' }));
		expect(sandbox.submissions()[0].body).toEqual({ model: MODEL, prompt: 'A boat' });
	});

	it('spells as the family that somebody chose, or that the service tells', async () => {
		const { sandbox } = stage;
		sandbox.set({ models: { video: ['house-model'] }, owners: { 'house-model': 'kling' } });
		const run = async (model: string, options: IDataObject) =>
			await stage.run(
				videoGenerate({ model: byId(model), aspectRatio: '9:16', options }),
				toInput({ prompt: 'A boat' }),
			);
		await run('house-model', {});
		await run('other-model', { modelFamily: 'Seedance' });
		const bodies = sandbox.submissions().map(({ body }) => body as IDataObject);
		expect(bodies.map(({ metadata }) => metadata)).toEqual([
			{ aspect_ratio: '9:16' },
			{ ratio: '9:16' },
		]);
	});

	const PICTURE = { imageSource: 'url', image: 'https://example.com/a.png' };
	const dryRun = async (set: IDataObject, options: IDataObject = {}) => {
		const { outputs } = await stage.run(
			videoGenerate({ ...set, options: { ...options, cost: { dryRun: true } } }),
			toInput({ prompt: 'A boat' }),
		);
		return outputs()[0][0].json;
	};

	it('says where the fields of a chosen family may not be read, or be dropped by a reseller', async () => {
		const { sandbox } = stage;
		const id = 'doubao-seedance-2-0-260128';
		sandbox.set({ models: { video: [id] }, owners: { [id]: 'openai' } });
		const set = { model: byId(id), resolution: '4k', ...PICTURE };
		const notesOf = async () => (await dryRun(set, { modelFamily: 'Seedance' })).notes;
		const told = 'Resolution: sent, but some services and versions of this model drop or refuse it';
		expect(await notesOf()).toEqual([told]);
		sandbox.set({ isNewApi: false });
		expect(await notesOf()).toEqual([`First Frame, ${told}`]);
	});

	it.each<[IDataObject, IDataObject]>([
		[{ seconds: '4' }, {}],
		[{ size: '720x1280' }, { aspectRatio: '16:9', resolution: '720p' }],
		[{ metadata: { durationSeconds: 4 } }, {}],
	])('leaves out of the form what the JSON %j sets by another name', async (byHand, shape) => {
		stage.sandbox.set({ isNewApi: false });
		const options = { additionalFields: JSON.stringify(byHand) };
		const duration = shape.aspectRatio ? {} : { duration: 8 };
		const set = { model: byId('veo3.1-fast'), ...duration, ...shape };
		const { request } = await dryRun(set, options);
		expect(request).toEqual({ model: 'veo3.1-fast', prompt: 'A boat', ...byHand });
	});

	it('writes the resolution of a video from an image as a word, where a size would need a ratio', async () => {
		stage.sandbox.set({ isNewApi: false });
		const { credentials } = stage;
		const access = credentials.videoGenerationApi;
		credentials.videoGenerationApi = { ...access, api: 'openAiVideos' };
		const set = { model: byId('house-model'), resolution: '1080p', ...PICTURE };
		const { request } = await dryRun(set);
		expect(request).toMatchObject({ resolution: '1080p', image: PICTURE.image });
		expect(request).not.toHaveProperty('size');
		credentials.videoGenerationApi = { ...access, settings: 'plain' };
		const { request: plain } = await dryRun(set);
		const { model, prompt, image, resolution } = request as IDataObject;
		expect(plain).toEqual({ model, prompt, image, resolution });
		credentials.videoGenerationApi = { ...access, settings: 'openAi' };
		const { error } = await stage.run(videoGenerate(set), toInput({ prompt: 'A boat' }));
		credentials.videoGenerationApi = access;
		expect(error?.message).toMatch(/Resolution needs Aspect Ratio beside it/);
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
	])('Additional Fields win over %s: %j', async (_name, additionalFields, set, wanted) => {
		const { sandbox } = stage;
		const form = { ...set, wait: 'none' };
		const run = async (dryRun: boolean) => {
			const options = { additionalFields: JSON.stringify(additionalFields), cost: { dryRun } };
			const items = toInput({ prompt: 'A boat' });
			return await stage.run(videoGenerate({ ...form, options }), items);
		};
		const shown = (await run(true)).outputs()[0][0].json.request;
		await run(false);
		expect(sandbox.submissions().map(({ body }) => body)).toEqual([shown]);
		expect(shown).toEqual({ model: expect.any(String) as string, prompt: 'A boat', ...wanted });
	});

	it('another model in Additional Fields is a model of its own, with its own settings', async () => {
		const { sandbox } = stage;
		const options = { additionalFields: '{"model":"kling-v1-6"}' };
		const { outputs } = await stage.run(
			videoGenerate({ resolution: '720p', options }, CONTINUE),
			toInput({ prompt: 'A boat' }),
		);
		expect(outputs()[0][0].json.error).toMatchObject({
			message: expect.stringMatching(/^"kling-v1-6" has no field for: Resolution/) as string,
			description: expect.stringContaining('Nothing was submitted.') as string,
			next: 'changeRequest',
		});
		expect(sandbox.submissions()).toEqual([]);
	});

	const byExpression = (written: string) => ({
		role: 'lastFrame',
		...PICTURE,
		imageSource: written,
	});
	it.each<[string, IDataObject, string]>([
		['First Frame', { ...PICTURE, imageSource: '={{ $json.not }}' }, 'First Frame is empty'],
		['Wait', { wait: '={{ $json.not }}' }, 'is empty'],
		[
			'Image Source of a row',
			{ ...PICTURE, options: { images: { image: [byExpression('={{ null }}')] } } },
			'Images, row 1: Image Source is empty',
		],
	])('%s by an expression that gives nothing is refused: %p', async (_name, set, message) => {
		const options = { modelFamily: 'Seedance', ...(set.options as IDataObject) };
		const { sandbox } = stage;
		const { outputs } = await stage.run(
			videoGenerate({ ...set, options }, CONTINUE),
			toInput({ prompt: 'A boat' }),
		);
		const { error } = outputs()[0][0].json as { error: IDataObject };
		expect(error.message).toContain(message);
		expect(sandbox.submissions()).toEqual([]);
	});
});
