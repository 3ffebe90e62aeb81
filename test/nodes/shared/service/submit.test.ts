import { findRoute } from '../../../../nodes/shared/service/askService';
import { type Connection, type ServiceRequest } from '../../../../nodes/shared/service/connection';
import { fetchTask } from '../../../../nodes/shared/service/fetchTask';
import type { ServiceAnswer } from '../../../../nodes/shared/service/http';
import { contentPath, readRoutes, type RouteName } from '../../../../nodes/shared/service/routes';
import { submit } from '../../../../nodes/shared/service/submit';

const { signal } = new AbortController();
const BASE = 'https://api.example.com';
const NEW_API = { 'x-new-api-version': 'v1.0.0' };
type Reply = Partial<Omit<ServiceAnswer, 'body'>> & { body?: unknown };

/** A service that answers in this order; tells what it was asked. */
function serve(api: string, replies: Reply[], requestBody = 'auto') {
	const asked: ServiceRequest[] = [];
	const send: Connection['send'] = async (request) => {
		const { status = 200, headers = {}, body = {} } = replies[asked.length] ?? {};
		asked.push(request);
		return { status, headers, body: typeof body === 'string' ? body : JSON.stringify(body) };
	};
	const contentUrl = (task_id: string) => BASE + contentPath(task_id);
	const connection = { contentUrl, routes: readRoutes({ api }), requestBody, send };
	return { asked, connection: connection as Connection };
}

/** Submits; tells what came of it, and each request as its path and its kind of body. */
async function submitTo(
	api: string,
	replies: Reply[],
	{ over = signal, requestBody = 'auto' } = {},
) {
	const { asked, connection } = serve(api, replies, requestBody);
	const result = await submit(connection, {
		routes: connection.routes,
		requestFor: (_route, inPlainFields) => ({ model: 'm', prompt: 'p', inPlainFields }),
		loadBytes: async () => Buffer.alloc(0),
		...{ signal, over, submittedAtMs: 7 },
	});
	const sent = asked.map(({ path, body }) => {
		const isForm = Buffer.isBuffer(body?.bytes);
		return `${path} ${isForm ? 'form' : body && 'inPlainFields' in body && body.inPlainFields ? 'plain' : 'json'}`;
	});
	return { result, sent };
}

const FIRST = '/v1/video/generations';
const OTHER = '/v1/videos';
const taken = { body: { id: 'task_1', status: 'queued' } };
const noRoute = { status: 404, body: { detail: 'Not Found' } };
const unknownField = { status: 400, body: { error: { message: "Unknown parameter: 'ratio'." } } };
const wantsForm = { status: 400, body: { error: { message: 'Use multipart/form-data' } } };

