import { readRoutes, type RouteName, ROUTES } from '../../../../nodes/shared/service/routes';
import {
	type Connection,
	type ServiceRequest,
	toUrl,
} from '../../../../nodes/shared/service/connection';
import { isFailure } from '../../../../nodes/shared/service/failure';
import { askForContent } from '../../../../nodes/shared/service/content';
import { fetchTask } from '../../../../nodes/shared/service/fetchTask';
import { submit } from '../../../../nodes/shared/service/submit';
import { bodyOf } from '../download/support/body';

const { signal } = new AbortController();
const LIMITS = { leftMs: () => Infinity, limitMs: Infinity, signal };

/** Submits to a service that answers with one body; tells what came of it, and what was asked. */
async function submitTo(
	body: string,
	{ status = 200, picture = {}, api = 'videoGenerations', over = signal } = {},
) {
	const sent: ServiceRequest[] = [];
	const send: Connection['send'] = async (request) => {
		sent.push(request);
		return { status, headers: {}, body };
	};
	const traits = { routes: readRoutes({ api }) };
	const result = await submit({ send, traits, requestBody: 'auto' } as Connection, {
		requestFor: (_route, { way }) => ({ model: 'm', prompt: 'p', ...picture, way }),
		loadBytes: async () => Buffer.alloc(0),
		...{ signal, facts: {}, run: { signal: over, clock: { pause: async () => {} } } },
	});
	return { result, sent };
}

describe('submit', () => {
	it.each([
		['{"id":317982208110208}', '317982208110208', []],
		['{"data":[{"task_id":"task_1"},{"task_id":"task_2"}]}', 'task_1', ['task_2']],
	])('takes %s for a task', async (body, task_id, otherIds) => {
		const { result, sent } = await submitTo(body);
		expect(result).toMatchObject({ task_id, otherIds, route: 'videoGenerations' });
		expect(sent).toMatchObject([{ path: '/v1/video/generations', body: { model: 'm' } }]);
	});

	it.each([
		['image', { image: 'x'.repeat(5_000_000) }],
		['metadata', { metadata: { content: [{ image_url: { url: 'x'.repeat(5_000_000) } }] } }],
	])('reads an answer that repeats a picture in %s twice', async (_where, picture) => {
		const { sent } = await submitTo('{"id":"task_1"}', { picture });
		expect(sent[0].maxBytes).toBeGreaterThan(10_000_000);
	});

	it.each([
		['another route', 404, 'auto', 2],
		['another way of writing', 422, 'videoGenerations', 3],
		['a form', 415, 'openAiVideos', 4],
	])('tries %s unless the run is over', async (_what, status, api, times) => {
		const send = async (over?: AbortSignal) => {
			const { result, sent } = await submitTo('{"message":"Unknown field"}', { status, api, over });
			if (over) expect(result).toBeUndefined();
			else expect(result).toMatchObject({ certainty: 'refused', httpCode: status });
			return sent.filter(({ body }) => body && ('prompt' in body || 'bytes' in body)).length;
		};
		expect([await send(), await send(AbortSignal.abort())]).toEqual([times, 1]);
	});
});

/** A service whose records say this, and whose content endpoint answers so. */
function serve(
	record: string,
	status = 404,
	contentType = 'application/json',
	body: string | Buffer = '',
) {
	const opened: string[] = [];
	const streams: Array<ReturnType<typeof bodyOf>> = [];
	const requests: AbortSignal[] = [];
	const connection: Pick<Connection, 'baseUrl' | 'traits' | 'send' | 'open'> = {
		baseUrl: 'https://api.example.com',
		traits: { routes: readRoutes({ api: 'videoGenerations' }) },
		send: async () => ({ status: 200, headers: {}, body: record }),
		open: async (address, options) => {
			requests.push(options.signal);
			opened.push(toUrl(address, 'https://api.example.com'));
			if (status === 0) return { code: 'ECONNRESET', message: 'no', network: 'unclear' };
			const stream = bodyOf([Buffer.from(body)], false);
			streams.push(stream);
			const place: Record<string, string> = contentType === PLACE ? { location: CONTENT } : {};
			return { status, headers: { 'content-type': contentType, ...place }, stream };
		},
	};
	return { opened, streams, requests, connection: connection as Connection };
}

const PNG = Buffer.from('\x89PNG\r\n\x1a\n0000', 'latin1');
const PLACE = 'a/redirect';
const GUESS = 'https://cdn.example.com/clip.mp4';
const CONTENT = 'https://api.example.com/v1/videos/task_1/content';

