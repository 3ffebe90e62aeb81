import { MODEL, useStage, videoGenerate } from '../../support/stage';

const WAN = 'wan2.5-i2v-preview';
const models = {
	video: [WAN, 'MiniMax-Hailuo-02', 'film-video-1', 'kling-v2-master', 'some-video'],
	text: ['gemini-2.5-flash'],
};
const owners = { 'film-video-1': 'vidu', 'gemini-2.5-flash': 'vertex-ai' };
const stage = useStage({ models, owners });

const list = async (filter?: string, apiKey = stage.credentials.videoGenerationApi.apiKey) => {
	const credentials = { videoGenerationApi: { ...stage.credentials.videoGenerationApi, apiKey } };
	const request = { credentials, filter };
	return (await stage.engine.listSearch(videoGenerate(), 'searchVideoModels', request)).results;
};

it('begins with the models that render video, and says what they are for; finds them by it', async () => {
	expect((await list()).map(({ name }) => name)).toEqual([
		'film-video-1 (Vidu)',
		'kling-v2-master (Kling)',
		'MiniMax-Hailuo-02 (Hailuo)',
		'some-video',
		'wan2.5-i2v-preview (Wan, image to video)',
		'gemini-2.5-flash',
	]);
	expect(await list('VIDU')).toEqual([{ name: 'film-video-1 (Vidu)', value: 'film-video-1' }]);
});

it('tells the list prices that depend on no setting', async () => {
	const video = ['kling-v1-6', 'kling-v2-master', 'veo-3.1-generate-001'];
	stage.sandbox.set({ profile: 'gateway', models: { video, text: [] } });
	expect((await list()).map(({ name }) => name)).toEqual([
		'$0.30/video, kling-v1-6 (Kling)',
		'kling-v2-master (Kling)',
		'$0.40/s, veo-3.1-generate-001 (Veo)',
	]);
});

it('is the documented ones where the service lists none', async () => {
	stage.sandbox.set({ listings: false });
	expect((await list()).map(({ value }) => value)).toContain(MODEL);
});

it('says why there is no list, with the code by which the editor offers the credential', async () => {
	const message = expect.stringMatching(/^The service refuses the API key/) as string;
	await expect(list(undefined, 'a-wrong-key-1')).rejects.toMatchObject({
		message,
		httpCode: '401',
	});
});
