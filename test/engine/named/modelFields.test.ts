import type { IDataObject } from 'n8n-workflow';

import type { EngineNode } from '../../support/engine';
import { byId, planned, toInput, useStage, videoGenerate } from '../../support/stage';

// Model Fields, from the rows to the request, at stand-ins that refuse what a model does not take.

const stage = useStage();

type Rows = Record<string, unknown>;

const toOptions = (rows: Rows): IDataObject => ({
	modelFields: { field: Object.entries(rows).map(([name, value]) => ({ name, value })) },
});

const nodeOf = (model: string, rows: Rows, more: IDataObject = {}): EngineNode =>
	videoGenerate({ model: byId(model), options: { ...toOptions(rows), ...more } });

/** The model has no prompt, and its clip is a field like others. */
const NO_PROMPT = { additionalFields: '{ "prompt": null }' };
const CLIP = { video_url: 'https://example.com/clip.mp4' };

async function run(api: string, node: EngineNode, prompts = ['A boat']) {
	if (api !== 'newApi') stage.sandbox.set({ profile: api });
	const own = api === 'newApi' ? {} : { proxyUrl: stage.sandbox.url };
	const credentials = {
		videoGenerationApi: { ...stage.credentials.videoGenerationApi, api, ...own },
	};
	const result = await stage.run(node, toInput(...prompts.map((prompt) => ({ prompt }))), {
		credentials,
	});
	return {
		result,
		credentials,
		items: result.outputs().flat(),
		bodies: stage.sandbox.submissions().map(({ body }) => body),
	};
}

it('captions at fal: each value has the type of its field', async () => {
	const rows = {
		...CLIP,
		preset: 'Karaoke',
		font_size: '60',
		names: 'Nora, Emil',
		bold: 'false',
		colors: '={{ ({ text: "#fff" }) }}',
		language: '={{ $json.language }}',
	};
	const { items, bodies } = await run('fal', nodeOf('veed/subtitles', rows, NO_PROMPT));
	expect(items).toMatchObject([{ json: { status: 'SUCCESS' } }]);
	expect(bodies).toEqual([
		{
			...CLIP,
			...{ preset: 'karaoke', font_size: 60, names: ['Nora', 'Emil'], bold: false },
			colors: { text: '#fff' },
		},
	]);
});

it('music at Replicate; Additional Fields (JSON) win, and Dry Run shows it', async () => {
	const rows = { lyrics: '[verse]\nRain', sample_rate: '16000' };
	const more = { additionalFields: { lyrics: '[verse]\nSun' }, cost: { dryRun: true } };
	const input = { prompt: 'A waltz', lyrics: '[verse]\nSun', sample_rate: 16000 };
	const { items, bodies } = await run('replicate', nodeOf('minimax/music-1.5', rows, more), [
		'A waltz',
	]);
	expect(items).toMatchObject([{ json: { dry_run: true, request: { input } } }]);
	expect(bodies).toEqual([]);
});

it.each<[string, api: string, model: string, rows: Rows, says: string]>([
	[
		'a required field that is missing',
		...(['fal', 'veed/subtitles', CLIP] as const),
		'"veed/subtitles" needs preset',
	],
	[
		'another value than the choices',
		...(['fal', 'fal-ai/kokoro', { voice: 'bella' }] as const),
		'Model Fields, row 1: voice must be one of: af_heart, am_adam',
	],
	[
		'a number out of range, of the second item',
		...([
			'fal',
			'fal-ai/kokoro',
			{ voice: 'am_adam', speed: '={{ 1 + 4 * $itemIndex }}' },
		] as const),
		'Model Fields, row 2: speed must be a number, from 0.5 to 2',
	],
	[
		'a name that the model lacks',
		...(['replicate', 'minimax/music-1.5', { lyric: 'la' }] as const),
		'Model Fields, row 1: "minimax/music-1.5" has no field "lyric"',
	],
	[
		'a service without schemas',
		...(['newApi', 'veo-3.1', { voice: 'am_adam' }] as const),
		'New API does not publish what its models take',
	],
])('nothing is submitted with %s', async (_name, api, model, rows, says) => {
	const more = model === 'veed/subtitles' ? NO_PROMPT : {};
	const { result, bodies } = await run(api, nodeOf(model, rows, more), ['One', 'Two']);
	expect(result.error?.message).toContain(says);
	expect(bodies).toEqual([]);
});

it('the tier of Veo at kie.ai, which its schema does not list', async () => {
	const { bodies } = await run('kie', nodeOf('veo-3-1', { model: 'veo3_lite' }));
	expect(bodies).toMatchObject([{ model: 'veo-3-1', input: { model: 'veo3_lite' } }]);
});

it('a row is the prompt, where the form has none', async () => {
	const node = { ...nodeOf('fal-ai/kokoro', { prompt: 'Good evening', voice: 'am_adam' }) };
	const { bodies } = await run('fal', { ...node, parameters: { ...node.parameters, prompt: '' } });
	expect(bodies).toEqual([{ prompt: 'Good evening', voice: 'am_adam' }]);
});

it('a setting that a row also has is replaced, and a hint says so', async () => {
	const node = videoGenerate({
		...{ model: byId('fal-ai/veo3.1'), duration: 8, wait: 'none' },
		options: toOptions({ duration: '4s' }),
	});
	const { result, bodies } = await run('fal', node);
	expect(bodies).toMatchObject([{ duration: '4s' }]);
	expect(JSON.stringify(result.hints())).toContain('Duration: Model Fields replaces it');
});

it.each<[what: string, voice: string, submitted: number]>([
	['an unchanged row has its paid task', 'am_adam', 1],
	['a changed row is ordered', 'af_heart', 2],
])('in a retried execution, %s', async (_what, voice, submitted) => {
	const lost = planned('Hello', { poll: Array.from({ length: 5 }, () => 'unauthorized') });
	const first = await run('fal', nodeOf('fal-ai/kokoro', { voice: 'am_adam' }), [lost]);
	expect(first.bodies).toHaveLength(1);
	const node = nodeOf('fal-ai/kokoro', { voice });
	await stage.engine.retry(first.result, { node, credentials: first.credentials });
	expect(stage.sandbox.submissions().map(({ body }) => body?.voice)).toEqual(
		['am_adam', voice].slice(0, submitted),
	);
});
