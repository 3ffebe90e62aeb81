import { createSandbox, type DeploymentChanges, type Sandbox } from '../../sandbox/service';
import { ask, clientOf, prompt } from './support/client';

// What differs from one deployment to the next.

let sandbox: Sandbox;
let client: ReturnType<typeof clientOf>;

beforeAll(async () => {
	sandbox = await createSandbox({ renderMs: 0 });
	client = clientOf(sandbox);
});
beforeEach(() => sandbox.reset());
afterAll(async () => await sandbox.close());

const bearer = { headers: { authorization: 'Bearer sandbox-key' } };
const native = { headers: { 'x-goog-api-key': 'sandbox-key' } };

describe('listings', () => {
	it('name the models, on both paths', async () => {
		const { json } = await client.at('/v1/models', bearer);
		const ids = json.data.map(({ id }: { id: string }) => id);
		expect(ids).toEqual(expect.arrayContaining(['veo-3.1-fast-generate-001']));
		const { json: list } = await client.at('/v1beta/models', native);
		const names = list.models.map(({ name }: { name: string }) => name);
		expect(names).toEqual(ids.map((id: string) => `models/${id}`));
		sandbox.set({ modelPrefix: false });
		const { json: bare } = await client.at('/v1beta/models', native);
		expect(bare.models.map(({ name }: { name: string }) => name)).toEqual(ids);
	});

	it('answer the native key on the other path with 200 and an error', async () => {
		const { status, json } = await client.at('/v1/models', native);
		expect(status).toBe(200);
		expect(json).toEqual({ error: expect.objectContaining({ message: expect.any(String) }) });
	});

	it('refuse wrong keys', async () => {
		const wrong = { headers: { authorization: 'Bearer wrong', 'x-goog-api-key': 'wrong' } };
		expect((await client.at('/v1/models', wrong)).status).toBe(401);
		expect((await client.at('/v1beta/models', wrong)).status).toBe(401);
		expect((await client.at('/v1/models')).status).toBe(401);
	});

	it('are absent where the deployment has none', async () => {
		sandbox.set({ listings: false });
		expect((await client.at('/v1/models', bearer)).status).toBe(404);
		expect((await client.at('/v1beta/models', native)).status).toBe(404);
		expect((await client.at('/v1/models', native)).status).toBe(404);
	});

	it('break as they are told', async () => {
		sandbox.set({ listings: 'html502' });
		expect((await client.at('/v1/models', bearer)).status).toBe(502);
		expect((await client.at('/v1beta/models', native)).status).toBe(502);
	});

	it('follow the models of the deployment, and so do the endpoints', async () => {
		sandbox.set({ models: { video: ['my-model'] } });
		const { json } = await client.at('/v1/models', bearer);
		expect(json.data[0].id).toBe('my-model');
		expect((await client.submit('Mine', { model: 'my-model' })).status).toBe(200);
		expect((await client.submit('Not mine')).status).toBe(503);
		expect((await client.generate(ask('Hello'))).status).toBe(200);
	});
});

describe('unknown paths', () => {
	it.each(['/', '/console', '/api/v1/models', '//v1/models', '/v10/models'])(
		"%s answers 200 with the console's page",
		async (path) => {
			const { status, headers, text } = await client.at(path, bearer);
			expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
			expect(text).toMatch(/^<!doctype html>/);
		},
	);

	it.each(['/v1', '/v1/v1/models', '/v1beta/x', '/v1/video/generations', '/v1/models/'])(
		'%s answers 404',
		async (path) => {
			const { status, json } = await client.at(path, bearer);
			expect([status, json.error.type]).toEqual([404, 'invalid_request_error']);
		},
	);

	it('answer 404 everywhere where the deployment has no console', async () => {
		sandbox.set({ unknownPages: false });
		expect((await client.at('/console')).status).toBe(404);
	});

	it.each([
		['business', { code: 'not_found', data: null }],
		['html', undefined],
		['empty', undefined],
	] as const)('answer 404 in the shape %s', async (notFoundShape, shape) => {
		sandbox.set({ notFoundShape });
		const { status, json, text } = await client.at('/v1/x');
		expect(status).toBe(404);
		if (shape) expect(json).toMatchObject(shape);
		else expect(text).toMatch(notFoundShape === 'html' ? /^<html>/ : /^$/);
	});

	it('survive an address that cannot be decoded', async () => {
		expect((await client.at('/v1/video/generations/%zz', bearer)).status).toBe(400);
		expect(sandbox.requests).toHaveLength(1);
	});
});

it("refuses a body that is too large with a proxy's page, and stays usable", async () => {
	sandbox.set({ bodyLimitBytes: 1000 });
	const large = await client.submit('x'.repeat(2_000_000));
	expect(large.status).toBe(413);
	expect(large.headers['content-type']).toMatch(/^text\/html/);
	expect(sandbox.tasks()).toHaveLength(0);
	expect((await client.submit('Small')).status).toBe(200);
});

it('refreshes its state only every so often', async () => {
	sandbox.set({ refreshMs: 15_000, renderMs: 20_000 });
	const start = Date.now();
	const clock = jest.spyOn(Date, 'now').mockReturnValue(start);
	const { json } = await client.submit('Refreshed');
	const seen = [];
	for (const passed of [14_999, 15_000, 29_999, 30_000]) {
		clock.mockReturnValue(start + passed);
		seen.push((await client.poll(json.id)).json.data.status);
	}
	clock.mockRestore();
	expect(seen).toEqual(['queued', 'IN_PROGRESS', 'IN_PROGRESS', 'SUCCESS']);
});

it('has outages, in which nothing is created', async () => {
	sandbox.set({ outage: 'html520' });
	const replies = [await client.submit('Down'), await client.at('/'), await client.generate({})];
	expect(replies.map(({ status }) => status)).toEqual([520, 520, 520]);
	expect(sandbox.tasks()).toHaveLength(0);
	sandbox.set({ outage: null });
	expect((await client.submit('Up')).status).toBe(200);
});

it("has a plan for every prompt, before which the prompt's own goes", async () => {
	sandbox.set({ plan: { shape: 'vendor', words: { SUCCESS: 'completed' } } });
	const statusOf = async (text: string) => {
		const { json } = await client.submit(text);
		return (await client.poll(json.id)).json.data.status;
	};
	expect(await statusOf('Plain')).toBe('completed');
	expect(await statusOf(prompt('Own', { words: {} }))).toBe('succeeded');
});

it('adds its latency to every answer', async () => {
	sandbox.set({ latencyMs: 30 });
	const start = performance.now();
	await client.at('/v1/models', bearer);
	// Only the lower bound: how much later it comes is up to the machine.
	expect(performance.now() - start).toBeGreaterThan(25);
});

it.each([
	[{ speed: 1 }, 'no setting "speed"'],
	[{ renderMs: '1' }, '"renderMs": is a number'],
	[{ listings: 'html999' }, '"listings": there is no fault'],
	[{ outage: 'html999' }, '"outage": there is no fault'],
	[{ notFoundShape: 'round' }, '"notFoundShape": is one of'],
	[{ models: { video: 'veo' } }, '"models": is'],
	[{ plan: { rendrMs: 1 } }, 'no plan key "rendrMs"'],
	[null, 'an object of settings'],
])('says what is wrong with %j', async (changes, message) => {
	expect(() => sandbox.set(changes as unknown as DeploymentChanges)).toThrow(message);
	await expect(createSandbox({ speed: 1 } as object)).rejects.toThrow('no setting "speed"');
});
