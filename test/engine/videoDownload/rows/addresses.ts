import type { Plan } from '../../../../sandbox/service';
import { arrives, failsWith } from '../row';

const NO = { status: 410, text: '' };
const foreign = (content: Plan['content']): Plan => ({ resultUrl: 'foreign', content });
/** Video Generate does not come so far as to download. */
const onlyDownload = { options: {} };

/** The content endpoint of the task first; its result_url where that says no. */
export const addresses = [
	arrives('from the content endpoint, whatever result_url says', { resultUrl: 'foreign' }, [
		'all 200',
	]),
	arrives('from result_url, after 401', foreign('unauthorized'), ['all 401', 'all 200']),
	arrives('from result_url, after 404 every time', foreign([...Array(6).fill('notFound404')]), [
		...[...Array(6).fill('all 404'), 'all 200'],
	]),
	arrives('from result_url, with tries of its own', foreign([NO, 'html502', 'cutAfter']), [
		...['all 410', 'all 502', 'all cut', 'rest 206'],
	]),
	arrives('from result_url of a vendor', { ...foreign(NO), shape: 'vendor' }, [
		'all 410',
		'all 200',
	]),
	arrives('from a URL in fail_reason', { ...foreign(NO), shape: 'oldest' }, ['all 410', 'all 200']),
	arrives('without a result_url', { resultUrl: 'none' }, ['all 200', 'all 200'], onlyDownload),
	failsWith(
		/\(HTTP 410\)/,
		'gone, and result_url is the same address',
		{ content: { always: NO } },
		['all 410'],
	),
	failsWith(
		/\(HTTP 410\)/,
		'gone, and result_url is a text',
		{ resultUrl: 'upstream did not answer', content: { always: NO } },
		['all 410', 'all 410', 'all 410'],
		onlyDownload,
	),
	failsWith(
		/\(HTTP 410\)/,
		'gone, and result_url says no, too',
		foreign([NO, { always: { status: 403, text: 'expired' } }]),
		['all 410', 'all 403'],
		{
			fields: {
				status: 'SUCCESS',
				description: expect.stringMatching(
					/Its result_url did not work either: http:\/\/localhost:\d+, .* denies access to it \(HTTP 403\)/,
				),
			},
		},
	),
	failsWith(
		/the render ended in FAILURE/,
		'of a task that failed',
		{ outcome: 'FAILURE', failReason: 'Too dark' },
		['all 400'],
		{
			options: { retries: 5 },
			fields: { status: 'FAILURE', fail_reason: 'Too dark', retryable: false },
		},
	),
	failsWith(
		/the render is not finished and its task is still queued/,
		'of a task that still waits',
		{ renderMs: 3_600_000 },
		['all 400'],
		{
			options: { retries: 0 },
			render: { wait: 'none' },
			fields: { status: 'queued', retryable: true },
		},
	),
	arrives('of an id that has to be encoded', { oddId: true }, ['all 200']),
];
