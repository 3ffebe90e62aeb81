import type { Failure } from '../shared/item/failure';
import { inMegabytes } from '../shared/service/answerLimit';
import { textLength } from '../shared/service/uploadTime';
import type { VideoJob } from './readJob';

/**
 * Bytes of all requests of a run, most of which are pictures. What waits for its submit is stored
 * anew with each chunk that is submitted.
 */
export const MAX_STORED_BYTES = 16 * 1024 ** 2;

type CrashSafeJob = Pick<VideoJob, 'wait' | 'crashSafeSubmit' | 'request'>;

/** Whether a run submits only once n8n has stored that it waits; the first item decides. */
export const isCrashSafe = (job: Pick<CrashSafeJob, 'wait'>, jobs: CrashSafeJob[]) =>
	job.wait === 'durable' && jobs[0].crashSafeSubmit;

/** Why a run cannot be stored before it is submitted, where that is so. */
export function whyNotStored(jobs: CrashSafeJob[]): Failure | undefined {
	const bytes = jobs.reduce((sum, { request }) => sum + textLength(request), 0);
	if (bytes <= MAX_STORED_BYTES) return undefined;
	return {
		message: `Crash-Safe Submit stores all requests of a run first, and these are ${inMegabytes(bytes)}, above the ${inMegabytes(MAX_STORED_BYTES)} that it can be`,
		description:
			'Nothing was submitted. Send fewer or smaller images at a time, give them as URLs to a model that opens them itself, or turn Crash-Safe Submit off.',
		retryable: false,
		next: 'changeRequest',
		source: 'input',
	};
}
