import type { IDataObject } from 'n8n-workflow';

import { PICTURE } from '../../../sandbox/service/media';
import { hurry } from '../../support/clock';
import {
	byId,
	KEY,
	plannedRows,
	toInput,
	useStage,
	videoDownload,
	videoGenerate,
	videoStatus,
	type NodeSettings,
} from '../../support/stage';

// What is Runway's alone: routes, sizes in pixels, uploads in two steps, what stays charged, and how often it is
// asked. `services.test.ts` and `money.test.ts` have what it shares with others.

const stage = useStage({ renderMs: 0 });
let haste: ReturnType<typeof hurry>;
beforeEach(() => {
	stage.sandbox.set({ profile: 'runway' });
	haste = hurry(100);
});
afterEach(() => haste.restore());

const credentialsOf = (apiKey = KEY) => ({
	videoGenerationApi: {
		...{ api: 'runway', proxyUrl: stage.sandbox.url, apiKey, allowPrivateAddresses: true },
	},
});
const image = (bytes: Buffer = PICTURE, mimeType = 'image/png') => ({
	data: bytes.toString('base64'),
	mimeType,
});
const ITEM = [{ json: { prompt: 'A boat' }, binary: { image: image() } }];
const URL = 'https://example.com/boat.png';
const FRAME = { imageSource: 'url', image: URL };
const inputs = (...image: IDataObject[]) => ({ images: { image } });
const atUrl = (role: string, url = URL) => ({ role, imageSource: 'url', image: url });

async function run(
	model: string,
	parameters: IDataObject = {},
	items: Parameters<typeof stage.run>[1] = ITEM,
	settings: NodeSettings = {},
) {
	const node = videoGenerate({ model: byId(model), ...parameters }, settings);
	return await stage.run(node, items, { credentials: credentialsOf() });
}
const sent = () => stage.sandbox.submissions().map(({ path, body }) => ({ path, body }));

