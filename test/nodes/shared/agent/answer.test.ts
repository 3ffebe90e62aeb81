import { toAgentJson } from '../../../../nodes/shared/agent/answer';
import { shortReason, toAgentFailure } from '../../../../nodes/shared/item/failure';
import type { VideoTask } from '../../../../nodes/shared/service/videoTask';

// What a model hears of a task, and of what went wrong.

const connection = { baseUrl: 'https://api.example.com' };
const tell = (task: Partial<VideoTask>, reused = false) =>
	toAgentJson(
		{ task_id: 'task_1', status: 'SUCCESS', progress: 100, model: 'veo', ...task },
		connection,
		{ reused },
	);

it.each([
	['https://api.example.com/v1/videos/task_1/content', /ready\. The link opens only with the API/],
	['https://storage.example.com/v.mp4?signature=1', /^The video is ready\.$/],
])('hands on %s', (result_url, message) => {
	expect(tell({ result_url })).toEqual({
		task_id: 'task_1',
		status: 'SUCCESS',
		progress: 100,
		result_url,
		message: expect.stringMatching(message),
	});
});

it("keeps an address to itself that only the service's operator can mean", () => {
	const { result_url, message } = tell({ result_url: 'http://localhost:3000/v.mp4' });
	expect([result_url, message]).toEqual([undefined, expect.stringContaining('Video Download')]);
});

it.each([
	[{ status: 'queued' }, /^Still rendering.*Call Video Status.*Do not submit/],
	[{ status: 'IN_PROGRESS' }, /^Still rendering/],
	[{ status: 'FAILURE', fail_reason: 'No' }, /could not be rendered.*Do not ask for the same/],
	[{}, /gives no link to the video.*Video Download with the task ID/],
] as const)('tells of %j what to do', (task, message) => {
	expect(tell(task).message).toMatch(message);
});

it('says that a second call is the same video', () => {
	expect(tell({ status: 'queued' }, true).message).toMatch(
		/^The same request was submitted before.*nothing new was submitted\. Still rendering/,
	);
});

it("cuts the service's words", () => {
	expect(shortReason(` a\n\tb ${'x'.repeat(600)}`)).toMatch(/^a b x{496}\.\.\.$/);
	expect(tell({ status: 'FAILURE', fail_reason: 'x'.repeat(600) }).fail_reason).toHaveLength(503);
});

it('puts all that is known of a failure into its message', () => {
	const failure = toAgentFailure({
		message: 'It broke (task task_1)',
		description: 'Mend it.',
		fail_reason: 'Too old',
		task_id: 'task_1',
		retryable: false,
		next: 'changeRequest',
		source: 'service',
	});
	expect(failure).toMatchObject({
		message: 'It broke (task task_1). Too old. Mend it.',
		task_id: 'task_1',
	});
	expect([failure.description, failure.fail_reason]).toEqual([undefined, undefined]);
});
