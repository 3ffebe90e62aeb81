import {
	addressFailure,
	billedFor,
	type Failure,
	type FileFailure,
	type Next,
	nextFor,
	type RenderFailure,
	type TextFailure,
} from '../../../../nodes/shared/item/failure';
import {
	adviceFor,
	sayFailure,
	toErrorFields,
	wordsFor,
} from '../../../../nodes/shared/item/words';
import type { Billed, TaskStatus } from '../../../../nodes/shared/service/answerPaths';
import type { CheckFailure } from '../../../../nodes/shared/service/reason';

const BUSY = { message: 'The service is busy', passes: false };
const task_id = 'task_1';
const refused = (facts: object = {}): Failure => ({ ...BUSY, kind: 'refused', ...facts });
const unclear = (facts: object = {}): Failure => ({ ...BUSY, kind: 'unclear', ...facts });
const render = (
	state: RenderFailure['state'],
	status: TaskStatus,
	facts: Partial<RenderFailure> & { fail_reason?: string } = {},
): RenderFailure => {
	const { fail_reason, ...rest } = facts;
	const task = { task_id, status, progress: 0, fail_reason };
	return { ...BUSY, kind: 'render', state, task, maxWaitMs: 90_000, ...rest };
};
const check: CheckFailure = {
	...{ ...BUSY, kind: 'check', task_id, description: 'Too many', httpCode: 401 },
};
const file = (status?: TaskStatus, facts: Partial<FileFailure> = {}): FileFailure => ({
	...{ ...BUSY, kind: 'file', because: addressFailure(BUSY.message), task: { task_id, status } },
	...facts,
});
const text = (how: TextFailure['how'], facts: Partial<TextFailure> = {}): TextFailure => ({
	...{ ...BUSY, kind: 'text', how, ...facts },
});

const MAYBE_BILLED =
	'A task may exist and be billed, although its ID is not known, so the video was not submitted again. Do not submit it again before a person has looked at the usage page of the service.';
const GOES_ON = 'The render continues and is billed: follow it with Video Status and its task ID.';
const REFUND = 'Most services refund a failed render: see the usage page.';
const ANEW = `${REFUND} Change the prompt or the image first: a new task is billed.`;
const NOT_BILLED = 'Nothing is billed for this item.';

/** What people are told. */
const ROWS: Array<
	[what: string, failure: Failure, outlook: [Billed, Next], message: string, description?: string]
