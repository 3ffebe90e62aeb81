import { hurry } from '../../support/clock';
import { byId, KEY, planned, toInput, videoGenerate } from '../../support/stage';
import { SLOW, useDurableStage } from './support/stage';

const stage = useDurableStage();
let haste: ReturnType<typeof hurry>;
// Runway is asked every five seconds.
beforeEach(() => (haste = hurry(100)));
afterEach(() => haste.restore());

it.each([
	['google', 'gemini-omni-1.1-flash'],
	['runway', 'veo3.1'],
])('%s: n8n is killed while it sleeps, and no video is ordered twice', async (api, model) => {
	stage.sandbox.set({ profile: api });
	const credentials = {
		videoGenerationApi: {
			...{ api, proxyUrl: stage.sandbox.url, apiKey: KEY, allowPrivateAddresses: true },
		},
	};
	const node = videoGenerate({
		...{ wait: 'durable', model: byId(model), downloadVideo: true, aspectRatio: '16:9' },
	});
	const prompt = planned('A boat', SLOW);
	const sleeping = await stage.begin({ node, items: toInput({ prompt }, { prompt }), credentials });
	const result = await stage.toEnd(await stage.engine.crash(sleeping));
	const [items] = result.outputs();
	expect(items.map(({ json }) => json.status)).toEqual(['SUCCESS', 'SUCCESS']);
	expect(items.map(({ binary }) => binary?.data.mimeType)).toEqual(['video/mp4', 'video/mp4']);
	expect(stage.sandbox.submissions()).toHaveLength(2);
	expect(JSON.stringify(stage.subExecutions().map((one) => one.saved))).not.toContain(KEY);
});
