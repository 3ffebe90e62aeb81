import { createSandbox, type DeploymentChanges } from '../../sandbox/service';
import { call } from './support/call';
import { ask, clientOf, prompt } from './support/client';
import { sha256 } from './support/files';
import { useSandbox } from './support/stage';

// What a test can read and change, in-process and over HTTP.

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

describe('over HTTP', () => {
	const control = (path: string, options = {}) => stage.client.at(`/_sandbox/${path}`, options);

	it('shows requests and tasks, itself unseen', async () => {
		const { json: task } = await stage.client.submit('A red bicycle');
		await stage.client.poll(task.id);
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
			url: stage.sandbox.url,
			foreignUrl: stage.sandbox.foreignUrl,
			requests: 2,
			tasks: 1,
		});
	});

	it('changes the deployment, and says what is wrong with a change', async () => {
		const post = (body: string) => control('deployment', { method: 'POST', body });
		const changed = await post('{"renderMs":60000}');
		expect([changed.status, changed.json.renderMs]).toEqual([200, 60_000]);
		const { json } = await stage.client.submit('Slowly');
		expect((await stage.client.poll(json.id)).json.data.status).toBe('queued');
		expect((await control('deployment')).json.renderMs).toBe(60_000);
		const wrong = await post('{"rendrMs":1}');
		expect(wrong.status).toBe(400);
		expect(wrong.json.message).toContain('no setting "rendrMs"');
		expect((await post('{"renderMs":')).status).toBe(400);
	});
});

it("refuses a body that is too large with a proxy's page, and stays usable", async () => {
	stage.sandbox.set({ bodyLimitBytes: 1000 });
	const large = await stage.client.submit('x'.repeat(2_000_000));
	expect(large.status).toBe(413);
	expect(large.headers['content-type']).toMatch(/^text\/html/);
	expect(stage.sandbox.tasks()).toHaveLength(0);
	expect((await stage.client.submit('Small')).status).toBe(200);
});

it('refreshes its state only every so often', async () => {
	stage.sandbox.set({ refreshMs: 15_000, renderMs: 20_000 });
	const start = Date.now();
	const clock = jest.spyOn(Date, 'now').mockReturnValue(start);
	const { json } = await stage.client.submit('Refreshed');
	const seen = [];
	for (const passed of [14_999, 15_000, 29_999, 30_000]) {
		clock.mockReturnValue(start + passed);
		seen.push((await stage.client.poll(json.id)).json.data.status);
	}
	clock.mockRestore();
	expect(seen).toEqual(['queued', 'IN_PROGRESS', 'IN_PROGRESS', 'SUCCESS']);
});

it("has a plan for every prompt, before which the prompt's own goes", async () => {
	stage.sandbox.set({ plan: { shape: 'vendor', words: { SUCCESS: 'completed' } } });
	const statusOf = async (text: string) => {
		const { json } = await stage.client.submit(text);
		return (await stage.client.poll(json.id)).json.data.status;
	};
	expect(await statusOf('Plain')).toBe('completed');
	expect(await statusOf(prompt('Own', { words: {} }))).toBe('succeeded');
});

it.each([
	[{ speed: 1 }, 'no setting "speed"'],
	[{ renderMs: '1' }, '"renderMs": is a number'],
	[{ listings: 'html999' }, '"listings": there is no fault'],
	[{ outage: 'html999' }, '"outage": there is no fault'],
	[{ profile: 'round' }, '"profile": is one of'],
	[{ models: { video: 'veo' } }, '"models": is'],
	[{ plan: { rendrMs: 1 } }, 'no plan key "rendrMs"'],
	[null, 'it is no JSON object'],
])('says what is wrong with %j', async (changes, message) => {
	expect(() => stage.sandbox.set(changes as unknown as DeploymentChanges)).toThrow(message);
	await expect(createSandbox({ speed: 1 } as object)).rejects.toThrow('no setting "speed"');
});
