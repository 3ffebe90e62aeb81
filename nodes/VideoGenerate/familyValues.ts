import type { INodePropertyOptions } from 'n8n-workflow';

import type { FamilyOption } from '../shared/family/family';
import { FAMILIES } from '../shared/family/modelFamily';

/** What a family has depends on words like these in a model's name. */
export const KINDS_OF_MODELS = ['', 't2v', 'pro'];

/** What a resolution or a size is sorted by; a ratio has none. */
function linesOf(value: string): number {
	const [, width, height] = /^(\d+)x(\d+)$/.exec(value) ?? [];
	if (height !== undefined) return Number(width) * Number(height);
	return value.endsWith('k') ? parseInt(value) * 540 : value.endsWith('p') ? parseInt(value) : 0;
}

/**
 * What the families' models can have of an option, as a list to choose from: resolutions and sizes by
 * their pixels, ratios with the most common first;
 * an expression may give anything else. Whether the chosen model has it is seen before anything is
 * submitted.
 */
export function toChoices(option: FamilyOption): INodePropertyOptions[] {
	const familiesOf = new Map<string, Set<string>>();
	for (const { label, settings } of FAMILIES) {
		for (const model of KINDS_OF_MODELS) {
			const setting = settings(model)[option];
			if (!setting || !('write' in setting)) continue;
			for (const value of setting.values ?? []) {
				const written = String(value).toLowerCase();
				familiesOf.set(written, (familiesOf.get(written) ?? new Set()).add(label));
			}
		}
	}
	return [...familiesOf]
		.sort(([a, ofA], [b, ofB]) => linesOf(a) - linesOf(b) || ofB.size - ofA.size)
		.map(([value, labels]) => ({ name: value, value, description: [...labels].join(', ') }));
}
