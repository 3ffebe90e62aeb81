import { createSandbox, type Sandbox } from '../../sandbox/service';
import { ask, call, clientOf, prompt } from './support/client';
import { sha256 } from './support/files';

// What a test can read afterwards: every request as it came, every task that was charged.

let sandbox: Sandbox;
let client: ReturnType<typeof clientOf>;

beforeAll(async () => {
	sandbox = await createSandbox({ renderMs: 0 });
	client = clientOf(sandbox);
});
beforeEach(() => sandbox.reset());
afterAll(async () => await sandbox.close());

it('keeps a request as it came', async () => {
	const before = Date.now();
	const { json } = await client.submit('A red bicycle', { unheard: ['of'] });
	await client.poll(json.id);
	expect(sandbox.requests[0]).toMatchObject({
		n: 1,
		origin: 'service',
		method: 'POST',
		url: '/v1/video/generations',
		path: '/v1/video/generations',
		query: {},
		headers: { authorization: 'Bearer sandbox-key', 'content-type': 'application/json' },
		body: { prompt: 'A red bicycle', unheard: ['of'] },
		taskId: json.id,
		status: 200,
		key: 'bearer',
		aborted: false,
	});
	expect(sandbox.requests[0].at).toBeGreaterThanOrEqual(before);
	expect(sandbox.requests[1]).toMatchObject({ n: 2, method: 'GET', body: undefined });
});

it('keeps the query and bodies that are no JSON', async () => {
	await client.at('/v1/nowhere?a=1&b=two', { method: 'POST', body: 'a=1' });
	expect(sandbox.requests[0]).toMatchObject({
		url: '/v1/nowhere?a=1&b=two',
		path: '/v1/nowhere',
		query: { a: '1', b: 'two' },
		body: 'a=1',
		status: 404,
		key: 'none',
	});
});

it('shortens long base64 texts to length and hash, and nothing else', async () => {
	const image = `data:image/png;base64,${'iVBORw0KGgo'.repeat(200)}`;
	const words = 'A red bicycle. '.repeat(200);
	await client.submit(words, { image, images: ['c2hvcnQ='] });
	const short = { length: image.length, sha256: sha256(image) };
	expect(sandbox.requests[0].body).toMatchObject({ prompt: words, image: short });
	expect(sandbox.requests[0].body?.images).toEqual(['c2hvcnQ=']);
	expect(sandbox.tasks()[0].request.image).toEqual(short);

	const part = { inlineData: { mimeType: 'image/png', data: 'iVBO'.repeat(500) } };
	await client.generate({ contents: [{ parts: [{ text: 'What is it?' }, part] }] });
	expect(sandbox.requests[1].body?.contents?.[0].parts[1]).toEqual({
		inlineData: { mimeType: 'image/png', data: { length: 2000, sha256: expect.any(String) } },
	});
});

it('lists every task that was really created', async () => {
	await client.submit(prompt('Refused', { submit: ['rateLimited'] }));
	await client.submit(prompt('Hidden', { submit: ['acceptThen500'] }));
	const { json } = await client.submit('Plain', { size: '720x1280' });
	await client.poll(json.id);
	await client.download(json.id);
	expect(sandbox.tasks()).toHaveLength(2);
	expect(sandbox.tasks()[1]).toMatchObject({
		task_id: json.id,
		key: 'sandbox-key',
		prompt: 'Plain',
		request: { size: '720x1280' },
		video: 'portrait',
		status: 'SUCCESS',
		polls: 1,
		downloads: 1,
	});
});

it('counts by method, path, task and status', async () => {
	const planned = prompt('Counted', { poll: ['html502'] });
	const { json: one } = await client.submit(planned);
	const { json: other } = await client.submit('Another');
	await client.poll(one.id);
	await client.poll(one.id);
	await client.poll(other.id);
	await client.generate(ask('Hello'));
	expect(sandbox.count()).toBe(6);
	expect(sandbox.count({ method: 'POST' })).toBe(3);
	expect(sandbox.count({ path: '/v1/' })).toBe(5);
	expect(sandbox.count({ path: /generateContent$/ })).toBe(1);
	expect(sandbox.count({ taskId: one.id })).toBe(3);
	expect(sandbox.count({ taskId: one.id, method: 'GET', status: 502 })).toBe(1);
	expect(sandbox.submissions().map(({ n }) => n)).toEqual([1, 2]);
	expect(sandbox.polls().map(({ n }) => n)).toEqual([3, 4, 5]);
	expect(sandbox.polls(one.id).map(({ status }) => status)).toEqual([502, 200]);
});

