import type { IDataObject } from 'n8n-workflow';

import type { AgentJob } from '../shared/agent/videoAgent';
import { type DownloadWishes, readDownloadWishes } from '../shared/item/downloadWishes';
import type { Next } from '../shared/item/failure';
import {
	CHECK_EXPRESSION,
	checkWords,
	isExpression,
	readCarried,
	type Reader,
} from '../shared/item/reader';
import type { Run } from '../shared/item/run';
import { isObject, toText } from '../shared/lib/json';
import { type ItemLook, RENDER_STATE } from '../shared/task/render';
import { toWish } from '../shared/task/ledger';
import type { Lookups } from './lookups';
import { readRequest } from './readRequest';

const MAX_POLL_INTERVAL_S = 10;

/** A job with what its item wants done after the render. */
export interface VideoJob extends AgentJob, ItemLook, DownloadWishes {
	downloadVideo: boolean;
	/** The family of the model, as people call it. */
	family?: string;
	/** Everything but the submit. */
	dryRun: boolean;
	/** Videos that a run may submit; the smallest one counts. */
	maxVideos?: number;
	/** Requests under way at once: one number for the node, so the first job's value counts. */
	concurrency: number;
}

export async function readJob(read: Reader, run: Run, lookups: Lookups): Promise<VideoJob> {
	const { options } = read;
	const { forAgent, parameters } = run;
	checkWords(read, parameters);
	const dryRun = readDryRun(read, parameters);
	const wait = dryRun ? 'none' : (read.choice('wait') as VideoJob['wait']);
	const seconds = options.numberOrDefault('pollInterval', { above: 0 });
	// An agent can follow an unfinished task; that it is unfinished is no reason to fail.
	const onTimeout =
		forAgent && !options.isSet('onTimeout') ? 'returnTask' : options.choice('onTimeout');
	const { request, family } = await readRequest(read, lookups);
	return {
		itemIndex: read.itemIndex,
		wait,
		pollIntervalMs: seconds * 1000,
		maxPollIntervalMs: Math.max(seconds, MAX_POLL_INTERVAL_S) * 1000,
		asksSeldom: family?.asksVendor === true && !options.isSet('pollInterval'),
		maxWaitMs: options.numberOrDefault('maxWait', { above: 0 }) * 60_000,
		headStartMs: options.numberOrDefault('headStart', { min: 0 }) * 1000,
		timeOutFails: onTimeout === 'fail',
		briefly: forAgent && !options.isSet('maxWait'),
		reuseTask: options.boolean('reuseTask'),
		downloadVideo: wait !== 'none' && read.boolean('downloadVideo'),
		...readDownloadWishes(
			options,
			options.optionalText('binaryProperty').trim() || 'data',
			forAgent,
		),
		simplify: read.boolean('simplify'),
		carried: forAgent ? undefined : readCarried(read, RENDER_STATE),
		dryRun,
		maxVideos: options.number('maxVideos', { min: 0, whole: true }) || undefined,
		concurrency: Math.max(1, Math.floor(options.numberOrDefault('concurrency', { above: 0 }))),
		request,
		family: family?.label,
		wish: toWish(run, read.itemIndex),
		failedTaskId: toFailedTaskId(read.input.json),
		unclearSince: toUnclearSince(read.input.json),
	};
}

/** An expression that gives nothing, as by a wrong name of a field, would submit and pay. */
function readDryRun({ options }: Reader, { options: written }: IDataObject): boolean {
	const isNothing = !options.isSet('dryRun');
	if (isNothing && isObject(written) && isExpression(written.dryRun)) {
		options.refuse('Dry Run is empty', `Give true or false. ${CHECK_EXPRESSION}`);
	}
	return options.boolean('dryRun');
}

/** An item that has failed with a task is to be followed, also where it is sent here once more. */
function toFailedTaskId({ error }: IDataObject): string | undefined {
	return isObject(error) ? toText(error.task_id) : undefined;
}

/** One that may be paid for already is not submitted where it is sent here once more, either. */
const toUnclearSince = ({ error }: IDataObject): string | undefined =>
	isObject(error) && error.next === ('checkUsage' satisfies Next)
		? toText(error.submitted_at)
		: undefined;
