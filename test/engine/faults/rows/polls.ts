import { FAULTS } from '../../../../sandbox/service/faults';
import type { Entry, Plan } from '../../../../sandbox/service';
import { until } from '../../../support/clock';
import { always, failing, row, times, type End, type FaultRow, type More } from '../play';

/** Those that take long are hurried, or the sandbox is told to be quicker about it. */
const HURRY: Record<string, number> = {
	hang: 100,
	stall: 100,
	drip: 100,
	dripHead: 100,
	retryAfter: 50,
};
const OWN_TIME: Record<string, Entry> = {
	slow: { fault: 'slow', delayMs: 200 },
	stall: { stallAfterBytes: 50 },
	cutAfter: { cutAfterBytes: 50 },
	silentCut: { fault: 'silentCut', cutAfterBytes: 50 },
};

/** Submits have faults of their own. */
const pollFaults = Object.keys(FAULTS).filter((fault) => !fault.startsWith('accept'));
const ok = (json: object) => ({ status: 200, json });

const passes = (what: string, poll: Entry | Entry[], more?: More, plan?: Plan) =>
	row(`poll: ${what}, then ok`, { renderMs: 0, poll, ...plan }, 'SUCCESS', more);

const passing: FaultRow[] = [
	...pollFaults.map((fault) =>
		passes(`${fault} once`, [OWN_TIME[fault] ?? fault], { hurry: HURRY[fault] }),
	),
	...[204, 304, 418, 599].map((status) => passes(`status ${status} once`, [{ status, text: '' }])),
	passes('401 four times', times('unauthorized', 4)),
	passes('403 four times', times('forbidden', 4)),
	passes('unknown id five times', times('notExist', 5)),
	passes(
		'401 four times, a good look, 401 four times',
		[...times('unauthorized', 4), 'ok', ...times('unauthorized', 4)],
		{},
		{ renderMs: 300 },
	),
	passes('401 and 502 by turns', [...Array(3).fill(['unauthorized', 'html502'])].flat()),
	passes(
		'everything between two good looks',
		['unauthorized', 'reset', 'notExist', 'ok', 'empty200', 'html504', 'arrayBody', 'cut'],
		{},
		{ renderMs: 60 },
	),
	passes('429, which is no business of the task, 20 times', times('rateLimited', 20), {
		hurry: 100,
	}),
	passes('an envelope of success around a task that is not', [
		ok({ status: 'success', data: { status: 'IN_PROGRESS' } }),
	]),
	passes('SUCCESS inside a 500', [
		{ status: 500, json: { code: 'success', data: { status: 'FAILURE' } } },
	]),
	passes('a status that is null', [ok({ code: 'success', data: { status: null } })]),
	row('poll: the record comes later than the id', { notExistMs: 80 }, 'SUCCESS'),
	row('poll: every look is slow', { poll: [{ delayMs: 150 }, { delayMs: 150 }] }, 'SUCCESS'),
];

/** 150 milliseconds. */
const SHORT = { parameters: { options: { maxWait: 0.0025 } } };
const RETURN_TASK = {
	parameters: { options: { maxWait: 0.0025, polling: { onTimeout: 'returnTask' } } },
};

const goesOn = {
	retryable: false,
	next: 'followTask',
	description: expect.stringMatching(/continues(, and is| and is) billed/),
};
const lost = (reason: string) =>
	failing(
		new RegExp(`^The task can no longer be followed: ${reason}.* \\(task [^ ]+\\) \\[item 0\\]$`),
		goesOn,
	);
const timedOut = failing(/^The video was not ready within .* \(task [^ ]+\) \[item 0\]$/, goesOn);

/** What stays ends the item with its id: 401 and 403 after five looks, an unknown id after six. */
const ENDING: Array<[fault: string, reason: string, looks: number]> = [
	['unauthorized', 'the service refuses the API key', 5],
	['forbidden', 'the account is out of credit', 5],
	['notExist', 'the service does not know this task', 6],
	['notFound404', 'the service does not know this address', 6],
	['gone410', 'the service does not accept the request', 6],
];

