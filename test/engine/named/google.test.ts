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

// What is Google's alone: pictures as bytes, a refusal that looks like success, a file that needs the key and goes
// after two days. `services.test.ts` and `money.test.ts` have what it shares with others.

const stage = useStage({ renderMs: 0 });
beforeEach(() => void stage.sandbox.set({ profile: 'google' }));

const OMNI = 'gemini-omni-1.1-flash';
const OWN = 'https://generativelanguage.googleapis.com';
const credentialsOf = (apiKey = KEY) => ({
	videoGenerationApi: {
		...{ api: 'google', proxyUrl: stage.sandbox.url, apiKey, allowPrivateAddresses: true },
	},
});
const image = { data: PICTURE.toString('base64'), mimeType: 'image/png' };
const ITEM = [{ json: { prompt: 'A boat' }, binary: { image } }];
const FRAME = { imageSource: 'binary', imageBinaryProperty: 'image' };
const inputs = (...roles: string[]) => ({
	images: { image: roles.map((role) => ({ role, ...FRAME })) },
});
const ERRORS = { onError: 'continueErrorOutput' } as const;

async function run(
	parameters: IDataObject = {},
	items: Parameters<typeof stage.run>[1] = ITEM,
	settings: NodeSettings = {},
) {
	const node = videoGenerate({ model: byId(OMNI), ...parameters }, settings);
	return await stage.run(node, items, { credentials: credentialsOf() });
}
const sent = () => stage.sandbox.submissions().map(({ body }) => body);
const part = {
	...{ type: 'image', mime_type: 'image/png' },
	data: { length: image.data.length, sha256: expect.any(String) as string },
};
const text = { type: 'text', text: 'A boat' };
const asked = (input: unknown, format: IDataObject = {}, more: IDataObject = {}) => ({
	...{ model: OMNI, input, background: true },
	response_format: { type: 'video', delivery: 'uri', ...format },
	...more,
});
const task = (name: string) => ({ generation_config: { video_config: { task: name } } });

