import type { IDataObject } from 'n8n-workflow';

import { isFailed, type Results } from '../shared/item/output';
import type { Run } from '../shared/item/run';
import { isObject } from '../shared/lib/json';
import { explain, isWhole } from '../shared/text/reasons';
import { countUsage } from '../shared/text/response';

const MAX_NAMED_ITEMS = 1;
/** Characters shown of a reason that is not in the table. */
const MAX_FOREIGN_CHARS = 40;

/** Shows in the editor how many tokens the answers took, and which answers are incomplete. */
export function addHints({ report, redaction }: Run, results: Results, reused = 0): void {
	const usage = describeUsages(results, reused);
	if (usage !== undefined) report.hint(usage, 'info');
	for (const [reason, items] of groupByReason(results, redaction.redact)) {
		const { because, advice } = explain(reason);
		const named = items.slice(0, MAX_NAMED_ITEMS).join(', ');
		const more =
			items.length > MAX_NAMED_ITEMS ? ` and ${items.length - MAX_NAMED_ITEMS} more` : '';
		const why = because || ` (finishReason ${reason.slice(0, MAX_FOREIGN_CHARS)})`;
		const what = `Incomplete${why} (item ${named}${more}).`;
		report.hint(advice ? `${what} ${advice}` : what, 'warning');
	}
}

function groupByReason(results: Results, redact: (text: string) => string): Map<string, number[]> {
	const items = new Map<string, number[]>();
	results.forEach((result, itemIndex) => {
		if (!result || isFailed(result)) return;
		// The editor shows hints as HTML, so only a word of the protocol may go into one.
		const reason = redact(String(result.json.finishReason)).replace(/\W/g, '');
		if (isWhole(reason)) return;
		const known = items.get(reason);
		if (known) known.push(itemIndex);
		else items.set(reason, [itemIndex]);
	});
	return items;
}

/** Returns, for example, "4 answers (1 failing), 1,240 tokens."; `undefined` if no counts came. */
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

/** Returns the token counts of an answer, which is paid for even if it is not usable. */
function toUsage(result: Results[number]): IDataObject | undefined {
	if (!result) return undefined;
	const usage = isFailed(result) ? result.failure.usage : result.json.usageMetadata;
	return isObject(usage) ? usage : undefined;
}
