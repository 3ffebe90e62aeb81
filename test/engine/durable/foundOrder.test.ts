import { hurry } from '../../support/clock';
import { byId, KEY, planned, toInput, videoGenerate } from '../../support/stage';
import { SLOW, useDurableStage } from './support/stage';

const stage = useDurableStage();

it('sleeps for an order that the list shows, and pays once', async () => {
	stage.sandbox.set({ profile: 'replicate' });
	const access = { api: 'replicate', proxyUrl: stage.sandbox.url, apiKey: KEY };
	const prompt = planned('A boat', { ...SLOW, submit: ['acceptThenReset'] });
	const haste = hurry(100);
	const asleep = await stage.begin({
		node: videoGenerate({ wait: 'durable', model: byId('google/veo-3.1') }),
		items: toInput({ prompt }),
		credentials: { videoGenerationApi: { ...access, allowPrivateAddresses: true } },
	});
	haste.restore();
	const [[{ json }]] = (await stage.toEnd(asleep)).outputs();
	expect(json).toMatchObject({ status: 'SUCCESS', billed: 'yes' });
	expect(stage.sandbox.submissions()).toHaveLength(1);
});
