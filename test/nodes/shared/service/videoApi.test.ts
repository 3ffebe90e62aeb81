import type { ServiceAnswer, ServiceRequest } from '../../../../nodes/shared/service/connection';
import { fetchTask, submit } from '../../../../nodes/shared/service/videoApi';

const WEB_APP = '<!doctype html><html><body><div id="root"></div></body></html>';
const MISTAKE = '<html><title>502 Bad Gateway</title></html>';

/** A service that answers a submit with one body and a fetch with another. */
function setUp(posted: string, fetched = '{"code":"task_not_exist"}', status = 200) {
	const sent: Array<Pick<ServiceRequest, 'method' | 'path'>> = [];
	const send = async ({ method, path }: ServiceRequest): Promise<ServiceAnswer> => {
		sent.push({ method, path });
		return { status, headers: {}, body: method === 'POST' ? posted : fetched };
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
		expect(await run()).toEqual({ kind: 'accepted', task_id, answer: expect.any(Object) });
		expect(sent).toEqual([{ method: 'POST', path: '/v1/video/generations' }]);
	});

	it('takes no id from an answer whose status says no', async () => {
		const { run } = setUp('{"id":"task_1"}', '', 400);
		expect(await run()).toMatchObject({ kind: 'refused' });
	});

	it.each([
		['refused', 'a web app at every address', WEB_APP, WEB_APP],
		['unclear', 'a web app where the service is', WEB_APP, '{"code":"task_not_exist"}'],
		['unclear', 'a web app where trouble has a page', WEB_APP, MISTAKE],
		['unclear', 'a page of trouble at every address', MISTAKE, MISTAKE],
		['unclear', 'a page of trouble, at the address of a web app', MISTAKE, WEB_APP],
	])('is %s by %s', async (kind, _what, posted, fetched) => {
		const { run, sent } = setUp(posted, fetched);
		expect(await run()).toMatchObject({
			kind,
			trouble: { message: expect.stringMatching(/page/) },
		});
		expect(sent.filter(({ method }) => method === 'POST')).toHaveLength(1);
	});
});

describe('fetchTask', () => {
	it('knows a task by a number that JavaScript would round', async () => {
		const { send } = setUp(
			'',
			'{"data":[{"id":12,"status":"failed"},{"id":1234567890123456789,"status":"running"}]}',
		);
		expect(await fetchTask({ send }, '1234567890123456789')).toMatchObject({
			kind: 'task',
			task: { task_id: '1234567890123456789', status: 'IN_PROGRESS' },
		});
	});
});
