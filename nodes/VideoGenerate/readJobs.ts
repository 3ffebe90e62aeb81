import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import type { Failure } from '../shared/item/failure';
import { isTool } from '../shared/item/isTool';
import { toInputFailure } from '../shared/item/output';
import { numberOption } from '../shared/item/parameters';
import type { RenderJob } from '../shared/task/render';
import { buildRequest } from './buildRequest';

const DEFAULT_POLL_INTERVAL_S = 5;
const MAX_POLL_INTERVAL_S = 10;
const DEFAULT_MAX_WAIT_MIN = 30;
const DEFAULT_CONCURRENCY = 10;

/** A job with what its item wants done after the render. */
export interface VideoJob extends RenderJob {
	timeOutFails: boolean;
	/** An agent asked, and nobody has set how long it may wait. */
	briefly: boolean;
	reuseTask: boolean;
	downloadVideo: boolean;
	binaryProperty: string;
	simplify: boolean;
	/** Requests under way at once: one number for the node, so the first job's value counts. */
	concurrency: number;
}

/** Reads every item before the first is submitted, so that a typo costs nothing. */
export async function readJobs(context: IExecuteFunctions): Promise<Array<VideoJob | Failure>> {
	const jobs: Array<VideoJob | Failure> = [];
	for (let itemIndex = 0; itemIndex < context.getInputData().length; itemIndex++) {
		try {
			jobs.push(await readJob(context, itemIndex));
		} catch (error) {
			jobs.push(toInputFailure(error));
		}
	}
	return jobs;
}

export const isJob = (entry: VideoJob | Failure): entry is VideoJob => 'request' in entry;

async function readJob(context: IExecuteFunctions, itemIndex: number): Promise<VideoJob> {
	const options = context.getNodeParameter('options', itemIndex, {}) as IDataObject;
	const tool = isTool(context);
	const waitForCompletion = context.getNodeParameter(
		'waitForCompletion',
		itemIndex,
		true,
	) as boolean;
	const number = (name: string, label: string, fallback: number) =>
		numberOption(context, itemIndex, options, { name, label, fallback });
	const seconds = number('pollInterval', 'Poll Interval', DEFAULT_POLL_INTERVAL_S);
	const minutes = number('maxWait', 'Max Wait', DEFAULT_MAX_WAIT_MIN);
	const headStart = numberOption(context, itemIndex, options, {
		name: 'headStart',
		label: 'Head Start',
		fallback: 0,
		mayBeZero: true,
	});
	const durable = context.getNodeParameter('waitMode', itemIndex, 'inProcess') === 'durable';
	const concurrency = number('concurrency', 'Batch Concurrency', DEFAULT_CONCURRENCY);
	return {
		itemIndex,
		request: await buildRequest(context, itemIndex),
		pollIntervalMs: seconds * 1000,
		maxPollIntervalMs: Math.max(seconds, MAX_POLL_INTERVAL_S) * 1000,
		maxWaitMs: minutes * 60_000,
		waitForCompletion,
		headStartMs: waitForCompletion && durable ? headStart * 1000 : undefined,
		// An agent can follow an unfinished task; that it is unfinished is no reason to fail.
		timeOutFails: (options.onTimeout ?? (tool ? 'returnTask' : 'fail')) !== 'returnTask',
		briefly: tool && (options.maxWait ?? '') === '',
		reuseTask: options.reuseTask !== false,
		downloadVideo:
			waitForCompletion && (context.getNodeParameter('downloadVideo', itemIndex, false) as boolean),
		binaryProperty: String(options.binaryProperty ?? '').trim() || 'data',
		simplify: context.getNodeParameter('simplify', itemIndex, true) as boolean,
		concurrency: Math.max(1, Math.floor(concurrency)),
	};
}