describe('an order', () => {
	it.each<[string, string, IDataObject, string, IDataObject]>([
		[
			'from text',
			'gen4.5',
			{ aspectRatio: '9:16', duration: 5 },
			'/v1/text_to_video',
			{ promptText: 'A boat', ratio: '720:1280', duration: 5 },
		],
		[
			'from a picture at an address',
			'gen4.5',
			{ ...FRAME, aspectRatio: '4:3', duration: 5 },
			'/v1/image_to_video',
			{ promptText: 'A boat', promptImage: URL, ratio: '1104:832', duration: 5 },
		],
		[
			'from two frames, in 1080p',
			'veo3.1',
			{
				...{ ...FRAME, aspectRatio: '16:9', resolution: '1080p' },
				options: {
					...{ negativePrompt: 'Rain', seed: 7, generateAudio: false },
					...inputs(atUrl('lastFrame')),
				},
			},
			'/v1/image_to_video',
			{
				...{ promptText: 'A boat', ratio: '1920:1080', negativePrompt: 'Rain', seed: 7 },
				audio: false,
				promptImage: [
					{ uri: URL, position: 'first' },
					{ uri: URL, position: 'last' },
				],
			},
		],
		[
			'with references',
			'seedance2_fast',
			{
				...{ aspectRatio: '16:9', resolution: '480p' },
				options: inputs(atUrl('reference'), atUrl('reference'), atUrl('referenceVideo')),
			},
			'/v1/text_to_video',
			{
				...{ promptText: 'A boat', ratio: '864:496' },
				...{ references: [{ uri: URL }, { uri: URL }] },
				referenceVideos: [{ uri: URL, type: 'video' }],
			},
		],
		[
			'from text, in the size that stands for a resolution',
			'happyhorse_1_0',
			{ aspectRatio: '9:16', resolution: '1080p' },
			'/v1/text_to_video',
			{ promptText: 'A boat', ratio: '1080:1920' },
		],
		[
			'from a picture, with the resolution itself',
			'happyhorse_1_0',
			{ ...FRAME, resolution: '1080p' },
			'/v1/image_to_video',
			{ promptText: 'A boat', promptImage: URL, resolution: '1080p' },
		],
		[
			'from text, of a model that the node does not know',
			'gen9',
			{ options: { additionalFields: { length: 5 } } },
			'/v1/text_to_video',
			{ promptText: 'A boat', length: 5 },
		],
		[
			'from a picture, of a model that the node does not know',
			'gen9',
			{ options: { additionalFields: { promptImage: URL, length: 5 } } },
			'/v1/image_to_video',
			{ promptText: 'A boat', promptImage: URL, length: 5 },
		],
		[
			'from a video',
			'aleph2',
			{ options: inputs(atUrl('referenceVideo')) },
			'/v1/video_to_video',
			{ promptText: 'A boat', videoUri: URL },
		],
		[
			'with fields by hand in place of those of the form',
			'gen4.5',
			{
				...{ aspectRatio: '16:9', duration: 5 },
				options: { additionalFields: { ratio: '720:1280', outputFormat: 'prores' } },
			},
			'/v1/text_to_video',
			{ promptText: 'A boat', ratio: '720:1280', duration: 5, outputFormat: 'prores' },
		],
	])('goes by the route of what is given: %s', async (_what, model, parameters, path, fields) => {
		const { error } = await run(model, { ...parameters, wait: 'none' });
		expect(error).toBeUndefined();
		expect(sent()).toEqual([{ path, body: { model, ...fields } }]);
	});

	const LAST = { options: inputs(atUrl('lastFrame')) };
	it.each<[string, string, IDataObject, RegExp]>([
		['nothing that it needs', 'gen4.5', {}, /^"gen4.5" needs Duration, Aspect Ratio/],
		['no prompt, where it is from text', 'seedance2_fast', { prompt: '' }, /needs Prompt/],
		['no picture', 'gen4_turbo', { aspectRatio: '16:9' }, /^"gen4_turbo" needs First Frame/],
		[
			'a ratio of the other route',
			'gen4.5',
			{ aspectRatio: '4:3', duration: 5 },
			/^Aspect Ratio is "4:3", which "gen4.5" does not take from text/,
		],
		[
			'a size of the other route, by hand',
			'gen4.5',
			{ duration: 5, options: { additionalFields: { ratio: '1104:832' } } },
			/^Aspect Ratio is "1104:832", which "gen4.5" does not take from text/,
		],
		['a size that there is not', 'veo3.1', { aspectRatio: '1:1' }, /^1:1 is no size/],
		[
			'a last frame',
			'gen4.5',
			{ ...FRAME, ...LAST, aspectRatio: '16:9', duration: 5 },
			/takes at most 1|has no field for: Last Frame/,
		],
		[
			'a negative prompt',
			'gen4.5',
			{ aspectRatio: '16:9', duration: 5, options: { negativePrompt: 'Rain' } },
			/has no field for: Negative Prompt/,
		],
		[
			'references beside a frame',
			'seedance2_fast',
			{ ...FRAME, options: inputs(atUrl('reference')) },
			/takes no Reference beside First Frame|exclude each other/,
		],
		[
			'a resolution without a ratio, where a size has both',
			'happyhorse_1_0',
			{ resolution: '1080p' },
			/^Resolution needs Aspect Ratio/,
		],
		[
			'a ratio beside a picture that has its own',
			'happyhorse_1_0',
			{ ...FRAME, aspectRatio: '16:9' },
			/takes no Aspect Ratio beside First Frame/,
		],
		[
			'a resolution by hand without a picture',
			'happyhorse_1_0',
			{ options: { additionalFields: { resolution: '1080p' } } },
			/takes no Resolution without First Frame/,
		],
		['a name that there is not', 'gen-4.5', {}, /^The node does not know the model "gen-4.5"/],
		[
			'a setting of a model that the node does not know',
			'gen9',
			{ duration: 5, options: { additionalFields: { promptImage: URL } } },
			/^The node, which does not know "gen9", has no field for: Duration/,
		],
		[
			'a frame of a model that the node does not know',
			'gen9',
			{ ...FRAME, options: { additionalFields: { length: 5 } } },
			/^The node, which does not know "gen9", has no field for: First Frame/,
		],
	])('is refused before anything is paid: %s', async (_what, model, parameters, message) => {
		const { error } = await run(model, parameters);
		expect(error?.message).toMatch(message);
		expect(error?.description).toMatch(/Nothing was submitted/);
		expect(stage.sandbox.submissions()).toEqual([]);
	});

	it.each<[string, string, IDataObject, RegExp]>([
		[
			'which values a model takes from text, and with a picture',
			'gen4.5',
			{ aspectRatio: '4:3', duration: 5 },
			/It takes: 16:9, 9:16\. With First Frame, it also takes 4:3\./,
		],
		[
			'the nearest name, and how else to order',
			'gen-4.5',
			{},
			/gen4\.5.*Choose a model from the list.*Additional Fields \(JSON\)/,
		],
		[
			'where a setting goes of a model that the node does not know',
			'gen9',
			{ duration: 5, options: { additionalFields: { ratio: '1280:720' } } },
			/Remove Duration, or write it into Additional Fields \(JSON\)/,
		],
	])('is told what to do: %s', async (_what, model, parameters, advice) => {
		const { error } = await run(model, parameters);
		expect(error?.description).toMatch(advice);
		expect(stage.sandbox.submissions()).toEqual([]);
	});

	it('names the version of the API in each request, and shows the key in none but their header', async () => {
		await run('veo3.1', { aspectRatio: '16:9' });
		const own = stage.sandbox.requests.filter(({ origin }) => origin === 'service');
		expect(own.map(({ headers }) => headers['x-runway-version'])).toEqual(
			own.map(() => '2024-11-06'),
		);
		expect(own.length).toBeGreaterThan(1);
		expect(JSON.stringify(own.map(({ url, body }) => [url, body]))).not.toContain(KEY);
	});
});

