import type { IExecuteFunctions } from 'n8n-workflow';

import { isEnded, type BatchVideo } from './sleepingVideo';

/**
 * Whether the execution that waits for these videos was stopped or deleted. n8n does not end the
 * sub-executions of a sleeping execution with it, but writes its reason into the stored data.
 */
export async function isCallerGone(
	context: IExecuteFunctions,
	videos: BatchVideo[],
): Promise<boolean> {
	const sleeping = videos.find((video) => !isEnded(video));
	if (!sleeping || isEnded(sleeping)) return false;
	try {
		const data = await context.getExecutionDataById(sleeping.callerId);
		return data === undefined || data.resultData.error !== undefined;
	} catch {
		// Not known is not gone: a look costs nothing, a lost video does.
		return false;
	}
}
