import { KEY, toInput, useStage, videoGenerate } from '../../support/stage';
import { serve, type Reply } from './support/serve';

// The tests of the credentials, at the sandbox and at services as they answer.

const VIDEOS = 'videoGenerationApi';
const TEXTS = 'geminiCompatibleApi';
const CREDENTIALS = [VIDEOS, TEXTS] as const;
type Name = (typeof CREDENTIALS)[number];
const LIST = /^\/v1(beta)?\/models$/;

const stage = useStage();

const test = async (name: Name, data: object) =>
	await stage.engine.testCredential(name, { ...stage.credentials[name], ...data });

/** Tests a credential at a service that gives one answer to what it is asked, and one to its list. */
async function testAt(name: Name, answer: Reply, list = NOT_FOUND) {
	const server = await serve(({ path }) => (LIST.test(path) ? list : answer));
	const verdict = await test(name, { baseUrl: server.url });
	await server.close();
	return verdict;
}

it.each(CREDENTIALS)('%s: yes to a right key, and nothing is paid', async (name) => {
	for (const listings of [true, false]) {
		stage.sandbox.set({ listings });
		const verdict = await test(name, { baseUrl: `${stage.sandbox.url}/v1beta/` });
		expect({ listings, ...verdict }).toMatchObject({ listings, status: 'OK' });
	}
	expect(stage.sandbox.tasks()).toHaveLength(0);
});

it.each<[what: string, data: object, message: RegExp]>([
	['a key that no header can carry', { apiKey: `${KEY}\u20ac` }, /^The API key contains a char/],
	['no address', { baseUrl: 'api.example.com' }, /^The Base URL in the credential is not a web/],
	[
		'an address where nobody answers',
		{ baseUrl: 'http://127.0.0.1:9' },
		/^Nothing answers at http:\/\/127\.0\.0\.1:9: the connection was refused \(ECONNREFUSED\)\.$/,
	],
])('says no to %s, in words', async (_what, data, message) => {
	for (const name of CREDENTIALS) {
		const verdict = await test(name, data);
		expect([verdict.status, verdict.message]).toEqual(['Error', expect.stringMatching(message)]);
	}
	expect(stage.sandbox.requests).toEqual([]);
});

it.each([
	['the query', { keyLocation: 'query' }, { key: 'query' }],
	['any header', { headerName: 'x-acme-api-key' }, { headers: { 'x-acme-api-key': KEY } }],
])('the native key may go into %s', async (_where, place, asked) => {
	expect((await test(TEXTS, place)).status).toBe('OK');
	expect(stage.sandbox.requests[0]).toMatchObject(asked);
});

/** As FastAPI answers on a route that it does not have, whatever the key. */
const NOT_FOUND: Reply = [404, { detail: 'Not Found' }];
const MODELS: Reply = [200, { object: 'list', data: [{ id: 'veo-3.1-generate-001' }] }];
const UNAUTHORIZED: Reply = [401, { error: { message: 'Invalid key', type: 'auth_error' } }];
const PAGE: Reply = [200, '<!doctype html><p>Welcome'];
/** For a made-up video, LiteLLM hands on what its vendor says, once it has taken the key. */
const LITELLM: Reply = [
	401,
	{ error: { message: 'Incorrect API key provided: None', type: 'None', code: '401' } },
	{ 'x-litellm-version': '1.108.7' },
];
/** A wrong key at a LiteLLM without a database. */
const NO_DATABASE: Reply = [
	400,
	{ error: { message: 'No connected db.', type: 'no_db_connection', param: null, code: '400' } },
];
const INVALID_KEY = { reason: 'API_KEY_INVALID', domain: 'googleapis.com' };
const GOOGLE: Reply = [400, { error: { code: 400, message: 'Words', details: [INVALID_KEY] } }];
const NO_CHANNEL: Reply = [503, { error: { code: 'model_not_found', message: 'No channel' } }];

const REFUSED = /^The service refuses the API key: .* \(HTTP 40[01]\)\.$/;

it.each<[what: string, name: Name, answer: Reply, list: Reply, words: string | RegExp]>([
	['New API', VIDEOS, [400, { code: 'task_not_exist', data: null }], NOT_FOUND, 'Connected'],
	['New API', TEXTS, NO_CHANNEL, NOT_FOUND, 'Connected'],
	['LiteLLM 1.108', VIDEOS, LITELLM, NOT_FOUND, 'Connected'],
	['LiteLLM without a database, a wrong key', VIDEOS, NOT_FOUND, NO_DATABASE, REFUSED],
	['FastAPI', VIDEOS, NOT_FOUND, NOT_FOUND, 'Connected'],
	['FastAPI, a wrong key', VIDEOS, NOT_FOUND, UNAUTHORIZED, REFUSED],
	['Google, a wrong key', TEXTS, GOOGLE, NOT_FOUND, REFUSED],
	['a key that may not do this', VIDEOS, [403, {}], MODELS, /^The service does not allow this/],
	['a website', VIDEOS, PAGE, PAGE, /^The address answers with a web page/],
	['an outage', VIDEOS, [502, '<p>Bad gateway'], PAGE, /proxy \(HTTP 502\)\. Try again later\.$/],
])('%s (%s)', async (_what, name, answer, list, words) => {
	const { status, message } = await testAt(name, answer, list);
	expect(message).toMatch(words);
	expect(status).toBe(words === 'Connected' ? 'OK' : 'Error');
});

it('hears of a wrong key on the other route (OpenRouter lists its models with any key)', async () => {
	const server = await serve(({ path }) => {
		if (LIST.test(path)) return MODELS;
		return path.startsWith('/v1/videos/') ? UNAUTHORIZED : NOT_FOUND;
	});
	const { message } = await test(VIDEOS, { baseUrl: server.url });
	await server.close();
	expect(message).toMatch(REFUSED);
});

it('never follows a redirect, which would get the key, and shows no key', async () => {
	const other = await serve(() => [200, {}]);
	for (const [location, words] of [
		[`${other.url}/v1`, `The service redirects to ${other.url}. Enter that address`],
		[`https://${KEY}.example/`, 'The service redirects to https://[API key].example'],
	]) {
		const { status, message } = await testAt(VIDEOS, [302, '', { location }]);
		expect([status, message.slice(0, words.length)]).toEqual(['Error', words]);
	}
	await other.close();
	expect(other.asks).toEqual([]);
});

it.each([
	['', '/x/{id}', /^Submit Path in the credential is empty/],
	['/x', '/x/', /^Task Path in the credential has no \{id\}/],
])('refuses paths that cannot work before anything is sent: %j, %j', async (...row) => {
	const [submitPath, taskPath, words] = row;
	const access = { api: 'customPaths', submitPath, taskPath };
	expect((await test(VIDEOS, access)).message).toMatch(words);
	const videoGenerationApi = { ...stage.credentials.videoGenerationApi, ...access };
	const { error } = await stage.run(videoGenerate(), toInput({ prompt: 'A boat' }), {
		credentials: { videoGenerationApi },
	});
	expect(error?.message).toMatch(words);
	expect(stage.sandbox.requests).toEqual([]);
});
