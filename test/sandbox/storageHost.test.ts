import { createSandbox, type Plan } from '../../sandbox/service';
import { call, getSecure } from './support/call';
import { prompt } from './support/client';
import { readMedia } from './support/files';
import { useSandbox } from './support/stage';

// The other host: what it serves, what it is sent, and both hosts with https.

const stage = useSandbox({ renderMs: 0 });
beforeEach(() => stage.sandbox.reset());

const submit = async (plan: Plan, fields = {}) =>
	(await stage.client.submit(prompt('To download', plan), fields)).json.id as string;

describe('the storage host', () => {
	it('is another origin, whose records show what it was sent', async () => {
		const { status, bytes } = await call(`${stage.sandbox.foreignUrl}/files/square.mp4`, {
			headers: { 'x-secret': 'leaked' },
		});
		expect(status).toBe(200);
		expect(bytes.equals(readMedia('square'))).toBe(true);
		expect(stage.sandbox.requests[0]).toMatchObject({
			origin: 'foreign',
			path: '/files/square.mp4',
			headers: { 'x-secret': 'leaked' },
			status: 200,
			key: 'none',
		});
		expect(stage.sandbox.foreignUrl).not.toBe(stage.sandbox.url);
	});

	it('refuses a signed address with a key on top, and takes it without', async () => {
		const id = await submit({ resultUrl: 'foreign' });
		const { result_url: address } = (await stage.client.poll(id)).json.data;
		const headers = { authorization: 'Bearer sandbox-key' };
		const refused = await call(address, { headers });
		expect([refused.status, refused.headers['content-type']]).toEqual([400, 'application/xml']);
		const { status, bytes } = await call(address);
		expect(status).toBe(200);
		expect(bytes.equals(readMedia('landscape'))).toBe(true);
		expect(stage.sandbox.requests.at(-1)).toMatchObject({ origin: 'foreign', taskId: id });
		stage.sandbox.set({ foreignRefusesAuthorization: false });
		expect((await call(address, { headers })).status).toBe(200);
	});

	it('serves the task as its plan says', async () => {
		const plan: Plan = { resultUrl: 'foreign', sizeBytes: 100_000, content: ['html502'] };
		const { result_url: address } = (await stage.client.poll(await submit(plan))).json.data;
		expect((await call(address)).status).toBe(502);
		expect((await call(address)).bytes).toHaveLength(100_000);
	});

	it('knows no other files and nothing of the service', async () => {
		expect((await call(`${stage.sandbox.foreignUrl}/files/none.mp4`)).status).toBe(404);
		expect((await call(`${stage.sandbox.foreignUrl}/v1/models`)).status).toBe(404);
		expect((await call(`${stage.sandbox.foreignUrl}/_sandbox/health`)).status).toBe(404);
	});

	it('can go by another name', async () => {
		const other = await createSandbox({ foreignHost: '127.0.0.1' });
		expect(other.foreignUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
		expect((await call(`${other.foreignUrl}/files/square.mp4`)).status).toBe(200);
		await other.close();
	});
});

it('speaks https where told so, with a certificate for both of its names', async () => {
	const secure = await createSandbox({ https: true, foreignHttps: true });
	const { certificate, url, foreignUrl } = secure;
	expect([url, foreignUrl]).toEqual([
		expect.stringMatching(/^https:\/\/127\.0\.0\.1:/),
		expect.stringMatching(/^https:\/\/localhost:/),
	]);
	expect(await getSecure(`${url}/_sandbox/health`, certificate)).toBe(200);
	expect(await getSecure(`${foreignUrl}/files/square.mp4`, certificate)).toBe(200);
	await expect(getSecure(`${url}/_sandbox/health`)).rejects.toThrow(/self-signed/);
	await secure.close();
	expect(stage.sandbox.certificate).toBeUndefined();
});
