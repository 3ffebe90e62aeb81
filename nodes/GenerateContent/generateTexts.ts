import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { connect } from '../shared/item/connect';
import { maxPauseMs } from '../shared/item/isTool';
import {
	isFailed,
	stopsOnFailure,
	toInputFailure,
	toOutput,
	type ItemResult,
} from '../shared/item/output';
import { createLimiter } from '../shared/lib/limiter';
import { createWait } from '../shared/lib/pause';
import { generateText, type GenerateTools } from '../shared/text/generateText';
import { buildRequest } from '../shared/text/request';
import { toRequestFailure } from '../shared/text/textFailure';
import { addHints } from './addHints';
import { createAsk, type Ask } from './askModel';
import { loadFiles } from './readFiles';
import { isJob, readJobs, type TextJob } from './readJobs';
import { createSpeaker, type Speaker } from './sayWords';
import { toTextResult } from './toTextResult';

/** All items of the node: read and check, ask, and give one item for each. */
export async function generateTexts(context: IExecuteFunctions): Promise<INodeExecutionData[]> {
	const entries = readJobs(context);
	const results: Array<ItemResult | undefined> = entries.map((entry) =>
		isJob(entry) ? undefined : { failure: entry },
	);
	const badInput = results.some((result) => result !== undefined);
	const jobs = entries.filter(isJob);
	// In the default mode bad input ends the node before the first request.
	if (jobs.length > 0 && !(badInput && stopsOnFailure(context))) {
		const generated = await generateJobs(context, jobs);
		jobs.forEach(({ itemIndex }, i) => (results[itemIndex] = generated[i]));
	}
	addHints(context, results);
	return toOutput(context, results);
}

/** In the default mode the first failure ends the run: nothing new is sent after it. */
async function generateJobs(
	context: IExecuteFunctions,
	jobs: TextJob[],
): Promise<Array<ItemResult | undefined>> {
	const connection = await connect(context, 'nativeTextApi');
	if ('failure' in connection) return jobs.map(() => connection);
	const ask = createAsk(context, connection);
	const halt = new AbortController();
	const stop = context.getExecutionCancelSignal();
	const signal = stop ? AbortSignal.any([stop, halt.signal]) : halt.signal;
	const tools: GenerateTools = {
		limiter: createLimiter(jobs[0].concurrency),
		wait: createWait(signal),
		signal,
		random: Math.random,
		maxPauseMs: maxPauseMs(context),
	};
	return await Promise.all(
		jobs.map(async (job) => {
			const speaker = createSpeaker(context, job, connection.redactPieces());
			const result = await generateItem(context, job, tools, { ask, speaker });
			await speaker?.finish(result);
			// A request that was cut off by Stop has no result, rather than a bad one.
			if (!result || !isFailed(result)) return result;
			if (stop?.aborted) return undefined;
			if (stopsOnFailure(context)) halt.abort();
			return result;
		}),
	);
}

async function generateItem(
	context: IExecuteFunctions,
	job: TextJob,
	tools: GenerateTools,
	{ ask, speaker }: { ask: Ask; speaker: Speaker | undefined },
): Promise<ItemResult | undefined> {
	const { itemIndex, wish, files } = job;
	try {
		const result = await generateText(async () => {
			const body = buildRequest(wish, await loadFiles(context, itemIndex, files));
			return await ask(job, body, speaker);
		}, tools);
		if (!result) return undefined;
		if (result.kind === 'answered') return await toTextResult(context, job, result.answer);
		return { failure: toRequestFailure(result, itemIndex) };
	} catch (error) {
		return { failure: toInputFailure(error) };
	}
}
