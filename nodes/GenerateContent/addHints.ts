import type { IDataObject } from 'n8n-workflow';

import { isFailed, type Results } from '../shared/item/output';
import type { Run } from '../shared/item/run';
import { isObject } from '../shared/lib/json';
import { explain, isWhole } from '../shared/text/reasons';
import { countUsage } from '../shared/text/usage';

const MAX_NAMED_ITEMS = 3;
/** The editor shows no more of a hint without a click. */
const MAX_HINT_CHARS = 120;
const MAX_REASON_CHARS = 40;

/** Says in the editor what the answers took, and which were cut off. */
export function addHints({ report, redaction }: Run, results: Results, reused = 0): void {
	const usage = describeUsages(results, reused);
	if (usage !== undefined) report.hint(usage, 'info');
	for (const [reason, items] of groupByReason(results, redaction.redact)) {
		report.hint(describeCut(reason, items), 'warning');
	}
}

/** As much as there is room for: what, why, and what to do. */
function describeCut(reason: string, items: number[]): string {
	const { because, advice = '' } = explain(reason);
	const named = items.slice(0, MAX_NAMED_ITEMS).join(', ');
	const others = items.length - MAX_NAMED_ITEMS;
	const which = items.length === 1 ? `Item ${named} is` : `Items ${named}`;
	const all = items.length === 1 ? which : `${which}${others > 0 ? ` and ${others} more` : ''} are`;
	const word = ` (${reason.slice(0, MAX_REASON_CHARS)}).`;
	const [step] = advice.split(/(?<=\.) /);
	const short = `${all} incomplete${word}`;
	const long = `${all} incomplete${because}${word}`;
	const texts = [`${long} ${advice}`, `${long} ${step}`, `${short} ${step}`, long];
	return texts.map((text) => text.trim()).find(({ length }) => length <= MAX_HINT_CHARS) ?? short;
}

function groupByReason(results: Results, redact: (text: string) => string): Map<string, number[]> {
	const items = new Map<string, number[]>();
	results.forEach((result, itemIndex) => {
		if (!result || isFailed(result)) return;
		// The editor shows hints as HTML: nothing but a word of the protocol goes into one.
		const reason = redact(String(result.json.finishReason)).replace(/\W/g, '');
		if (isWhole(reason)) return;
		const known = items.get(reason);
		if (known) known.push(itemIndex);
		else items.set(reason, [itemIndex]);
	});
	return items;
}

/** Such as "4 answers (1 failing), 1,240 tokens."; nothing where the service tells no counts. */
function describeUsages(results: Results, reused: number): string | undefined {
	const failing = results.filter((result) => result && isFailed(result) && result.failure.usage);
	const usages = results.map(toUsage).filter((usage) => usage !== undefined);
	const tokens = usages.reduce((sum, usage) => sum + countUsage(usage).total, 0);
	if (tokens === 0) return undefined;
	const answers = `${usages.length} ${usages.length === 1 ? 'answer' : 'answers'}`;
	const what = failing.length > 0 ? `${answers} (${failing.length} failing)` : answers;
	const pickedUp = reused > 0 ? ` ${reused} picked up from an earlier try.` : '';
	return `${what}, ${tokens.toLocaleString('en-US')} ${tokens === 1 ? 'token' : 'tokens'}.${pickedUp}`;
}

/** What an answer took is paid for, also where it is of no use. */
function toUsage(result: Results[number]): IDataObject | undefined {
	if (!result) return undefined;
	const usage = isFailed(result) ? result.failure.usage : result.json.usageMetadata;
	return isObject(usage) ? usage : undefined;
}
