import {
	type Connection,
	type ServiceRequest,
	toUrl,
} from '../../../../nodes/shared/service/connection';
import type { ServiceAnswer } from '../../../../nodes/shared/service/http';
import { askForContent, fetchTask, submit } from '../../../../nodes/shared/service/videoApi';
import { bodyOf } from '../download/support/body';

/** A service that answers with one body. */
function setUp(body: string, status = 200) {
	const sent: Array<Pick<ServiceRequest, 'method' | 'path'>> = [];
	const send = async ({ method, path }: ServiceRequest): Promise<ServiceAnswer> => {
		sent.push({ method, path });
		return { status, headers: {}, body };
	};
	const { signal } = new AbortController();
	return {
		sent,
		send,
		run: async () => await submit({ send }, { model: 'm', prompt: 'p' }, signal),
	};
}

describe('submit', () => {
	it.each([
		['{"id":1234567890123456789}', '1234567890123456789'],
		['{"data":[{"id":"task_1"}]}', 'task_1'],
	])('takes %s for a task', async (body, task_id) => {
		const { run, sent } = setUp(body);
		expect(await run()).toMatchObject({ kind: 'accepted', task_id, otherIds: [] });
		expect(sent).toEqual([{ method: 'POST', path: '/v1/video/generations' }]);
	});

	it.each([
		['image', { image: 'x'.repeat(5_000_000) }],
		['metadata', { metadata: { content: [{ image_url: { url: 'x'.repeat(5_000_000) } }] } }],
	])('reads an answer that repeats a picture in %s twice', async (_where, picture) => {
		let maxBytes = 0;
		const send = async (request: ServiceRequest): Promise<ServiceAnswer> => {
			maxBytes = request.maxBytes;
			return { status: 200, headers: {}, body: '{"id":"task_1"}' };
		};
		await submit({ send }, { model: 'm', prompt: 'p', ...picture });
		expect(maxBytes).toBeGreaterThan(10_000_000);
	});

	it('takes no id from an answer whose status says no', async () => {
		const { run } = setUp('{"id":"task_1"}', 400);
		expect(await run()).toMatchObject({ kind: 'refused' });
	});

	it('keeps each task that the answer names', async () => {
		const { run } = setUp('{"data":[{"task_id":"task_1"},{"task_id":"task_2"}]}');
		expect(await run()).toMatchObject({ task_id: 'task_1', otherIds: ['task_2'] });
	});

	it.each(['<!doctype html><div id="app"></div>', '<html><title>502 Bad Gateway</title></html>'])(
		'is unclear with the page %s, and asks nothing more',
		async (page) => {
			const { run, sent } = setUp(page);
			expect(await run()).toMatchObject({
				kind: 'unclear',
				trouble: { message: expect.stringMatching(/page/) },
			});
			expect(sent).toHaveLength(1);
		},
	);
});

/** A service whose records say this, and whose content endpoint answers so. */
function serve(record: string, status = 404, contentType = 'application/json', body = '') {
	const opened: string[] = [];
	const streams: Array<ReturnType<typeof bodyOf>> = [];
	const requests: AbortSignal[] = [];
	const connection: Pick<Connection, 'baseUrl' | 'send' | 'open'> = {
		baseUrl: 'https://api.example.com',
		send: async () => ({ status: 200, headers: {}, body: record }),
		open: async (address, options) => {
			requests.push(options.signal);
			opened.push(toUrl(address, 'https://api.example.com'));
			if (status === 0) return { code: 'ECONNRESET', message: 'no', network: 'unclear' };
			const stream = bodyOf([Buffer.from(body)], false);
			streams.push(stream);
			return { status, headers: { 'content-type': contentType }, stream };
		},
	};
	const { signal } = new AbortController();
	return { opened, streams, requests, connection: connection as Connection, signal };
}

describe('fetchTask', () => {
	it('knows a task by a number that JavaScript would round', async () => {
		const { connection, signal } = serve(
			'{"data":[{"id":12,"status":"failed"},{"id":1234567890123456789,"status":"running"}]}',
		);
		expect(await fetchTask(connection, '1234567890123456789', { signal })).toMatchObject({
			kind: 'task',
			task: { task_id: '1234567890123456789', status: 'IN_PROGRESS' },
		});
	});

	const content = 'https://api.example.com/v1/videos/task_1/content';

	it.each([
		['there', 200, 'video/mp4', content],
		['there, somewhere else', 302, '', content],
		['not told', 503, 'text/html', content],
		['not told', 0, '', content],
		['not there', 502, 'application/json', undefined],
		['not there', 404, 'application/json', undefined],
		['not there yet', 400, 'application/json', undefined],
		['a page', 200, 'text/html', undefined],
	])('SUCCESS without an address: the film is %s (%s)', async (_what, status, type, url) => {
		const { connection, signal, opened, streams } = serve(
			'{"data":{"task_id":"task_1","format":"mp4","status":"succeeded","url":""}}',
			status,
			type,
		);
		const { task } = (await fetchTask(connection, 'task_1', { signal })) as { task: object };
		expect(task).toMatchObject({ status: 'SUCCESS' });
		expect((task as { result_url?: string }).result_url).toBe(url);
		expect(opened).toEqual([content]);
		expect(streams.every((stream) => stream.destroyed)).toBe(true);
	});

	it('with an address the film is not asked for', async () => {
		const { connection, signal, opened } = serve(
			'{"data":{"task_id":"task_1","status":"SUCCESS","result_url":"https://x.example/a.mp4"}}',
		);
		await fetchTask(connection, 'task_1', { signal });
		expect(opened).toEqual([]);
	});
});

it.each([
	[200, 'video/mp4', 'film', ''],
	[200, '', 'film', 'film'],
	[400, 'application/json', 'current status: IN_PROGRESS', 'current status: IN_PROGRESS'],
])(
	'content with status %s, type "%s": its first bytes where they tell',
	async (status, type, body, begin) => {
		const { connection, signal, requests, streams } = serve('', status, type, body);
		const answer = await askForContent(connection, 'task_1', { signal });
		expect(answer).toEqual({ status, type, begin });
		expect(streams.every((stream) => stream.destroyed)).toBe(true);
		// A stream that n8n has wrapped keeps its socket when it is destroyed: the signal closes it.
		expect(requests.map(({ aborted }) => aborted)).toEqual([true]);
	},
);

it('content that does not answer is no answer', async () => {
	const { connection, signal } = serve('', 0);
	expect(await askForContent(connection, 'task_1', { signal })).toBeUndefined();
});
