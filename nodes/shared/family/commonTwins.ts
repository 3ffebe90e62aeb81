import { findContradiction } from './contradiction';
import type { Twins, Wishes } from './family';

/** Of every family: what says another prompt or model wins over the fields of the editor, or is lost. */
const COMMON: Twins = {
	prompt: ['metadata.prompt'],
	model: ['metadata.model', 'metadata.model_name'],
};

/**
 * Another prompt or model by hand, or a spelling of what the node always sends. The very fields
 * `prompt` and `model` in Extra Fields (JSON) are never sent, so they contradict nothing.
 */
export function findContradictedWord(
	model: string,
	{ prompt, metadata, extra = {} }: Wishes,
	{ prompt: further = [] }: Twins = {},
): { label: string; path: string } | undefined {
	const byHand = { ...extra, metadata, prompt: undefined, model: undefined };
	const twins = { ...COMMON, prompt: [...COMMON.prompt, ...further] };
	const words = { Prompt: { prompt }, Model: { model }, 'Metadata (JSON)': { metadata: {} } };
	for (const [label, written] of Object.entries(words)) {
		const path = findContradiction(written, byHand, twins);
		if (path !== undefined) return { label, path };
	}
	return undefined;
}
