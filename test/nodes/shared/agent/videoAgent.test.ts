import { toAgentJson, toAgentWait } from '../../../../nodes/shared/agent/videoAgent';
import { shortReason } from '../../../../nodes/shared/lib/text';
import type { VideoTask } from '../../../../nodes/shared/services/videoTask';
import type { Ledger } from '../../../../nodes/shared/task/ledger';
import { toJob } from '../task/support/world';

// What a model hears of a task. How often its record is fetched: test/nodes/shared/task/poll.test.ts.

const tell = (task: Partial<VideoTask>, reused = false) =>
	toAgentJson(
		{ task_id: 'task_1', status: 'SUCCESS', progress: 100, ...task },
		{ baseUrl: 'https://api.example.com' },
		reused,
	);

it.each([
	['that only its operator can mean', 'http://localhost:3000/v.mp4'],
	['that opens with its key', 'https://api.example.com/v1/videos/task_1/content'],
])('hears of no address of the service %s', (_what, address) => {
	const { result_url, message } = tell({ result_url: address });
	expect([result_url, message]).toEqual([undefined, expect.stringContaining('Video Download')]);
});

it.each([
	[{ status: 'queued' }, /^Still rendering.*Call Video Status.*Do not submit/],
	[{ status: 'FAILURE', fail_reason: 'No' }, /could not be rendered.*Do not ask for it again/],
	[{ result_url: 'https://storage.example.com/v.mp4?signature=1' }, /^The video is ready\.$/],
] as const)('tells of %j what to do', (task, message) => {
	expect(tell(task).message).toMatch(message);
});

it("cuts the service's words", () => {
	expect(shortReason(` a\n\tb ${'x'.repeat(600)}`)).toMatch(/^a b x{496}\.\.\.$/);
	expect(tell({ status: 'FAILURE', fail_reason: 'x'.repeat(600) }).fail_reason).toHaveLength(503);
});

it('waits longer for a video that is paid for already, also with Do Not Wait', () => {
	const waitOf = (task?: object) =>
		toAgentWait({ ...toJob(0, { wait: 'none' }), briefly: true }, {
			find: () => task && { task },
		} as unknown as Ledger);
	expect(waitOf({ task_id: 'task_1' })).toEqual({ wait: 'inProcess', maxWaitMs: 45_000 });
	expect(waitOf()).toEqual({ wait: 'none', maxWaitMs: 20_000 });
});
