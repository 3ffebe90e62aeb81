import type { Plan, RequestRecord } from '../../../../sandbox/service';
import {
	always,
	failing,
	LATER,
	RETRY_ON_FAIL,
	row,
	times,
	type End,
	type FaultRow,
	type More,
} from '../play';

const notSubmitted = (reason: string) =>
	failing(new RegExp(`^The video was not submitted: ${reason}`));
const lost = (reason: string) =>
	failing(new RegExp(`^The task can no longer be followed: ${reason}.* \\(task [^ ]+\\)`));
const unclear = failing(/^The video may or may not have been accepted/, { retryable: false });
const notRendered = failing(/could not be rendered/, { fail_reason: 'Too dark' });
const FAILED = { outcome: 'FAILURE', failReason: 'Too dark', renderMs: 0 };

const WRONG_KEY = 'the service refuses the API key';
/** The same budget under another key in each mode, as the sandbox counts tasks by key. */
const budget = (tasks: number) => (mode: number) => `sandbox-budget-${'0'.repeat(mode)}${tasks}`;

const keys: FaultRow[] = [
	...[
		['sandbox-disabled', WRONG_KEY],
		['sandbox-no-quota', 'the account is out of credit'],
		['sandbox-little-quota', 'the API key has too little quota left'],
		['sandbox-banned', 'the service does not allow this'],
	].map(([key, reason]) =>
		row(`key: ${key}`, {}, notSubmitted(reason), { apiKey: () => key, paid: 0 }),
	),
	row('key: used up by the very task it polls', {}, lost(WRONG_KEY), {
		apiKey: budget(1),
		looks: 5,
	}),
	row('key: not allowed to poll', {}, lost('the service does not allow this'), {
		apiKey: () => 'sandbox-poll-forbidden',
		looks: 5,
	}),
	{
		fault: 'key: used up in the middle of a batch',
		plans: [{}, {}, {}, {}],
		ends: [lost(WRONG_KEY), lost(WRONG_KEY), notSubmitted(WRONG_KEY), notSubmitted(WRONG_KEY)],
		apiKey: budget(2),
		parameters: { options: { polling: { concurrency: 1, pollInterval: 0.1 } } },
		paid: 2,
	},
];

const parameters = { downloadVideo: true };
const notDownloaded = failing(/^The video could not be downloaded: .* \[item 0\]$/, {
	status: 'SUCCESS',
	description: expect.stringMatching(/Video Download/),
	// Rows whose `next` is another one are sent, and paid for, again.
	next: 'followTask',
});

const passing: Array<[what: string, plan: Plan]> = [
	['not completed yet', { notCompletedMs: 50 }],
	['a localhost result_url', { resultUrl: 'localhost' }],
];

const downloads: FaultRow[] = [
	...passing.map(([what, plan]) =>
		row(`download: ${what}, then ok`, { renderMs: 0, ...plan }, 'SUCCESS', {
			parameters,
			hurry: 50,
		}),
	),
	...['upstreamGone502', 'unauthorized'].map((fault) =>
		row(`download: ${fault} always`, { renderMs: 0, content: always(fault) }, notDownloaded, {
			parameters,
			hurry: 200,
		}),
	),
];

/** What one item meets is no business of the others. */
const batches: FaultRow[] = [
	{
		fault: 'batch: a good one, a failing one, an unclear one, a refused one',
		plans: [{}, FAILED, { submit: 'acceptThen500' }, { submit: 'forbidden' }],
		ends: ['SUCCESS', notRendered, unclear, failing(/was not submitted/, { http_code: 403 })],
		paid: 3,
	},
	{
		fault: 'batch: the last of thirty fails while the others render',
		plans: [...Array<Plan>(29).fill({ renderMs: 500 }), FAILED],
		ends: [...Array<End>(29).fill('SUCCESS'), notRendered],
	},
	{
		fault: 'batch: an id that no URL can hold among others',
		plans: [
			{ renderMs: 100 },
			{ submit: { status: 200, json: { id: 'task_\ud800' } } },
			{ renderMs: 100 },
		],
		ends: ['SUCCESS', failing(/does not know this task \(task task_\ud800\)/), 'SUCCESS'],
		paid: 2,
	},
	{
		fault: 'batch: every item meets another trouble and gets over it',
		plans: [
			{ poll: ['html502', 'reset'] },
			{ poll: ['unauthorized', 'empty200'], shape: 'vendorFlat' },
			{ notExistMs: 60, oddId: true },
			{ submit: { delayMs: 200 }, idOnly: true, idLength: 160 },
		],
		ends: Array<End>(4).fill('SUCCESS'),
	},
	row('batch: of one, without waiting', { renderMs: 60_000 }, 'queued', {
		parameters: { wait: 'none' },
		looks: 0,
	}),
];