describe('an order', () => {
	it.each<[string, IDataObject, object]>([
		[
			'from text, with its length as a text',
			{ aspectRatio: '9:16', resolution: '1080p', duration: 8 },
			asked('A boat', { aspect_ratio: '9:16', resolution: '1080p', duration: '8s' }),
		],
		['from a picture', FRAME, asked([part, text], {}, task('image_to_video'))],
		[
			'from two frames',
			{ ...FRAME, options: inputs('lastFrame') },
			asked([part, part, text], {}, task('image_to_video')),
		],
		[
			'with references',
			{ options: inputs('reference', 'reference') },
			asked([part, part, text], {}, task('reference_to_video')),
		],
		[
			'with fields by hand',
			{
				duration: 8,
				options: {
					additionalFields: {
						input: [{ type: 'video', uri: 'files/1' }],
						response_format: { duration: '5s' },
						...task('edit'),
					},
				},
			},
			asked([{ type: 'video', uri: 'files/1' }, text], { duration: '5s' }, task('edit')),
		],
		[
			'with texts by hand, which Google takes in place of parts',
			{ options: { additionalFields: { input: ['Slowly', { type: 'text', text: 'At night' }] } } },
			asked([{ type: 'text', text: 'Slowly' }, { type: 'text', text: 'At night' }, text]),
		],
		[
			'with one text by hand',
			{ options: { additionalFields: { input: 'Slowly' } } },
			asked([{ type: 'text', text: 'Slowly' }, text]),
		],
	])('is written as Google reads it: %s', async (_what, parameters, body) => {
		const { error } = await run({ ...parameters, wait: 'none' });
		expect(error).toBeUndefined();
		expect(sent()).toEqual([body]);
	});

	it('has the picture of an address as bytes, for Google opens none', async () => {
		const url = `${stage.sandbox.foreignUrl}/files/landscape.png`;
		const { error } = await run({ imageSource: 'url', image: url, wait: 'none' });
		expect(error).toBeUndefined();
		const [body] = sent();
		expect(body?.input).toMatchObject([{ type: 'image', mime_type: 'image/png' }, text]);
		expect(JSON.stringify(body)).not.toContain(url);
	});

	it('has the picture by hand in place of First Frame, and says so', async () => {
		const byHand = { type: 'image', data: 'AAAA', mime_type: 'image/png' };
		const options = { additionalFields: { input: [byHand] } };
		const result = await run({ ...FRAME, options, wait: 'none' });
		expect(result.error).toBeUndefined();
		expect(sent()).toEqual([asked([byHand, text])]);
		expect(JSON.stringify(result.hints())).toMatch(
			/First Frame: Additional Fields \(JSON\) replaces it/,
		);
	});

	it('is shown by a dry run, and not sent', async () => {
		const result = await run({ ...FRAME, options: { cost: { dryRun: true } } });
		const { outputs } = result;
		expect(JSON.stringify(result.hints())).toContain(
			'nothing submitted. The service tells no price before the order: look at its price page.',
		);
		const bytes = expect.stringMatching(/^\.\.\. \(\d+ bytes\)$/) as string;
		expect(outputs()[0][0].json.request).toMatchObject({
			...{ model: OMNI, background: true },
			input: [{ type: 'image', mime_type: 'image/png', data: bytes }, text],
		});
		expect(stage.sandbox.submissions()).toEqual([]);
	});

	it.each<[string, IDataObject, RegExp]>([
		['a seed', { options: { seed: 7 } }, /has no field for: Seed/],
		['a negative prompt', { options: { negativePrompt: 'Rain' } }, /no field for: Negative Prompt/],
		['a switch for sound', { options: { generateAudio: false } }, /no field for: Generate Audio/],
		['a length that it has not', { duration: 12 }, /^Duration must be from 3 to 10 seconds/],
		[
			'a length that only two frames are too long for',
			{
				...{ model: byId('gemini-omni-1.2-flash'), duration: 12, ...FRAME },
				options: inputs('lastFrame'),
			},
			/^Duration is "12s", which "gemini-omni-1.2-flash" does not take with Last Frame/,
		],
		['a ratio that it has not', { aspectRatio: '1:1' }, /^Aspect Ratio must be one of: 16:9, 9:16/],
		['a last frame alone', { options: inputs('lastFrame') }, /A last frame needs a first one/],
		['references beside a frame', { ...FRAME, options: inputs('reference') }, /exclude each other/],
		[
			'a reference video',
			{
				options: {
					images: {
						image: [
							{ role: 'referenceVideo', imageSource: 'url', image: 'https://example.com/a.mp4' },
						],
					},
				},
			},
			/no field for: Reference Video/,
		],
		[
			'an unknown model',
			{ model: byId('gemini-omni-flash') },
			/^Google \(Gemini API\) has no model/,
		],
	])('is refused before anything is paid: %s', async (_what, parameters, message) => {
		const { error } = await run(parameters);
		expect(error?.message).toMatch(message);
		expect(error?.description).toMatch(/Nothing was submitted/);
		expect(stage.sandbox.submissions()).toEqual([]);
	});

	it('of a reference video is told how else to edit a video', async () => {
		const row = { role: 'referenceVideo', imageSource: 'url', image: 'https://example.com/a.mp4' };
		const { error } = await run({ options: { images: { image: [row] } } });
		expect(error?.description).toMatch(
			/^Remove Reference Video\. To edit a video, .*JSON\): \{ "input": \[\{ "type": "video"/,
		);
	});

	it.each<[string, IDataObject, object]>([
		['from text', {}, asked('A boat', { duration: '12s' })],
		['from a picture', FRAME, asked([part, text], { duration: '12s' }, task('image_to_video'))],
	])('of 1.2 may have up to 15 seconds %s', async (_what, parameters, body) => {
		const model = 'gemini-omni-1.2-flash';
		const { error } = await run({ ...parameters, model: byId(model), duration: 12, wait: 'none' });
		expect(error).toBeUndefined();
		expect(sent()).toEqual([{ ...body, model }]);
	});

	it('of Veo is told that Google has closed it', async () => {
		const { error } = await run({ model: byId('veo-3.1-generate-preview') });
		expect(error?.description).toMatch(/Google closed Veo in the Gemini API on 22 October 2026/);
		expect(stage.sandbox.submissions()).toEqual([]);
	});
});

it('the key is in the header of each request to Google, and nowhere else', async () => {
	const { outputs } = await run({ downloadVideo: true });
	expect(outputs()[0][0].binary?.data.mimeType).toBe('video/mp4');
	const own = stage.sandbox.requests.filter(({ origin }) => origin === 'service');
	expect(own.map(({ headers }) => headers['x-goog-api-key'])).toEqual(own.map(() => KEY));
	expect(own.map(({ headers }) => headers.authorization)).toEqual(own.map(() => undefined));
	expect(JSON.stringify(own.map(({ url, body }) => [url, body]))).not.toContain(KEY);
	expect(JSON.stringify(outputs())).not.toContain(KEY);
});

it('the list of models that one key has is read anew for another', async () => {
	const node = videoGenerate({ model: byId(OMNI) });
	for (const apiKey of [KEY, 'other-key', 'other-key'])
		await stage.run(node, ITEM, { credentials: credentialsOf(apiKey) });
	const keys = stage.sandbox.requests
		.filter(({ path }) => path === '/v1beta/models')
		.map(({ headers }) => headers['x-goog-api-key']);
	expect(keys).toContain('other-key');
	expect(stage.sandbox.submissions()).toHaveLength(1);
});

it('the item says how long Google keeps its file', async () => {
	const { outputs } = await run();
	expect(outputs()[0][0].json).toMatchObject({ status: 'SUCCESS', file_kept_for: '2 days' });
});

describe('the file', () => {
	const DENIED = {
		status: 403,
		json: {
			error: {
				code: 403,
				status: 'PERMISSION_DENIED',
				message: 'You do not have permission to access the File abc or it may not exist.',
			},
		},
	};

	it.each([
		['the address leads on at the same host', { content: [{ redirect: 302, to: 'self' }] }],
		[
			'the address is Google’s own, behind a proxy',
			{ resultUrl: `${OWN}/v1beta/files/ID:download` },
		],
	])('comes with the key: %s', async (_what, plan) => {
		const { outputs } = await run({ wait: 'none' }, plannedRows(plan));
		const { task_id } = outputs()[0][0].json as { task_id: string };
		if ('resultUrl' in plan) {
			const resultUrl = plan.resultUrl!.replace('ID', task_id);
			stage.sandbox.set({ plan: {} });
			const result = await stage.run(
				videoDownload({ source: 'url', resultUrl: `${resultUrl}?alt=media` }),
				toInput({}),
				{ credentials: credentialsOf() },
			);
			expect(result.error).toBeUndefined();
			return expect(result.outputs()[0][0].binary?.data.mimeType).toBe('video/mp4');
		}
		const file = await stage.run(videoDownload(), toInput({ task_id }), {
			credentials: credentialsOf(),
		});
		expect(file.outputs()[0][0].binary?.data.mimeType).toBe('video/mp4');
	});

	it('at another host comes without the key', async () => {
		const resultUrl = `${stage.sandbox.foreignUrl}/files/landscape.mp4`;
		const { outputs } = await run({ downloadVideo: true }, plannedRows({ resultUrl }));
		expect(outputs()[0][0].binary?.data.mimeType).toBe('video/mp4');
		const [foreign] = stage.sandbox.requests.filter(({ origin }) => origin === 'foreign');
		expect(JSON.stringify(foreign.headers)).not.toContain(KEY);
		// Another address is no longer the one that was signed.
		expect(foreign.url).not.toMatch(/alt=media/);
	});

	it.each([
		['Google’s own address', `${OWN}/v1beta/files/ID`, true],
		['that of a relay', 'https://relay.example.com/gemini/v1beta/files/ID:download', true],
		['an address that asks for it already', `${OWN}/v1beta/files/ID?alt=media`, true],
		['the storage of a relay', 'https://files.example.com/v1/ID.mp4?signature=1', false],
	])(
		'is asked for where an address tells of the file alone: %s',
		async (_what, resultUrl, asks) => {
			const { outputs } = await run({}, plannedRows({ resultUrl }));
			const url = resultUrl.replace('?alt=media', '');
			expect(outputs()[0][0].json.result_url).toBe(asks ? `${url}?alt=media` : url);
		},
	);

	it('is not gone, where the render has only just ended', async () => {
		const items = plannedRows({ content: { always: DENIED } });
		const [, [{ json }]] = (await run({ downloadVideo: true }, items, ERRORS)).outputs();
		expect(json.error).toMatchObject({ billed: 'yes', next: 'followTask' });
		expect(JSON.stringify(json.error)).not.toContain('new task');
	});

	it('is gone after two days, as Video Download says', async () => {
		const first = await run({}, plannedRows({ content: { always: DENIED } }));
		const { task_id } = first.outputs()[0][0].json;
		const result = await stage.run(videoDownload({}, ERRORS), toInput({ task_id }), {
			credentials: credentialsOf(),
		});
		const [, [{ json }]] = result.outputs();
		expect(json.error).toMatchObject({
			message: expect.stringMatching(
				/^The video could not be downloaded: the service does not give/,
			),
			description: expect.stringMatching(
				/may have deleted it: Google \(Gemini API\) keeps files for 2 days\. Only a new task/,
			),
			next: 'changeRequest',
		});
		expect(stage.sandbox.submissions()).toHaveLength(1);
	});
});

it('a refusal of the filter, which is "completed" with a text alone, is a failure with that text', async () => {
	const items = plannedRows({ outcome: 'filtered', failReason: 'I cannot make that video.' });
	const { outputs } = await run({}, items, ERRORS);
	const [, [{ json }]] = outputs();
	expect(json.error).toMatchObject({
		message: expect.stringMatching(/^The video could not be rendered: I cannot make that video/),
		...{ status: 'FAILURE', billed: 'unknown', next: 'changeRequest' },
	});
	expect(stage.sandbox.submissions()).toHaveLength(1);
});

it.each(['failed', 'incomplete', 'budget_exceeded', 'requires_action', 'cancelled'])(
	'ends where a task is %s',
	async (word) => {
		const items = plannedRows({ outcome: 'FAILURE', words: { FAILURE: word }, failReason: 'Why' });
		const { outputs } = await run({}, items, ERRORS);
		const [, [{ json }]] = outputs();
		const next = word === 'budget_exceeded' ? 'checkAccount' : 'changeRequest';
		expect(json.error).toMatchObject({ status: 'FAILURE', fail_reason: 'Why', next });
		const { description } = json.error as { description: string };
		const isOfPrompt = ['failed', 'incomplete'].includes(word);
		expect(/Change the prompt/.test(description)).toBe(isOfPrompt);
		if (word === 'cancelled') expect(description).toMatch(/cancelled at the service/);
		if (word === 'requires_action') expect(description).toMatch(/call of a tool/);
	},
);

it('goes on while a task requires a continuation, and over a 400 that passes', async () => {
	const passing = { status: 400, json: { error: { code: 400, message: 'Try again' } } };
	const items = plannedRows({
		...{ renderMs: 200, words: { IN_PROGRESS: 'requires_continuation' } },
		poll: [passing, 'ok', passing],
	});
	const haste = hurry(100);
	const { outputs, error } = await run({}, items).finally(haste.restore);
	expect(error).toBeUndefined();
	expect(outputs()[0][0].json).toMatchObject({ status: 'SUCCESS' });
	expect(stage.sandbox.submissions()).toHaveLength(1);
});

it.each(['reset', 'cut', 'acceptThen502', 'acceptThenHang', 'acceptThen500'])(
	'an order is never sent twice after an unclear answer: %s',
	async (submit) => {
		const haste = hurry(200);
		const { outputs } = await run({}, plannedRows({ submit }), {
			...{ ...ERRORS, retryOnFail: true, maxTries: 3, waitBetweenTries: 1 },
		}).finally(haste.restore);
		const [, [{ json }]] = outputs();
		expect(json.error).toMatchObject({ next: 'checkUsage', billed: 'unknown' });
		expect(stage.sandbox.submissions()).toHaveLength(1);
	},
);

it('a wrong key, which is HTTP 400, orders nothing, and is not shown', async () => {
	const { error } = await stage.run(videoGenerate({ model: byId(OMNI) }), ITEM, {
		credentials: credentialsOf('wrong-key'),
	});
	expect(`${error?.message} ${error?.description}`).toMatch(/refuses the API key/);
	expect(JSON.stringify(error)).not.toContain('wrong-key');
	expect(stage.sandbox.tasks()).toEqual([]);
});

it('renders four items side by side, and leaves them to Video Status', async () => {
	const { outputs } = await run({ wait: 'none' }, plannedRows({}, {}, {}, {}));
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
