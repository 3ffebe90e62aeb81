import fc from 'fast-check';

import { createFingerprint } from '../../../../nodes/shared/download/fingerprint';

const BYTES = Uint8Array.from({ length: 70_000 }, (_, n) => (n * 31) % 251);

function valueOf(bytes: Uint8Array, cuts: number[] = []): string {
	const fingerprint = createFingerprint();
	let from = 0;
	for (const to of [...cuts].sort((a, b) => a - b).concat(bytes.length)) {
		fingerprint.feed(bytes.subarray(from, to));
		from = to;
	}
	return fingerprint.value();
}

describe('fingerprint of a file', () => {
	it('is the same wherever the bytes are cut', () => {
		const cuts = fc.array(fc.nat(BYTES.length), { maxLength: 40 });
		fc.assert(fc.property(cuts, (at) => valueOf(BYTES, at) === valueOf(BYTES)));
	});

	it.each([0, 1_023, 16_384, 65_536, 66_000])('changes with byte %d', (at) => {
		const other = Uint8Array.from(BYTES);
		other[at] ^= 1;
		expect(valueOf(other)).not.toBe(valueOf(BYTES));
	});

	it('can be asked in between', () => {
		const fingerprint = createFingerprint();
		fingerprint.feed(BYTES.subarray(0, 20_000));
		expect(fingerprint.value()).toBe(valueOf(BYTES.subarray(0, 20_000)));
		fingerprint.feed(BYTES.subarray(20_000));
		expect(fingerprint.value()).toBe(valueOf(BYTES));
	});
});