/** Anything else is waited out until Max Wait, or for sixty looks. */
const WAITED_OUT = [
	...['html502', 'empty500', 'rateLimited', 'json503', 'html200', 'empty200', 'truncatedJson'],
	...['wrongTypes', 'codeFailWith200', 'reset', 'redirectLoop'],
];

const lasting: FaultRow[] = [
	...ENDING.map(([fault, reason, looks]) =>
		row(
			`poll: ${fault} from the second look on`,
			{ outcome: 'never', poll: ['ok', always(fault)] },
			lost(reason),
			{ looks: looks + 1 },
		),
	),
	...WAITED_OUT.map((fault) =>
		row(`poll: ${fault} until Max Wait`, { poll: always(fault) }, timedOut, SHORT),
	),
	row(
		'poll: 502 with a page sixty times',
		{ poll: always('html502') },
		lost('the service cannot be reached'),
		{ parameters: { options: { maxWait: 600 } }, hurry: 300, looks: 60 },
	),
	row(
		'poll: asked to come back in an hour, beyond Max Wait',
		{ poll: always({ status: 429, text: '', headers: { 'retry-after': '3600' } }) },
		timedOut,
		SHORT,
	),
	row('poll: silence until Max Wait', { poll: always('hang') }, timedOut, { ...SHORT, hurry: 100 }),
	row(
		'poll: trouble until Max Wait, and the task is wanted',
		{ poll: always('html502') },
		'queued',
		RETURN_TASK,
	),
	row('render: never ready', { outcome: 'never' }, timedOut, SHORT),
	row(
		'render: never ready, and the task is wanted',
		{ outcome: 'never' },
		'IN_PROGRESS',
		RETURN_TASK,
	),
	row('service: gone while tasks are polled', { outcome: 'never' }, timedOut, {
		...SHORT,
		meanwhile: async (sandbox) => await sandbox.close(),
	}),
	row('service: an outage in the middle that ends', { renderMs: 2_000 }, 'SUCCESS', {
		meanwhile: async (sandbox) => {
			sandbox.set({ outage: 'html502' });
			await until(() => sandbox.count({ status: 502 }) >= 6);
			sandbox.set({ outage: null });
		},
	}),
];

