import type { Plan } from '../../../../sandbox/service';
import { failing, row, type End, type FaultRow } from '../row';

const SHAPES = ['documented', 'vendor', 'vendorFlat', 'flat', 'oldest'];
const NEVER_READY = { options: { maxWait: 0.0025 } };

const failedWith = (fail_reason: string): End =>
	failing(/^The video could not be rendered \(task [^ ]+\) \[item 0\]$/, {
		status: 'FAILURE',
		fail_reason,
		retryable: false,
	});
const noReason = failing(/^The video could not be rendered \(task /, {
	description:
		'The service gave no reason. Services of this kind give the money for a failed render back: their usage page tells. Change the prompt or the image and run it again: that is a new task, which is billed.',
});
const noVideo = failing(/^The service reports SUCCESS but gives no link to the video \(task /, {
	status: 'SUCCESS',
	retryable: false,
});

const says = (words: Plan['words'], end: End = 'SUCCESS', more?: Partial<FaultRow>) =>
	row(`words: ${JSON.stringify(words)}`, { words }, end, more);

const urlOf = (resultUrl: string) =>
	row(`url: result_url is ${resultUrl}`, { renderMs: 0, resultUrl }, 'SUCCESS');

/** The film itself is asked for before it is called missing. */
const noFilm = (resultUrl: string) => {
	const content = { always: { status: 502, json: { error: { message: 'No film' } } } };
	return row(
		`url: result_url is ${resultUrl}, no film either`,
		{ renderMs: 0, resultUrl, content },
		noVideo,
	);
};

export const shapes: FaultRow[] = [
	...SHAPES.flatMap((shape) => [
		row(`shape: ${shape}, SUCCESS`, { shape }, 'SUCCESS'),
		row(
			`shape: ${shape}, FAILURE`,
			{ shape, outcome: 'FAILURE', failReason: 'Too dark' },
			failedWith('Too dark'),
		),
	]),
	row('shape: another one each time', { shape: SHAPES, renderMs: 200 }, 'SUCCESS'),
	row('failure: without a reason', { outcome: 'FAILURE', failReason: null }, noReason),
	row('failure: with an empty reason', { outcome: 'FAILURE', failReason: ' ' }, noReason),
	row('progress: a number', { progress: 'number' }, 'SUCCESS'),
	row('progress: absent', { progress: 'absent' }, 'SUCCESS'),
	row('progress: goes down', { progress: 'falling' }, 'SUCCESS'),
	row(
		'progress: 100% on FAILURE',
		{ outcome: 'FAILURE', failReason: 'Too dark', progress: 'number' },
		failedWith('Too dark'),
	),
	row('outcome: SUCCESS without a video', { outcome: 'filtered' }, noVideo),
	...['localhost', 'foreign', '', 'The prompt was filtered', 'ftp://example.com/video.mp4'].map(
		urlOf,
	),
	...['', 'The prompt was filtered', 'ftp://example.com/video.mp4'].map(noFilm),
	says({ queued: 'NOT_START', IN_PROGRESS: 'SUBMITTED' }),
	says({ queued: 'QUEUED', IN_PROGRESS: 'UNKNOWN' }),
	says({ queued: '', IN_PROGRESS: 'processing', SUCCESS: 'completed' }),
	says({ queued: 'pending', IN_PROGRESS: 'running', SUCCESS: 'succeeded' }),
	says({ queued: 'pending', IN_PROGRESS: 'in_progress', SUCCESS: ' Success ' }),
	says({ queued: 'WARMING_UP', IN_PROGRESS: 'successful_start' }),
	says({ queued: null, IN_PROGRESS: 7 }),
	says({ queued: {}, IN_PROGRESS: ['SUCCESS'] }),
	says({ SUCCESS: 'toString' }, failing(/not ready within/, { status: 'IN_PROGRESS' }), {
		parameters: NEVER_READY,
	}),
	row(
		'words: names that every object has',
		// A render that is not ready, however late a busy machine sends the first poll.
		{ words: { queued: 'constructor', IN_PROGRESS: '__proto__' }, renderMs: 600_000 },
		'IN_PROGRESS',
		{ parameters: { options: { maxWait: 0.0001, onTimeout: 'returnTask' } } },
	),
	...['failed', 'FAILED', 'cancelled', 'expired', 'failure'].map((word) =>
		row(
			`words: ${word}`,
			{ words: { FAILURE: word }, outcome: 'FAILURE', failReason: 'Too dark' },
			failedWith('Too dark'),
		),
	),
];