> = [
	[
		'an item that cannot be read',
		{ kind: 'read', message: 'Prompt is empty', description: 'Fill in Prompt.', passes: false },
		['no', 'changeRequest'],
		'Prompt is empty',
		'Fill in Prompt.',
	],
	[
		'one that cannot be read any more, although it is paid for',
		{ kind: 'read', message: 'Prompt is empty', passes: false, task_id },
		['yes', 'followTask'],
		'Prompt is empty',
		'Task ID: task_1.',
	],
	[
		'a refusal of the request',
		refused({ description: 'No such size', httpCode: 400 }),
		['no', 'changeRequest'],
		'The video was not submitted: the service is busy',
		`No such size. ${NOT_BILLED}`,
	],
	[
		'a wrong key',
		refused({ description: 'No such key', httpCode: 401 }),
		['no', 'checkAccount'],
		'The video was not submitted: the service is busy',
		`No such key. Check the credential and the account. ${NOT_BILLED}`,
	],
	[
		"the service's own account at its vendor",
		refused({ code: 'fail_to_fetch_task', httpCode: 401 }),
		['no', 'changeRequest'],
		'The video was not submitted: the service is busy',
		`Your API key is fine. Tell the operator of the service, or choose another Model. ${NOT_BILLED}`,
	],
	[
		'a refusal that passes',
		refused({ passes: true }),
		['no', 'retry'],
		'The video was not submitted: the service is busy',
		NOT_BILLED,
	],
	[
		'an unclear submit, with words that its answer holds',
		unclear({ passes: true, description: 'Oops', body: '{"m":"Oops"}' }),
		['unknown', 'checkUsage'],
		'The video may or may not have been accepted: the service is busy',
		`${MAYBE_BILLED} What the service sent: {"m":"Oops"}.`,
	],
	[
		'an unclear submit whose answer names a task',
		unclear({ task_id }),
		['unknown', 'checkUsage'],
		'The video may or may not have been accepted: the service is busy (task task_1)',
		'The service names a task, which may be this video or another one, so the video was not submitted again. Look at it with Video Status before you do.',
	],
	[
		'a check of a task that is not there',
		{ ...BUSY, kind: 'check', task_id, code: 'task_not_exist' },
		['yes', 'changeRequest'],
		'The task could not be checked: the service is busy (task task_1)',
		'Check the task ID, and that the credential is the one it was submitted with.',
	],
	[
		'a wait whose checks fail',
		render('lost', 'IN_PROGRESS', { because: check }),
		['yes', 'followTask'],
		'The task can no longer be followed: the service is busy (task task_1)',
		`Too many. Check the credential and the account. ${GOES_ON}`,
	],
	[
		'a wait for a task that the service does not know',
		render('lost', 'queued', { because: { ...BUSY, code: 'task_not_exist' } }),
		['yes', 'followTask'],
		'The task can no longer be followed: the service is busy (task task_1)',
		'Check the task ID, and that the credential is the one it was submitted with. Whether the render continues, and is billed, the usage page of the service shows.',
	],
	[
		'a wait that is over',
		render('timedOut', 'IN_PROGRESS', { because: check }),
		['yes', 'followTask'],
		'The video was not ready within 1.5 minutes (Max Wait) (task task_1)',
		`The last check failed: The service is busy. Too many. ${GOES_ON}`,
	],
	[
		'a sleep that the workflow ends',
		render('timedOut', 'queued', { workflowEnds: true }),
		['yes', 'followTask'],
		'The video was not ready before the end of the workflow (Timeout Workflow) (task task_1)',
		GOES_ON,
	],
	[
		'FAILURE',
		render('failed', 'FAILURE', { fail_reason: 'Blocked' }),
		['unknown', 'changeRequest'],
		'The video could not be rendered: Blocked (task task_1)',
		ANEW,
	],
	[
		'FAILURE because of the sound (ByteDance)',
		render('failed', 'FAILURE', { fail_reason: 'The output audio may be sensitive' }),
		['unknown', 'changeRequest'],
		'The video could not be rendered: The output audio may be sensitive (task task_1)',
		`${REFUND} Turn Generate Audio off, or change the prompt: a new task is billed.`,
	],
	[
		'a download of a video that is there',
		file('SUCCESS', { passes: true, orElse: check }),
		['yes', 'followTask'],
		'The video could not be downloaded: the service is busy (task task_1)',
		'The task could not be checked either: the service is busy. The video is rendered and paid for: download it later with Video Download.',
	],
	[
		'a download of a video that a filter kept back (Veo)',
		file('SUCCESS', {
			passes: true,
			task: { task_id, status: 'SUCCESS', fail_reason: 'Your prompt names a person' },
		}),
		['yes', 'changeRequest'],
		'The video could not be downloaded: it was kept back: Your prompt names a person (task task_1)',
		ANEW,
	],
	[
		'a download before the end',
		file('IN_PROGRESS'),
		['yes', 'followTask'],
		'The video could not be downloaded: the render is not finished and its task is still IN_PROGRESS (task task_1)',
		'Wait for the task with Video Status, then download the video.',
	],
	[
		'a download after FAILURE',
		file('FAILURE'),
		['unknown', 'changeRequest'],
		'The video could not be downloaded: the render ended in FAILURE, so there is no video (task task_1)',
		'Only a new task can produce the video, and it is billed again.',
	],
	[
		'a text that is refused',
		text('refused', { httpCode: 403 }),
		['no', 'checkAccount'],
		'Nothing was generated: the service is busy',
		`Check the credential and the account. ${NOT_BILLED}`,
	],
	[
		'a text that may be paid for',
		text('cut', { usage: {} }),
		['no', 'checkUsage'],
		'Only a part of the answer arrived: the service is busy',
		'The answer may have been billed, so the prompt was not sent again. Run it again if paying twice is acceptable.',
	],
];

