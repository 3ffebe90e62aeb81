import { RECORDS } from '../../../sandbox/services/records';
import { startService } from '../../../sandbox/services/standIn';
import { createEngine, type Engine } from '../../support/engine';
import { listen as listenWith } from './support/listen';

// The test of Video Generation API at services of all kinds.

const KEY = 'service-key';
const [GENERATIONS, VIDEOS] = ['/v1/video/generations', '/v1/videos'];

let engine: Engine;
const closers: Array<() => unknown> = [];
beforeAll(async () => {
	engine = await createEngine();
});
afterEach(async () => {
	await Promise.all(closers.splice(0).map(async (close) => await close()));
});
afterAll(() => engine.close());

const test = async (baseUrl: string, more = {}) =>
	await engine.testCredential('videoGenerationApi', { baseUrl, apiKey: KEY, ...more });

async function start(name: string) {
	const service = await startService(RECORDS.find((record) => record.name === name)!);
	closers.push(service.close);
	return service;
}

/** Starts a server, and resolves to its address. */
async function listen(answer: Parameters<typeof listenWith>[0]) {
	const { url, close } = await listenWith(answer);
	closers.push(close);
	return url;
}

/** A service whose task paths answer 404, each with these words, and all others with `nowhere`. */
const answering = async (
	taskPaths: string[],
	{ status = 404, body = '{"error":"no such task"}', headers = {} } = {},
) =>
	await listen(({ url }, response) => {
		const isTask = taskPaths.some((path) => url!.startsWith(`${path}/`));
		if (isTask) response.writeHead(status, headers).end(body);
		else response.writeHead(404).end('{"error":"nothing here"}');
	});

describe.each(RECORDS)('$name', ({ name, pollPaths }) => {
	const known = [GENERATIONS, VIDEOS].filter((path) => pollPaths.includes(`${path}/{id}`));

	it(`is found on ${known.join(' and ') || 'paths of its own'}, at no cost`, async () => {
		const { url, tasks, requests } = await start(name);
		const { status, message } = await test(url);
		if (known.length === 0) {
			expect(message).toMatch(
				/^Connected$|^The service has neither POST .* set API to Custom Paths\.$/,
			);
			const custom = { api: 'customPaths', submitPath: 'v1/x', taskPath: pollPaths[0] };
			expect(await test(url, custom)).toMatchObject({ status: 'OK' });
		} else {
			expect([status, message]).toEqual(['OK', expect.stringContaining('Connected')]);
			const named = [GENERATIONS, VIDEOS].filter((path) => message.includes(`POST ${path}`));
			expect(named).toEqual(known);
		}
		expect([tasks, requests.filter(({ method }) => method !== 'GET')]).toEqual([[], []]);
	});

	it('says no to a wrong key', async () => {
		if (known.length === 0) return;
		const { url } = await start(name);
		const { status, message } = await test(url, { apiKey: 'a-wrong-key-1' });
		expect([status, message]).toEqual([
			'Error',
			'The service refuses the API key: it is unknown, disabled, expired or used up (HTTP 401).',
		]);
	});
});

it.each([
	[
		'videoGenerations',
		VIDEOS,
		/no POST \S+generations\. It has POST \S+videos: set API to OpenAI Videos or Auto\.$/,
	],
	[
		'openAiVideos',
		GENERATIONS,
		/no POST \S+videos\. It has POST \S+: set API to Video Generations or Auto\.$/,
	],
	[
		'customPaths',
		VIDEOS,
		/no GET \/x\/\{id\} at this .* It has POST \S+: set API to OpenAI Videos or Auto\.$/,
	],
])('%s: says which route a service has instead', async (api, path, words) => {
	const paths = { submitPath: '/x', taskPath: '/x/{id}' };
	const { status, message } = await test(await answering([path]), { api, ...paths });
	expect([status, message]).toEqual(['Error', expect.stringMatching(words)]);
});

it('says yes to a route that was chosen, and names the other, too', async () => {
	const both = await answering([GENERATIONS, VIDEOS]);
	const words = `Connected. The service has POST ${GENERATIONS} and POST ${VIDEOS}`;
	expect(await test(both)).toEqual({ status: 'OK', message: words });
	expect(await test(both, { api: 'openAiVideos' })).toMatchObject({ status: 'OK' });
});