it('takes a large picture in two steps, the second without the key', async () => {
	const large = Buffer.concat([PICTURE, Buffer.alloc(4 * 1024 ** 2)]);
	const items = [{ json: { prompt: 'A boat' }, binary: { image: image(large) } }];
	const frame = { imageSource: 'binary', imageBinaryProperty: 'image' };
	const { error } = await run('veo3.1', { ...frame, aspectRatio: '16:9' }, items);
	expect(error).toBeUndefined();
	expect(stage.sandbox.files()).toMatchObject([{ contentType: 'image/png', size: large.length }]);
	const [upload] = stage.sandbox.requests.filter(({ path }) => path.startsWith('/uploads/'));
	expect([upload.method, upload.headers.authorization]).toEqual(['POST', undefined]);
	expect(upload.headers['x-runway-version']).toBeUndefined();
	expect(sent()).toMatchObject([
		{ body: { promptImage: expect.stringMatching(/^runway:\/\/[\w-]{36}\.png$/) as string } },
	]);
});

it.each([
	['the first step', { content: [{ status: 500, json: { error: 'Disk full' } }] }],
	['the second', { upload: [{ status: 403, text: 'AccessDenied' }] }],
])('submits nothing if %s of an upload fails', async (_step, plan) => {
	stage.sandbox.set({ plan });
	const large = Buffer.concat([PICTURE, Buffer.alloc(4 * 1024 ** 2)]);
	const items = [{ json: { prompt: 'A boat' }, binary: { image: image(large) } }];
	const frame = { imageSource: 'binary', imageBinaryProperty: 'image' };
	const { error } = await run('veo3.1', { ...frame, aspectRatio: '16:9' }, items);
	expect(error?.message).toMatch(
		/^The video was not submitted: the image could not be uploaded: .*(Disk full|HTTP 403)/,
	);
	expect(stage.sandbox.submissions()).toEqual([]);
});

describe('a render that has failed', () => {
	it.each([
		['a filter', { failCode: 'SAFETY.INPUT.TEXT' }, 'yes', 'changeRequest', /has billed this/],
		[
			'a filter, refunded',
			{ failCode: 'SAFETY.OUTPUT.VIDEO', credits: 0 },
			'no',
			'changeRequest',
			/not billed/,
		],
		[
			'a bad output',
			{ failCode: 'INTERNAL.BAD_OUTPUT.CODE01', credits: 0 },
			'no',
			'changeRequest',
			/not billed/,
		],
		['an error of its own', { failCode: 'INTERNAL', credits: 0 }, 'no', 'retry', /again unchanged/],
		['no code', { credits: 0 }, 'no', 'retry', /again unchanged/],
		[
			'a third party',
			{ failCode: 'THIRD_PARTY.UNAVAILABLE', credits: 0 },
			'no',
			'retry',
			/broke off/,
		],
	])('says what stays charged: %s', async (_what, plan, billed, next, says) => {
		const items = plannedRows({ outcome: 'FAILURE', failReason: 'No boat', ...plan });
		const { outputs } = await run('veo3.1', { aspectRatio: '16:9' }, items, {
			onError: 'continueErrorOutput',
		});
		const [, [{ json }]] = outputs();
		expect(json.error).toMatchObject({
			...{ billed, next, message: expect.stringMatching(/No boat/) as string },
			description: expect.stringMatching(says) as string,
		});
		expect(stage.sandbox.submissions()).toHaveLength(1);
	});

	it('blames no prompt if somebody has cancelled it', async () => {
		const items = plannedRows({ outcome: 'FAILURE', credits: 0, words: { FAILURE: 'CANCELLED' } });
		const { outputs } = await run('veo3.1', { aspectRatio: '16:9' }, items, {
			onError: 'continueErrorOutput',
		});
		const [, [{ json }]] = outputs();
		const { description } = json.error as { description: string };
		expect(description).toMatch(/not billed.*cancelled at the service/);
		expect(description).not.toMatch(/Change the prompt/);
		expect(stage.sandbox.submissions()).toHaveLength(1);
	});

	it('waits for a task that the account is too small for', async () => {
		const { outputs, error } = await run(
			'veo3.1',
			{ aspectRatio: '16:9' },
			plannedRows({
				...{ renderMs: 150, words: { queued: 'THROTTLED', IN_PROGRESS: 'THROTTLED' } },
			}),
		);
		expect(error).toBeUndefined();
		expect(outputs()[0][0].json).toMatchObject({ status: 'SUCCESS', billed: 'yes' });
		expect(stage.sandbox.submissions()).toHaveLength(1);
	});
});