const isUnderWay = (path: RegExp) => (requests: RequestRecord[]) =>
	requests.some((request) => path.test(request.path));
const isAnsweredWith = (status: number) => (requests: RequestRecord[]) =>
	requests.some((request) => request.status === status);
const submits = isUnderWay(/generations$/);
const isToldToWait = isAnsweredWith(429);

/** Stop at each stage: what is paid for stays known, and nothing is submitted any more. */
const stops: FaultRow[] = [
	row('stop: a submit is under way and answers soon', { submit: { delayMs: 300 } }, 'queued', {
		stopWhen: submits,
		looks: 0,
	}),
	row('stop: a submit is under way and never answers', { submit: 'acceptThenHang' }, unclear, {
		stopWhen: submits,
	}),
	row('stop: the same with Retry On Fail', { submit: 'acceptThenHang' }, unclear, {
		settings: RETRY_ON_FAIL,
		stopWhen: submits,
	}),
	row('stop: a refused submit waits for its next try', { submit: always(LATER) }, 'no item', {
		stopWhen: isToldToWait,
		paid: 0,
	}),
	row('stop: polling sleeps', { poll: [LATER] }, 'queued', { stopWhen: isToldToWait, looks: 1 }),
	row('stop: a poll is under way', { poll: 'hang' }, 'queued', {
		stopWhen: isUnderWay(/generations\/.+/),
		looks: 1,
	}),
	row('stop: a download is under way', { renderMs: 0, content: 'stall' }, 'SUCCESS', {
		parameters,
		stopWhen: isUnderWay(/content$/),
	}),
	row('stop: a failed download is tried later', { renderMs: 0, content: LATER }, 'SUCCESS', {
		parameters,
		stopWhen: isToldToWait,
	}),
	{
		fault: 'stop: one is done, one renders, one is unclear',
		plans: [
			{ renderMs: 0 },
			{ outcome: 'never', poll: ['ok', 'ok', LATER] },
			{ submit: 'acceptThenHang' },
		],
		ends: ['SUCCESS', 'IN_PROGRESS', unclear],
		stopWhen: isToldToWait,
	},
];

const retried = (what: string, plan: Plan, end: End, more?: More) =>
	row(`retry: ${what}`, plan, end, { settings: RETRY_ON_FAIL, ...more });

/** Retry On Fail at each stage. What is paid for is picked up, whatever the first try died of. */
const retries: FaultRow[] = [
	retried('a poll is refused until the second try', { poll: times('unauthorized', 5) }, 'SUCCESS'),
	retried('a poll is refused until the third try', { poll: times('forbidden', 10) }, 'SUCCESS'),
	retried(
		'unknown in all tries',
		{ poll: always('notExist') },
		failing(/does not know this task/),
		{
			looks: 18,
		},
	),
	retried('a render outlasts the first try', { renderMs: 450 }, 'SUCCESS', {
		parameters: { options: { maxWait: 0.005 } },
	}),
	retried('a download fails until the second try', { content: times('html502', 12) }, 'SUCCESS', {
		parameters,
		hurry: 200,
	}),
	retried('a submit is refused until the second try', { submit: 'forbidden' }, 'SUCCESS', {
		posts: 2,
	}),
	retried(
		'a submit is refused in all tries',
		{ submit: always('forbidden') },
		notSubmitted('the account is out of credit'),
		{ posts: 3, paid: 0 },
	),
	retried('SUCCESS without a video', { outcome: 'filtered' }, 'SUCCESS'),
	{
		fault: 'retry: the first item fails twice, the others are not paid for again',
		plans: [{ poll: times('unauthorized', 10) }, {}, { renderMs: 300 }],
		ends: ['SUCCESS', 'SUCCESS', 'SUCCESS'],
		settings: RETRY_ON_FAIL,
	},
];

export const others = [...keys, ...downloads, ...batches, ...stops, ...retries];