it.each([
	[301, 'The service redirects to https://other.example. Set the Base URL of the credential'],
	[403, 'The service does not allow this request'],
	[429, 'The service is rate-limiting requests (HTTP 429). Try again later.'],
	[500, 'The service could not process the request (HTTP 500). Try again later.'],
	[503, 'The service is not available (HTTP 503). Try again later.'],
])('says what is wrong: %i', async (code, words) => {
	const headers = { location: 'https://other.example/v1' };
	const url = await answering([GENERATIONS], { status: code, headers });
	const { status, message } = await test(url);
	expect([status, message.slice(0, words.length)]).toEqual(['Error', words]);
});

it('says yes to a service that answers for tasks and addresses alike', async () => {
	expect(await test(await answering([]))).toEqual({ status: 'OK', message: 'Connected' });
});

it('never follows a redirect, which would get the key', async () => {
	const keys: unknown[] = [];
	const other = await listen(({ headers }, response) => {
		keys.push(headers.authorization);
		response.end('{}');
	});
	const url = await answering([GENERATIONS, VIDEOS], {
		status: 302,
		headers: { location: `${other}/v1` },
	});
	expect(await test(url)).toMatchObject({ status: 'Error' });
	expect(keys).toEqual([]);
});

it('says which route would work if the first refuses', async () => {
	const url = await listen(({ url: path }, response) => {
		if (path!.startsWith(GENERATIONS)) response.writeHead(503).end('{}');
		else response.writeHead(404).end(path!.startsWith(VIDEOS) ? '{"error":"no task"}' : '{}');
	});
	const { message } = await test(url);
	expect(message).toMatch(
		/\(HTTP 503\)\. Try again later\. It has POST \S+: set API to OpenAI Videos\.$/,
	);
});

it('takes a website for no API, also where each address has a page', async () => {
	const url = await listen((_request, response) => response.end('<!doctype html><p>Welcome'));
	expect((await test(url)).message).toMatch(/^The Base URL answers with a web page/);
});

it('takes a page at a route for no API', async () => {
	const { message } = await test(await answering([GENERATIONS], { status: 200, body: '<p>Hi' }));
	expect(message).toMatch(/^The Base URL answers with a web page/);
});

it('looks past pages for addresses that do not exist', async () => {
	const url = await listen(({ url: path }, response) => {
		if (path!.startsWith(VIDEOS)) response.writeHead(404).end('{"error":"no such task"}');
		else response.end('<!doctype html><p>Welcome');
	});
	expect(await test(url)).toMatchObject({ status: 'OK', message: expect.stringContaining(VIDEOS) });
});

it('says in words that nothing answers', async () => {
	expect((await test('http://127.0.0.1:9')).message).toBe(
		'Nothing answers at http://127.0.0.1:9: the connection was refused (ECONNREFUSED).',
	);
});

it('keeps the key out of its words', async () => {
	const headers = { location: `https://${KEY}.example/` };
	const { message } = await test(await answering([GENERATIONS], { status: 301, headers }));
	expect(message).toMatch(/redirects to \[API key\]/);
});

it.each([
	['', '/x/{id}', /^Submit Path in the credential is empty/],
	['/x', '', /^Task Path in the credential has no \{id\}/],
	['/x', '/x/', /^Task Path in the credential has no \{id\}/],
])('paths that cannot work are refused before anything is sent: %j, %j', async (...args) => {
	const [submitPath, taskPath, words] = args;
	let count = 0;
	const baseUrl = await listen((_request, response) => response.end(String(count++)));
	const credential = { baseUrl, apiKey: KEY, api: 'customPaths', submitPath, taskPath };
	expect((await test(baseUrl, credential)).message).toMatch(words);
	const { error } = await engine.run({
		node: {
			type: 'n8n-nodes-video-generation.videoGenerate',
			parameters: { model: { __rl: true, mode: 'id', value: 'm' }, prompt: 'A boat' },
		},
		credentials: { videoGenerationApi: credential },
	});
	expect(error?.message).toMatch(words);
	expect(count).toBe(0);
});
