import type { IDataObject } from 'n8n-workflow';

import type { Plan, Sandbox } from '../../../sandbox/service';

/** What a video's way from the service into n8n's storage may meet, and what must come of it. */
export interface DownloadRow {
	what: string;
	plan: Plan | ((sandbox: Sandbox) => Plan);
	/** Each request for the video: the part asked for ("all", "resume"), and what was answered. */
	requests: string;
	/** Options of Video Download; the row is then played with that node alone. */
	options?: IDataObject;
	/** Parameters with which Video Generate makes the task that Video Download is given. */
	render?: IDataObject;
	/** How the message of a failing item reads; else it is a file. */
	fails?: RegExp;
	/** What else the error of a failing item holds, or the item of Video Download. */
	fields?: IDataObject;
	/** Half files that n8n 1 keeps, which writes in place and removes nothing; else none. */
	halves?: number;
	/** Times as fast as real time; delays are seconds. */
	hurry?: number;
}

type More = Partial<Omit<DownloadRow, 'what' | 'plan' | 'requests'>>;

/** Large enough to be cut anywhere; the video itself is the first 51,780 bytes of it. */
export const SIZE = 500_000;
const MIB = 1024 ** 2;
/** More than sockets hold: an answer that is not read to its end shows. */
const LARGE = { sizeBytes: 30 * MIB };

const arrives = (what: string, plan: DownloadRow['plan'], requests: string, more: More = {}) =>
	({ what, plan, requests, ...more }) as DownloadRow;

const failsWith = (fails: RegExp, ...row: Parameters<typeof arrives>): DownloadRow => ({
	...arrives(...row),
	fails,
});

const times = (count: number, requests: string) => Array(count).fill(requests).join('; ');
const always = (fault: NonNullable<Plan['content']>) =>
	({ content: { always: fault } }) as { content: Plan['content'] };
const matching = (pattern: RegExp) => expect.stringMatching(pattern) as string;
const retrying = (retries: number) => ({ options: { retries } });
const ENDED_EARLY = /the download ended early/;

/** In pieces, slowly, with pauses: progress counts, not the time in total. */
const streams = [
	arrives('whole, with its length', {}, 'all 200'),
	arrives('in chunks, without a length', { content: 'noLength' }, 'all 200'),
	arrives('until the connection ends', { content: { closeDelimited: true } }, 'all 200'),
	arrives('slower than the time-out', { content: { pieceDelayMs: 250 } }, 'all 200', {
		...{ options: { timeout: 1 }, hurry: 1 },
	}),
	arrives('still, then goes on', { content: 'stall' }, 'all 200, left; resume 206', {
		options: { timeout: 30 },
	}),
	failsWith(
		ENDED_EARLY,
		'still every time, without parts',
		{ range: false, content: { always: 'stall' } },
		'all 200, left; all 200, left',
		{
			options: { timeout: 30, retries: 1 },
			fields: { description: matching(/Less than 1 KB per second .* 30 seconds after 1000 bytes/) },
			halves: 2,
		},
	),
];

const labelled = (type: string, text: string) => ({
	status: 200,
	headers: { 'content-type': type },
	text,
});
const page = labelled('video/mp4', '<html><body>Gateway</body></html>');
const nothing = labelled('video/mp4', '');
const SIX = times(6, 'all 200');

/** What comes with 200 and is no whole video. */
const checks = [
	arrives('an application/octet-stream', { content: 'octetStream' }, 'all 200'),
	arrives('after JSON', { content: 'json200' }, 'all 200; all 200'),
	arrives('after nothing', { content: nothing }, 'all 200; all 200'),
	arrives('a whole file as a part', { range: 'always' }, 'all 206'),
	arrives('after an unwanted part', { content: { ...page, status: 206 } }, 'all 206; all 200'),
	failsWith(/not in the documented form/, 'JSON every time', always('json200'), SIX),
	failsWith(/answers with a web page/, 'a page every time', always('html200'), SIX),
	failsWith(/is not a video/, 'a page called a video every time', always(page), SIX),
	failsWith(
		/file is empty/,
		'nothing every time',
		always({ ...nothing, status: 204 }),
		times(6, 'all 204'),
	),
	failsWith(
		ENDED_EARLY,
		'short every time, which only its boxes tell',
		{ range: false, ...always({ fault: 'silentCut', cutAfterBytes: 51_700 }) },
		times(6, 'all cut'),
		{ fields: { description: matching(/not complete after 51700 bytes/) }, halves: 6 },
	),
];

const CUT = { cutAfterBytes: 100_000 };
const ETAG = '"v1"';
const DATE = 'Wed, 21 Oct 2026 07:28:00 GMT';

