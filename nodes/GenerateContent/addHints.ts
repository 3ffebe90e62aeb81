import type { IExecuteFunctions } from 'n8n-workflow';

import { isFailed, type ItemResult } from '../shared/item/output';
import { explain, isWhole } from '../shared/text/reasons';

const MAX_NAMED_ITEMS = 10;

/** Says in the editor which answers were cut off; older n8n has no hints. */
export function addHints(context: IExecuteFunctions, results: Array<ItemResult | undefined>): void {
	if (!('addExecutionHints' in context)) return;
	for (const [reason, items] of groupByReason(results)) {
		const { because, advice } = explain(reason);
		const named = items.slice(0, MAX_NAMED_ITEMS).join(', ');
		const more =
			items.length > MAX_NAMED_ITEMS ? ` and ${items.length - MAX_NAMED_ITEMS} more` : '';
		context.addExecutionHints({
			message: [
				`The answer of item ${named}${more} is not whole`,
				because && ` because ${because}`,
				` (finishReason ${reason}).`,
				advice && ` ${advice}`,
			]
				.filter(Boolean)
				.join(''),
			type: 'warning',
			location: 'outputPane',
		});
	}
}

function groupByReason(results: Array<ItemResult | undefined>): Map<string, number[]> {
	const items = new Map<string, number[]>();
	results.forEach((result, itemIndex) => {
		if (!result || isFailed(result)) return;
		// The editor shows hints as HTML: nothing but a word of the protocol goes into one.
		const reason = String(result.json.finishReason).replace(/\W/g, '');
		if (isWhole(reason)) return;
		items.set(reason, [...(items.get(reason) ?? []), itemIndex]);
	});
	return items;
}
