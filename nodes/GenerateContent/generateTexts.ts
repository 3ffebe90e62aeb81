import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { type ItemResult, type Results, toOutput } from '../shared/item/output';
import { createRun, type Run } from '../shared/item/run';
import { runItems, sendAgain } from '../shared/item/runItems';
import { explainReason } from '../shared/item/textWords';
import { toItemName } from '../shared/item/words';
import { createLimiter } from '../shared/lib/turns';
import { isFailure } from '../shared/service/failure';
import { isWhole } from '../shared/service/finishReason';
import { askText } from '../shared/text/askText';
import { generateContentFields } from './fields';
import { loadFiles } from './inputFiles';
import { readTextJob, type TextJob } from './readTextJob';
import { createSpokenAnswer } from './spokenAnswer';
import { toTextResult } from './textResult';

const REQUESTS_AT_ONCE = 5;

export async function generateTexts(context: IExecuteFunctions): Promise<INodeExecutionData[]> {
	const run = createRun(context, 'geminiCompatibleApi', generateContentFields);
	const spoken = createSpokenAnswer(run);
	const { results } = await runItems(run, readTextJob, (connection, jobs) => {
		hintAtUnsentFiles(run, jobs);
		const limiter = createLimiter(REQUESTS_AT_ONCE, run.signal);
		const work = async (job: TextJob): Promise<ItemResult | undefined> => {
			const { itemIndex, model, timeoutMs } = job;
			const end = await sendAgain(run, limiter, async () => {
				// The files are loaded for each try, so that they take no memory between tries.
				const body = await loadFiles(context, itemIndex, job.body);
				const question = { model, body, timeoutMs, signal: run.stop };
				const asked = await askText(connection, question, spoken.listener);
				// An answer that came is never asked for again.
				return isFailure(asked) ? asked : await toTextResult(run, job, asked.answer);
			});
			// A request that Stop cut off has no result, rather than a failing one.
			return isFailure(end) && run.stop.aborted ? undefined : end;
		};
		return { work };
	});
	await spoken.close(results);
	addHint(run, results);
	try {
		return toOutput(run, results);
	} catch (error) {
		throw spoken.toSpokenError(error);
	}
}

/** n8n shows hints as HTML, and a field may have any name. */
const PLAIN_NAME = /^[\w.-]{1,20}$/;

/** Shows in the editor that a file came in which the model does not see. */
function hintAtUnsentFiles({ report }: Run, jobs: TextJob[]): void {
	const isPlain = (name: string) => PLAIN_NAME.test(name);
	const unsent = jobs.filter(({ unsentFiles }) => unsentFiles.some(isPlain));
	if (unsent.length === 0) return;
	const name = unsent[0].unsentFiles.find(isPlain);
	const items = nameItems(unsent.map(({ itemIndex }) => itemIndex));
	report.hint(
		`The item has a file, ${name}, that was not sent (${items}). See Input Binary Fields.`,
		'info',
	);
}

/** Shows in the editor which answers are cut off. */
function addHint({ report }: Run, results: Results): void {
	const cutOff = [...results.entries()].flatMap(([itemIndex, result]) =>
		!result || isFailure(result) || isWhole(String(result.json.finishReason)) ? [] : [itemIndex],
	);
	if (cutOff.length === 0) return;
	// An answer that was stopped for any other reason is a failing item.
	const { because, advice } = explainReason('MAX_TOKENS');
	report.hint(`Incomplete${because} (${nameItems(cutOff)}). ${advice}`, 'warning');
}

const nameItems = ([first, ...others]: number[]) =>
	`${toItemName(first)}${others.length > 0 ? ` and ${others.length} more` : ''}`;
