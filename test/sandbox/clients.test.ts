import { createFalClient } from '@fal-ai/client';
import Replicate from 'replicate';
import { Client as WaveSpeed } from 'wavespeed';

import { createSandbox, type Sandbox } from '../../sandbox/service';
import { KEY, planned } from '../support/stage';

// The vendors' own clients take the stand-ins of fal, Replicate and WaveSpeed for the services. kie.ai has
// none.

let sandbox: Sandbox;
beforeAll(async () => {
	sandbox = await createSandbox({ renderMs: 60 });
});
beforeEach(() => sandbox.reset());
afterAll(async () => await sandbox.close());

const FAILS = { outcome: 'FAILURE', failReason: 'Too dark' };
const file = expect.stringMatching(/\/files\/landscape\.mp4/);
const picture = expect.stringMatching(/\/files\/\w+\.png/);
const sound = expect.stringMatching(/\/files\/\w+\.wav/);

describe('@fal-ai/client', () => {
	const client = (credentials = KEY) =>
		createFalClient({
			credentials,
			requestMiddleware: async (request) => {
				const { pathname, search } = new URL(request.url);
				return { ...request, url: sandbox.url + pathname + search };
			},
		});
	const render = async (input: object, credentials?: string) =>
		await client(credentials).subscribe('fal-ai/veo3.1', { input, pollInterval: 20 } as never);
	beforeEach(() => void sandbox.set({ profile: 'fal' }));

	it('submits, waits and reads the result', async () => {
		const input = { prompt: 'A boat', duration: '8s' };
		expect(await render(input)).toMatchObject({ data: { video: { url: file } } });
		expect(sandbox.tasks()).toMatchObject([{ request: input, dropped: [] }]);
	});

	it.each([
		['fal-ai/nano-banana', { prompt: 'A boat' }, { images: [{ url: picture }] }],
		['fal-ai/elevenlabs/tts/eleven-v3', { text: 'Good evening' }, { audio: { url: sound } }],
	])('reads what %s makes', async (model, input, data) => {
		const made = await client().subscribe(model, { input, pollInterval: 20 } as never);
		expect(made).toMatchObject({ data });
	});

	it('uploads a file', async () => {
		const bytes = new Blob(['a film'], { type: 'video/mp4' });
		const url = await client().storage.upload(bytes);
		expect(url).toMatch(/\/files\/[\w-]{36}\.mp4$/);
		expect(sandbox.files()).toMatchObject([{ contentType: 'video/mp4', size: 6 }]);
	});

	it.each([
		['a failed render', { prompt: planned('A boat', FAILS) }, KEY, 422, 'Too dark'],
		['a wrong value', { prompt: 'A boat', duration: 8 }, KEY, 422, 'Input should be'],
		['a wrong key', { prompt: 'A boat' }, 'wrong', 401, 'Authentication'],
	])('reads %s', async (_what, input, key, status, words) => {
		const error = await render(input, key).catch((caught: unknown) => caught);
		expect(error).toMatchObject({ status });
		expect(JSON.stringify((error as { body: unknown }).body)).toContain(words);
	});
});

describe('replicate', () => {
	const client = (auth = KEY) => new Replicate({ auth, baseUrl: `${sandbox.url}/v1` });
	const model = 'google/veo-3.1';
	const wait = { mode: 'poll', interval: 20 } as const;
	beforeEach(() => void sandbox.set({ profile: 'replicate' }));

	it('submits, waits and reads the result', async () => {
		const input = { prompt: 'A boat', duration: 8 };
		const output = await client().run(model, { input, wait });
		expect(String(output)).toEqual(file);
		const { id } = await client().predictions.create({ version: model, input });
		expect(await client().predictions.get(id)).toMatchObject({ id });
		expect(sandbox.tasks()).toMatchObject([{ request: input }, { request: input }]);
	});

	it('reads several images, and words piece by piece', async () => {
		const run = async (makes: unknown) => {
			const input = { prompt: planned('A boat', { makes }) };
			return await client().run('black-forest-labs/flux-schnell', { input, wait });
		};
		expect(((await run(['image', 'image'])) as unknown[]).map(String)).toEqual([picture, picture]);
		expect(((await run('text')) as string[]).join('')).toBe('Two boats');
	});

	it('finds models by words', async () => {
		const answer = await client().request('/search?query=lipsync', { method: 'GET' });
		const { models } = (await answer.json()) as { models: unknown[] };
		expect(models).toMatchObject([{ model: { owner: 'sync', name: 'lipsync-2' } }]);
	});

	it('uploads a file', async () => {
		const { urls } = await client().files.create(new Blob(['a film'], { type: 'video/mp4' }));
		expect(urls.get).toMatch(/\/v1\/files\/[\w-]{36}$/);
		expect(sandbox.files()).toMatchObject([{ contentType: 'video/mp4', size: 6 }]);
	});

	it('reads schemas, lists and its account', async () => {
		const { latest_version } = await client().models.get('google', 'veo-3.1');
		expect(latest_version?.openapi_schema).toHaveProperty('components.schemas.Input.properties');
		const { models } = await client().collections.get('text-to-video');
		expect(models).toMatchObject([{ owner: 'google', name: 'veo-3.1' }]);
		expect(await client().accounts.current()).toHaveProperty('username');
	});

	it.each([
		['a failed render', { prompt: planned('A boat', FAILS) }, KEY, /Too dark/],
		['a wrong value', { prompt: 'A boat', duration: '8' }, KEY, /422.*input\.duration/],
		['a wrong key', { prompt: 'A boat' }, 'wrong', /401/],
	])('reads %s', async (_what, input, key, words) => {
		await expect(client(key).run(model, { input, wait })).rejects.toThrow(words);
	});
});

// It submits and polls; `wavespeed.test.ts` has the rest of the contract.
describe('wavespeed', () => {
	const client = (key = KEY) =>
		new WaveSpeed(key, { baseUrl: sandbox.url, maxConnectionRetries: 0 });
	const model = 'wavespeed-ai/wan-2.2/t2v-480p-ultra-fast';
	const wait = { pollInterval: 0.02 };
	beforeEach(() => void sandbox.set({ profile: 'wavespeed' }));

	it('submits, waits and reads the result', async () => {
		const input = { prompt: 'A boat', duration: 8 };
		expect(await client().run(model, input, wait)).toEqual({ outputs: [file] });
		expect(sandbox.tasks()).toMatchObject([{ request: input, dropped: [] }]);
	});

	it('reads an image', async () => {
		const made = await client().run(
			'wavespeed-ai/flux-2-pro/text-to-image',
			{ prompt: 'A boat' },
			wait,
		);
		expect(made).toEqual({ outputs: [picture] });
	});

	it.each([
		['a failed render', { prompt: planned('A boat', FAILS) }, model, KEY, /: Too dark$/],
		['a wrong value', { prompt: 'A boat', duration: '8' }, model, KEY, /HTTP 400: .*duration/],
		['a missing field', {}, model, KEY, /HTTP 400: .*prompt/],
		['an unknown model', { prompt: 'A boat' }, 'no/such', KEY, /HTTP 404/],
		['a wrong key', { prompt: 'A boat' }, model, 'wrong', /HTTP 401/],
	])('reads %s', async (_what, input, id, key, words) => {
		await expect(client(key).run(id, input, wait)).rejects.toThrow(words);
	});

	it.each(['cancelled', 'timeout', 'deleted'])('ends where a task is %s', async (word) => {
		const prompt = planned('A boat', { ...FAILS, words: { FAILURE: word } });
		await expect(client().run(model, { prompt }, wait)).rejects.toThrow('Too dark');
	});
});
