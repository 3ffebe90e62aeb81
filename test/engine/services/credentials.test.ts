import { createEngine, type Engine } from '../../support/engine';
import { listen as listenWith } from './support/listen';

// The tests of the credentials, at services as they answer.

const KEY = 'service-key';
const VIDEOS = 'videoGenerationApi';
const TEXTS = 'geminiCompatibleApi';
const LIST = /^\/v1(beta)?\/models$/;

let engine: Engine;
beforeAll(async () => {
	engine = await createEngine();
});
afterAll(() => engine.close());

const closers: Array<() => Promise<void>> = [];
afterEach(async () => {
	await Promise.all(closers.splice(0).map(async (close) => await close()));
});

async function listen(answer: Parameters<typeof listenWith>[0]) {
	const { url, close } = await listenWith(answer);
	closers.push(close);
	return url;
}

type Answer = [status: number, body: unknown, headers?: Record<string, string>];

/** Tests a credential at a service that gives one answer to what it is asked, and one to its list. */
async function test(name: string, answer: Answer, list: Answer = NOT_FOUND, more = {}) {
	const asked: string[] = [];
	const baseUrl = await listen((request, response) => {
		asked.push(`${request.method} ${request.url}`);
		const [status, body, headers] = LIST.test(request.url!) ? list : answer;
		response.writeHead(status, headers).end(typeof body === 'string' ? body : JSON.stringify(body));
	});
	const verdict = await engine.testCredential(name, { baseUrl, apiKey: KEY, ...more });
	return { ...verdict, asked };
}

/** As FastAPI answers on a route that it does not have, whatever the key. */
const NOT_FOUND: Answer = [404, { detail: 'Not Found' }];
const MODELS: Answer = [200, { object: 'list', data: [{ id: 'veo-3.1-generate-001' }] }];
const UNAUTHORIZED: Answer = [401, { error: { message: 'Invalid key', type: 'auth_error' } }];
const PAGE: Answer = [200, '<!doctype html><p>Welcome'];
const newApi = (status: number, message: string, code: string): Answer => [
	status,
	{ error: { code, message, type: 'new_api_error' } },
];
/** For a made-up video, LiteLLM hands on what its vendor says, once it has taken the key. */
const liteLlm = (status: number): Answer => [
	status,
	{ error: { message: 'Incorrect API key provided: None', type: 'None', code: `${status}` } },
	{ 'x-litellm-version': '1.108.7' },
];
/** A wrong key at a LiteLLM without a database. */
const NO_DATABASE: Answer = [
	400,
	{ error: { message: 'No connected db.', type: 'no_db_connection', param: null, code: '400' } },
];
const google = (code: number, status: string, ...details: object[]): Answer => [
	code,
	{ error: { code, message: 'Words', status, details } },
];
const INVALID_KEY = { reason: 'API_KEY_INVALID', domain: 'googleapis.com' };

const REFUSED = /^The service refuses the API key: .* \(HTTP 40[01]\)\.$/;

it.each<[what: string, name: string, answer: Answer, list: Answer, words: string | RegExp]>([
	['New API', VIDEOS, [400, { code: 'task_not_exist', data: null }], NOT_FOUND, 'Connected'],
	['New API, a wrong key', VIDEOS, newApi(401, 'Invalid token', ''), NOT_FOUND, REFUSED],
	['New API', TEXTS, newApi(503, 'No channel', 'model_not_found'), NOT_FOUND, 'Connected'],
	['New API, a wrong key', TEXTS, newApi(401, 'Invalid token', ''), NOT_FOUND, REFUSED],
	['LiteLLM 1.90', VIDEOS, liteLlm(500), NOT_FOUND, 'Connected'],
	['LiteLLM 1.108', VIDEOS, liteLlm(401), NOT_FOUND, 'Connected'],
	['LiteLLM by Auto', VIDEOS, NOT_FOUND, MODELS, 'Connected'],
	['LiteLLM without a database, a wrong key', VIDEOS, NOT_FOUND, NO_DATABASE, REFUSED],
	['LiteLLM without a database, a wrong key', TEXTS, NO_DATABASE, NOT_FOUND, REFUSED],
	['LiteLLM, a wrong key', VIDEOS, UNAUTHORIZED, UNAUTHORIZED, REFUSED],
	['FastAPI', VIDEOS, NOT_FOUND, NOT_FOUND, 'Connected'],
	['FastAPI, a wrong key', VIDEOS, NOT_FOUND, UNAUTHORIZED, REFUSED],
	['Google', TEXTS, google(404, 'NOT_FOUND'), MODELS, 'Connected'],
	['Google, a wrong key', TEXTS, google(400, 'INVALID_ARGUMENT', INVALID_KEY), NOT_FOUND, REFUSED],
	['a key that may not do this', VIDEOS, [403, {}], MODELS, /^The service does not allow this/],
	['one route of two', VIDEOS, PAGE, MODELS, 'Connected'],
	['a website', VIDEOS, PAGE, PAGE, /^The Base URL answers with a web page/],
	['an outage', VIDEOS, [502, '<p>Bad gateway'], PAGE, /proxy \(HTTP 502\)\. Try again later\.$/],
	['a busy service', VIDEOS, [429, {}], MODELS, /rate-limiting .*429\)\. Try again later\.$/],
])('%s (%s)', async (_what, name, answer, list, words) => {
	const { status, message } = await test(name, answer, list);
	expect(message).toMatch(words);
	expect(status).toBe(words === 'Connected' ? 'OK' : 'Error');
});

