import type { IDataObject } from 'n8n-workflow';

import { PICTURE } from '../../../sandbox/service/media';
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

// fal, Google, Replicate, kie.ai, OpenRouter, Runway and WaveSpeed from the form to the file. The stand-ins are judged by the vendors' own clients.

const stage = useStage();

const USUAL = { prompt: 'A boat', aspect_ratio: '16:9' };

/** By service: a model, what is sent for 8 seconds, 16:9, 720p, sound and a first frame, and how its ID looks. */
const SERVICES = [
	{
		api: 'fal',
		model: 'fal-ai/veo3.1/image-to-video',
		request: { ...USUAL, duration: '8s', image_url: { length: expect.any(Number) } },
		id: /^fal-ai\/veo3\.1\/requests\/[\w-]+$/,
		cost: { value: 8, unit: 'billable units', kind: 'final' },
	},
	{
		api: 'google',
		model: 'gemini-omni-1.1-flash',
		odd: 2,
		request: {
			...{ ...USUAL, duration: '8s', resolution: '720p', background: true },
			images: [{ type: 'image', mime_type: 'image/png', data: { length: expect.any(Number) } }],
			...{ task: 'image_to_video', type: 'video', delivery: 'uri' },
		},
		id: /^v1_[\w-]+$/,
	},
	{
		api: 'replicate',
		model: 'google/veo-3.1',
		request: { ...USUAL, duration: 8, image: { length: expect.any(Number) } },
		id: /^\w+$/,
	},
	{
		api: 'kie',
		model: 'veo-3-1',
		request: {
			...USUAL,
			duration: 8,
			image_urls: [expect.stringMatching(/\/files\/[\w-]{36}\.png$/)],
		},
		id: /^\w+$/,
		cost: { value: 60, unit: 'credits', kind: 'final' },
	},
	{
		api: 'openRouter',
		model: 'google/veo-3.1',
		request: {
			...USUAL,
			duration: 8,
			frame_images: [
				{
					type: 'image_url',
					image_url: { url: { length: expect.any(Number) } },
					frame_type: 'first_frame',
				},
			],
		},
		id: /^gen-vid-\d+-\w{20}$/,
		cost: { value: 3.2, unit: 'USD', kind: 'final' },
	},
	{
		api: 'runway',
		model: 'veo3.1',
		also: { aspectRatio: '16:9' },
		request: {
			...{ promptText: 'A boat', ratio: '1280:720', duration: 8 },
			promptImage: { length: expect.any(Number) },
		},
		id: /^[\w-]{36}$/,
		cost: { value: 60, unit: 'credits', kind: 'final' },
	},
	{
		api: 'wavespeed',
		model: 'google/veo3.1/image-to-video',
		textModel: 'wavespeed-ai/wan-2.2/t2v-480p-ultra-fast',
		request: { ...USUAL, duration: 8, image: expect.stringMatching(/^http.*\.png$/) },
		id: /^\w+$/,
	},
];
type Row = (typeof SERVICES)[number];

const credentialsOf = ({ api }: Pick<Row, 'api'>) => ({
	videoGenerationApi: {
		...{ api, proxyUrl: stage.sandbox.url, apiKey: KEY, allowPrivateAddresses: true },
	},
});

const generate = (model: string, parameters: IDataObject = {}) =>
	videoGenerate({ model: byId(model), ...parameters });

