import { createSandbox } from '../../sandbox/service';
import { call } from './support/call';
import { ask, clientOf, prompt } from './support/client';
import { sha256 } from './support/files';
import { useSandbox } from './support/stage';

// What a test can read afterwards: every request as it came, every task that was charged.

const stage = useSandbox({ renderMs: 0 });
beforeEach(() => stage.sandbox.reset());

it('keeps a request as it came', async () => {
	const before = Date.now();
	const { json } = await stage.client.submit('A red bicycle', { unheard: ['of'] });
	await stage.client.poll(json.id);
	expect(stage.sandbox.requests[0]).toMatchObject({
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
	expect(stage.sandbox.requests[0].at).toBeGreaterThanOrEqual(before);
	expect(stage.sandbox.requests[1]).toMatchObject({ n: 2, method: 'GET', body: undefined });
});

it('keeps the query and bodies that are no JSON', async () => {
	await stage.client.at('/v1/nowhere?a=1&b=two', { method: 'POST', body: 'a=1' });
	expect(stage.sandbox.requests[0]).toMatchObject({
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
	await stage.client.submit(words, { image, images: ['c2hvcnQ='] });
	const short = { length: image.length, sha256: sha256(image) };
	expect(stage.sandbox.requests[0].body).toMatchObject({ prompt: words, image: short });
	expect(stage.sandbox.requests[0].body?.images).toEqual(['c2hvcnQ=']);
	expect(stage.sandbox.tasks()[0].request.image).toEqual(short);

	const part = { inlineData: { mimeType: 'image/png', data: 'iVBO'.repeat(500) } };
	await stage.client.generate({ contents: [{ parts: [{ text: 'What is it?' }, part] }] });
	expect(stage.sandbox.requests[1].body?.contents?.[0].parts[1]).toEqual({
		inlineData: { mimeType: 'image/png', data: { length: 2000, sha256: expect.any(String) } },
	});
});

it('lists every task that was really created', async () => {
	await stage.client.submit(prompt('Refused', { submit: ['rateLimited'] }));
	await stage.client.submit(prompt('Hidden', { submit: ['acceptThen500'] }));
	const { json } = await stage.client.submit('Plain', { size: '720x1280' });
	await stage.client.poll(json.id);
	await stage.client.download(json.id);
	expect(stage.sandbox.tasks()).toHaveLength(2);
	expect(stage.sandbox.tasks()[1]).toMatchObject({
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
	const { json: one } = await stage.client.submit(planned);
	const { json: other } = await stage.client.submit('Another');
	await stage.client.poll(one.id);
	await stage.client.poll(one.id);
	await stage.client.poll(other.id);
	await stage.client.generate(ask('Hello'));
	expect(stage.sandbox.count()).toBe(6);
	expect(stage.sandbox.count({ method: 'POST' })).toBe(3);
	expect(stage.sandbox.count({ path: '/v1/' })).toBe(5);
	expect(stage.sandbox.count({ path: /generateContent$/ })).toBe(1);
	expect(stage.sandbox.count({ taskId: one.id })).toBe(3);
	expect(stage.sandbox.count({ taskId: one.id, method: 'GET', status: 502 })).toBe(1);
	expect(stage.sandbox.submissions().map(({ n }) => n)).toEqual([1, 2]);
	expect(stage.sandbox.polls().map(({ n }) => n)).toEqual([3, 4, 5]);
	expect(stage.sandbox.polls(one.id).map(({ status }) => status)).toEqual([502, 200]);
});

it('forgets everything on reset, and keeps the array of requests', async () => {
	const { requests } = stage.sandbox;
	const planned = prompt('Forgotten', { submit: ['json500'] });
	stage.sandbox.set({ listings: false });
	await stage.client.submit(planned);
	const { json } = await stage.client.submit(planned);
	stage.sandbox.reset();
	expect([stage.sandbox.requests, stage.sandbox.tasks(), requests]).toEqual([[], [], []]);
	expect(stage.sandbox.requests).toBe(requests);
	expect((await stage.client.poll(json.id)).status).toBe(400);
	expect(stage.sandbox.requests[0].n).toBe(1);
	expect((await stage.client.submit(planned)).status).toBe(500);
	const list = { headers: { authorization: 'Bearer sandbox-key' } };
	expect((await stage.client.at('/v1/models', list)).status).toBe(200);
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
