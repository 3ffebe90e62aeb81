import { textFailed, textRefused } from '../../../../nodes/GenerateContent/gemini/textFailed';
import {
	addressReason,
	fileFailed,
	type OtherWay,
} from '../../../../nodes/shared/download/fileFailed';
import {
	type Billed,
	checkFailed,
	type Failure,
	type Next,
	readFailed,
	submitRefused,
	submitUnclear,
} from '../../../../nodes/shared/failure/failure';
import { type Reason, readReason } from '../../../../nodes/shared/failure/reason';
import { sayFailure, toErrorFields, toList } from '../../../../nodes/shared/n8n/output';
import type { TaskStatus } from '../../../../nodes/shared/services/answerPaths';
import type { VideoTask } from '../../../../nodes/shared/services/videoTask';
import {
	type EndWithoutVideo,
	renderFailed,
	type WaitLimits,
} from '../../../../nodes/shared/task/renderFailed';

// What ends an item, as whoever ends it makes it: words, and what workflows branch on.

const BUSY = { message: 'The service is busy', passes: false };
const PASSES = { ...BUSY, passes: true };
const task_id = 'task_1';
const met = (status: number, code?: string): Reason => ({
	...readReason('check', { status, headers: {}, body: '' }, { code, words: 'Too many' }),
	message: BUSY.message,
});
const NO_TASK = met(400, 'task_not_exist');
const render = (
	state: EndWithoutVideo,
	status: TaskStatus,
	task: Partial<VideoTask> = {},
	{ because, ...limits }: Partial<WaitLimits> & { because?: Reason } = {},
): Failure =>
	renderFailed(
		state,
		{ task_id, status, progress: 0, ...task },
		{ maxWaitMs: 90_000, ...limits },
		because,
	);
const file = (status?: TaskStatus, reason: object = BUSY, orElse?: OtherWay): Failure =>
	fileFailed({ task_id, status }, addressReason(BUSY.message, reason), orElse);
const keptBack = fileFailed(
	{ task_id, status: 'SUCCESS', fail_reason: 'Your prompt names a person' },
	addressReason(BUSY.message, PASSES),
);
const EXPIRED = fileFailed(
	{},
	{
		...readReason('file', { status: 403, headers: {}, body: '' }),
		host: { what: 'Its URL', origin: 'https://files.example.com', mayBeService: false },
	},
);
const NOTHING = { text: '', usageMetadata: {} };
const lost = (because: Reason) => render('lost', 'queued', {}, { because });
const ofSound = render('failed', 'FAILURE', { fail_reason: 'The output audio may be sensitive' });
const SLEEP = render('timedOut', 'queued', {}, { workflowEnds: true });
const BROKEN = { broke: true, fail_reason: 'Runner error' } as const;

/** What workflows branch on. */
it.each<[what: string, failure: Failure, Billed, Next, retryable: boolean]>([
	['an item that cannot be read', readFailed(BUSY), 'no', 'changeRequest', false],
	['the same, paid for', readFailed(BUSY, { task_id }), 'yes', 'followTask', false],
	['the same, as the service is busy', readFailed({ reason: met(429) }), 'no', 'retry', true],
	['the same, by the key', readFailed({ reason: met(401) }), 'no', 'checkAccount', false],
	['a refused request', submitRefused(met(400)), 'no', 'changeRequest', false],
	['a wrong key', submitRefused(met(401)), 'no', 'checkAccount', false],
	['no credit', submitRefused(met(403, 'insufficient_user_quota')), 'no', 'checkAccount', false],
	[
		"the service's own account at its vendor",
		submitRefused(met(401, 'fail_to_fetch_task')),
		...(['no', 'changeRequest', false] as const),
	],
	['a refusal that passes', submitRefused(PASSES), 'no', 'retry', true],
	['an unclear submit', submitUnclear(PASSES, {}), 'unknown', 'checkUsage', false],
	['one that names a task', submitUnclear(BUSY, { task_id }), 'unknown', 'checkUsage', false],
	['a check', checkFailed(met(502), task_id), 'yes', 'followTask', true],
	['a check of no task', checkFailed(NO_TASK, task_id), 'yes', 'changeRequest', false],
	['a lost wait', lost(met(401)), 'yes', 'followTask', false],
	['a wait that is over', render('timedOut', 'IN_PROGRESS'), 'yes', 'followTask', false],
	['FAILURE', render('failed', 'FAILURE'), 'unknown', 'changeRequest', false],
	['FAILURE at the vendor', render('failed', 'FAILURE', BROKEN), 'unknown', 'retry', true],
	[
		'FAILURE at the vendor, too often',
		render('failed', 'FAILURE', BROKEN, { brokeTooOften: true }),
		...(['unknown', 'changeRequest', false] as const),
	],
	['FAILURE, free', render('failed', 'FAILURE', { billed: 'no' }), 'no', 'changeRequest', false],
	['no file', file('SUCCESS', PASSES), 'yes', 'followTask', true],
	['a file that was deleted', file('SUCCESS', { hasNoFile: true }), 'yes', 'changeRequest', false],
	['no file of a task that renders', file('IN_PROGRESS'), 'yes', 'followTask', true],
	['a video that a filter kept back (Veo)', keptBack, 'yes', 'changeRequest', false],
	['no file after FAILURE', file('FAILURE', PASSES), 'unknown', 'changeRequest', false],
	['an expired link without a task', EXPIRED, 'no', 'changeRequest', false],
	['a refused text', textRefused(met(403)), 'no', 'checkAccount', false],
	[
		'a text that is cut',
		textFailed(NOTHING, { how: 'cut' }, PASSES),
		'unknown',
		'checkUsage',
		false,
	],
	[
		'a text that does not fit',
		textFailed(NOTHING, { how: 'unfit' }, BUSY),
		'unknown',
		'changeRequest',
		false,
	],
])('%s: is it billed, and what is next?', (_what, { billed, next, retryable }, ...expected) => {
	expect([billed, next, retryable]).toEqual(expected);
});

