import { PICTURE, SOUND } from '../../../sandbox/service/media';
import { hurry } from '../../support/clock';
import {
	byId,
	KEY,
	planned,
	toInput,
	useStage,
	videoDownload,
	videoGenerate,
	videoStatus,
} from '../../support/stage';

// Any model of fal, kie.ai, Replicate and WaveSpeed: an image, a sound, several files, a text, and what is none of them.

const stage = useStage();

const MODELS = {
	fal: 'fal-ai/veo3.1',
	kie: 'veo-3-1',
	replicate: 'google/veo-3.1',
	wavespeed: 'wavespeed-ai/wan-2.2/t2v-480p-ultra-fast',
};
type Api = keyof typeof MODELS;

const PNG_OF_FRAME = expect.objectContaining({ mimeType: 'image/png', fileExtension: 'png' });

/** Generates, and reads the same task by its ID with the other two nodes. */
async function make(api: Api, plan: object, options: object = {}) {
	stage.sandbox.set({ profile: api });
	const credentials = {
		videoGenerationApi: {
			...{ api, proxyUrl: stage.sandbox.url, apiKey: KEY, allowPrivateAddresses: true },
		},
	};
	const run = async (node: Parameters<typeof stage.run>[0], items = toInput({})) => {
		const haste = hurry(100);
		const result = await stage.run(node, items, { credentials }).finally(haste.restore);
		if (result.error) throw result.error;
		return result.outputs().flat()[0];
	};
	const items = toInput({ prompt: planned('A boat', { renderMs: 0, ...plan }) });
	const node = videoGenerate({ model: byId(MODELS[api]), downloadVideo: true, options });
	const made = await run(node, items);
	const { task_id } = made.json;
	const status = await run(videoStatus(), toInput({ task_id }));
	const download = await run(videoDownload(), toInput({ task_id }));
	return { made, status, download };
}

const bytesOf = async (file: { data: string }) =>
	await Promise.resolve(Buffer.from(file.data, 'base64'));

describe.each(Object.keys(MODELS) as Api[])('%s', (api) => {
	afterEach(() => void expect(stage.sandbox.submissions()).toHaveLength(1));

	it('an image', async () => {
		const { made, status, download } = await make(api, { makes: 'image' });
		expect(made.json).toMatchObject({ status: 'SUCCESS', billed: 'yes' });
		expect(made.json.result_url).toMatch(/\.png\?/);
		expect(made.json).not.toHaveProperty('result_urls');
		expect(made.binary).toEqual({ data: PNG_OF_FRAME });
		expect(made.binary!.data.fileName).toMatch(/\.png$/);
		expect(status.json).toMatchObject({ status: 'SUCCESS', result_url: made.json.result_url });
		expect(download.binary).toEqual({ data: PNG_OF_FRAME });
		expect(download.json).toMatchObject({ mime_type: 'image/png' });
	});

	it('a sound', async () => {
		const { made, download } = await make(api, { makes: 'sound' });
		expect(made.binary!.data).toMatchObject({ mimeType: 'audio/wav' });
		expect(await bytesOf(made.binary!.data)).toEqual(SOUND);
		expect(await bytesOf(download.binary!.data)).toEqual(SOUND);
	});

	it('several images', async () => {
		const plan = { makes: ['image', 'image', 'image'] };
		const { made, status, download } = await make(api, plan, { fileName: 'boat.mp4' });
		const urls = made.json.result_urls as string[];
		expect(urls).toHaveLength(3);
		expect(made.json.result_url).toBe(urls[0]);
		expect(status.json.result_urls).toEqual(urls);
		expect(Object.keys(made.binary!)).toEqual(['data', 'data_1', 'data_2']);
		const names = Object.values(made.binary!).map(({ fileName }) => fileName);
		expect(names).toEqual(['boat.png', 'boat-1.png', 'boat-2.png']);
		expect(Object.keys(download.binary!)).toEqual(['data', 'data_1', 'data_2']);
		expect(stage.sandbox.count({ origin: 'foreign' })).toBe(6);
	});

	// kie.ai's pages name neither a place for a text, nor files in a record.
	const unlessKie = (name: string, test: () => Promise<void>) => {
		if (api !== 'kie') it(name, test);
	};

	unlessKie('a text', async () => {
		const { made, status, download } = await make(api, { makes: 'text' });
		for (const { json, binary } of [made, status, download]) {
			expect([json.text, binary]).toEqual(['Two boats', undefined]);
			expect(json).not.toHaveProperty('result_url');
		}
		expect(stage.sandbox.count({ origin: 'foreign' })).toBe(0);
	});

	it('weights', async () => {
		const { made, status, download } = await make(api, { makes: 'weights' });
		for (const { json, binary } of [made, status, download]) {
			expect(json.output).toBeDefined();
			expect([json.result_url, binary]).toEqual([
				expect.stringMatching(/\.safetensors\?/),
				undefined,
			]);
		}
		expect(made.json.billed).toBe('yes');
		expect(stage.sandbox.count({ origin: 'foreign' })).toBe(0);
	});

	unlessKie('an image in the record itself is stored, and in no item', async () => {
		const { made, status, download } = await make(api, { makes: 'inline' }, { rawResponse: true });
		for (const { binary } of [made, download]) {
			expect(await bytesOf(binary!.data)).toEqual(PICTURE);
			expect(binary!.data).toMatchObject({ mimeType: 'image/png' });
		}
		for (const { json } of [made, status, download]) {
			expect(JSON.stringify(json)).not.toContain(PICTURE.toString('base64').slice(0, 40));
		}
	});

	it('a download that ends early begins again', async () => {
		const plan = { makes: 'image', content: ['ok', 'cutAfter'].slice(api === 'fal' ? 0 : 1) };
		const { made } = await make(api, plan);
		expect(made.binary).toEqual({ data: PNG_OF_FRAME });
	});
});
