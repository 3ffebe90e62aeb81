import { MODEL, useStage, videoGenerate } from '../../support/stage';

const models = {
	video: [
		'wan2.5-i2v-preview',
		'MiniMax-Hailuo-02',
		'film-video-1',
		'kling-v2-master',
		'some-video',
	],
	text: ['gemini-2.5-flash'],
};
const owners = { 'film-video-1': 'vidu', 'gemini-2.5-flash': 'vertex-ai' };
const stage = useStage({ models, owners });

const list = async (filter?: string) => {
	const { engine, credentials } = stage;
	return await engine.listSearch(videoGenerate(), 'searchVideoModels', { credentials, filter });
};

it('begins with the models that render video, by family, and says what they are for', async () => {
	const { results } = await list();
	expect(results.map(({ name }) => name)).toEqual([
		'Hailuo: MiniMax-Hailuo-02',
		'Kling: kling-v2-master',
		'some-video',
		'Vidu: film-video-1',
		'Wan: wan2.5-i2v-preview (image to video)',
		'gemini-2.5-flash',
	]);
});

it('tells the list prices that depend on no setting', async () => {
	const names = ['kling-v1-6', 'kling-v2-master', 'wan2.5-t2v-preview'];
	stage.sandbox.set({
		profile: 'gateway',
		models: {
			video: [...names, 'veo-3.1-generate-001', 'doubao-seedance-1-5-pro-251215'],
			text: [],
		},
	});
	expect((await list()).results.map(({ name }) => name)).toEqual([
		'Kling: kling-v1-6, about $0.30 a video',
		'Kling: kling-v2-master',
		'Seedance: doubao-seedance-1-5-pro-251215',
		'Veo: veo-3.1-generate-001, about $0.40 a second',
		'Wan: wan2.5-t2v-preview (text to video)',
	]);
});

it('finds models by their family', async () => {
	const { results } = await list('VIDU');
	expect(results).toEqual([{ name: 'Vidu: film-video-1', value: 'film-video-1' }]);
});

it('is the documented ones where the service lists none', async () => {
	stage.sandbox.set({ listings: false });
	expect((await list()).results.map(({ value }) => value)).toContain(MODEL);
});

it('says why there is no list, with the code by which the editor offers the credential', async () => {
	const credentials = {
		videoGenerationApi: { ...stage.credentials.videoGenerationApi, apiKey: 'a-wrong-key-1' },
	};
	const listing = stage.engine.listSearch(videoGenerate(), 'searchVideoModels', { credentials });
	const message = expect.stringMatching(/^The service refuses the API key(?!.*401)/) as string;
	await expect(listing).rejects.toMatchObject({ message, httpCode: '401' });
});

it('asks for the family of a name that tells none where only Additional Fields are set', async () => {
	const { sandbox } = stage;
	sandbox.set({ models: { video: ['house'] }, owners: { house: 'google gemini' } });
	const fields = { image: 'https://example.com/a.png' };
	const { error } = await stage.run(
		videoGenerate({
			model: { __rl: true, mode: 'id', value: 'house' },
			prompt: 'A boat',
			options: { additionalFields: JSON.stringify(fields) },
		}),
		[{ json: {} }],
	);
	expect(error?.message).toMatch(/^Veo opens no web addresses/);
	expect(sandbox.submissions()).toHaveLength(0);
});
