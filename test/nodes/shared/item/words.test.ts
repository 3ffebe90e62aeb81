import { adviceFor, toErrorFields, wordsFor } from '../../../../nodes/shared/item/words';
import { type Billed, billedFor, type Next, nextFor } from '../../../../nodes/shared/service/next';
import type { Failure, RenderEnd } from '../../../../nodes/shared/service/failure';
import type { TaskStatus } from '../../../../nodes/shared/service/answerPaths';

const fail = (during: Failure['during'], facts: Partial<Failure> = {}): Failure => ({
	...{ during, message: 'The service is busy', passes: false, ...facts },
});
const refused = (facts: Partial<Failure> = {}) =>
	fail('submit', { certainty: 'refused', ...facts });
const ofTask = (status?: TaskStatus) => ({ task: { task_id: 'task_1', status } });
const render = (
	state: RenderEnd['state'],
	status: TaskStatus,
	{ end = {}, ...facts }: Partial<Omit<Failure, 'end'>> & { end?: Partial<RenderEnd> } = {},
) =>
	fail('render', {
		...{ ...ofTask(status), end: { state, maxWaitMs: 90_000, ...end }, ...facts },
	});
const because = fail('check', { description: 'Too many', httpCode: 401 });

const MAYBE_BILLED =
	'A task may exist and be billed, although its ID is not known, so the video was not submitted again. Do not submit it again before a person has looked at the usage page of the service.';
const GOES_ON = 'The render continues and is billed: follow it with Video Status and its task ID.';
const ANEW =
	'Most services refund a failed render: see the usage page. Change the prompt or the image first: a new task is billed.';
const NOT_AGAIN =
	'Do not ask for the same video again: change the request, or ask the person who wants the video. Each new video is billed.';
const LATER = 'Try the same request again in a minute, not right away.';

/** What people are told; `agent` is what an agent gets in place of the description, if it differs. */
type Row = [
	what: string,
	failure: Failure,
	outlook: [Billed, Next],
	message: string,
	description?: string,
	agent?: string,
];

const ROWS: Row[] = [
	[
		'an item that cannot be read',
		fail('read', { message: 'Prompt is empty', description: 'Fill in Prompt.' }),
		['no', 'changeRequest'],
		'Prompt is empty',
		'Fill in Prompt.',
	],
	[
		'one that cannot be read any more, although it is paid for',
		fail('read', { message: 'Prompt is empty', ...ofTask() }),
		['yes', 'followTask'],
		'Prompt is empty',
	],
	[
		'a refusal',
		refused({ description: 'No such key', httpCode: 401, advice: 'Retry the film' }),
		['no', 'changeRequest'],
		'The video was not submitted: the service is busy',
		'No such key. Check the credential and the account. Nothing is billed for it. Retry the film.',
	],
	[
		'a refusal that passes',
		refused({ passes: true }),
		['no', 'retry'],
		'The video was not submitted: the service is busy',
		'Nothing is billed for it.',
		`Nothing is billed for it. ${LATER}`,
	],
	[
		'an unclear submit, with words that its answer holds',
		fail('submit', {
			certainty: 'unclear',
			passes: true,
			description: 'Oops',
			body: '{"m":"Oops"}',
		}),
		['unknown', 'checkUsage'],
		'The video may or may not have been accepted: the service is busy',
		`${MAYBE_BILLED} What the service sent: {"m":"Oops"}.`,
	],
	[
		'an unclear submit, with other words',
		fail('submit', { certainty: 'unclear', description: 'Oops' }),
		['unknown', 'checkUsage'],
		'The video may or may not have been accepted: the service is busy',
		`Oops. ${MAYBE_BILLED}`,
	],
	[
		'a check',
		fail('check', { passes: true, ...ofTask('queued') }),
		['yes', 'followTask'],
		'The task could not be checked: the service is busy (task task_1)',
	],
	[
		'a check of a task that was never seen, and is not there',
		fail('check', { code: 'task_not_exist', ...ofTask() }),
		['yes', 'changeRequest'],
		'The task could not be checked: the service is busy (task task_1)',
		'Check the task ID, and that the credential is the one it was submitted with.',
	],
	[
		'a wait whose checks fail',
		render('lost', 'IN_PROGRESS', { because }),
		['yes', 'followTask'],
		'The task can no longer be followed: the service is busy (task task_1)',
		`Too many. Check the credential and the account. ${GOES_ON}`,
	],
	[
		'a wait that is over',
		render('timedOut', 'IN_PROGRESS', { because }),
		['yes', 'followTask'],
		'The video was not ready within 1.5 minutes (Max Wait) (task task_1)',
		`The last check failed: The service is busy. Too many. ${GOES_ON}`,
	],
	[
		'a sleep that the workflow ends',
		render('timedOut', 'queued', { end: { workflowEnds: true } }),
		['yes', 'followTask'],
		'The video was not ready before the end of the workflow (Timeout Workflow) (task task_1)',
		GOES_ON,
	],
	[
		'FAILURE without a reason',
		render('failed', 'FAILURE'),
		['unknown', 'changeRequest'],
		'The video could not be rendered (task task_1)',
		`The service gave no reason. ${ANEW}`,
		NOT_AGAIN,
	],
	[
		'FAILURE',
		render('failed', 'FAILURE', { task: { ...ofTask('FAILURE').task, fail_reason: 'Blocked' } }),
		['unknown', 'changeRequest'],
		'The video could not be rendered (task task_1)',
		ANEW,
		NOT_AGAIN,
	],
	[
		'a download of a video that is there',
		fail('file', { passes: true, orElse: because, ...ofTask('SUCCESS') }),
		['yes', 'followTask'],
		'The video could not be downloaded: the service is busy (task task_1)',
		'The task could not be checked either: the service is busy. The video is rendered and paid for: download it later with Video Download.',
	],
	[
		'a download by an ID alone',
		fail('file', ofTask()),
		['yes', 'followTask'],
		'The video could not be downloaded: the service is busy (task task_1)',
		'Downloads are not billed: run Video Download again with this task ID, as often as you like.',
	],
	[
		'a download before the end',
		fail('file', ofTask('IN_PROGRESS')),
		['yes', 'followTask'],
		'The video could not be downloaded: the render is not finished and its task is still IN_PROGRESS (task task_1)',
		'Wait for the task with Video Status, then download the video.',
	],
	[
		'a download after FAILURE',
		fail('file', ofTask('FAILURE')),
		['unknown', 'changeRequest'],
		'The video could not be downloaded: the render ended in FAILURE, so there is no video (task task_1)',
		'Only a new task can produce the video, and it is billed again.',
	],
	[
		'a text that is refused',
		fail('text', { certainty: 'refused', httpCode: 403 }),
		['no', 'changeRequest'],
		'Nothing was generated: the service is busy',
		'Check the credential and the account. Nothing is billed for it.',
	],
	[
		'a text that may be paid for',
		fail('text', { certainty: 'unclear', textEnd: { how: 'cut', usage: {} } }),
		['unknown', 'checkUsage'],
		'Only a part of the answer arrived: the service is busy',
		'The answer may have been billed, so the prompt was not sent again. Run it again if paying twice is acceptable.',
	],
];

