import type { Plan } from '../../sandbox/service';
import { prompt } from './support/client';
import { useSandbox } from './support/stage';

// What a prompt can ask of its own task, and of the answers about it.

const stage = useSandbox({ renderMs: 0 });

const submit = async (plan: Plan) => (await stage.client.submit(prompt('Planned', plan))).json;
const pollOnce = async (plan: Plan) => (await stage.client.poll((await submit(plan)).id)).json;

describe('reading a plan', () => {
	const refusalOf = async (text: string) => {
		const { status, json } = await stage.client.submit(text);
		expect([status, json.code, json.data]).toEqual([400, 'sandbox_plan', null]);
		return json.message as string;
	};

	it.each([
		['sandbox:{"renderMs":1', 'do not balance'],
		['sandbox:{renderMs:1}', 'not valid JSON'],
		['sandbox:{"rendrMs":1}', 'no plan key "rendrMs"'],
		['sandbox:{"sizeBytes":10}', '"sizeBytes": is a whole number'],
		['sandbox:{"words":{"DONE":"x"}}', 'never says'],
		['sandbox:{"poll":["html999"]}', 'no fault "html999"'],
		['sandbox:{"poll":[{"stauts":400}]}', 'no key "stauts"'],
		['sandbox:{"poll":[{"status":"400"}]}', 'status is a number'],
		['sandbox:{"poll":[{"headers":"x"}]}', 'headers is an object'],
		['sandbox:{"content":[{"redirect":200}]}', 'redirect is one of'],
	])('refuses %s and says: %s', async (text, message) => {
		expect(await refusalOf(`A red bicycle ${text}`)).toContain(message);
	});
});

describe('time and outcome', () => {
	it('says task_not_exist for a while after the submit', async () => {
		const start = Date.now();
		const clock = jest.spyOn(Date, 'now').mockReturnValue(start);
		const { id } = await submit({ notExistMs: 500 });
		const early = await stage.client.poll(id);
		clock.mockReturnValue(start + 500);
		const later = await stage.client.poll(id);
		clock.mockRestore();
		expect([early.status, early.json.code]).toEqual([400, 'task_not_exist']);
		expect(later.json.data.status).toBe('SUCCESS');
	});

	it('refuses the download for a while after the poll has said SUCCESS', async () => {
		const start = Date.now();
		const clock = jest.spyOn(Date, 'now').mockReturnValue(start);
		const { id } = await submit({ notCompletedMs: 2_000 });
		clock.mockReturnValue(start + 60_000);
		expect((await stage.client.poll(id)).json.data.status).toBe('SUCCESS');
		const early = await stage.client.download(id);
		clock.mockReturnValue(start + 62_000);
		const later = await stage.client.download(id);
		clock.mockRestore();
		expect([early.status, later.status]).toEqual([400, 200]);
		expect(early.json.error.message).toContain('not completed yet');
	});
});

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

	it("oldest keeps URL and reason in each other's field", async () => {
		const success = (await pollOnce({ shape: 'oldest' })).data;
		expect(success.fail_reason).toMatch(/^http:.*\/content$/);
		expect(success).not.toHaveProperty('result_url');
		const failure = (await pollOnce({ shape: 'oldest', ...failed })).data;
		expect([failure.result_url, failure.fail_reason]).toEqual(['Too red', '']);
	});
});

describe('ids and addresses', () => {
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
});

describe('envelopes', () => {
	const id = expect.stringMatching(/^task_\w+$/);

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
