import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { isFailure } from '../shared/failure/failure';
import { toItemName } from '../shared/lib/text';
import { createLimiter } from '../shared/lib/turns';
import { type ItemResult, type Results, toOutput } from '../shared/n8n/output';
import { createRun, type Run } from '../shared/n8n/run';
import { runItems } from '../shared/n8n/runItems';
import { createThrottle } from '../shared/n8n/throttle';
import { generateContentFields } from './fields';
import { askText } from './gemini/askText';
import { REASON_ADVICE } from './gemini/textFailed';
import { loadBody, readTextJob, type TextJob } from './readTextJob';
import { createSpokenAnswer } from './spokenAnswer';
import { toTextResult } from './textResult';

const REQUESTS_AT_ONCE = 5;
/** Somebody waits for most texts, so for less long than for a video (Max Wait). */
const GIVE_UP_AFTER_MS = 5 * 60_000;

export async function generateTexts(context: IExecuteFunctions): Promise<INodeExecutionData[]> {
	const run = createRun(context, 'geminiCompatibleApi', generateContentFields);
	const spoken = createSpokenAnswer(run);
	const { results } = await runItems(run, readTextJob, (connection) => {
		const throttle = createThrottle(run, createLimiter(REQUESTS_AT_ONCE, run.signal));
		const work = async (job: TextJob): Promise<ItemResult | undefined> => {
			const { itemIndex, model, timeoutMs } = job;
			const end = await throttle(async () => {
				// The files are loaded for each try, so that they take no memory between tries.
				const body = await loadBody(context.helpers, job);
				const question = { model, body, timeoutMs, signal: run.stop };
				const asked = await askText(connection, question, spoken.listenerFor(itemIndex));
				// An answer that came is never asked for again.
				return isFailure(asked) ? asked : await toTextResult(run, job, asked.chunks);
			}, GIVE_UP_AFTER_MS);
			// A request that Stop cut off has no result, rather than a failing one.
			return isFailure(end) && run.stop.aborted ? undefined : end;
		};
		return { work };
	});
	await spoken.close(results);
	hintAtCutTexts(run, results);
	try {
		return toOutput(run, results);
	} catch (error) {
		throw spoken.toSpokenError(error);
	}
}

/** Shows in the editor which texts met the token limit: they are answers all the same. */
function hintAtCutTexts({ report }: Run, results: Results): void {
	const isCut = (result: Results[number]) =>
		result && !isFailure(result) && result.json.finishReason === 'MAX_TOKENS';
	const [first, ...others] = [...results.keys()].filter((itemIndex) => isCut(results[itemIndex]));
	if (first === undefined) return;
	const items = `${toItemName(first)}${others.length > 0 ? ` and ${others.length} more` : ''}`;
	report.hint(
		`Cut off at the token limit (${items}). ${REASON_ADVICE.get('MAX_TOKENS')}`,
		'warning',
	);
}