it('forgets everything on reset, and keeps the array of requests', async () => {
	const { requests } = sandbox;
	const planned = prompt('Forgotten', { submit: ['json500'] });
	sandbox.set({ listings: false });
	await client.submit(planned);
	const { json } = await client.submit(planned);
	sandbox.reset();
	expect([sandbox.requests, sandbox.tasks(), requests]).toEqual([[], [], []]);
	expect(sandbox.requests).toBe(requests);
	expect((await client.poll(json.id)).status).toBe(400);
	expect(sandbox.requests[0].n).toBe(1);
	expect((await client.submit(planned)).status).toBe(500);
	const list = { headers: { authorization: 'Bearer sandbox-key' } };
	expect((await client.at('/v1/models', list)).status).toBe(200);
});

it('ends open connections at once when it closes', async () => {
	const other = await createSandbox();
	const hanging = clientOf(other).submit(prompt('Hanging', { submit: ['hang'] }));
	const idle = await clientOf(other).submit('Idle');
	expect(idle.status).toBe(200);
	await other.close();
	expect((await hanging).end).toBe('reset');
	expect((await call(other.url)).end).toBe('reset');
});

it('tells a logger about each request once it has ended', async () => {
	const lines: string[] = [];
	const other = await createSandbox({ logger: ({ method, path }) => lines.push(method + path) });
	await call(`${other.url}/v1/x`);
	await call(`${other.foreignUrl}/files/none.mp4`);
	await other.close();
	expect(lines).toEqual(['GET/v1/x', 'GET/files/none.mp4']);
});

describe('over HTTP', () => {
	const control = (path: string, options = {}) => client.at(`/_sandbox/${path}`, options);

	it('shows requests and tasks, itself unseen', async () => {
		const { json: task } = await client.submit('A red bicycle');
		await client.poll(task.id);
		const { json: requests } = await control('requests');
		expect(requests).toHaveLength(2);
		expect(requests[0]).toMatchObject({ method: 'POST', taskId: task.id, status: 200 });
		expect((await control('requests?method=GET&status=200')).json).toHaveLength(1);
		expect((await control('requests?path=/v1/videos')).json).toHaveLength(0);
		expect((await control('tasks')).json).toEqual([
			expect.objectContaining({ task_id: task.id, status: 'SUCCESS' }),
		]);
		expect((await control('health')).json).toEqual({
			ok: true,
			url: sandbox.url,
			foreignUrl: sandbox.foreignUrl,
			requests: 2,
			tasks: 1,
		});
	});

	it('changes the deployment, and says what is wrong with a change', async () => {
		const post = (body: string) => control('deployment', { method: 'POST', body });
		const changed = await post('{"renderMs":60000}');
		expect([changed.status, changed.json.renderMs]).toEqual([200, 60_000]);
		const { json } = await client.submit('Slowly');
		expect((await client.poll(json.id)).json.data.status).toBe('queued');
		expect((await control('deployment')).json.renderMs).toBe(60_000);
		const wrong = await post('{"rendrMs":1}');
		expect(wrong.status).toBe(400);
		expect(wrong.json.message).toContain('no setting "rendrMs"');
		expect((await post('{"renderMs":')).status).toBe(400);
	});

	it('resets', async () => {
		await client.submit('A red bicycle');
		expect((await control('reset', { method: 'POST' })).status).toBe(200);
		expect([sandbox.requests, sandbox.tasks()]).toEqual([[], []]);
	});

	it('explains faults and keys', async () => {
		expect((await control('faults')).json.html502).toMatch(/502/);
		expect((await control('keys')).json['sandbox-expired']).toMatch(/401/);
	});
});
