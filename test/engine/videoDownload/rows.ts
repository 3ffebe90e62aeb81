import type { IDataObject } from 'n8n-workflow';

import type { Plan } from '../../../sandbox/service';

/** What a video's way from the service into n8n's storage may meet, and what must come of it. */
export interface DownloadRow {
	what: string;
	plan: Plan;
	/** What was answered to each request for the video; "left": it was not read to its end. */
	requests: string;
	/** Options of Video Download; the row is then played with that node alone. */
	options?: IDataObject;
	/** Parameters with which Video Generate makes the task that Video Download is given. */
	render?: IDataObject;
	/** How the message of a failing item reads; else it is a file. */
	fails?: RegExp;
	/** What else the error of a failing item holds, or the item of Video Download. */
	fields?: IDataObject;
	/** Times as fast as real time; delays are seconds. */
	hurry?: number;
}

type More = Partial<Omit<DownloadRow, 'what' | 'plan' | 'requests'>>;

/** Large enough to be cut anywhere; the video itself is the first 51,780 bytes of it. */
export const SIZE = 500_000;
const MIB = 1024 ** 2;
/** More than sockets hold: an answer that is not read to its end shows. */
const LARGE = { sizeBytes: 30 * MIB };

const arrives = (what: string, plan: Plan, requests: string, more: More = {}): DownloadRow => ({
	...{ what, plan, requests },
	...more,
});

const failsWith = (fails: RegExp, ...row: Parameters<typeof arrives>): DownloadRow => ({
	...arrives(...row),
	fails,
});

const times = (count: number, requests: string) => Array(count).fill(requests).join('; ');
const always = (fault: NonNullable<Plan['content']>) =>
	({ content: { always: fault } }) as { content: Plan['content'] };
const matching = (pattern: RegExp) => expect.stringMatching(pattern) as string;
const ENDED_EARLY = /the download ended early/;

/** In pieces, slowly, with pauses: a chunk counts, not the time in total. */
const streams = [
	arrives('whole, with its length', {}, '200'),
	arrives('in chunks, without a length', { content: 'noLength' }, '200'),
	arrives('slower than the time-out', { content: { pieceDelayMs: 250 } }, '200', {
		options: { timeout: 1 },
		hurry: 1,
	}),
	failsWith(ENDED_EARLY, 'still every time', always('stall'), '200, left; 200, left', {
		options: { timeout: 30, retries: 1 },
		fields: { description: matching(/Nothing arrived for 30 seconds after 1000 bytes/) },
	}),
];

const page = {
	...{ status: 200, text: '<html><body>Gateway</body></html>' },
	headers: { 'content-type': 'video/mp4' },
};

/** What comes with 200 and is no whole video. */
const checks = [
	arrives('an application/octet-stream', { content: 'octetStream' }, '200'),
	arrives('after JSON', { content: 'json200' }, '200; 200'),
	failsWith(/answers with a web page/, 'a page', always('html200'), times(6, '200')),
	failsWith(/is not a video/, 'a page called a video', always(page), times(6, '200')),
	failsWith(
		ENDED_EARLY,
		'short every time, which only its boxes tell',
		always({ fault: 'silentCut', cutAfterBytes: 51_700 }),
		times(6, 'cut'),
		{ fields: { description: matching(/not complete after 51700 bytes/) } },
	),
];

const CUT = { cutAfterBytes: 100_000 };
const PAID = matching(/rendered and paid for: download it later with Video Download/);

/** What may pass is tried again, and begun anew, within a limit; the paid task is never lost. */
const retries = [
	arrives('after a cut', { content: CUT }, 'cut; 200'),
	failsWith(ENDED_EARLY, 'and is cut every time', always(CUT), times(3, 'cut'), {
		options: { retries: 2 },
		fields: { retryable: true, description: matching(/cut after \d+ bytes/) },
	}),
	arrives('after 400, as long as it is not there', { content: 'notCompleted' }, '400; 200'),
	arrives('after no answer', { content: 'hang' }, 'cut, left; 200', {
		options: { timeout: 30 },
	}),
	arrives(
		'after five faults',
		{ content: ['html502', 'cutAfter', 'reset', 'retryAfter', 'html504'] },
		'502; cut; cut; 429; 504; 200',
	),
	failsWith(
		/does not know this address \(HTTP 404\)/,
		'404 every time',
		always('notFound404'),
		times(6, '404'),
		{ fields: { status: 'SUCCESS', http_code: 404, retryable: true, description: PAID } },
	),
	failsWith(/refuses the API key/, '401, at once', always('unauthorized'), '401', {
		fields: { status: 'SUCCESS', http_code: 401, retryable: false, description: PAID },
	}),
];

const toFile = { content: { redirect: 302 as const, to: 'file:///etc/passwd' } };

/** Where the key goes on these ways stands in keys.test.ts. */
const redirects = [
	arrives(
		'over five steps',
		{ content: { redirect: 307, to: 'foreign', hops: 5 } },
		`${times(5, '307')}; 200`,
	),
	failsWith(/more than 5 times/, 'in a circle', { content: 'redirectLoop' }, times(6, '302')),
	failsWith(/leads to no http or https address/, 'to a file', toFile, '302'),
	failsWith(/redirects to another address/, 'to nowhere', { content: { status: 302 } }, '302'),
];

const NO = { status: 410, text: '' };
const EXPIRED = { status: 403, text: 'expired' };
const foreign = (content: Plan['content']): Plan => ({ resultUrl: 'foreign', content });
const NEITHER =
	/Its result_url did not work either: the video's URL leads to http:\/\/localhost:\d+, which denies access to it \(HTTP 403\)/;

/** The content endpoint of the task first, and its result_url where that brings nothing. */
const addresses = [
	arrives('from the content endpoint first', { resultUrl: 'foreign' }, '200'),
	arrives('from result_url, after 401', foreign('unauthorized'), '401; 200'),
	arrives(
		'from result_url, in turns',
		foreign(['notFound404', 'html502', 'notFound404']),
		'404; 502; 404; 200',
	),
	failsWith(
		/\(HTTP 410\)/,
		'gone, and result_url says no, too',
		foreign([NO, EXPIRED]),
		'410; 403',
		{ fields: { status: 'SUCCESS', description: matching(NEITHER) } },
	),
	failsWith(
		/the render ended in FAILURE/,
		'of a task that failed',
		{ outcome: 'FAILURE', failReason: 'Too dark' },
		'400',
		{
			options: { retries: 5 },
			fields: { status: 'FAILURE', fail_reason: 'Too dark', retryable: false },
		},
	),
	failsWith(
		/the render is not finished and its task is still queued/,
		'of a task that still waits',
		{ renderMs: 3_600_000 },
		'400',
		{
			...{ options: { retries: 5 }, render: { wait: 'none' } },
			fields: { status: 'queued', retryable: true },
		},
	),
];

const limited = { options: { maxSize: 1 } };
const TOO_LARGE = /larger than the 1 MB that Max Size allows/;
const unmeasured: Plan = { ...LARGE, content: 'noLength' };

const sizes = [
	arrives('as large as allowed', { sizeBytes: MIB }, '200', limited),
	failsWith(TOO_LARGE, 'larger', { ...LARGE, resultUrl: 'foreign' }, '200, left', limited),
	failsWith(TOO_LARGE, 'larger, without a length', unmeasured, '200, left', limited),
];

export const ROWS = { streams, checks, retries, redirects, addresses, sizes };