it('is asked for a task every five seconds at most', async () => {
	const items = plannedRows({ renderMs: 600 });
	await run('veo3.1', { aspectRatio: '16:9', options: { polling: { pollInterval: 0.02 } } }, items);
	const [{ task_id }] = stage.sandbox.tasks();
	const times = stage.sandbox.polls(task_id).map(({ at }) => at);
	expect(times.length).toBeGreaterThan(2);
	// A hundred times as fast.
	for (const [i, at] of times.slice(1).entries()) expect(at - times[i]).toBeGreaterThanOrEqual(48);
});

it('gives a fresh address of an expired one by another look at its task', async () => {
	const plan = { content: [{ status: 403, text: 'AccessDenied' }] };
	const first = await run('veo3.1', { aspectRatio: '16:9' }, plannedRows(plan));
	const { task_id, result_url } = first.outputs()[0][0].json as Record<string, string>;
	const { outputs, error } = await stage.run(
		videoDownload({ source: 'url', resultUrl: '={{ $json.result_url }}' }),
		toInput({ task_id, result_url: `${result_url}&expired=1` }),
		{ credentials: credentialsOf() },
	);
	expect(error).toBeUndefined();
	expect(outputs()[0][0].binary?.data.mimeType).toBe('video/mp4');
	expect(stage.sandbox.submissions()).toHaveLength(1);
});

it('orders four items side by side, and leaves them to Video Status', async () => {
	const items = plannedRows({}, {}, {}, {});
	const { outputs } = await run('veo3.1', { aspectRatio: '16:9', wait: 'none' }, items);
	const tasks = outputs()[0].map(({ json: { task_id } }) => ({ task_id }));
	const credentials = credentialsOf();
	const told = await stage.run(videoStatus(), toInput(...tasks), { credentials });
	expect(told.outputs()[0].map(({ json }) => json.status)).toEqual(Array(4).fill('SUCCESS'));
	const files = await stage.run(videoDownload(), toInput(...tasks), { credentials });
	expect(files.outputs()[0].map(({ binary }) => binary?.data.mimeType)).toEqual(
		Array(4).fill('video/mp4'),
	);
	expect(stage.sandbox.submissions()).toHaveLength(4);
});

it.each(['reset', 'acceptThen502', 'acceptThenHang'])(
	'an order is never sent twice after an unclear answer: %s',
	async (submit) => {
		const { outputs } = await run('veo3.1', { aspectRatio: '16:9' }, plannedRows({ submit }), {
			...{ onError: 'continueErrorOutput', retryOnFail: true, maxTries: 3, waitBetweenTries: 1 },
		});
		const [, [{ json }]] = outputs();
		expect(json.error).toMatchObject({ next: 'checkUsage', billed: 'unknown' });
		expect(stage.sandbox.submissions()).toHaveLength(1);
	},
);

it('a wrong key orders nothing, and is not shown', async () => {
	const { error } = await stage.run(
		videoGenerate({ model: byId('veo3.1'), aspectRatio: '16:9' }),
		ITEM,
		{ credentials: credentialsOf('wrong-key') },
	);
	expect(error?.message).toMatch(/refuses the API key/);
	expect(JSON.stringify(error)).not.toContain('wrong-key');
	expect(stage.sandbox.tasks()).toEqual([]);
});