describe('fetchTask', () => {
	it('takes from another route only what names the task', async () => {
		const { connection } = serve('{"status":"completed","url":"https://a.example/v.mp4"}');
		const traits = { routes: ROUTES };
		const send: Connection['send'] = async (request) =>
			request.path.startsWith('/v1/videos/')
				? await connection.send(request)
				: { status: 404, headers: {}, body: '{"message":"no such task"}' };
		const fetchOn = async (route: RouteName) =>
			await fetchTask({ ...connection, traits, send }, { task_id: 'task_1', route }, LIMITS);
		expect(await fetchOn('videoGenerations')).toMatchObject({ httpCode: 404 });
		expect(await fetchOn('openAiVideos')).toMatchObject({ task: { status: 'SUCCESS' } });
	});

	it.each<[string, number, string, string?, boolean?, (string | Buffer)?]>([
		['there', 200, 'video/mp4', CONTENT, undefined, 'film'],
		['there', 200, 'application/octet-stream', CONTENT, undefined, 'film'],
		['there', 200, 'text/plain', CONTENT, undefined, Buffer.from('\0\0\0\x0cftypisom')],
		['there, somewhere else', 302, PLACE, CONTENT, undefined],
		['nowhere', 302, '', CONTENT, true],
		['not told', 304, '', CONTENT, true],
		['not told', 202, '', CONTENT, true],
		['empty', 200, 'video/mp4', CONTENT, true, ''],
		['a picture', 200, 'video/mp4', undefined, undefined, PNG],
		['a page without a type', 200, '', undefined, undefined, '<html>'],
		['JSON of another type', 200, 'application/problem+json', undefined, undefined, '{}'],
		['not told', 503, 'text/html', CONTENT, true],
		['not told', 0, '', CONTENT, true],
		['not there', 404, 'application/json', undefined, undefined],
		['not there yet', 400, 'application/json', CONTENT, true],
		['a page', 200, 'text/html', undefined, undefined],
	])('SUCCESS without an address: the film is %s (%s)', async (...row) => {
		const [, status, type, result_url, isFileUnsure, body] = row;
		const { connection, opened, streams } = serve(
			'{"data":{"task_id":"task_1","format":"mp4","status":"succeeded","url":""}}',
			status,
			type,
			body,
		);
		const result = await fetchTask(connection, { task_id: 'task_1' }, LIMITS);
		expect(result).toMatchObject({ task: { status: 'SUCCESS' } });
		const { task = undefined } = isFailure(result) ? {} : result;
		expect([task?.result_url, task?.isFileUnsure]).toEqual([result_url, isFileUnsure]);
		// Where it is surely not, it may be beside the record.
		const beside = [CONTENT.replace('videos', 'video/generations')];
		expect(opened).toEqual([CONTENT, ...(result_url ? [] : beside)]);
		expect(streams.every((stream) => stream.destroyed)).toBe(true);
	});

	it.each<[string, number, string?, boolean?]>([
		['has it', 200, CONTENT],
		['has none', 404, GUESS],
		['does not tell', 503, GUESS, true],
	])('an address in an unknown place: the documented one %s', async (_what, status, ...told) => {
		const body = `{"task_id":"task_1","status":"succeeded","next":{"clip":"${GUESS}"}}`;
		const { connection } = serve(body, status, 'video/mp4', 'film');
		const result = await fetchTask(connection, { task_id: 'task_1' }, LIMITS);
		const { task = undefined } = isFailure(result) ? {} : result;
		expect([task?.result_url, task?.isFileUnsure]).toEqual([told[0], told[1]]);
	});
});

it.each([
	[200, 'video/mp4', 'film', 'film'],
	[200, '', 'film', 'film'],
	[400, 'application/json', 'current status: IN_PROGRESS', 'current status: IN_PROGRESS'],
])(
	'content with status %s, type "%s": its first bytes where they tell',
	async (status, type, body, firstBytes) => {
		const { connection, requests, streams } = serve('', status, type, body);
		expect(await askForContent(connection, 'task_1', LIMITS)).toEqual({ status, type, firstBytes });
		expect(streams.every((stream) => stream.destroyed)).toBe(true);
		// A stream that n8n has wrapped keeps its socket when it is destroyed: the signal closes it.
		expect(requests.map(({ aborted }) => aborted)).toEqual([true]);
	},
);

it('content that does not answer is no answer', async () => {
	expect(await askForContent(serve('', 0).connection, 'task_1', LIMITS)).toBeUndefined();
});
