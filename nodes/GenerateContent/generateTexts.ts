import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { toInputFailure } from '../shared/item/failure';
import { isFailed, type ItemResult, toOutput } from '../shared/item/output';
import type { Reader } from '../shared/item/reader';
import { openRun, type Run } from '../shared/item/run';
import { attempt, runItems } from '../shared/item/runItems';
import { createLimiter } from '../shared/lib/turns';
import type { Connection } from '../shared/service/connection';
import { sendPaid } from '../shared/service/paid';
import type { NoText } from '../shared/service/textApi';
import { toRequestFailure } from '../shared/text/textFailure';
import { addHints } from './addHints';
import { askModel } from './askModel';
import { generateContentFields } from './fields';
import { openAnswers } from './keepAnswers';
import { readJob, type TextJob } from './readJob';
import { type Listener, openSpeaking, type Speaking } from './speakInTurn';
import { toTextResult } from './toTextResult';

/** How asking once ended; `answered` is judged, and nothing about it is tried again. */
type Asked = NoText | { kind: 'answered'; result: ItemResult | undefined };

/** All items of the node: read and check, ask, and give one item for each. */
export async function generateTexts(context: IExecuteFunctions): Promise<INodeExecutionData[]> {
	const run = openRun(context, 'nativeTextApi', generateContentFields);
	const speaking = openSpeaking(run);
	const read = async (reader: Reader) =>
		await readJob(reader, run).catch(async (refusal: unknown) => {
			await speaking.end(reader.itemIndex, { failure: toInputFailure(refusal) });
			throw refusal;
		});
	const { results, opened } = await runItems(run, read, (...all) => openTexts(...all, speaking));
	await speaking.close(results);
	opened?.answers.leave(results);
	addHints(run, results, opened?.answers.countReused());
	try {
		return toOutput(run, results);
	} catch (error) {
		throw speaking.toToldError(error);
	}
}

function openTexts(run: Run, connection: Connection, jobs: TextJob[], speaking: Speaking) {
	const sending = { ...run, limiter: createLimiter(jobs[0].concurrency, run.signal) };
	const answers = openAnswers(run, connection.baseUrl);
	/** Within the place of the request, so that a failing item is known before anybody else may ask. */
	const askOnce = async (job: TextJob, listener?: Listener): Promise<Asked> => {
		let noText: NoText | undefined;
		const result = await attempt(run, job.itemIndex, async () => {
			const end = await askModel(job, listener, run, connection);
			if (end.kind === 'answered') return await toTextResult(run, job, end.answer);
			noText = end;
			return undefined;
		});
		return noText ?? { kind: 'answered', result };
	};
	/** Asks until there is an answer or a clear end. */
	const ask = async (job: TextJob, listener?: Listener): Promise<ItemResult | undefined> => {
		const send = async () => await askOnce(job, listener);
		const end = await sendPaid(send, sending, ({ kind }) => {
			if (kind !== 'answered') run.onFailure();
		});
		if (!end) return undefined;
		return end.kind === 'answered' ? end.result : { failure: toRequestFailure(end) };
	};
	/** One item: what it says goes to whoever listens, and at the end whether it went well. */
	const generate = async (job: TextJob): Promise<ItemResult | undefined> => {
		const { itemIndex } = job;
		const listener = speaking.listenerOf(job);
		const known = answers.find(job);
		const result = known ?? (await attempt(run, itemIndex, async () => await ask(job, listener)));
		// What an earlier try has brought has been said then.
		await speaking.end(itemIndex, known ? undefined : result);
		if (result && !known) answers.keep(job, result);
		// A request that was cut off by Stop has no result, rather than a bad one.
		return result && isFailed(result) && run.stop.aborted ? undefined : result;
	};
	return { work: generate, answers };
}
