import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { toItemName } from '../shared/item/failure';
import { isFailed, type ItemResult, type Results, toOutput } from '../shared/item/output';
import { openRun, type Run } from '../shared/item/run';
import { attempt, runItems } from '../shared/item/runItems';
import { isObject } from '../shared/lib/json';
import { createLimiter } from '../shared/lib/turns';
import { sendPaid } from '../shared/service/paid';
import type { NoText } from '../shared/service/textApi';
import { askText } from '../shared/text/askText';
import { explain, isWhole } from '../shared/text/reasons';
import { countUsage } from '../shared/text/response';
import { toRequestFailure } from '../shared/text/textFailure';
import { openChat } from './chat';
import { generateContentFields } from './fields';
import { loadFiles } from './files';
import { readJob, type TextJob } from './readJob';
import { toTextResult } from './textResult';

const REQUESTS_AT_ONCE = 5;

export async function generateTexts(context: IExecuteFunctions): Promise<INodeExecutionData[]> {
	const run = openRun(context, 'geminiCompatibleApi', generateContentFields);
	const chat = openChat(run);
	const answers = openAnswers(run);
	const { results } = await runItems(run, readJob, (_run, connection) => {
		const limiter = createLimiter(REQUESTS_AT_ONCE, run.signal);
		/**
		 * Asks once. Judges the answer before the request gives up its place, so that a failing item is
		 * known before another request starts. An answer that came is never asked for again.
		 */
		const ask = async (job: TextJob) => {
			let noText: NoText | undefined;
			const result = await attempt(run, job.itemIndex, async () => {
				const { itemIndex, model, timeoutMs, mimeTypes } = job;
				// The files are loaded for each try, so that they take no memory between tries.
				const body = await loadFiles(context, itemIndex, job.body, mimeTypes);
				const question = { model, body, timeoutMs, signal: run.stop };
				const end = await askText(connection, question, chat.listener);
				if (end.kind === 'answered') return await toTextResult(run, job, end.answer);
				noText = end;
				return undefined;
			});
			return noText ?? { kind: 'answered' as const, result };
		};
		const work = async (job: TextJob): Promise<ItemResult | undefined> => {
			const known = answers.find(job.itemIndex);
			if (known) return known;
			const end = await sendPaid(
				async () => await ask(job),
				{ ...run, limiter },
				({ kind }) => {
					if (kind !== 'answered') run.onFailure();
				},
			);
			if (!end) return undefined;
			const result = end.kind === 'answered' ? end.result : { failure: toRequestFailure(end) };
			// A request that Stop cut off has no result, rather than a failing one.
			return isFailed(result) && run.stop.aborted ? undefined : result;
		};
		return { work };
	});
	answers.close(results);
	await chat.close(results);
	addHints(run, results, answers.countReused());
	try {
		return toOutput(run, results);
	} catch (error) {
		throw chat.toToldError(error);
	}
}

/** The answers of a run, by the object that n8n gives to all tries of a node in an execution. */
const keptOf = new WeakMap<object, { runIndex: number; results: Map<number, ItemResult> }>();

/**
 * Keeps answers for the next try of Retry On Fail, in the memory of the process. An answer
 * belongs to the item at its place in its run, even if expressions give other values now. An agent
 * gets no earlier answer: whatever it asks for, it wants anew.
 */
function openAnswers({ context, forAgent, stop, runIndex }: Run) {
	const node = forAgent ? {} : context.getContext('node');
	const earlier = keptOf.get(node);
	const known = earlier?.runIndex === runIndex ? earlier.results : new Map<number, ItemResult>();
	let reused = 0;
	return {
		find(itemIndex: number): ItemResult | undefined {
			const result = known.get(itemIndex);
			if (result) reused++;
			return result;
		},
		close(results: Results) {
			const isTriedAgain = context.getNode().retryOnFail && !stop.aborted;
			keptOf.delete(node);
			if (!isTriedAgain || !results.some(isFailed)) return;
			for (const [itemIndex, result] of results.entries()) {
				if (result && !isFailed(result)) known.set(itemIndex, result);
			}
			keptOf.set(node, { runIndex, results: known });
		},
		countReused: () => reused,
	};
}

/** Shows in the editor how many tokens the answers took, and which answers are incomplete. */
export function addHints({ report, redaction }: Run, results: Results, reused = 0): void {
	const usage = describeUsages(results, reused);
	if (usage !== undefined) report.hint(usage, 'info');
	const cutOff = new Map<string, number[]>();
	for (const [itemIndex, result] of results.entries()) {
		if (!result || isFailed(result)) continue;
		// The editor shows hints as HTML, so only a word of the protocol may go into one.
		const reason = redaction.redact(String(result.json.finishReason)).replace(/\W/g, '');
		if (isWhole(reason)) continue;
		const items = cutOff.get(reason);
		if (items) items.push(itemIndex);
		else cutOff.set(reason, [itemIndex]);
	}
	for (const [reason, [first, ...more]] of cutOff) {
		const { because, advice } = explain(reason);
		const why = because || ` (finishReason ${reason.slice(0, 40)})`;
		const others = more.length > 0 ? ` and ${more.length} more` : '';
		const what = `Incomplete${why} (${toItemName(first)}${others}).`;
		report.hint(advice ? `${what} ${advice}` : what, 'warning');
	}
}

/** Returns, for example, "4 answers (1 failing), 1,240 tokens."; `undefined` if no counts came. */
function describeUsages(results: Results, reused: number): string | undefined {
	const counted = results.filter((result) => toUsage(result));
	const tokens = counted.reduce((sum, result) => sum + countUsage(toUsage(result)!).total, 0);
	if (tokens === 0) return undefined;
	const { length: failing } = counted.filter(isFailed);
	const answers = `${counted.length} ${counted.length === 1 ? 'answer' : 'answers'}`;
	const what = failing > 0 ? `${answers} (${failing} failing)` : answers;
	const pickedUp = reused > 0 ? ` ${reused} picked up from an earlier try.` : '';
	return `${what}, ${tokens.toLocaleString('en-US')} ${tokens === 1 ? 'token' : 'tokens'}.${pickedUp}`;
}

/** Returns the token counts of an answer, which is paid for even if it is not usable. */
function toUsage(result: Results[number]): IDataObject | undefined {
	const usage = isFailed(result) ? result.failure.usage : result?.json.usageMetadata;
	return isObject(usage) ? usage : undefined;
}
