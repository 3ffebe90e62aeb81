import type { IExecuteFunctions, IRunExecutionData } from 'n8n-workflow';

import { isUnsubmitted, readBatch, type BatchVideo, type UnsubmittedVideo } from './sleepingVideo';
import { RENDERS_STEP, SUBMIT_STEP, UNSUBMITTED_START } from './workflows';

/** What n8n's database holds of an execution; `undefined` where it cannot be read now. */
async function readStored(
	context: IExecuteFunctions,
	executionId: string,
): Promise<IRunExecutionData | undefined> {
	try {
		return await context.getExecutionDataById(executionId);
	} catch {
		return undefined;
	}
}

const topOfStack = (data?: IRunExecutionData) => data?.executionData?.nodeExecutionStack[0];

/**
 * Whether n8n has stored that the Keeper waits for this execution, and the caller for the Keeper:
 * only what is submitted after that is never lost. `undefined`: not yet, or it cannot be read now.
 * `false`, for good, once n8n has resumed the Keeper, also where it took this execution for dead by
 * mistake, and once somebody has stopped the caller.
 */
export async function isWaitedFor(
	context: IExecuteFunctions,
	{ keeperId = '', callerId }: UnsubmittedVideo,
): Promise<boolean | undefined> {
	const [keeper, caller] = await Promise.all([
		readStored(context, keeperId),
		readStored(context, callerId),
	]);
	if (caller?.resultData.error !== undefined) return false;
	// Before the Keeper waits again, what it waited for earlier is stored.
	const isKept = isParkedOn(keeper, context.getExecutionId());
	if (isKept && isHandedOver(keeper)) return false;
	return (isKept && isParkedOn(caller, keeperId)) || undefined;
}

const isParkedOn = (data: IRunExecutionData | undefined, childId: string): boolean =>
	data?.waitTill !== undefined &&
	topOfStack(data)?.metadata?.waitingChildExecutionIds?.includes(childId) === true;

/** n8n puts the end of what was waited for in place of the items that the node had. */
function isHandedOver(keeper: IRunExecutionData | undefined): boolean {
	const top = topOfStack(keeper);
	const given = readBatch(top?.data?.main?.[0] ?? []);
	const isOwn = (video: BatchVideo) => isUnsubmitted(video) && video.keeperId === undefined;
	return top?.metadata?.resumeError !== undefined || !given.some(isOwn);
}

/** Whether n8n has stored so many passes of the Submitter: it goes on where it could not. */
export async function hasStoredPasses(
	context: IExecuteFunctions,
	passes: number,
): Promise<boolean> {
	const own = await readStored(context, context.getExecutionId());
	return own?.resultData.runData[SUBMIT_STEP]?.length === passes;
}

/** The sub-execution that this Keeper has waited for last. */
export async function readLastChildId(context: IExecuteFunctions): Promise<string | undefined> {
	const keeper = await readStored(context, context.getExecutionId());
	const runs = keeper?.resultData.runData[RENDERS_STEP];
	return runs?.at(-1)?.metadata?.waitingChildExecutionIds?.[0];
}

/**
 * The videos as a Submitter has left them, by what n8n has stored of it. That is later than what
 * n8n hands over: an error, or something older. `undefined` where it cannot be known.
 *
 * @param given what the Submitter was given
 */
export async function readSubmitter(
	context: IExecuteFunctions,
	submitterId: string | undefined,
	given: BatchVideo[],
): Promise<BatchVideo[] | undefined> {
	const stored = submitterId === undefined ? undefined : await readStored(context, submitterId);
	if (!stored) return undefined;
	const passes = stored.resultData.runData[SUBMIT_STEP] ?? [];
	for (const { data } of [...passes].reverse()) {
		const videos = readBatch((data?.main ?? []).flatMap((items) => items ?? []));
		if (videos.length > 0) return videos;
	}
	// Of an execution whose worker died, n8n can erase all: then nobody knows what had begun.
	const isWhole =
		stored.resultData.runData[UNSUBMITTED_START] !== undefined ||
		topOfStack(stored)?.node.name === UNSUBMITTED_START;
	return isWhole ? given : undefined;
}
