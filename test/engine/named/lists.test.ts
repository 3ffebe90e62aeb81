import type { IDataObject } from 'n8n-workflow';

import { byId, KEY, toInput, useStage, videoGenerate } from '../../support/stage';

// The list of models of a service with schemas, and what a dry run tells of prices.

const stage = useStage();

const credentialsOf = (api: string) => ({
	videoGenerationApi: {
		...{ api, proxyUrl: stage.sandbox.url, apiKey: KEY, allowPrivateAddresses: true },
	},
});

async function list(api: string, filter?: string) {
	stage.sandbox.set({ profile: api });
	const request = { credentials: credentialsOf(api), filter };
	const found = await stage.engine.listSearch(videoGenerate(), 'searchVideoModels', request);
	return found.results.map(({ name }) => name);
}

const places = () => stage.sandbox.requests.map(({ path }) => path);

it.each([
	['fal', 'Nano Banana: fal-ai/nano-banana (image)'],
	['replicate', 'google/veo-3.1 (video)'],
	['kie', 'Nano Banana: google/nano-banana (image, 60 credits a task (an example))'],
	[
		'wavespeed',
		'from $0.03, Flux 2 Pro Text To Image: wavespeed-ai/flux-2-pro/text-to-image (image)',
	],
])('%s lists models of all kinds, those of videos first: %s', async (api, name) => {
	const names = await list(api);
	expect(names).toContain(name);
	expect(names[0]).toContain('(video');
	const others = names.findIndex((one) => !one.includes('(video'));
	expect(names.slice(others).filter((one) => others >= 0 && one.includes('(video'))).toEqual([]);
});

it('all of several words are in a name', async () => {
	expect(await list('fal', 'nano edit')).toEqual([
		'Nano Banana: fal-ai/nano-banana/edit (image)',
		'Nano Banana Pro: fal-ai/nano-banana-pro/edit (image)',
	]);
	expect(await list('fal', 'lip')).toEqual(['Sync. Lipsync 2: fal-ai/sync-lipsync/v2 (video)']);
	expect(await list('fal', 'Lip-Sync')).toContain(
		'Sync. Lipsync 2: fal-ai/sync-lipsync/v2 (video)',
	);
	expect((await list('fal', 'voice')).every((name) => name.endsWith('(sound)'))).toBe(true);
	expect(await list('fal', 'no such')).toEqual([]);
});

it('a model comes before its variants', async () => {
	const [first, ...others] = await list('fal', 'veo3.1');
	expect(first).toBe('Veo 3.1: fal-ai/veo3.1 (video)');
	expect(others.length).toBeGreaterThan(1);
});

it('a list is read once, and searched often', async () => {
	stage.sandbox.set({ profile: 'wavespeed' });
	await list('wavespeed', 'veo');
	const before = places().length;
	await list('wavespeed', 'flux');
	expect(places()).toHaveLength(before);
});

it('Replicate is asked for the words, and what it finds need not have them in its name', async () => {
	expect(await list('replicate', 'lipsync')).toContain('sync/lipsync-2');
	expect(places()).toContain('/v1/search');
});

/** A dry run of two equal items. */
async function tellPrice(api: string, model: string, parameters: IDataObject = {}) {
	stage.sandbox.set({ profile: api });
	const node = videoGenerate({
		...{ model: byId(model), ...parameters },
		options: { cost: { dryRun: true } },
	});
	const items = toInput({ prompt: 'A boat' }, { prompt: 'A boat' });
	const result = await stage.run(node, items, { credentials: credentialsOf(api) });
	if (result.error) throw result.error;
	expect(stage.sandbox.submissions()).toEqual([]);
	const [first, second] = result.outputs()[0].map(({ json }) => json.list_price);
	expect(second).toEqual(first);
	return { price: first, hint: result.hints()[0].message, asked: places() };
}

it('fal tells the price of a unit, and is asked once', async () => {
	const { price, hint, asked } = await tellPrice('fal', 'fal-ai/veo3.1');
	expect(price).toEqual({ value: 0.05, unit: 'USD per second' });
	expect(hint).toContain('List price: 0.05 USD per second.');
	expect(asked.filter((path) => path === '/v1/models/pricing')).toHaveLength(1);
});

it('kie.ai tells it in words', async () => {
	const { price, hint } = await tellPrice('kie', 'veo-3-1');
	expect(price).toEqual({ words: '60 credits a task (an example)' });
	expect(hint).toContain('List price: 60 credits a task (an example).');
});

it('WaveSpeed tells it for the very inputs, and so there is a sum', async () => {
	const model = 'wavespeed-ai/wan-2.2/t2v-480p-ultra-fast';
	const { price, hint } = await tellPrice('wavespeed', model, { duration: 8 });
	expect(price).toEqual({ value: 0.08, unit: 'USD' });
	expect(hint).toContain('List price: about $0.16.');
});

it('OpenRouter tells it by length, sound and resolution, as it spells them', async () => {
	const { price } = await tellPrice('openRouter', 'google/veo-3.1');
	expect(price).toEqual({ words: 'duration seconds: 0.40' });
});

it('Replicate tells none', async () => {
	const { price } = await tellPrice('replicate', 'google/veo-3.1');
	expect(price).toBeUndefined();
});
