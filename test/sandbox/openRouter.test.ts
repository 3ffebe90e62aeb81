import { createSandbox, type Sandbox } from '../../sandbox/service';
import { KEY, planned } from '../support/stage';

// What OpenRouter's pages say of it. Its client of November 2026 (@openrouter/sdk 1.3.19) was asked by hand.

let sandbox: Sandbox;
beforeAll(async () => {
	sandbox = await createSandbox({ renderMs: 0, profile: 'openRouter' });
});
beforeEach(() => sandbox.reset());
afterAll(async () => await sandbox.close());

const VEO = { model: 'google/veo-3.1', prompt: 'A boat' };
const GROK = { model: 'x-ai/grok-imagine-video-1.5', prompt: 'A boat' };
const image = { type: 'image_url', image_url: { url: 'https://a.example/a.png' } };
const film = { type: 'video_url', video_url: { url: 'https://a.example/a.mp4' } };

interface Answer {
	id: string;
	unsigned_urls: string[];
}

const load = async (path: string, key = KEY) =>
	await fetch(new URL(path, sandbox.url), { headers: { authorization: `Bearer ${key}` } });

async function submit(body: object) {
	const response = await fetch(`${sandbox.url}/api/v1/videos`, {
		method: 'POST',
		body: JSON.stringify(body),
		headers: { authorization: `Bearer ${KEY}` },
	});
	return { status: response.status, json: (await response.json()) as Answer };
}

it('tells its models to everybody, and all else to its key', async () => {
	const paths = ['/api/v1/videos/models', '/api/v1/key', '/api/v1/videos/unknown'];
	const statuses = async (key: string) =>
		await Promise.all(paths.map(async (path) => (await load(path, key)).status));
	expect(await statuses('wrong')).toEqual([200, 401, 401]);
	expect(await statuses(KEY)).toEqual([200, 200, 404]);
});

it('renders, and gives the file to its key alone', async () => {
	const frames = { frame_images: [{ ...image, frame_type: 'last_frame' }] };
	const { status, json } = await submit({ ...VEO, ...frames, duration: 8, seconds: '8' });
	const { id } = json;
	expect([status, json]).toEqual([202, { id, polling_url: expect.any(String), status: 'pending' }]);
	expect(sandbox.tasks()).toMatchObject([{ dropped: ['seconds'], request: frames }]);
	const record = (await (await load(`/api/v1/videos/${id}`)).json()) as Answer;
	expect(record).toMatchObject({ status: 'completed', usage: { cost: 3.2, is_byok: false } });
	const [url] = record.unsigned_urls;
	expect((await load(url)).headers.get('content-type')).toBe('video/mp4');
	expect((await load(url, 'wrong')).status).toBe(401);
});

it('tells of a failed task why', async () => {
	const prompt = planned('A boat', { outcome: 'FAILURE', failReason: 'Too dark' });
	const { id } = (await submit({ ...VEO, prompt })).json;
	const record = (await (await load(`/api/v1/videos/${id}`)).json()) as Answer;
	expect(record).toMatchObject({ status: 'failed', error: 'Too dark' });
	expect((await load(`/api/v1/videos/${id}/content`)).status).toBe(400);
});

it.each([
	['a value that is not listed', { ...VEO, duration: 7 }, 400],
	[
		'a frame that is not listed',
		{ ...GROK, frame_images: [{ ...image, frame_type: 'last_frame' }] },
		400,
	],
	[
		'a frame that is a video',
		{ ...VEO, frame_images: [{ ...film, frame_type: 'first_frame' }] },
		400,
	],
	['a reference that is a text', { ...VEO, input_references: ['https://a.example/a.png'] }, 400],
	['a model that does not exist', { ...VEO, model: 'no/such' }, 404],
])('refuses %s', async (_what, body, status) => {
	const error = { code: status, message: expect.any(String) };
	expect(await submit(body)).toEqual({ status, json: { error } });
	expect(sandbox.tasks()).toEqual([]);
});