/** A body that ended early is resumed, where the server gives parts. */
const resumes = [
	arrives('by a server that gives parts', { content: CUT }, 'all cut; resume 206'),
	arrives(
		'on condition of a date',
		{ lastModified: DATE, content: CUT },
		`all cut; resume if ${DATE} 206`,
	),
	arrives(
		'by a server that has an ETag and says nothing of parts',
		{ etag: ETAG, content: { ...CUT, headers: { 'accept-ranges': '' } } },
		`all cut; resume if ${ETAG} 206`,
	),
	arrives(
		'cut within its first box',
		{ content: [{ cutAfterBytes: 5 }, { cutAfterBytes: 13 }] },
		'all cut; all cut; resume 206',
	),
	arrives('without a length', { content: { ...CUT, noLength: true } }, 'all cut; resume 206'),
	arrives(
		'after a page in between',
		{ content: [CUT, 'html502', 'html200'] },
		'all cut; resume 502; resume 200; resume 206',
	),
	arrives(
		'cut more often than it is tried again, because each try brings something',
		always({ cutAfterBytes: 240_000 }),
		'all cut; resume cut; resume 206',
		retrying(1),
	),
];

const otherVideo = ({ foreignUrl }: Sandbox) => ({
	redirect: 302 as const,
	to: `${foreignUrl}/files/portrait.mp4`,
});
/** A file that is begun anew: n8n 1 keeps what it had of it. */
const anew = (what: string, plan: DownloadRow['plan'], ...requests: string[]) =>
	arrives(what, plan, ['all cut', ...requests, 'all 200'].join('; '), { halves: 1 });

/** Where a file cannot be resumed, it is begun anew. */
const beginnings = [
	anew('by a server that says it gives no parts', {
		etag: ETAG,
		content: { ...CUT, headers: { 'accept-ranges': 'none' } },
	}),
	anew('because the whole came', { ...LARGE, content: [CUT, 'rangeIgnored'] }, 'resume 200, left'),
	anew(
		'because the ETag is another one by now',
		{ ...LARGE, etag: ETAG, content: { ...CUT, headers: { etag: '"v0"' } } },
		'resume if "v0" 200, left',
	),
	anew('because the part was refused', { content: [CUT, 'rangeRefused'] }, 'resume 416'),
	anew(
		'because another part came',
		{ ...LARGE, content: [CUT, 'rangeElsewhere'] },
		'resume 206, left',
	),
	anew(
		'because a part of another file came',
		{ ...LARGE, etag: ETAG, content: [CUT, 'rangeOtherTag'] },
		`resume if ${ETAG} 206, left`,
	),
	anew(
		'because the address led to another video in between',
		(sandbox) => ({ content: [CUT, otherVideo(sandbox)] }),
		'resume 302',
	),
	arrives(
		'from result_url, once the content endpoint has cut it every time',
		{ range: false, resultUrl: 'foreign', content: [CUT, CUT] },
		'all cut; all cut; all 200',
		{ ...retrying(1), halves: 2 },
	),
	failsWith(
		ENDED_EARLY,
		'and is cut every time',
		{ range: false, ...always(CUT) },
		times(3, 'all cut'),
		{
			...retrying(2),
			fields: { retryable: true, description: matching(/cut after \d+ bytes/) },
			halves: 3,
		},
	),
];

const once = (fault: string, status: number) =>
	arrives(`after ${fault}`, { content: fault }, `all ${status}; all 200`);
const PAID = matching(/rendered and paid for: download it later with Video Download/);

/** What may pass is tried again, within a limit; the paid task is never lost. */
const retries = [
	once('notCompleted', 400),
	once('notFound404', 404),
	once('retryAfter', 429),
	once('json503', 503),
	once('html520', 520),
	arrives('after no answer', { content: 'hang' }, 'all cut, left; all 200', {
		options: { timeout: 30 },
	}),
	arrives(
		'after five faults, some of them in the middle of the file',
		{ content: ['html502', 'cutAfter', 'reset', { cutAfterBytes: 9 }, 'html504'] },
		'all 502; all cut; resume cut; resume cut; resume 504; resume 206',
	),
	failsWith(
		/is not available \(HTTP 503\)/,
		'a sixth fault, with the first bytes there',
		{ content: ['html502', 'cutAfter', 'reset', 'reset', 'html504', 'json503'] },
		'all 502; all cut; resume cut; resume cut; resume 504; resume 503',
		{ fields: { status: 'SUCCESS', retryable: true, description: PAID }, halves: 1 },
	),
	failsWith(
		/does not know this address \(HTTP 404\)/,
		'404 every time',
		always('notFound404'),
		// Six more, because its task is done.
		times(12, 'all 404'),
		{ fields: { status: 'SUCCESS', http_code: 404, retryable: true, description: PAID } },
	),
	failsWith(/\(HTTP 502\)/, '502, without retries', always('html502'), 'all 502', retrying(0)),
	failsWith(/refuses the API key/, '401, at once', always('unauthorized'), 'all 401', {
		fields: { status: 'SUCCESS', http_code: 401, retryable: false, description: PAID },
	}),
	failsWith(/is out of credit/, '403, at once', always('forbidden'), 'all 403'),
];

const to = (address: string) => ({ content: { redirect: 302 as const, to: address } });
const NO_ADDRESS = /leads to no http or https address/;
const NO_LOCATION = /redirects to another address/;
const CIRCLE = /redirects more than 5 times/;