describe('submit', () => {
	it.each<[string, string, Reply[], string[]]>([
		['once', 'auto', [taken], [`${FIRST} json`]],
		['on the other route', 'auto', [noRoute, taken], [`${FIRST} json`, `${OTHER} json`]],
		['on the chosen route alone', 'openAiVideos', [noRoute], [`${OTHER} json`]],
		[
			'in plain fields',
			'videoGenerations',
			[unknownField, taken],
			[`${FIRST} json`, `${FIRST} plain`],
		],
		['as a form', 'openAiVideos', [wantsForm, taken], [`${OTHER} json`, `${OTHER} form`]],
		['never as a form on the documented route', 'videoGenerations', [wantsForm], [`${FIRST} json`]],
		[
			'each of them once',
			'auto',
			[noRoute, wantsForm, unknownField, unknownField],
			[`${FIRST} json`, `${OTHER} json`, `${OTHER} form`, `${OTHER} form`],
		],
		[
			'not again for a model that is not there',
			'auto',
			[{ status: 404, body: { error: { message: 'No such model' } } }],
			[`${FIRST} json`],
		],
		['not again at New API', 'auto', [{ ...noRoute, headers: NEW_API }], [`${FIRST} json`]],
		[
			'not again where a task is named',
			'auto',
			[{ status: 404, body: { task_id: 't' } }],
			[`${FIRST} json`],
		],
		[
			'not again after 5xx',
			'auto',
			[{ status: 502, body: 'unknown parameter' }],
			[`${FIRST} json`],
		],
	])('is sent %s', async (_how, api, replies, expected) => {
		const { result, sent } = await submitTo(api, replies);
		expect(sent).toEqual(expected);
		if (replies.at(-1) === taken) expect(result).toMatchObject({ task_id: 'task_1' });
		else expect(result).toHaveProperty('kind');
	});

	it('goes out as a form from the start if the credential says so', async () => {
		const { sent } = await submitTo('openAiVideos', [taken], { requestBody: 'form' });
		expect(sent).toEqual([`${OTHER} form`]);
		const auto = await submitTo('auto', [noRoute, taken], { requestBody: 'form' });
		expect(auto.sent).toEqual([`${FIRST} json`, `${OTHER} form`]);
	});

	it.each([
		['auto', noRoute],
		['videoGenerations', unknownField],
		['openAiVideos', wantsForm],
	])('is not sent again once the run is over: %s', async (api, reply) => {
		const { result, sent } = await submitTo(api, [reply], { over: AbortSignal.abort() });
		expect(sent).toHaveLength(1);
		expect(result).toBeUndefined();
	});

	it('ends with the run where its picture can no longer be loaded', async () => {
		const { asked, connection } = serve('openAiVideos', [taken], 'form');
		const stopped = new AbortController();
		const submission = {
			...{ routes: connection.routes, signal, over: stopped.signal, submittedAtMs: 7 },
			requestFor: () => ({ model: 'm', prompt: 'p', input_reference: 'https://a.example/x' }),
			async loadBytes() {
				stopped.abort();
				throw new Error('ERR_CANCELED');
			},
		};
		expect(await submit(connection, submission)).toBeUndefined();
		expect(asked).toEqual([]);
	});

	it('keeps all IDs, and says on which route its task is told', async () => {
		const body = { id: 'task_2', task_id: 'task_1' };
		const { result } = await submitTo('auto', [noRoute, { body }]);
		expect(result).toMatchObject({
			task_id: 'task_1',
			otherIds: ['task_2'],
			route: 'openAiVideos',
		});
	});

	it('keeps the words of a refusal if a plainer way has no field for what is set', async () => {
		const { asked, connection } = serve('videoGenerations', [unknownField]);
		const requestFor = (_route: unknown, isPlain: boolean) => {
			if (isPlain) throw new Error('no field for: Seed');
			return { model: 'm', prompt: 'p' };
		};
		const loadBytes = async () => Buffer.alloc(0);
		const more = { loadBytes, signal, over: signal, submittedAtMs: 7 };
		const end = await submit(connection, { routes: connection.routes, requestFor, ...more });
		expect(end).toMatchObject({ kind: 'refused', description: "Unknown parameter: 'ratio'." });
		expect(asked).toHaveLength(1);
	});
});

describe('fetchTask', () => {
	const record = { body: { id: 'another', status: 'completed', url: `${BASE}/v.mp4` } };
	const unknown = { status: 404, body: { error: { message: 'Video not found' } } };

	it.each<[string, RouteName | undefined, Reply[], string[], object]>([
		['on its route', 'openAiVideos', [record], [`${OTHER}/t`], { task: { status: 'SUCCESS' } }],
		[
			'on each route, if nobody knows its own',
			undefined,
			[noRoute, record],
			[`${FIRST}/t`, `${OTHER}/t`],
			{ task: { route: 'openAiVideos' } },
		],
		[
			'and says what the route said that is there',
			undefined,
			[noRoute, unknown],
			[`${FIRST}/t`, `${OTHER}/t`],
			{ description: 'Video not found' },
		],
		[
			'and asks no other that may not answer',
			undefined,
			[{ status: 502 }],
			[`${FIRST}/t`],
			{ httpCode: 502 },
		],
	])('asks for a task %s', async (_where, route, replies, paths, expected) => {
		const { asked, connection } = serve('auto', replies);
		const result = await fetchTask(connection, { task_id: 't', route }, Infinity);
		expect(asked.map(({ path }) => path)).toEqual(paths);
		expect(result).toMatchObject(expected);
	});

	it('takes the documented address if a record that is done tells none', async () => {
		const { asked, connection } = serve('openAiVideos', [
			{ body: { id: 't', status: 'completed' } },
		]);
		const result = await fetchTask(connection, { task_id: 't' }, Infinity);
		expect(result).toMatchObject({ task: { result_url: `${BASE}/v1/videos/t/content` } });
		expect(asked).toHaveLength(1);
	});

	it('knows of New API alone that its record asks the vendor', async () => {
		const body = { data: { task_id: 't', format: 'mp4', url: '', status: 'processing' } };
		for (const headers of [{}, NEW_API]) {
			const { connection } = serve('videoGenerations', [{ body, headers }]);
			const result = await fetchTask(connection, { task_id: 't' }, Infinity);
			const hasLiveRecord = headers === NEW_API ? true : undefined;
			expect('task' in result && result.task?.hasLiveRecord).toBe(hasLiveRecord);
		}
	});
});

it.each([
	['the first one', { status: 400, body: { code: 'task_not_exist' } }, 'videoGenerations'],
	['the other one', noRoute, 'openAiVideos'],
	['the first one if nobody knows', { status: 502 }, 'videoGenerations'],
])('findRoute tells %s', async (_which, reply, name) => {
	expect(await findRoute(serve('auto', [reply]).connection)).toMatchObject({ name });
});
