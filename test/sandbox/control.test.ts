import { useSandbox } from './support/stage';

// What a test can do over HTTP, where it is no program in Node.js.

const stage = useSandbox({ renderMs: 0 });
beforeEach(() => stage.sandbox.reset());

describe('over HTTP', () => {
	const control = (path: string, options = {}) => stage.client.at(`/_sandbox/${path}`, options);

	it('shows requests and tasks, itself unseen', async () => {
		const { json: task } = await stage.client.submit('A red bicycle');
		await stage.client.poll(task.id);
		const { json: requests } = await control('requests');
		expect(requests).toHaveLength(2);
		expect(requests[0]).toMatchObject({ method: 'POST', taskId: task.id, status: 200 });
		expect((await control('requests?method=GET&status=200')).json).toHaveLength(1);
		expect((await control('requests?path=/v1/videos')).json).toHaveLength(0);
		expect((await control('tasks')).json).toEqual([
			expect.objectContaining({ task_id: task.id, status: 'SUCCESS' }),
		]);
		expect((await control('health')).json).toEqual({
			ok: true,
			url: stage.sandbox.url,
			foreignUrl: stage.sandbox.foreignUrl,
			requests: 2,
			tasks: 1,
		});
	});

	it('changes the deployment, and says what is wrong with a change', async () => {
		const post = (body: string) => control('deployment', { method: 'POST', body });
		const changed = await post('{"renderMs":60000}');
		expect([changed.status, changed.json.renderMs]).toEqual([200, 60_000]);
		const { json } = await stage.client.submit('Slowly');
		expect((await stage.client.poll(json.id)).json.data.status).toBe('queued');
		expect((await control('deployment')).json.renderMs).toBe(60_000);
		const wrong = await post('{"rendrMs":1}');
		expect(wrong.status).toBe(400);
		expect(wrong.json.message).toContain('no setting "rendrMs"');
		expect((await post('{"renderMs":')).status).toBe(400);
	});

	it('resets', async () => {
		await stage.client.submit('A red bicycle');
		expect((await control('reset', { method: 'POST' })).status).toBe(200);
		expect([stage.sandbox.requests, stage.sandbox.tasks()]).toEqual([[], []]);
	});

	it('explains faults and keys', async () => {
		expect((await control('faults')).json.html502).toMatch(/502/);
		expect((await control('keys')).json['sandbox-expired']).toMatch(/401/);
	});
});