it.each(ROWS)(
	'%s: says what happened, whether it is billed and what to do',
	(_what, failure, outlook, message, ...[description]) => {
		expect(wordsFor(failure)).toEqual({ message, description });
		expect([billedFor(failure), nextFor(failure)]).toEqual(outlook);
	},
);

it('a chat and an agent get one text, which keeps an agent from paying for the same video again', () => {
	expect(sayFailure(refused({ passes: true }))).toBe(
		`The video was not submitted: the service is busy. ${NOT_BILLED} Try the same request again in a minute, not right away.`,
	);
	expect(sayFailure(render('failed', 'FAILURE'))).toMatch(
		/^The video could not .* \(task task_1\)\. Do not ask for the same video again: .*billed\.$/,
	);
});

it('words from outside add no line to a message, and are cut', () => {
	const failed = render('failed', 'FAILURE', { fail_reason: `All\nis well ${'x'.repeat(900)}` });
	const { message } = wordsFor({ ...failed, task: { ...failed.task, task_id: 'task\n1' } });
	expect(message).toMatch(/: All is well\.\.\. \(task task\\u\{a\}1\)$|: All is well x+\.\.\. /);
});

describe('the fields of a failing item', () => {
	const asked = { model: 'veo', prompt: 'A boat' };

	it('say what it is, what it asked for, and what to do', () => {
		const lost = render('lost', 'IN_PROGRESS', { because: check });
		expect(toErrorFields(lost, 3, asked, true)).toEqual({
			message: 'The task can no longer be followed: the service is busy (task task_1) [item 3]',
			description: `Too many. Check the credential and the account. ${GOES_ON}`,
			...{ item_index: 3, ...asked, task_id: 'task_1', status: 'IN_PROGRESS' },
			...{ http_code: 401, billed: 'yes', retryable: false, next: 'followTask' },
		});
	});

	it('name the time of a submit only if it is unclear, and no bill in a node that submits nothing', () => {
		expect(toErrorFields(unclear({ submittedAtMs: 0, passes: true }), 0, {}, true)).toMatchObject({
			...{ submitted_at: '1970-01-01T00:00:00.000Z', billed: 'unknown', retryable: false },
		});
		expect(toErrorFields(refused(), 0, {}, true)).not.toHaveProperty('submitted_at');
		expect(toErrorFields(check, 0)).not.toHaveProperty('billed');
	});

	it('name no item if the failure concerns all', () => {
		const all = {
			kind: 'read',
			message: 'No credential',
			passes: false,
			ofAllItems: true,
		} as const;
		expect(toErrorFields(all, 0).message).toBe('No credential');
	});
});

it.each([
	[{ code: 'model_not_found', httpCode: 503 }, 'Choose another Model.'],
	[{ code: 'ECONNREFUSED' }, /^Check the Base URL.*container/],
	[{ httpCode: 404 }, /set API in the credential to Custom Paths\.$/],
	[{ httpCode: 404, code: 'fail_to_fetch_task' }, /^Choose another Model, or ask the operator/],
	[{ httpCode: 404, description: 'The deployment does not exist' }, /^Choose another Model/],
	[{ httpCode: 422, description: 'size is required' }, /Additional Fields \(JSON\)\.$/],
	[{ httpCode: 500 }, undefined],
])('of a submit that meets %j, the person can do this: %s', (facts, advice) => {
	const told = adviceFor('submit', { ...BUSY, ...facts });
	if (advice === undefined) expect(told).toBeUndefined();
	else expect(told).toMatch(advice);
});
