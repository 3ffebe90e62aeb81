import {
	toAgentJson,
	toAgentWait,
	WAIT_FOR_NEWS_MS,
} from '../../../../nodes/shared/agent/videoAgent';
import { shortReason } from '../../../../nodes/shared/item/words';
import type { VideoTask } from '../../../../nodes/shared/service/videoTask';
import type { Ledger } from '../../../../nodes/shared/task/ledger';
import { briefly } from '../../../../nodes/shared/task/policies';
import { toRender } from '../../../../nodes/shared/task/render';
import { followIn, openWorld, record, serve, toJob, toRenders } from '../task/support/world';

// What a model hears of a task, and how often the record of a task is fetched for it.

const tell = (task: Partial<VideoTask>, reused = false) =>
	toAgentJson(
		{ task_id: 'task_1', status: 'SUCCESS', progress: 100, ...task },
		{ baseUrl: 'https://api.example.com' },
		reused,
	);

it("keeps an address to itself that only the service's operator can mean", () => {
	const { result_url, message } = tell({ result_url: 'http://localhost:3000/v.mp4' });
	expect([result_url, message]).toEqual([undefined, expect.stringContaining('Video Download')]);
});

it.each([
	[{ status: 'queued' }, /^Still rendering.*Call Video Status.*Do not submit/],
	[{ status: 'FAILURE', fail_reason: 'No' }, /could not be rendered.*Do not ask for the same/],
	[{ result_url: 'https://storage.example.com/v.mp4?signature=1' }, /^The video is ready\.$/],
] as const)('tells of %j what to do', (task, message) => {
	expect(tell(task).message).toMatch(message);
});

it("cuts the service's words", () => {
	expect(shortReason(` a\n\tb ${'x'.repeat(600)}`)).toMatch(/^a b x{496}\.\.\.$/);
	expect(tell({ status: 'FAILURE', fail_reason: 'x'.repeat(600) }).fail_reason).toHaveLength(503);
});

describe('a record that is a question to the vendor is fetched at once, when it is time, and at the end', () => {
	function open() {
		const { run, time } = openWorld({ forAgent: true, maxPauseMs: 10_000 });
		const looks: number[] = [];
		const { connection } = serve({
			fetch: () => {
				looks.push(time.now() / 1000);
				return record({ format: 'mp4', url: '' });
			},
		});
		return { run, time, looks, connection };
	}

	it('by Video Status', async () => {
		const { run, time, looks, connection } = open();
		const render = toRender({ task_id: 'task_1' });
		const policy = briefly(WAIT_FOR_NEWS_MS, run.maxPauseMs);
		const end = await time.run(followIn(run, connection, render, policy));
		expect([end.state, looks]).toEqual(['timedOut', [0, 30, 45]]);
	});

	it('by Video Generate, for a video that it has submitted before', async () => {
		const { run, time, looks, connection } = open();
		const ledger = { paid: [], find: () => ({ task: { task_id: 'task_1' } }) } as unknown as Ledger;
		const wanted = { ...toJob(), briefly: true };
		const job = { ...wanted, ...toAgentWait(wanted, ledger) };
		await time.run(toRenders(run, connection, ledger).render(job));
		expect(looks).toEqual([0, 30, 45]);
	});
});
