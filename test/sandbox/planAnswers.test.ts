import type { Plan } from '../../sandbox/service';
import { prompt } from './support/client';
import { useSandbox } from './support/stage';

// What a prompt can ask of the answers about its task: their shapes, ids and addresses.

const stage = useSandbox({ renderMs: 0 });

const submit = async (plan: Plan) => (await stage.client.submit(prompt('Planned', plan))).json;
const pollOnce = async (plan: Plan) => (await stage.client.poll((await submit(plan)).id)).json;

describe('shapes', () => {
	const failed = { outcome: 'FAILURE', failReason: 'Too red' } as const;

	it('vendor', async () => {
		const { code, data } = await pollOnce({ shape: 'vendor' });
		expect(code).toBe('success');
		expect(data).toEqual({
			status: 'succeeded',
			task_id: expect.stringMatching(/^task_/),
			url: expect.stringContaining('/content'),
			format: 'mp4',
			metadata: expect.any(Object),
		});
		const failure = (await pollOnce({ shape: 'vendor', ...failed })).data;
		expect(failure).toMatchObject({ status: 'failed', error: { message: 'Too red' } });
		expect(failure).not.toHaveProperty('url');
	});

	it('flat and vendorFlat have no envelope', async () => {
		const flat = await pollOnce({ shape: 'flat' });
		expect(flat).toMatchObject({ status: 'SUCCESS', result_url: expect.any(String) });
		expect(flat).not.toHaveProperty('data');
		const vendor = await pollOnce({ shape: 'vendorFlat' });
		expect(vendor).toMatchObject({ status: 'succeeded', url: expect.any(String) });
		expect(vendor).not.toHaveProperty('code');
	});

	it("oldest keeps URL and reason in each other's field", async () => {
		const success = (await pollOnce({ shape: 'oldest' })).data;
		expect(success.fail_reason).toMatch(/^http:.*\/content$/);
		expect(success).not.toHaveProperty('result_url');
		const failure = (await pollOnce({ shape: 'oldest', ...failed })).data;
		expect([failure.result_url, failure.fail_reason]).toEqual(['Too red', '']);
	});

	it('alternate poll by poll where they are a list', async () => {
		const { id } = await submit({ shape: ['documented', 'vendor', 'flat'] });
		const bodies = [];
		for (let n = 0; n < 4; n++) bodies.push((await stage.client.poll(id)).json);
		expect(bodies.map((body) => body.data?.status ?? body.status)).toEqual([
			...['SUCCESS', 'succeeded', 'SUCCESS', 'SUCCESS'],
		]);
		expect(bodies.map((body) => 'data' in body)).toEqual([true, true, false, true]);
	});

	it.each([
		['NOT_START', 'queued', { renderMs: 60_000 }],
		['', 'queued', { renderMs: 60_000 }],
		[null, 'queued', { renderMs: 60_000 }],
		['running', 'IN_PROGRESS', { renderMs: 60_000, queuedMs: 0 }],
		['completed', 'SUCCESS', {}],
		['expired', 'FAILURE', { outcome: 'FAILURE' }],
	] as Array<[unknown, string, Plan]>)('say %j for %s', async (word, status, plan) => {
		expect((await pollOnce({ ...plan, words: { [status]: word } })).data.status).toBe(word);
		const vendor = await pollOnce({ ...plan, shape: 'vendor', words: { [status]: word } });
		expect(vendor.data.status).toBe(word);
	});

	it('tell progress as a number, not at all, or falling', async () => {
		expect((await pollOnce({ progress: 'number' })).data.progress).toBe(100);
		expect((await pollOnce({ progress: 'absent' })).data).not.toHaveProperty('progress');
		const { id } = await submit({ progress: 'falling', outcome: 'never' });
		const told = [];
		for (let n = 0; n < 3; n++) told.push((await stage.client.poll(id)).json.data.progress);
		expect(told).toEqual(['80%', '65%', '50%']);
	});
});

