import { isFailed, type Results } from '../shared/item/output';
import type { Run } from '../shared/item/run';
import { explain, isWhole } from '../shared/text/reasons';

const MAX_NAMED_ITEMS = 2;
/** Of a word that is not in the table. */
const MAX_REASON_CHARS = 40;

/** Says in the editor which answers were cut off. */
export function addHints({ report, redaction }: Run, results: Results): void {
	for (const [reason, items] of groupByReason(results, redaction.redact)) {
		const { because, advice } = explain(reason);
		const named = items.slice(0, MAX_NAMED_ITEMS).join(', ');
		const more =
			items.length > MAX_NAMED_ITEMS ? ` and ${items.length - MAX_NAMED_ITEMS} more` : '';
		const why = because || ` (finishReason ${reason.slice(0, MAX_REASON_CHARS)})`;
		const what = `Incomplete${why} (item ${named}${more}).`;
		report.hint(advice ? `${what} ${advice}` : what, 'warning');
	}
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