/** What keeps people from paying twice. */
it.each<[what: string, failure: Failure, says: RegExp]>([
	[
		'an unclear submit, with the words of its answer once',
		submitUnclear({ ...BUSY, description: 'Oops' }, { body: '{"m":"Oops"}' }),
		/busy\. A task may exist .*Do not submit it again .* What the service sent: \{"m":"Oops"\}\.$/,
	],
	[
		'one that names a task',
		submitUnclear(BUSY, { task_id }),
		/(task task_1).*Look at the task with Video Status/,
	],
	[
		'checks that fail',
		lost(met(401)),
		/^The task can no .* Too many\. Check the credential .* billed/,
	],
	['no such task', lost(NO_TASK), /Check the task ID.* Whether .* is billed/],
	['a sleep that the workflow ends', SLEEP, /Timeout Workflow.* follow it with Video Status/],
	[
		'FAILURE',
		render('failed', 'FAILURE'),
		/refunded\. Change the prompt .* the new render is billed/,
	],
	[
		'FAILURE at the vendor',
		render('failed', 'FAILURE', { ...BROKEN, billed: 'no' }),
		/Runner error .* is not billed\. The render broke off .* order it again unchanged/,
	],
	['FAILURE because of the sound (ByteDance)', ofSound, /Turn Generate Audio off/],
	[
		'an expired link',
		EXPIRED,
		/denies access .* may have expired.* With Source on Task, Video Download gets a fresh link/,
	],
	['no file yet', file('IN_PROGRESS'), /its task is still IN_PROGRESS .* with Video Status/],
	[
		'no file, and no record',
		file('SUCCESS', BUSY, { reason: met(401), isCheck: true }),
		/could not be checked either: /,
	],
	['a video that a filter kept back', keptBack, /it was kept back: Your prompt names a person/],
	[
		'a text that is cut',
		textFailed(NOTHING, { how: 'cut' }, BUSY),
		/may have been billed, so the prompt was not sent again/,
	],
])('%s: says what to do', (_what, { message, description }, says) => {
	expect(`${message}. ${description}`).toMatch(says);
});

it('a chat and an agent get one text, which keeps an agent from paying for the same video again', () => {
	expect(sayFailure(submitRefused({ ...PASSES, httpCode: 429 }))).toMatch(
		/: the service is busy\. Nothing is billed .* Try the same request again in a minute/,
	);
	expect(sayFailure(render('failed', 'FAILURE'))).toMatch(
		/^The video could not .* \(task task_1\)\. Do not ask for it again unchanged: .*billed\.$/,
	);
});

it('words from outside add no line to a message, and are cut', () => {
	const fail_reason = `All\nis well ${'x'.repeat(900)}`;
	const failed = render('failed', 'FAILURE', { fail_reason, task_id: 'task\n1' });
	expect(toErrorFields(failed, 0).message).toMatch(
		/: All is well\.\.\. \(task task\\u\{a\}1\) \[item 0\]$|: All is well x+\.\.\. /,
	);
});

it('a list of IDs ends after the twentieth', () => {
	const ids = Array.from({ length: 21 }, (_, n) => `task_${n}`);
	expect(toList(ids)).toBe(`${ids.slice(0, 20).join(', ')}, ...`);
	expect(toList(ids.slice(1))).toBe(ids.slice(1).join(', '));
});

describe('the fields of a failing item', () => {
	const asked = { model: 'veo', prompt: 'A boat' };

	it('say what it is, what it asked for, and what to do', () => {
		expect(toErrorFields(lost(met(401)), 3, asked, true)).toEqual({
			message: 'The task can no longer be followed: the service is busy (task task_1) [item 3]',
			description: expect.stringContaining('follow it with Video Status') as string,
			...{ item_index: 3, ...asked, task_id: 'task_1', status: 'queued' },
			...{ http_code: 401, billed: 'yes', retryable: false, next: 'followTask' },
		});
	});

	it('name the time of a submit only if it is unclear, and no bill in a node that submits nothing', () => {
		const submitted_at = '1970-01-01T00:00:00.000Z';
		const unclear = submitUnclear(PASSES, { submitted_at });
		expect(toErrorFields(unclear, 0, {}, true)).toMatchObject({ submitted_at, billed: 'unknown' });
		expect(toErrorFields(submitRefused(BUSY), 0, {}, true)).not.toHaveProperty('submitted_at');
		expect(toErrorFields(checkFailed(BUSY, task_id), 0)).not.toHaveProperty('billed');
	});

	it('name no item if the failure concerns all', () => {
		expect(toErrorFields(readFailed(BUSY, { ofAllItems: true }), 0).message).toBe(BUSY.message);
	});
});
