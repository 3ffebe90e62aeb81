import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { toInputFailure } from '../shared/item/failure';
import { isFailed, toOutput, type ItemResult } from '../shared/item/output';
import { openRun, type Run } from '../shared/item/run';
import { runItems } from '../shared/item/runItems';
import { createLimiter } from '../shared/lib/limiter';
import { sendPaid, type PaidSending } from '../shared/service/paid';
import type { Connection } from '../shared/service/connection';
import type { NoText } from '../shared/service/textApi';
import { toRequestFailure } from '../shared/text/textFailure';
import { addHints } from './addHints';
import { askModel, type Asking } from './askModel';
import { generateContentFields } from './fields';
import { readJob, type TextJob } from './readJob';
import { createSpeaker, type Speaker } from './sayWords';
import { toTextResult } from './toTextResult';

/** What generating asks of the world. */
interface Generating extends Asking, PaidSending {
	run: Run;
}

/** How asking ended: `answered` is over and judged, whether there is a text or something was thrown. */
type Ended = { kind: 'answered'; result: ItemResult } | NoText;

/** All items of the node: read and check, ask, and give one item for each. */
export async function generateTexts(context: IExecuteFunctions): Promise<INodeExecutionData[]> {
	const run = openRun(context, 'nativeTextApi', generateContentFields);
	const { results } = await runItems(run, readJob, openTexts);
	addHints(run, results);
	return toOutput(run, results);
}

function openTexts(run: Run, connection: Connection, jobs: TextJob[]) {
	const { clock, maxPauseMs } = run;
	const limiter = createLimiter(jobs[0].concurrency, run.signal);
	const generating = { run, connection, clock, maxPauseMs, limiter };
	return { work: async (job: TextJob) => await generate(job, generating) };
}

/** One item: what it says goes to whoever listens, and at the end whether it went well. */
async function generate(job: TextJob, generating: Generating): Promise<ItemResult | undefined> {
	const { run, connection } = generating;
	const speaker = createSpeaker(run, job, connection.redactPieces());
	const result = await ask(job, speaker, generating);
	await speaker?.finish(result);
	// A request that was cut off by Stop has no result, rather than a bad one.
	return result && isFailed(result) && run.stop.aborted ? undefined : result;
}

/** Asks until there is an answer or a clear end. A failing one is told before anybody else may ask. */
async function ask(
	job: TextJob,
	speaker: Speaker | undefined,
	generating: Generating,
): Promise<ItemResult | undefined> {
	const { run } = generating;
	const send = async (): Promise<Ended> => {
		try {
			const end = await askModel(job, speaker, generating);
			if (end.kind !== 'answered') return end;
			return { kind: 'answered', result: await toTextResult(run, job, end.answer) };
		} catch (error) {
			return { kind: 'answered', result: { failure: toInputFailure(error) } };
		}
	};
	const end = await sendPaid(send, generating, (last) => {
		if (isFailed(toResult(last))) run.onFailure();
	});
	return end && toResult(end);
}

const toResult = (end: Ended): ItemResult =>
	end.kind === 'answered' ? end.result : { failure: toRequestFailure(end) };