describe.each(SERVICES)('$api', (row) => {
	const { api, model, request, id, cost } = row;
	const { textModel = model.replace('/image-to-video', ''), also, odd = 7 } = row;
	// Runway is asked every five seconds.
	let haste: ReturnType<typeof hurry> | undefined;
	beforeEach(() => {
		stage.sandbox.set({ profile: api });
		if (api === 'runway') haste = hurry(100);
	});
	afterEach(() => haste?.restore());

	it('renders from a file and downloads the video', async () => {
		const node = generate(model, {
			...{ imageSource: 'binary', imageBinaryProperty: 'image', downloadVideo: true },
			...{ duration: 8, aspectRatio: '16:9', resolution: '720p' },
		});
		const image = { data: PICTURE.toString('base64'), mimeType: 'image/png' };
		const items = [{ json: { prompt: 'A boat' }, binary: { image } }];
		const { outputs, error } = await stage.run(node, items, { credentials: credentialsOf(row) });
		expect(error).toBeUndefined();
		const [[{ json, binary }]] = outputs();
		expect(json).toMatchObject({ status: 'SUCCESS', task_id: expect.stringMatching(id) });
		expect(json.cost).toEqual(cost);
		expect(binary?.data.mimeType).toBe('video/mp4');
		expect(stage.sandbox.tasks()).toMatchObject([{ dropped: [], request }]);
	});

	it('tells why a render has failed, and submits once', async () => {
		const plan = { outcome: 'FAILURE' as const, failReason: 'Too dark' };
		const items = toInput({ prompt: planned('A boat', plan) });
		const node = generate(textModel, also);
		const { error } = await stage.run(node, items, { credentials: credentialsOf(row) });
		expect(error?.message).toMatch(/Too dark/);
		expect(stage.sandbox.submissions()).toHaveLength(1);
	});

	it('finds the video by its task ID alone', async () => {
		const credentials = credentialsOf(row);
		const items = toInput({ prompt: planned('A boat', { renderMs: 0 }) });
		const first = await stage.run(generate(textModel, { ...also, wait: 'none' }), items, {
			credentials,
		});
		const { task_id } = first.outputs()[0][0].json;
		const status = await stage.run(videoStatus(), toInput({ task_id }), { credentials });
		expect(status.outputs()[0][0].json).toMatchObject({ status: 'SUCCESS', task_id });
		const file = await stage.run(videoDownload(), toInput({ task_id }), { credentials });
		expect(file.outputs()[0][0].binary?.data.mimeType).toBe('video/mp4');
		expect(stage.sandbox.submissions()).toHaveLength(1);
	});

	it('tests the key with what is free', async () => {
		const { videoGenerationApi } = credentialsOf(row);
		const verdict = async (apiKey: string) =>
			await stage.engine.testCredential('videoGenerationApi', { ...videoGenerationApi, apiKey });
		expect(await verdict(KEY)).toMatchObject({ status: 'OK' });
		expect(await verdict('wrong')).toMatchObject({ status: 'Error' });
		expect(stage.sandbox.submissions()).toEqual([]);
	});

	it('refuses a value that the model does not take before anything is paid', async () => {
		const node = generate(textModel, { ...also, duration: `={{ ${odd} }}` });
		const { error } = await stage.run(node, toInput({ prompt: 'A boat' }), {
			credentials: credentialsOf(row),
		});
		expect(error?.message).toMatch(/Duration must be (one of|from|a whole number)/);
		expect(stage.sandbox.submissions()).toEqual([]);
	});

	it('says of a task that it does not know that it does not', async () => {
		const credentials = credentialsOf(row);
		for (const node of [videoStatus(), videoDownload()]) {
			const items = toInput({ task_id: 'of-another-account' });
			const haste = hurry(100);
			const { error } = await stage.run(node, items, { credentials }).finally(haste.restore);
			expect(error).toMatchObject({
				message: expect.stringMatching(/ed: the service does not know this task /),
				description: expect.stringMatching(/^Check the task ID, and that the credential is/),
			});
		}
	});
});

it('gets the file of OpenRouter with the key, from its own address for the task', async () => {
	stage.sandbox.set({ profile: 'openRouter' });
	const plan = { resultUrl: 'none' };
	const { outputs, error } = await stage.run(
		generate('google/veo-3.1', { downloadVideo: true }),
		toInput({ prompt: planned('A boat', plan) }),
		{ credentials: credentialsOf({ api: 'openRouter' }) },
	);
	expect(error).toBeUndefined();
	const [[{ json, binary }]] = outputs();
	expect(json.result_url).toBe(
		`${stage.sandbox.url}/api/v1/videos/${json.task_id as string}/content`,
	);
	expect(binary?.data.mimeType).toBe('video/mp4');
});