describe('ids and addresses', () => {
	it('answers id only', async () => {
		expect(await submit({ idOnly: true })).toEqual({ id: expect.stringMatching(/^task_/) });
	});

	it.each([20, 180, 2000])('makes an id of %i characters that works', async (idLength) => {
		const { id } = await submit({ idLength });
		expect(id).toHaveLength(idLength);
		expect((await stage.client.poll(id)).json.data.task_id).toBe(id);
		expect((await stage.client.download(id)).status).toBe(200);
	});

	it('makes an id that has to be encoded', async () => {
		const { id } = await submit({ oddId: true });
		expect(id).toMatch(/^task_\/\+=\?%2F#&/);
		const { data } = (await stage.client.poll(id)).json;
		expect(data.task_id).toBe(id);
		expect((await stage.client.download(id)).status).toBe(200);
		const headers = { authorization: 'Bearer sandbox-key' };
		expect((await stage.client.at(`/v1/video/generations/${id}`, { headers })).status).toBe(404);
	});

	it.each([
		['content', /^http:\/\/127\.0\.0\.1:\d+\/v1\/videos\/task_\w+\/content$/],
		['localhost', /^http:\/\/localhost:3000\/v1\/videos\/task_\w+\/content$/],
		['foreign', /^http:\/\/localhost:\d+\/files\/landscape\.mp4\?task=task_\w+&.*signature=/],
		['ftp://files.test/a.mp4', /^ftp:\/\/files\.test\/a\.mp4$/],
	])('tells result_url %s', async (resultUrl, pattern) => {
		expect((await pollOnce({ resultUrl })).data.result_url).toMatch(pattern);
	});

	it('tells none, though the video is there', async () => {
		const { data } = await pollOnce({ resultUrl: 'none' });
		expect(data).not.toHaveProperty('result_url');
		expect((await stage.client.download(data.task_id)).status).toBe(200);
	});
});

describe('envelopes', () => {
	const id = expect.stringMatching(/^task_\w+$/);
	const of = (fields: object) => expect.objectContaining(fields);

	it.each<[Plan['envelope'], unknown]>([
		['beside', { id, data: { url: '' } }],
		['list', { data: [{ id }] }],
		['nested', { code: 'success', data: { video: { task_id: id } } }],
		['request', { id: 'request_0123', status: 'success', data: { id } }],
		['result', { result: { id } }],
		['taskId', { code: 0, message: 'ok', data: { taskId: id } }],
	])('%s goes around the id of a submit', async (envelope, answer) => {
		expect(await submit({ envelope })).toEqual(answer);
	});

	it.each<[Plan['envelope'], unknown]>([
		['beside', of({ status: 'SUCCESS', data: { url: '' } })],
		['list', { data: [of({ status: 'SUCCESS' })] }],
		['nested', { code: 'success', data: { video: of({ status: 'SUCCESS' }) } }],
		['request', of({ id: 'request_0123', data: of({ status: 'SUCCESS' }) })],
		['result', { result: of({ status: 'SUCCESS' }) }],
		['taskId', { code: 0, message: 'ok', data: of({ taskId: id, status: 'SUCCESS' }) }],
	])('%s goes around the record of a poll', async (envelope, answer) => {
		await submit({ envelope });
		const [{ task_id }] = stage.sandbox.tasks().slice(-1);
		expect((await stage.client.poll(task_id)).json).toEqual(answer);
	});

	it('tell a number that JavaScript rounds as the id', async () => {
		const text = prompt('Counted', { numberId: true, idOnly: true });
		const submitted = await stage.client.submit(text);
		const [{ task_id }] = stage.sandbox.tasks().slice(-1);
		expect(task_id).toMatch(/^1\d{18}$/);
		expect(submitted.text).toBe(`{"id":${task_id}}`);
		expect(submitted.headers['content-type']).toMatch(/^application\/json/);
		expect((await stage.client.poll(task_id)).text).toContain(`"task_id":${task_id},`);
	});
});
