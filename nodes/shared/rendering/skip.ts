import { createHash } from 'node:crypto';

import type { Reading } from './reading';
import { CHANGED, type DownloadFault } from './videoFaults';

/**
 * Cuts off the bytes that came before, once more from the beginning, if they are the same.
 * @returns what is new of a chunk
 */
export function createSkip({ check, hash }: Reading): {
	(chunk: Uint8Array): Uint8Array | DownloadFault;
	left: () => number;
} {
	const again = createHash('sha256');
	const digest = hash.copy().digest('hex');
	let left = check.size();
	const skip = (chunk: Uint8Array) => {
		if (left === 0) return chunk;
		const old = chunk.subarray(0, left);
		again.update(old);
		left -= old.length;
		return left === 0 && again.digest('hex') !== digest ? CHANGED : chunk.subarray(old.length);
	};
	return Object.assign(skip, { left: () => left });
}