it('asks for what does not exist, on the route that the credential chooses', async () => {
	const text = 'POST /v1beta/models/no-such-model:generateContent';
	const asked = async (name: string, more = {}) =>
		(await test(name, NOT_FOUND, NOT_FOUND, more)).asked;
	expect(await asked(TEXTS)).toEqual([text, 'GET /v1beta/models']);
	expect(await asked(VIDEOS)).toEqual([
		...['GET /v1/video/generations/no-such-id', 'GET /v1/videos/no-such-id'],
		'GET /v1/models',
	]);
	expect((await asked(VIDEOS, { api: 'openAiVideos' }))[0]).toBe(`GET /v1/videos/no-such-id`);
	const paths = { api: 'customPaths', submitPath: '/x', taskPath: '/tasks?id={id}' };
	expect((await asked(VIDEOS, paths))[0]).toBe('GET /tasks?id=no-such-id');
});

it('hears of a wrong key on the other route (OpenRouter lists its models with any key)', async () => {
	const baseUrl = await listen(({ url }, response) => {
		const [status, body] = LIST.test(url!)
			? MODELS
			: url!.startsWith('/v1/videos/')
				? UNAUTHORIZED
				: NOT_FOUND;
		response.writeHead(status).end(JSON.stringify(body));
	});
	const { message } = await engine.testCredential(VIDEOS, { baseUrl, apiKey: KEY });
	expect(message).toMatch(REFUSED);
});

it('never follows a redirect, which would get the key, and shows no key', async () => {
	const keys: unknown[] = [];
	const other = await listen(({ headers }, response) => {
		keys.push(headers.authorization);
		response.end('{}');
	});
	for (const [location, words] of [
		[`${other}/v1`, `The service redirects to ${other}. Set the Base URL`],
		[`https://${KEY}.example/`, 'The service redirects to https://[API key].example'],
	]) {
		const { status, message } = await test(VIDEOS, [302, '', { location }]);
		expect([status, message.slice(0, words.length)]).toEqual(['Error', words]);
	}
	expect(keys).toEqual([]);
});

it('says in words that nothing answers', async () => {
	const data = { baseUrl: 'http://127.0.0.1:9', apiKey: KEY };
	expect((await engine.testCredential(VIDEOS, data)).message).toBe(
		'Nothing answers at http://127.0.0.1:9: the connection was refused (ECONNREFUSED).',
	);
});

it.each([
	['', '/x/{id}', /^Submit Path in the credential is empty/],
	['/x', '/x/', /^Task Path in the credential has no \{id\}/],
])('refuses paths that cannot work before anything is sent: %j, %j', async (...args) => {
	const [submitPath, taskPath, words] = args;
	const credential = { api: 'customPaths', submitPath, taskPath };
	const { asked, message } = await test(VIDEOS, MODELS, MODELS, credential);
	expect([asked, message]).toEqual([[], expect.stringMatching(words)]);
	const { error } = await engine.run({
		node: {
			type: 'n8n-nodes-video-generation.videoGenerate',
			parameters: { model: { __rl: true, mode: 'id', value: 'm' }, prompt: 'A boat' },
		},
		credentials: { [VIDEOS]: { baseUrl: 'http://127.0.0.1:9', apiKey: KEY, ...credential } },
	});
	expect(error?.message).toMatch(words);
});
