import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { isFailed, type ItemResult, type Results, toOutput } from '../shared/item/output';
import type { Reader } from '../shared/item/reader';
import { openRun, type Run } from '../shared/item/run';
import { attempt, runItems } from '../shared/item/runItems';
import { createLimiter } from '../shared/lib/turns';
import type { Connection } from '../shared/service/connection';
import { sendPaid } from '../shared/service/paid';
import type { NoText } from '../shared/service/textApi';
import { isWhole } from '../shared/text/reasons';
import { buildRequest } from '../shared/text/request';
import { askText } from '../shared/text/askText';
import { toRequestFailure } from '../shared/text/textFailure';
import { type Listener, openChat } from './chat';
import { generateContentFields } from './fields';
import { loadFiles, loadTurns } from './files';
import { addHints } from './hints';
import { readJob, type TextJob } from './readJob';
import { toTextResult } from './textResult';

/** How one request ended; an `answered` one is already judged, and is never tried again. */
type Asked = NoText | { kind: 'answered'; result: ItemResult | undefined };

/** Processes all items: reads and checks them, asks the model, returns the items of the output. */
export async function generateTexts(context: IExecuteFunctions): Promise<INodeExecutionData[]> {
	const run = openRun(context, 'nativeTextApi', generateContentFields);
	const chat = openChat(run);
	const answers = openAnswers(run);
	const read = async (reader: Reader) => {
		if (!reader.boolean('streamResponse')) chat.hush(reader.itemIndex);
		return await readJob(reader, run);
	};
	const { results } = await runItems(run, read, (_run, connection, jobs) => {
		const ask = openAsking(run, connection, jobs[0].concurrency);
		const work = async (job: TextJob): Promise<ItemResult | undefined> => {
			const known = answers.find(job);
			if (known) return known;
			const result = await ask(job, chat.listenerOf(job.itemIndex));
			if (result) answers.keep(job, result);
			// A request that Stop cut off has no result, rather than a failing one.
			return result && isFailed(result) && run.stop.aborted ? undefined : result;
		};
		return { work };
	});
	await chat.close(results);
	answers.close(results);
	addHints(run, results, answers.countReused());
	try {
		return toOutput(run, results);
	} catch (error) {
		throw chat.toToldError(error);
	}
}

/** Returns a function that asks until there is an answer or a clear end. */
function openAsking(run: Run, connection: Connection, concurrency: number) {
	const sending = { ...run, limiter: createLimiter(concurrency, run.signal) };
	/**
	 * Asks once. The answer is streamed only if somebody listens, because a stream can break off
	 * half-way, paid for. The answer is judged before the request gives up its place, so that a
	 * failing item is known before another request starts.
	 */
	const askOnce = async (job: TextJob, listener?: Listener): Promise<Asked> => {
		let noText: NoText | undefined;
		const result = await attempt(run, job.itemIndex, async () => {
			// The files are loaded for each try, and released after it.
			const { model, timeoutMs, wish, files, turnFiles } = job;
			const turns = await loadTurns(run.context, wish.turns, turnFiles);
			const body = buildRequest({ ...wish, turns }, await loadFiles(run.context, files));
			const question = { model, body, timeoutMs, signal: run.stop };
			const end = await askText(connection, question, listener);
			if (end.kind === 'answered') return await toTextResult(run, job, end.answer);
			noText = end;
			return undefined;
		});
		return noText ?? { kind: 'answered', result };
	};
	return async (job: TextJob, listener?: Listener): Promise<ItemResult | undefined> => {
		const send = async () => await askOnce(job, listener);
		const end = await sendPaid(send, sending, ({ kind }) => {
			if (kind !== 'answered') run.onFailure();
		});
		if (!end) return undefined;
		return end.kind === 'answered' ? end.result : { failure: toRequestFailure(end) };
	};
}

/** The answers of one run of a node, by item. */
interface Kept {
	runIndex: number;
	results: Map<number, ItemResult>;
}

/** Keyed by the object that n8n gives a node in an execution: all its tries get the same one. */
const keptOf = new WeakMap<object, Kept>();

/**
 * Keeps complete answers for the next try of Retry On Fail, in the memory of the process. An item
 * is known by its run and place, whatever its expressions give now. Nothing is reused for an agent:
 * whatever it asks for, it wants anew.
 */
function openAnswers({ context, forAgent, stop }: Run) {
	const node = forAgent ? {} : context.getContext('node');
	const runIndex = forAgent ? 0 : (context.getWorkflowDataProxy(0).$runIndex as number);
	const earlier = keptOf.get(node);
	const results = earlier?.runIndex === runIndex ? earlier.results : new Map<number, ItemResult>();
	let reused = 0;
	return {
		find({ itemIndex, reuseAnswers }: TextJob): ItemResult | undefined {
			const result = reuseAnswers ? results.get(itemIndex) : undefined;
			if (result) reused++;
			return result;
		},
		keep({ itemIndex }: TextJob, result: ItemResult) {
			if (isFailed(result) || !isWhole(String(result.json.finishReason))) return;
			results.set(itemIndex, result);
		},
		close(all: Results) {
			const isTriedAgain = context.getNode().retryOnFail && !stop.aborted;
			const hasFailed = all.some((result) => result && isFailed(result));
			if (isTriedAgain && hasFailed) keptOf.set(node, { runIndex, results });
			else keptOf.delete(node);
		},
		countReused: () => reused,
	};
}
