import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { isFailed, toOutput, type ItemResult } from '../shared/item/output';
import { openRun, type Run } from '../shared/item/run';
import { attempt, runItems } from '../shared/item/runItems';
import { createLimiter } from '../shared/lib/limiter';
import type { Connection } from '../shared/service/connection';
import { sendPaid } from '../shared/service/paid';
import type { NoText } from '../shared/service/textApi';
import { toRequestFailure } from '../shared/text/textFailure';
import { addHints } from './addHints';
import { askModel } from './askModel';
import { generateContentFields } from './fields';
import { readJob, type TextJob } from './readJob';
import { createSpeaker, type Speaker } from './sayWords';
import { toTextResult } from './toTextResult';

/** How asking once ended; `answered` is judged, and nothing about it is tried again. */
type Asked = NoText | { kind: 'answered'; result: ItemResult | undefined };

/** All items of the node: read and check, ask, and give one item for each. */
export async function generateTexts(context: IExecuteFunctions): Promise<INodeExecutionData[]> {
	const run = openRun(context, 'nativeTextApi', generateContentFields);
	const { results } = await runItems(run, readJob, openTexts);
	addHints(run, results);
	return toOutput(run, results);
}

function openTexts(run: Run, connection: Connection, jobs: TextJob[]) {
	const sending = { ...run, limiter: createLimiter(jobs[0].concurrency, run.signal) };
	/** Within the place of the request, so that a failing item is known before anybody else may ask. */
	const askOnce = async (job: TextJob, speaker?: Speaker): Promise<Asked> => {
		let noText: NoText | undefined;
		const result = await attempt(run, job.itemIndex, async () => {
			const end = await askModel(job, speaker, run, connection);
			if (end.kind === 'answered') return await toTextResult(run, job, end.answer);
			noText = end;
			return undefined;
		});
		return noText ?? { kind: 'answered', result };
	};
	/** Asks until there is an answer or a clear end. */
	const ask = async (job: TextJob, speaker?: Speaker): Promise<ItemResult | undefined> => {
		const send = async () => await askOnce(job, speaker);
		const end = await sendPaid(send, sending, ({ kind }) => {
			if (kind !== 'answered') run.onFailure();
		});
		if (!end) return undefined;
		return end.kind === 'answered' ? end.result : { failure: toRequestFailure(end) };
	};
	/** One item: what it says goes to whoever listens, and at the end whether it went well. */
	const generate = async (job: TextJob): Promise<ItemResult | undefined> => {
		const speaker = createSpeaker(run, job);
		const result = await ask(job, speaker);
		await speaker?.finish(result);
		// A request that was cut off by Stop has no result, rather than a bad one.
		return result && isFailed(result) && run.stop.aborted ? undefined : result;
	};
	return { work: generate };
}