describe('a file whose host denies it', () => {
	const DENIED = { status: 403, text: 'AccessDenied' };
	const files = () => stage.sandbox.count({ origin: 'foreign' });
	const refreshed = () => stage.sandbox.count({ path: /\/download-url$/ });
	const generated = async (api: string, model: string, content: object, downloadVideo: boolean) => {
		stage.sandbox.set({ profile: api });
		const result = await stage.run(
			videoGenerate({ model: byId(model), downloadVideo }, { onError: 'continueErrorOutput' }),
			toInput({ prompt: planned('A boat', { renderMs: 0, ...content }) }),
			{ credentials: credentialsOf({ api }) },
		);
		return result.outputs();
	};

	it('comes from a fresh address of kie.ai', async () => {
		const [[{ binary }]] = await generated('kie', 'veo-3-1', { content: [DENIED] }, true);
		expect(binary?.data.mimeType).toBe('video/mp4');
		expect([files(), refreshed()]).toEqual([2, 1]);
		expect(stage.sandbox.submissions()).toHaveLength(1);
	});

	it('is told without a word of the Base URL, and with how long files are kept', async () => {
		const [, [{ json }]] = await generated('kie', 'veo-3-1', { content: { always: DENIED } }, true);
		expect(json.error).toMatchObject({
			message: expect.stringMatching(/which denies access to it \(HTTP 403\)/),
			description: expect.stringMatching(
				/^The link may have expired, or the file may be deleted: kie\.ai keeps files for 14 days\. The video is rendered and paid for: run Video Download now with its task ID, which is free/,
			),
			...{ next: 'followTask', billed: 'yes' },
		});
		expect([files(), refreshed()]).toEqual([2, 1]);
		expect(JSON.stringify(json.error)).not.toMatch(/Base URL|enter it there/);
	});

	/** Replicate's record an hour later. */
	const DELETED = { status: 200, json: { status: 'succeeded', output: null } };

	it.each([
		['its record gives a fresh one', { content: [DENIED] }, 2],
		['its record names none', { content: [DENIED], poll: ['ok', { always: DELETED }] }, 1],
	])('Video Download asks the task again: %s', async (_what, plan, requests) => {
		const outputs = await generated('replicate', 'google/veo-3.1', plan, false);
		const { task_id, result_url } = outputs[0][0].json as Record<string, string>;
		const result = await stage.run(
			videoDownload(
				{ source: 'url', resultUrl: '={{ $json.result_url }}' },
				{ onError: 'continueErrorOutput' },
			),
			toInput({ task_id, result_url: `${result_url}&expired=1` }),
			{ credentials: credentialsOf({ api: 'replicate' }) },
		);
		const [done, failed] = result.outputs();
		expect(files()).toBe(requests);
		if (requests === 2) return expect(done[0].binary?.data.mimeType).toBe('video/mp4');
		expect(failed[0].json.error).toMatchObject({
			description: expect.stringMatching(
				/deleted it: Replicate keeps files for an hour\. Only a new task/,
			),
			next: 'changeRequest',
		});
	});
});

describe('images at kie.ai', () => {
	const row = SERVICES.find(({ api }) => api === 'kie')!;
	const image = { data: PICTURE.toString('base64'), mimeType: 'image/png' };
	const other = Buffer.concat([PICTURE, Buffer.alloc(1)]);
	const last = { data: other.toString('base64'), mimeType: 'image/png' };
	const items = [{ json: { prompt: 'A boat' }, binary: { image, last } }];
	const lastFrame = { role: 'lastFrame', imageSource: 'binary', imageBinaryProperty: 'last' };
	const run = async (options: IDataObject = {}) =>
		await stage.run(
			generate(row.model, { imageSource: 'binary', imageBinaryProperty: 'image', options }),
			items,
			{ credentials: credentialsOf(row) },
		);
	beforeEach(() => void stage.sandbox.set({ profile: 'kie' }));

	it('each file has an address of its own', async () => {
		const { error } = await run({ images: { image: [lastFrame] } });
		expect(error).toBeUndefined();
		const [{ request }] = stage.sandbox.tasks();
		const { image_urls } = request as { image_urls: string[] };
		expect(new Set(image_urls).size).toBe(2);
	});

	it.each([
		[
			'cannot be uploaded',
			{ status: 500, json: { code: 500, msg: 'Disk full' } },
			/uploaded: .*Disk full/,
		],
		['is refused', { status: 200, json: { code: 402, msg: 'No credit' } }, /out of credit/],
	])('nothing is submitted if one %s', async (_how, answer, words) => {
		stage.sandbox.set({ plan: { content: [answer] } });
		const { error } = await run();
		expect(error?.message).toMatch(/^The video was not submitted: /);
		expect(error?.message).toMatch(words);
		expect(stage.sandbox.submissions()).toEqual([]);
	});
});
