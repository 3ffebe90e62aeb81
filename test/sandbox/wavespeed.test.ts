import { createSandbox, type Sandbox } from '../../sandbox/service';
import { PICTURE } from '../../sandbox/service/media';
import { KEY, planned } from '../support/stage';

// What WaveSpeed's pages say of it, where its client does not ask.

let sandbox: Sandbox;
beforeAll(async () => {
	sandbox = await createSandbox({ renderMs: 0, profile: 'wavespeed' });
});
beforeEach(() => sandbox.reset());
afterAll(async () => await sandbox.close());

const T2V = 'wavespeed-ai/wan-2.2/t2v-480p-ultra-fast';
const I2V = 'bytedance/seedance-v1.5-pro/image-to-video';
const T2I = 'wavespeed-ai/flux-2-pro/text-to-image';

interface Prediction {
	id: string;
	urls: { get: string };
	outputs: string[];
}
interface Entry {
	model_id: string;
	type: string;
	api_schema: { api_schemas: Array<{ request_schema: { properties: object } }> };
}

async function ask<T>(path: string, body?: FormData | object) {
	const response = await fetch(`${sandbox.url}/api/v3/${path}`, {
		...(body && { method: 'POST', body: body instanceof FormData ? body : JSON.stringify(body) }),
		headers: { authorization: `Bearer ${KEY}` },
	});
	const json = (await response.json()) as { code?: number; message: string; data: T };
	return { status: response.status, json };
}

const submit = async (model: string, body: object) =>
	(await ask<Prediction>(model, body)).json.data;
const look = async (id: string) => (await ask<Prediction>(`predictions/${id}/result`)).json.data;

it('has a balance, by which a key is tested', async () => {
	expect(await ask('balance')).toEqual({
		status: 200,
		json: { code: 200, message: 'success', data: { balance: expect.any(Number) } },
	});
});

it('lists all models with their schemas', async () => {
	const { data } = (await ask<Entry[]>('models')).json;
	expect(data.map(({ type }) => type)).toEqual([
		...['text-to-video', 'video-to-video', 'text-to-video'],
		...['image-to-video', 'image-to-video', 'text-to-image'],
	]);
	const [run] = data.find(({ model_id }) => model_id === I2V)!.api_schema.api_schemas;
	expect(run).toMatchObject({ type: 'model_run', method: 'POST', api_path: `/api/v3/${I2V}` });
	expect(run.request_schema).toMatchObject({
		additionalProperties: false,
		required: ['prompt', 'image'],
		'x-order-properties': Object.keys(run.request_schema.properties),
		properties: {
			duration: { type: 'integer', minimum: 4, maximum: 12, default: 5 },
			seed: { type: 'integer', default: -1 },
			enable_sync_mode: { disabled: true },
			enable_base64_output: { 'x-hidden': true },
		},
	});
});

it('drops what a model does not know, and bills it', async () => {
	const data = await submit(T2V, { prompt: 'A boat', aspect_ratio: '9:16' });
	expect(data).toMatchObject({ status: 'created', outputs: [], error: '' });
	expect(sandbox.tasks()).toMatchObject([{ model: T2V, dropped: ['aspect_ratio'] }]);
	expect(sandbox.submissions()).toMatchObject([{ taskId: data.id }]);
});

it.each([
	['a value out of range', I2V, { prompt: 'A boat', image: 'x', duration: 13 }, 400],
	['a value that is none of the choices', T2V, { prompt: 'A boat', duration: 6 }, 400],
	['a model that does not exist', 'no/such', { prompt: 'A boat' }, 404],
])('refuses %s', async (_what, model, body, status) => {
	expect(await ask(model, body)).toEqual({ status, json: { message: expect.any(String) } });
	expect(sandbox.tasks()).toEqual([]);
});

it('tells a task at either address, and 404 of one that it does not know', async () => {
	const { id, urls } = await submit(T2V, { prompt: 'A boat', size: '480*832' });
	const told = await look(id);
	expect(told).toMatchObject({ id, status: 'completed', code: 0, has_nsfw_contents: [false] });
	expect(told.outputs).toEqual([expect.stringMatching(/\/files\/portrait\.mp4/)]);
	expect(urls.get).toBe(`${sandbox.url}/api/v3/predictions/${id}`);
	expect((await ask(`predictions/${id}`)).json.data).toEqual(told);
	expect(sandbox.polls(id)).toHaveLength(2);
	expect((await ask('predictions/unknown/result')).status).toBe(404);
});

it.each([
	['1403 by default', {}, 1403],
	['a code of the plan', { failCode: 5000 }, 5000],
])('tells of a failed task why, and %s', async (_what, plan, code) => {
	const prompt = planned('A boat', { outcome: 'FAILURE', failReason: 'Too dark', ...plan });
	const { id } = await submit(T2V, { prompt });
	expect(await look(id)).toMatchObject({ status: 'failed', error: 'Too dark', code, outputs: [] });
});

it('sends 200 with another code where a plan says so', async () => {
	const json = { code: 403, message: 'no', data: null };
	const prompt = planned('A boat', { submit: [{ status: 200, json }] });
	expect(await ask(T2V, { prompt })).toEqual({ status: 200, json });
	expect(sandbox.tasks()).toEqual([]);
});

it('makes files that can be loaded, of pictures too', async () => {
	const kinds = [T2V, T2I].map(async (model) => {
		const { id } = await submit(model, { prompt: 'A boat' });
		const { headers } = await fetch((await look(id)).outputs[0]);
		return headers.get('content-type');
	});
	expect(await Promise.all(kinds)).toEqual(['video/mp4', 'image/png']);
});

it('takes a file, which is no submission', async () => {
	const form = new FormData();
	form.set('file', new Blob([new Uint8Array(PICTURE)], { type: 'image/png' }), 'boat.png');
	const { data } = (await ask('media/upload/binary', form)).json;
	expect(data).toEqual({
		type: 'image',
		download_url: expect.stringMatching(/\/files\/[\w-]{36}\.png$/),
		filename: 'boat.png',
		size: PICTURE.length,
	});
	expect((await ask('media/upload/binary', {})).status).toBe(400);
	expect(sandbox.submissions()).toEqual([]);
});
