import type { Reader } from '../item/reader';

/** Listings and other tools write `models/` before a name; the path has it already. */
export function readModel(read: Reader): string {
	const model = read.text('model').replace(/^models\/+/, '');
	return model === '' ? read.refuse('Model is empty') : model;
}
