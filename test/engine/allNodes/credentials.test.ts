import { KEY, toInput, useStage, videoGenerate } from '../../support/stage';

const stage = useStage();
const CREDENTIALS = ['videoGenerationApi', 'geminiCompatibleApi'] as const;

const test = async (
	name: (typeof CREDENTIALS)[number],
	data: { baseUrl: string; apiKey?: string },
) => await stage.engine.testCredential(name, { ...stage.credentials[name], apiKey: KEY, ...data });

describe.each(CREDENTIALS)('the test of %s', (name) => {
	it.each([true, false])('says yes to a right key (listings: %s)', async (listings) => {
		stage.sandbox.set({ listings });
		for (const tail of ['', '/', '/v1', '/v1beta/']) {
			const verdict = await test(name, { baseUrl: stage.sandbox.url + tail });
			expect({ tail, ...verdict }).toMatchObject({ tail, status: 'OK' });
		}
		stage.sandbox.set({ listings: true });
		expect(stage.sandbox.tasks()).toHaveLength(0);
	});

	it('says no to a wrong key, and why', async () => {
		const verdict = await test(name, { baseUrl: stage.sandbox.url, apiKey: 'wrong-key-1' });
		expect(verdict.status).toBe('Error');
		expect(verdict.message).toMatch(/refuses the (API key|request)/);
	});

	it('says no to a key that no header can carry', async () => {
		const verdict = await test(name, { baseUrl: stage.sandbox.url, apiKey: `${KEY}\u20ac` });
		expect(verdict.message).toMatch(/^The API key contains a character that cannot be sent/);
		expect(stage.sandbox.requests).toEqual([]);
	});

	it('says no to a web page, and why', async () => {
		const verdict = await test(name, { baseUrl: `${stage.sandbox.url}/site` });
		expect(verdict.status).toBe('Error');
		expect(verdict.message).toMatch(/web page/);
	});

	it.each([
		['no address', 'a-key-in-the-wrong-field'],
		['no scheme', 'api.example.com'],
		['a query', 'https://api.example.com/?a=1'],
	])('says in words what is wrong with a Base URL: %s', async (_name, baseUrl) => {
		const { status, message } = await test(name, { baseUrl });
		expect(status).toBe('Error');
		expect(message).toMatch(/^The Base URL in the credential is not a web address\. Enter it with/);
	});

	it('says no where nobody answers', async () => {
		expect((await test(name, { baseUrl: 'http://127.0.0.1:9' })).status).toBe('Error');
	});
});

it('a node with such a key submits nothing, and says why', async () => {
	const { credentials, sandbox } = stage;
	const videoGenerationApi = { ...credentials.videoGenerationApi, apiKey: `${KEY}\u20ac` };
	const { error } = await stage.run(videoGenerate(), toInput({ prompt: 'A boat' }), {
		credentials: { videoGenerationApi },
	});
	expect(error?.message).toMatch(/^The video was not submitted: the API key contains a character/);
	expect(sandbox.requests).toEqual([]);
});

it.each([
	['the query', { keyLocation: 'query' }],
	['a header of any name', { headerName: 'x-acme-api-key' }],
])('the native key may go into %s', async (_where, place) => {
	const { engine, sandbox } = stage;
	const data = { ...stage.credentials.geminiCompatibleApi, ...place };
	expect((await engine.testCredential('geminiCompatibleApi', data)).status).toBe('OK');
	const [{ key, headers }] = sandbox.requests;
	expect('keyLocation' in place ? key : headers['x-acme-api-key']).toBe(
		'keyLocation' in place ? 'query' : KEY,
	);
});
