import { byId, KEY, planned, toInput, videoGenerate } from '../../support/stage';
import { SLOW, useDurableStage } from './support/stage';

const stage = useDurableStage();

it.each([
	[
		['image', 'image'],
		['image/png', 'image/png'],
	],
	[['sound'], ['audio/wav']],
	[['inline'], ['image/png']],
	[['text'], []],
])('stores what a model makes as it stores videos, and pays once: %j', async (makes, types) => {
	stage.sandbox.set({ profile: 'fal' });
	const credentials = {
		videoGenerationApi: {
			...{ api: 'fal', proxyUrl: stage.sandbox.url, apiKey: KEY, allowPrivateAddresses: true },
		},
	};
	const node = videoGenerate({
		...{ wait: 'durable', model: byId('fal-ai/veo3.1'), downloadVideo: true },
	});
	const items = toInput({ prompt: planned('A boat', { ...SLOW, makes }) });
	const result = await stage.toEnd(await stage.begin({ node, items, credentials }));
	const [[{ json, binary }]] = result.outputs();
	expect(json).toMatchObject({
		status: 'SUCCESS',
		...(makes[0] === 'text' && { text: 'Two boats' }),
	});
	expect(Object.values(binary ?? {}).map(({ mimeType }) => mimeType)).toEqual(types);
	expect(stage.sandbox.submissions()).toHaveLength(1);
	expect(JSON.stringify(stage.subExecutions().map((one) => one.saved))).not.toContain('base64,');
});