/** Where the key goes on these ways stands in keys.test.ts. */
const redirects = [
	arrives(
		'over five steps',
		{ content: { redirect: 307, to: 'foreign', hops: 5 } },
		`${times(5, 'all 307')}; all 200`,
	),
	failsWith(CIRCLE, 'in a circle', { content: 'redirectLoop' }, times(6, 'all 302')),
	failsWith(NO_ADDRESS, 'to a file', to('file:///etc/passwd'), 'all 302'),
	failsWith(NO_ADDRESS, 'to nowhere', to('http://'), 'all 302'),
	failsWith(NO_LOCATION, 'without a word where to', { content: { status: 302 } }, 'all 302'),
];

const NO = { status: 410, text: '' };
const EXPIRED = { status: 403, text: 'expired' };
const foreign = (content: Plan['content']): Plan => ({ resultUrl: 'foreign', content });
/** Video Generate does not come so far as to download. */
const onlyDownload = { options: {} };
const NEITHER =
	/Its result_url did not work either: the video's URL leads to http:\/\/localhost:\d+, which denies access to it \(HTTP 403\)/;

/** The content endpoint of the task first; its result_url where that says no. */
const addresses = [
	arrives('from the content endpoint first', { resultUrl: 'foreign' }, 'all 200'),
	arrives('from result_url, after 401', foreign('unauthorized'), 'all 401; all 200'),
	arrives(
		'from result_url, after 404 every time',
		foreign(Array(6).fill('notFound404')),
		`${times(6, 'all 404')}; all 200`,
	),
	arrives(
		'from result_url, with tries of its own',
		foreign([NO, 'html502', 'cutAfter']),
		'all 410; all 502; all cut; resume 206',
	),
	arrives(
		'from result_url, which denied access at first',
		foreign([NO, EXPIRED, NO, EXPIRED, NO]),
		'all 410; all 403; all 410; all 403; all 410; all 200',
	),
	arrives('from a URL in fail_reason', { ...foreign(NO), shape: 'oldest' }, 'all 410; all 200'),
	arrives('without a result_url', { resultUrl: 'none' }, 'all 200', onlyDownload),
	failsWith(/\(HTTP 410\)/, 'gone, and result_url is the same', always(NO), 'all 410'),
	failsWith(
		/\(HTTP 410\)/,
		'gone, and result_url says no, too',
		foreign(Array(7).fill([NO, EXPIRED]).flat()),
		times(7, 'all 410; all 403'),
		{ fields: { status: 'SUCCESS', description: matching(NEITHER) } },
	),
	failsWith(
		/the render ended in FAILURE/,
		'of a task that failed',
		{ outcome: 'FAILURE', failReason: 'Too dark' },
		'all 400',
		{
			...retrying(5),
			fields: { status: 'FAILURE', fail_reason: 'Too dark', retryable: false },
		},
	),
	failsWith(
		/the render is not finished and its task is still queued/,
		'of a task that still waits',
		{ renderMs: 3_600_000 },
		'all 400',
		{ ...retrying(0), render: { wait: 'none' }, fields: { status: 'queued', retryable: true } },
	),
];

const limit = (maxSize: number) => ({ options: { maxSize } });
const TOO_LARGE = /larger than the 1 MB that Max Size allows/;

/** Name, type and size of the file. */
const names = [
	arrives('named after an id that is a path', { oddId: true }, 'all 200', {
		fields: { file_name: matching(/^[^/\\?:]+\.mp4$/) },
	}),
	arrives('named like a path', {}, 'all 200', {
		options: { fileName: '../../etc/cron.d/ad.mp4' },
		fields: { file_name: '_.._etc_cron.d_ad.mp4' },
	}),
	arrives(
		'an MP4 that is called something else',
		{ content: { headers: { 'content-type': 'Video/WebM; codecs="vp9"' } } },
		'all 200',
		{ fields: { mime_type: 'video/mp4', file_name: matching(/^task_\w+\.mp4$/) } },
	),
	arrives('as large as allowed', { sizeBytes: MIB }, 'all 200', limit(1)),
	failsWith(/the 0\.25 MB that/, 'larger than a part of a MB', LARGE, 'all 200, left', limit(0.25)),
	failsWith(
		TOO_LARGE,
		'larger, and so at its result_url',
		{ ...LARGE, resultUrl: 'foreign' },
		'all 200, left',
		limit(1),
	),
	failsWith(
		TOO_LARGE,
		'larger, without a length',
		{ ...LARGE, content: 'noLength' },
		'all 200, left',
		{ ...limit(1), halves: 1 },
	),
	failsWith(
		TOO_LARGE,
		'larger, as its next part tells',
		{ ...LARGE, content: { noLength: true, cutAfterBytes: 1000 } },
		'all cut; resume 206, left',
		{ ...limit(1), halves: 1 },
	),
];

export const ROWS = { streams, checks, resumes, beginnings, retries, redirects, addresses, names };
