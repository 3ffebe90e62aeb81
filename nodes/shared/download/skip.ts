import { createFingerprint } from './fingerprint';
import type { Reading } from './reading';
import { CHANGED, type DownloadFault } from './downloadTrouble';

/**
 * Cuts off the bytes that came before, once more from the beginning, if they are the same.
 * @returns what is new of a chunk
 */
export function createSkip({ check, fingerprint }: Reading): {
	(chunk: Uint8Array): Uint8Array | DownloadFault;
	left: () => number;
} {
	const again = createFingerprint();
	const before = fingerprint.value();
	let left = check.size();
	const skip = (chunk: Uint8Array) => {
		if (left === 0) return chunk;
		const old = chunk.subarray(0, left);
		again.feed(old);
		left -= old.length;
		return left === 0 && again.value() !== before ? CHANGED : chunk.subarray(old.length);
	};
	return Object.assign(skip, { left: () => left });
}