const FAILED = { outcome: 'FAILURE', failReason: 'Too dark' };
const failed = failing(/^The video could not be rendered: Too dark \(task [^ ]+\) \[item 0\]$/, {
	status: 'FAILURE',
	fail_reason: 'Too dark',
	retryable: false,
});
const noReason = failing(/^The video could not be rendered: the service gave no reason \(task /, {
	description:
		'Most services refund a failed render: see the usage page. Change the prompt or the image first: a new task is billed.',
});

const SHAPES = ['documented', 'vendor', 'vendorFlat', 'flat', 'oldest'];
const NO_ADDRESSES = ['', 'The prompt was filtered', 'ftp://example.com/video.mp4'];

const says = (words: Plan['words'], end: End = 'SUCCESS', more?: More, plan?: Plan) =>
	row(`words: ${JSON.stringify(words)}`, { words, ...plan }, end, more);

const shapes: FaultRow[] = [
	...SHAPES.flatMap((shape) => [
		row(`shape: ${shape}, SUCCESS`, { shape }, 'SUCCESS'),
		row(`shape: ${shape}, FAILURE`, { shape, ...FAILED }, failed),
	]),
	row('shape: another one each time', { shape: SHAPES, renderMs: 200 }, 'SUCCESS'),
	row('failure: without a reason', { outcome: 'FAILURE', failReason: null }, noReason),
	row('failure: with an empty reason', { outcome: 'FAILURE', failReason: ' ' }, noReason),
	...['number', 'absent', 'falling'].map((progress) =>
		row(`progress: ${progress}`, { progress }, 'SUCCESS'),
	),
	row('progress: 100% on FAILURE', { ...FAILED, progress: 'number' }, failed),
	row('outcome: SUCCESS without a video', { outcome: 'filtered' }, 'SUCCESS'),
	...['localhost', 'foreign', ...NO_ADDRESSES].map((resultUrl) =>
		row(`url: result_url is ${resultUrl}`, { renderMs: 0, resultUrl }, 'SUCCESS'),
	),
	says({ queued: 'NOT_START', IN_PROGRESS: 'SUBMITTED' }),
	says({ queued: '', IN_PROGRESS: 'processing', SUCCESS: 'completed' }),
	says({ queued: 'pending', IN_PROGRESS: 'running', SUCCESS: 'succeeded' }),
	says({ queued: 'QUEUED', IN_PROGRESS: 'in_progress', SUCCESS: ' Success ' }),
	says({ queued: 'WARMING_UP', IN_PROGRESS: 'successful_start' }),
	says({ queued: null, IN_PROGRESS: 7 }),
	says({ queued: {}, IN_PROGRESS: ['SUCCESS'] }),
	says({ SUCCESS: 'toString' }, failing(/not ready within/, { status: 'IN_PROGRESS' }), SHORT),
	says(
		{ queued: 'constructor', IN_PROGRESS: '__proto__' },
		'IN_PROGRESS',
		{ parameters: { options: { maxWait: 0.0001, polling: { onTimeout: 'returnTask' } } } },
		// A render that is not ready, however late a busy machine sends the first poll.
		{ renderMs: 600_000 },
	),
	...['failed', 'FAILED', 'cancelled', 'expired'].map((word) =>
		says({ FAILURE: word }, failed, {}, FAILED),
	),
];

const look = (what: string, plan: Plan, end: End, more?: More) =>
	row(`status: ${what}`, { renderMs: 0, ...plan }, end, {
		node: 'Video Status',
		hurry: 100,
		...more,
	});

/** Troubles that pass: the task is found at the look after them. */
const SEEN_AGAIN: string[][] = [
	['hang'],
	['html502', 'reset', 'unauthorized'],
	['notExist', 'rateLimited', 'truncatedJson'],
];
/** A failed look is tried again. */
const MAX_LOOKS = 4;

/** Troubles that stay, and what is said of them. */
const UNSEEN: Array<[fault: string, reason: string, fields?: object]> = [
	['unauthorized', 'the service refuses the API key', { http_code: 401 }],
	['forbidden', 'the account is out of credit', { http_code: 403 }],
	['notExist', 'the service does not know this task', { http_code: 400 }],
	['html502', 'the service cannot be reached', { retryable: true }],
	['html200', 'the address answers with a web page'],
	['reset', 'the connection was cut', { retryable: true }],
];

const status: FaultRow[] = [
	...SEEN_AGAIN.map((poll) =>
		look(`${poll.join(', ')}, then ok`, { poll }, 'SUCCESS', { looks: poll.length + 1 }),
	),
	...UNSEEN.map(([fault, reason, fields]) =>
		look(
			`${fault} always`,
			{ poll: always(fault) },
			failing(new RegExp(`^The task could not be checked: ${reason}.* \\(task [^ ]+\\)`), {
				next: fault === 'notExist' ? 'changeRequest' : 'followTask',
				...fields,
			}),
			{ looks: MAX_LOOKS },
		),
	),
	look('vendor shape', { shape: 'vendor' }, 'SUCCESS'),
	look('oldest shape, FAILURE', { shape: 'oldest', outcome: 'FAILURE' }, 'FAILURE'),
	look('an unknown word', { words: { SUCCESS: 'warming_up' } }, 'IN_PROGRESS'),
	look('an id with / + = ? % # &', { oddId: true }, 'SUCCESS'),
	{
		...look('one trouble among many', {}, 'SUCCESS'),
		plans: [{ renderMs: 0 }, { poll: always('unauthorized') }, { renderMs: 60_000 }],
		ends: ['SUCCESS', failing(/could not be checked/), 'queued'],
	},
];

export const polls = [...passing, ...lasting, ...shapes, ...status];
