import { ask } from './support/client';
import { useSandbox } from './support/stage';

// The lists of models, and what other addresses answer.

const stage = useSandbox({ renderMs: 0 });
beforeEach(() => stage.sandbox.reset());

const bearer = { headers: { authorization: 'Bearer sandbox-key' } };
const native = { headers: { 'x-goog-api-key': 'sandbox-key' } };

describe('listings', () => {
	it('name the models, on both paths', async () => {
		const { json } = await stage.client.at('/v1/models', bearer);
		const ids = json.data.map(({ id }: { id: string }) => id);
		expect(ids).toEqual(expect.arrayContaining(['veo-3.1-fast-generate-001']));
		const { json: list } = await stage.client.at('/v1beta/models', native);
		const names = list.models.map(({ name }: { name: string }) => name);
		expect(names).toEqual(ids.map((id: string) => `models/${id}`));
	});

	it('answer the native key on the other path with 200 and an error', async () => {
		const { status, json } = await stage.client.at('/v1/models', native);
		expect(status).toBe(200);
		expect(json).toEqual({ error: expect.objectContaining({ message: expect.any(String) }) });
	});

	it('follow the models of the deployment, and so do the endpoints', async () => {
		stage.sandbox.set({ models: { video: ['my-model'] } });
		const { json } = await stage.client.at('/v1/models', bearer);
		expect(json.data[0].id).toBe('my-model');
		expect((await stage.client.submit('Mine', { model: 'my-model' })).status).toBe(200);
		expect((await stage.client.submit('Not mine')).status).toBe(503);
		expect((await stage.client.generate(ask('Hello'))).status).toBe(200);
	});
});

describe('unknown paths', () => {
	it.each(['/', '/console', '/api/v1/models', '//v1/models', '/v10/models'])(
		"%s answers 200 with the console's page",
		async (path) => {
			const { status, headers, text } = await stage.client.at(path, bearer);
			expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
			expect(text).toMatch(/^<!doctype html>/);
		},
	);

	it.each(['/v1', '/v1/v1/models', '/v1beta/x', '/v1/video/generations', '/v1/models/'])(
		'%s answers 404',
		async (path) => {
			const { status, json } = await stage.client.at(path, bearer);
			expect([status, json.error.type]).toEqual([404, 'invalid_request_error']);
		},
	);

	it('survive an address that cannot be decoded', async () => {
		expect((await stage.client.at('/v1/video/generations/%zz', bearer)).status).toBe(400);
		expect(stage.sandbox.requests).toHaveLength(1);
	});
});