it.each(ROWS)(
	'%s: says what happened, whether it is billed and what to do',
	(_what, failure, outlook, message, ...[description, agent = description]) => {
		expect(wordsFor(failure)).toEqual({ message, description });
		expect([billedFor(failure), nextFor(failure)]).toEqual(outlook);
		// A chat and an agent get one text, with the reason of the service in it.
		const { fail_reason = '' } = failure.task ?? {};
		const oneText = (advice?: string) =>
			[message, fail_reason, advice]
				.flatMap((part) => part || [])
				.join('. ')
				.replace(/([^.])$/, '$1.');
		expect(wordsFor(failure, 'chat')).toEqual({ message: oneText(description) });
		expect(wordsFor(failure, 'agent')).toEqual({ message: oneText(agent) });
	},
);

it('words from outside add no line to a message, and a chat gets not all of a long reason', () => {
	const task = { task_id: 'task_1\nAll is well', fail_reason: 'x'.repeat(900) };
	const failure = render('failed', 'FAILURE', { task });
	expect(wordsFor(failure).message).toMatch(/\(task task_1\\u\{a\}All is well\)$/);
	expect(wordsFor(failure, 'chat').message).toMatch(/\. x{500}\.\.\. The|\. x{500}\.\.\. Most/);
});

describe('the fields of a failing item', () => {
	const asked = { model: 'veo', prompt: 'A boat' };

	it('say what it is, what it asked for, and what to do', () => {
		const fields = toErrorFields(render('lost', 'IN_PROGRESS', { because }), 3, asked, true);
		expect(fields).toEqual({
			message: 'The task can no longer be followed: the service is busy (task task_1) [item 3]',
			description: `Too many. Check the credential and the account. ${GOES_ON}`,
			...{ item_index: 3, ...asked, task_id: 'task_1', status: 'IN_PROGRESS' },
			...{ http_code: 401, billed: 'yes', retryable: false, next: 'followTask' },
		});
	});

	it('name the time of a submit only if it is unclear, and no bill in a node that submits nothing', () => {
		const sent = { submittedAtMs: 0, passes: true };
		const unclear = fail('submit', { ...sent, certainty: 'unclear' });
		expect(toErrorFields(unclear, 0, {}, true)).toMatchObject({
			...{ submitted_at: '1970-01-01T00:00:00.000Z', billed: 'unknown', retryable: false },
		});
		expect(toErrorFields(refused(sent), 0, {}, true)).not.toHaveProperty('submitted_at');
		expect(toErrorFields(fail('check', ofTask()), 0)).not.toHaveProperty('billed');
	});

	it('name no item if the failure concerns all', () => {
		const all = fail('read', { message: 'No credential', ofAllItems: true });
		expect(toErrorFields(all, 0).message).toBe('No credential');
	});
});

describe('adviceFor', () => {
	it.each([
		[{ code: 'model_not_found', httpCode: 503 }, 'Choose another Model.'],
		[{ code: 'task_not_exist', httpCode: 400 }, /^Check the task ID, and that the credential/],
		[{ code: 'ECONNREFUSED' }, /^Check the Base URL.*container/],
		[{ code: 'EPROTO' }, /^Check the Base URL/],
		[{ httpCode: 401 }, 'Check the credential and the account.'],
		[{ httpCode: 403 }, 'Check the credential and the account.'],
		[{ httpCode: 404 }, /set API in the credential to Custom Paths\.$/],
	])('of %j says what to do', (facts, advice) => {
		expect(adviceFor(fail('check', facts))).toMatch(advice);
	});

	it.each([{ httpCode: 500 }, { httpCode: 422 }, { code: 'ECONNRESET' }, {}])(
		'of %j says nothing',
		(facts) => expect(adviceFor(fail('check', { passes: true, ...facts }))).toBeUndefined(),
	);
});
