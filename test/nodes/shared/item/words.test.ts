import {
	addressFailure,
	billedFor,
	type Failure,
	type FileFailure,
	isRetryable,
	type Next,
	nextFor,
	type RenderFailure,
	type TextFailure,
} from '../../../../nodes/shared/item/failure';
import { toList } from '../../../../nodes/shared/item/output';
import {
	adviceFor,
	sayFailure,
	toErrorFields,
	wordsFor,
} from '../../../../nodes/shared/item/words';
import type { Billed, TaskStatus } from '../../../../nodes/shared/service/answerPaths';
import type { CheckFailure, Reason } from '../../../../nodes/shared/service/reason';

const BUSY = { message: 'The service is busy', passes: false };
const task_id = 'task_1';
const NO_TASK = 'task_not_exist';
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
const noTask: CheckFailure = { ...check, httpCode: 400, code: NO_TASK };
const file = (status?: TaskStatus, facts: Partial<FileFailure> = {}): FileFailure => ({
	...{ ...BUSY, kind: 'file', because: addressFailure(BUSY.message), task: { task_id, status } },
	...facts,
});
const keptBack = file('SUCCESS', {
	passes: true,
	task: { task_id, status: 'SUCCESS', fail_reason: 'Your prompt names a person' },
});
const text = (how: TextFailure['how'], facts: Partial<TextFailure> = {}): TextFailure => ({
	...{ ...BUSY, kind: 'text', how, ...facts },
});

const lost = (because: Reason) => render('lost', 'queued', { because });
const ofSound = render('failed', 'FAILURE', { fail_reason: 'The output audio may be sensitive' });
const VENDOR = refused({ code: 'fail_to_fetch_task', httpCode: 401 });
const SLEEP = render('timedOut', 'queued', { workflowEnds: true });

/** What workflows branch on. */
it.each<[what: string, failure: Failure, Billed, Next, retryable: boolean]>([
	['an item that cannot be read', { ...BUSY, kind: 'read' }, 'no', 'changeRequest', false],
	['the same, paid for', { ...BUSY, kind: 'read', task_id }, 'yes', 'followTask', false],
	['a refused request', refused({ httpCode: 400 }), 'no', 'changeRequest', false],
	['a wrong key', refused({ httpCode: 401 }), 'no', 'checkAccount', false],
	['no credit', refused({ code: 'insufficient_user_quota' }), 'no', 'checkAccount', false],
	["the service's own account at its vendor", VENDOR, 'no', 'changeRequest', false],
	['a refusal that passes', refused({ passes: true }), 'no', 'retry', true],
	['an unclear submit', unclear({ passes: true }), 'unknown', 'checkUsage', false],
	['one that names a task', unclear({ task_id }), 'unknown', 'checkUsage', false],
	['a check', { ...check, passes: true }, 'yes', 'followTask', true],
	['a check of no task', noTask, 'yes', 'changeRequest', false],
	['a lost wait', lost(check), 'yes', 'followTask', false],
	['a wait that is over', render('timedOut', 'IN_PROGRESS'), 'yes', 'followTask', false],
	['FAILURE', render('failed', 'FAILURE'), 'unknown', 'changeRequest', false],
	['no file', file('SUCCESS', { passes: true }), 'yes', 'followTask', true],
	['a video that a filter kept back (Veo)', keptBack, 'yes', 'changeRequest', false],
	['no file after FAILURE', file('FAILURE'), 'unknown', 'changeRequest', false],
	['a refused text', text('refused', { httpCode: 403 }), 'no', 'checkAccount', false],
	['a text that is cut', text('cut', { passes: true }), 'no', 'checkUsage', false],
	['a text that does not fit', text('unfit', { passes: true }), 'no', 'retry', true],
])('%s: is it billed, and what is next?', (_what, failure, billed, next, retryable) => {
	const outlook = [billedFor(failure), nextFor(failure), isRetryable(failure)];
	expect(outlook).toEqual([billed, next, retryable]);
});

/** What keeps people from paying twice. */
it.each<[what: string, failure: Failure, says: RegExp]>([
	[
		'an unclear submit, with the words of its answer once',
		unclear({ description: 'Oops', body: '{"m":"Oops"}' }),
		/busy\. A task may exist .*Do not submit it again .* What the service sent: \{"m":"Oops"\}\.$/,
	],
	['one that names a task', unclear({ task_id }), /(task task_1).*Look at it with Video Status/],
	[
		'checks that fail',
		lost(check),
		/^The task can no .* Too many\. Check the credential .* billed/,
	],
	['no such task', lost({ ...BUSY, code: NO_TASK }), /Check the task ID.* Whether .* is billed/],
	['a sleep that the workflow ends', SLEEP, /Timeout Workflow.* follow it with Video Status/],
	['FAILURE', render('failed', 'FAILURE'), /refund .* Change the prompt .* a new task is billed/],
	['FAILURE because of the sound (ByteDance)', ofSound, /Turn Generate Audio off/],
	['no file yet', file('IN_PROGRESS'), /its task is still IN_PROGRESS .* with Video Status/],
	['no file, and no record', file('SUCCESS', { orElse: check }), /could not be checked either: /],
	['a video that a filter kept back', keptBack, /it was kept back: Your prompt names a person/],
	['a text that is cut', text('cut'), /may have been billed, so the prompt was not sent again/],
])('%s: says what to do', (_what, failure, says) => {
	const { message, description } = wordsFor(failure);
	expect(`${message}. ${description}`).toMatch(says);
});

it('a chat and an agent get one text, which keeps an agent from paying for the same video again', () => {
	expect(sayFailure(refused({ passes: true }))).toMatch(
		/: the service is busy\. Nothing is billed .* Try the same request again in a minute/,
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

it('a list of IDs ends after the twentieth', () => {
	const ids = Array.from({ length: 21 }, (_, n) => `task_${n}`);
	expect(toList(ids)).toBe(`${ids.slice(0, 20).join(', ')}, ...`);
	expect(toList(ids.slice(1))).toBe(ids.slice(1).join(', '));
});

describe('the fields of a failing item', () => {
	const asked = { model: 'veo', prompt: 'A boat' };

	it('say what it is, what it asked for, and what to do', () => {
		expect(toErrorFields(lost(check), 3, asked, true)).toEqual({
			message: 'The task can no longer be followed: the service is busy (task task_1) [item 3]',
			description: expect.stringContaining('follow it with Video Status') as string,
			...{ item_index: 3, ...asked, task_id: 'task_1', status: 'queued' },
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
		const all: Failure = { ...BUSY, kind: 'read', ofAllItems: true };
		expect(toErrorFields(all, 0).message).toBe(BUSY.message);
	});
});

it.each<[facts: Partial<Reason>, advice: RegExp]>([
	[{ code: 'model_not_found', httpCode: 503 }, /^Choose another Model\.$/],
	[{ code: 'ECONNREFUSED' }, /^Check the Base URL.*container/],
	[{ httpCode: 404 }, /set Service in the credential to Custom Paths\.$/],
	[{ httpCode: 404, code: 'fail_to_fetch_task' }, /^Choose another Model, or ask the operator/],
	[{ httpCode: 404, description: 'The deployment does not exist' }, /^Choose another Model/],
	[{ httpCode: 422, description: 'size is required' }, /Additional Fields \(JSON\)\.$/],
	[{ httpCode: 500 }, /^$/],
])('of a submit that meets %j, the person can do this: %s', (facts, advice) => {
	expect(adviceFor('submit', { ...BUSY, ...facts }) ?? '').toMatch(advice);
});
