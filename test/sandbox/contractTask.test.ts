import { call } from './support/call';
import { prompt, until } from './support/client';
import { useSandbox } from './support/stage';

// What the service promises of a task that was submitted.

const stage = useSandbox();

const done = { renderMs: 0 };

describe('polling', () => {
	it('goes from queued over IN_PROGRESS to SUCCESS', async () => {
		const start = Date.now();
		const clock = jest.spyOn(Date, 'now').mockReturnValue(start);
		const { json } = await stage.client.submit(prompt('Slowly', { renderMs: 60_000 }));
		const seen: Array<[string, string, boolean]> = [];
		for (const passed of [0, 15_000, 45_000, 60_000]) {
			clock.mockReturnValue(start + passed);
			const { data } = (await stage.client.poll(json.id)).json;
			seen.push([data.status, data.progress, 'result_url' in data]);
		}
		clock.mockRestore();
		expect(seen).toEqual([
			['queued', '0%', false],
			['IN_PROGRESS', '25%', false],
			['IN_PROGRESS', '75%', false],
			['SUCCESS', '100%', true],
		]);
	});

	it("tells where the video is, and carries the operator's internals", async () => {
		const { json } = await stage.client.submit(prompt('At once', done));
		const { status, json: answer } = await stage.client.poll(json.id);
		expect(status).toBe(200);
		expect(answer.code).toBe('success');
		expect(answer.data).toMatchObject({
			task_id: json.id,
			status: 'SUCCESS',
			progress: '100%',
			result_url: `${stage.sandbox.url}/v1/videos/${json.id}/content`,
			user_id: expect.any(Number),
			channel_id: expect.any(Number),
			group: expect.any(String),
			quota: expect.any(Number),
		});
	});

	it('tells why a render failed', async () => {
		const plan = { ...done, outcome: 'FAILURE', failReason: 'Too many bicycles' };
		const { json } = await stage.client.submit(prompt('Failing', plan));
		const { data } = (await stage.client.poll(json.id)).json;
		expect(data).toMatchObject({
			status: 'FAILURE',
			fail_reason: 'Too many bicycles',
			progress: '100%',
		});
		expect(data).not.toHaveProperty('result_url');
	});

	it('answers an unknown id with 400 task_not_exist', async () => {
		const { status, json } = await stage.client.poll('task_unknown');
		expect(status).toBe(400);
		expect(json).toEqual({ code: 'task_not_exist', message: 'task_not_exist', data: null });
	});
});

describe('downloading', () => {
	it('gives the video at the address that the poll names', async () => {
		const { json } = await stage.client.submit(prompt('To download', done));
		const { data } = (await stage.client.poll(json.id)).json;
		const headers = { authorization: 'Bearer sandbox-key' };
		const { status, headers: received, bytes } = await call(data.result_url, { headers });
		expect(status).toBe(200);
		expect(received['content-type']).toBe('video/mp4');
		expect(Number(received['content-length'])).toBe(bytes.length);
		expect(bytes.toString('latin1', 4, 8)).toBe('ftyp');
	});

	it('refuses a task that is not completed, also a failed one', async () => {
		const { json: open } = await stage.client.submit(prompt('Open', { outcome: 'never' }));
		const failing = prompt('Failed', { ...done, outcome: 'FAILURE' });
		const { json: failed } = await stage.client.submit(failing);
		const [first, second] = [
			await stage.client.download(open.id),
			await stage.client.download(failed.id),
		];
		expect([first.status, second.status]).toEqual([400, 400]);
		expect(first.json.error.message).toMatch(
			/^Task is not completed yet, current status: (queued|IN_PROGRESS)$/,
		);
		expect(second.json.error.message).toContain('current status: FAILURE');
	});

	it('answers an unknown id with 404', async () => {
		expect((await stage.client.download('task_unknown')).status).toBe(404);
	});
});

it('leaves no request without an end', async () => {
	expect(await until(() => stage.sandbox.requests.every(({ status }) => status !== null))).toBe(
		true,
	);
});
