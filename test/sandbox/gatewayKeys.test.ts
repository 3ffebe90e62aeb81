import { createSandbox, type Sandbox } from '../../sandbox/service';
import { REFUSED_TEXTS } from '../../sandbox/service/gatewayProfile';

// What a real gateway answered about a key, to a list of videos that it does not have, and to texts
// that it refused, in the profile "gateway".

let sandbox: Sandbox;
beforeAll(async () => {
	sandbox = await createSandbox({ profile: 'gateway' });
});
beforeEach(() => sandbox.reset());
afterAll(async () => await sandbox.close());

interface Asked {
	key?: string;
	body?: unknown;
	path?: string;
}

async function ask({ key = 'sandbox-key', body, path = '/api/usage/token/' }: Asked = {}) {
	const response = await fetch(sandbox.url + path, {
		redirect: 'manual',
		headers: { ...(key && { authorization: `Bearer ${key}` }), 'content-type': 'application/json' },
		...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
	});
	return { status: response.status, headers: response.headers, text: await response.text() };
}

const usedBy = async (key?: string) =>
	(JSON.parse((await ask({ key })).text) as { data: Record<string, unknown> }).data;

const submit = async (model: string, plan: object) =>
	await ask({
		path: '/v1/video/generations',
		body: { model, prompt: `A boat sandbox:${JSON.stringify(plan)}` },
	});

describe('the usage of a key', () => {
	it.each([
		['veo-3.1-generate-preview', 'SUCCESS', 1600000],
		['veo-3.1-generate-preview', 'FAILURE', 1600000],
		['kling-v1-6', 'SUCCESS', 150000],
		['kling-v1-6', 'FAILURE', 0],
	])('counts what %s took: %s', async (model, outcome, used) => {
		await submit(model, { renderMs: 0, outcome });
		expect(await usedBy()).toMatchObject({ total_used: used, total_available: 0 - used });
		expect(await usedBy('sandbox-budget-2')).toMatchObject({ total_used: 0, total_available: 0 });
	});
});

it.each(['/v1/videos', '/v1/nowhere', '/v1beta/nowhere'])('GET %s is no address', async (path) => {
	const { status, headers, text } = await ask({ path, key: '' });
	const error = `"message":"Invalid URL (GET ${path})","type":"invalid_request_error"`;
	expect([status, text]).toEqual([404, `{"error":{${error},"param":"","code":""}}`]);
	expect(headers.get('cache-control')).toBe('max-age=604800');
});

/** How the sandbox is brought to refuse a text for the same reason as in the record. */
const TEXTS: Record<string, Asked> = {
	'contents missing': { body: {} },
	'account below the price': { key: 'sandbox-no-quota', body: {} },
	'unknown model': { path: '/v1beta/models/nobody:generateContent', body: {} },
	'unknown key': { key: 'nobody', body: {} },
	'key with another model list': { key: 'sandbox-model-forbidden', body: {} },
	'address not allowed': { key: 'sandbox-address', body: {} },
};

it.each(REFUSED_TEXTS)(
	'a text is refused with the fields of the record: $about',
	async (record) => {
		const path = '/v1beta/models/gemini-2.5-flash:generateContent';
		const { status, text } = await ask({ path, ...TEXTS[record.about] });
		const { error } = JSON.parse(text) as { error: Record<string, unknown> };
		expect(status).toBe(record.status);
		const { message, ...told } = record.json.error;
		expect(error).toEqual({ ...told, message: expect.any(String) as string });
		expect(message).toMatch(/./);
		sandbox.set({ profile: 'contract' });
		const { text: documented } = await ask({ path, ...TEXTS[record.about] });
		expect(documented).not.toContain('param');
	},
);
