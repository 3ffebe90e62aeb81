import type { RequestRecord } from '../../../../sandbox/service';
import { failing, row, type FaultRow } from '../row';

const isUnderWay = (path: RegExp) => (requests: RequestRecord[]) =>
	requests.some((request) => path.test(request.path));
const isAnsweredWith = (status: number) => (requests: RequestRecord[]) =>
	requests.some((request) => request.status === status);

const POLL = /generations\/.+/;
const LATER = { status: 429, text: '', headers: { 'retry-after': '60' } };
const unclear = failing(/^The video may or may not have been accepted/, { retryable: false });

/** Stop at each stage: what is paid for stays known, and nothing is submitted any more. */
export const stops: FaultRow[] = [
	row('stop: a submit is under way and answers soon', { submit: { delayMs: 300 } }, 'queued', {
		stopWhen: isUnderWay(/generations$/),
		looks: 0,
	}),
	row('stop: a submit is under way and never answers', { submit: 'acceptThenHang' }, unclear, {
		stopWhen: isUnderWay(/generations$/),
	}),
	row('stop: a refused submit waits for its next try', { submit: { always: LATER } }, 'no item', {
		stopWhen: isAnsweredWith(429),
		paid: 0,
	}),
	row('stop: polling sleeps', { poll: [LATER] }, 'queued', {
		stopWhen: isAnsweredWith(429),
		looks: 1,
	}),
	row('stop: a poll is under way', { poll: 'hang' }, 'queued', {
		stopWhen: isUnderWay(POLL),
		looks: 1,
	}),
	row('stop: a download is under way', { renderMs: 0, content: 'stall' }, 'SUCCESS', {
		parameters: { downloadVideo: true },
		stopWhen: isUnderWay(/content$/),
	}),
	row(
		'stop: a failed download waits for its next try',
		{ renderMs: 0, content: LATER },
		'SUCCESS',
		{
			parameters: { downloadVideo: true },
			stopWhen: isAnsweredWith(429),
		},
	),
	{
		fault: 'stop: one is done, one renders, one is unclear',
		plans: [
			{ renderMs: 0 },
			{ outcome: 'never', poll: ['ok', 'ok', LATER] },
			{ submit: 'acceptThenHang' },
		],
		ends: ['SUCCESS', 'IN_PROGRESS', unclear],
		stopWhen: isAnsweredWith(429),
	},
	row(
		'stop: with Retry On Fail, and the first item unclear',
		{ submit: 'acceptThenHang' },
		unclear,
		{
			settings: { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 },
			stopWhen: isUnderWay(/generations$/),
		},
	),
];
