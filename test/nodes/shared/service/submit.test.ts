import { findRoute } from '../../../../nodes/shared/service/askService';
import { type Connection, type ServiceRequest } from '../../../../nodes/shared/service/connection';
import { fetchTask } from '../../../../nodes/shared/service/fetchTask';
import type { ServiceAnswer } from '../../../../nodes/shared/service/http';
import { contentPath, readRoutes, type RouteName } from '../../../../nodes/shared/service/routes';
import { submit, type SubmitRequest } from '../../../../nodes/shared/service/submit';

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

/** Submits; tells what came of it, and each request as its route and its kind of body. */
async function submitTo(
	api: string,
	replies: Reply[],
	{ over = signal, requestBody = 'auto', loadBytes = async () => Buffer.alloc(0) } = {},
	requestFor = (_route: unknown, inPlainFields: boolean): SubmitRequest => ({
		...{ model: 'm', prompt: 'p', inPlainFields, input_reference: 'https://a.example/x' },
	}),
) {
	const { asked, connection } = serve(api, replies, requestBody);
	const { routes } = connection;
	const limits = { signal, over, submittedAtMs: 7 };
	const result = await submit(connection, { routes, requestFor, loadBytes, ...limits });
	const sent = asked.map(({ path, body }) => {
		const isPlain = body && 'inPlainFields' in body && body.inPlainFields;
		const how = Buffer.isBuffer(body?.bytes) ? 'form' : isPlain ? 'plain' : 'json';
		return `${path === FIRST ? 'first' : 'other'} ${how}`;
	});
	return { result, sent: sent.join(', ') };
}

const FIRST = '/v1/video/generations';
const OTHER = '/v1/videos';
const taken = { body: { id: 'task_1', status: 'queued' } };
const noRoute = { status: 404, body: { detail: 'Not Found' } };
const noModel = { status: 404, body: { error: { message: 'No such model' } } };
const unknownField = { status: 400, body: { error: { message: "Unknown parameter: 'ratio'." } } };
const wantsForm = { status: 400, body: { error: { message: 'Use multipart/form-data' } } };
const each = [noRoute, wantsForm, unknownField, unknownField];

describe('submit', () => {
	it.each<[string, string, Reply[], string, requestBody?: string]>([
		['once', 'auto', [taken], 'first json'],
		['on the other route', 'auto', [noRoute, taken], 'first json, other json'],
		['on the chosen route alone', 'openAiVideos', [noRoute], 'other json'],
		['in plain fields', 'videoGenerations', [unknownField, taken], 'first json, first plain'],
		['as a form', 'openAiVideos', [wantsForm, taken], 'other json, other form'],
		['never as a form on the documented route', 'videoGenerations', [wantsForm], 'first json'],
		['as a form if the credential says so', 'openAiVideos', [taken], 'other form', 'form'],
		['in each way once', 'auto', each, 'first json, other json, other form, other form'],
		['not again for a model that is not there', 'auto', [noModel], 'first json'],
		['not again at New API', 'auto', [{ ...noRoute, headers: NEW_API }], 'first json'],
		['not again for a task', 'auto', [{ status: 404, body: { task_id: 't' } }], 'first json'],
		['not again after 5xx', 'auto', [{ status: 502, body: 'unknown parameter' }], 'first json'],
	])('is sent %s', async (_how, api, replies, expected, requestBody = 'auto') => {
		const { result, sent } = await submitTo(api, replies, { requestBody });
		expect(sent).toEqual(expected);
		if (replies.at(-1) === taken) expect(result).toMatchObject({ task_id: 'task_1' });
		else expect(result).toHaveProperty('kind');
	});

	it.each([
		['auto', noRoute],
		['videoGenerations', unknownField],
		['openAiVideos', wantsForm],
	])('is not sent again once the run is over: %s', async (api, reply) => {
		const { result, sent } = await submitTo(api, [reply], { over: AbortSignal.abort() });
		expect([result, sent]).toEqual([undefined, expect.stringMatching(/^\w+ json$/)]);
	});

	it('ends with the run where its picture can no longer be loaded', async () => {
		const stopped = new AbortController();
		const loadBytes = async () => {
			stopped.abort();
			throw new Error('ERR_CANCELED');
		};
		const set = { requestBody: 'form', over: stopped.signal, loadBytes };
		const { result, sent } = await submitTo('openAiVideos', [taken], set);
		expect([result, sent]).toEqual([undefined, '']);
	});

	it('keeps all IDs, and says on which route its task is told', async () => {
		const body = { id: 'task_2', task_id: 'task_1' };
		const { result } = await submitTo('auto', [noRoute, { body }]);
		const told = { task_id: 'task_1', otherIds: ['task_2'], route: 'openAiVideos' };
		expect(result).toMatchObject(told);
	});

	it('keeps the words of a refusal if a plainer way has no field for what is set', async () => {
		const { result, sent } = await submitTo(
			'videoGenerations',
			[unknownField],
			{},
			(_, isPlain) => {
				if (isPlain) throw new Error('no field for: Seed');
				return { model: 'm', prompt: 'p' };
			},
		);
		expect(result).toMatchObject({ kind: 'refused', description: "Unknown parameter: 'ratio'." });
		expect(sent).toBe('first json');
	});
});

describe('fetchTask', () => {
	const record = { body: { id: 'another', status: 'completed', url: `${BASE}/v.mp4` } };
	const NOT_FOUND = 'Video not found';
	const unknown = { status: 404, body: { error: { message: NOT_FOUND } } };
	const noUrl = { body: { id: 't', status: 'completed' } };
	const content = { task: { result_url: `${BASE}/v1/videos/t/content` } };
	const onOther = { task: { route: 'openAiVideos' } };
	const [AT_FIRST, AT_OTHER] = [`${FIRST}/t`, `${OTHER}/t`];

	it.each<[string, RouteName | undefined, Reply[], string[], object]>([
		['on its route', 'openAiVideos', [record], [AT_OTHER], { task: { status: 'SUCCESS' } }],
		['on each route', undefined, [noRoute, record], [AT_FIRST, AT_OTHER], onOther],
		['in vain', undefined, [noRoute, unknown], [AT_FIRST, AT_OTHER], { description: NOT_FOUND }],
		[
			'on no other that may not answer',
			undefined,
			[{ status: 502 }],
			[AT_FIRST],
			{ httpCode: 502 },
		],
		['and is done without an address', 'openAiVideos', [noUrl], [AT_OTHER], content],
	])('asks for a task %s', async (_where, route, replies, paths, expected) => {
		const { asked, connection } = serve('auto', replies);
		const result = await fetchTask(connection, { task_id: 't', route }, Infinity);
		expect(asked.map(({ path }) => path)).toEqual(paths);
		expect(result).toMatchObject(expected);
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
