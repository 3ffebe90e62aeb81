import fc from 'fast-check';

import { box as mp4Box, u32 } from '../../../../nodes/shared/mp4/boxes';
import { createMp4Check } from '../../../../nodes/shared/mp4/mp4Check';
import { runs } from '../../../support/runs';

const box = (type: string, payload: number) => mp4Box(type, Buffer.alloc(payload, 7));
const LONG_MDAT = [u32(1), Buffer.from('mdat'), u32(0, 16 + 1000), Buffer.alloc(1000, 7)];
const FILE = Buffer.concat([box('ftyp', 24), box('moov', 300), ...LONG_MDAT, box('free', 0)]);

const feed = (chunks: Buffer[]) => {
	const check = createMp4Check();
	chunks.forEach((chunk) => check.feed(chunk));
	return { size: check.size(), isWhole: check.isWhole() };
};

describe('createMp4Check', () => {
	it('knows a whole file however it is cut into chunks', () => {
		fc.assert(
			fc.property(fc.array(fc.integer({ min: 1, max: 700 }), { minLength: 1 }), (sizes) => {
				const chunks: Buffer[] = [];
				for (let at = 0, i = 0; at < FILE.length; at += sizes[i % sizes.length], i++) {
					chunks.push(FILE.subarray(at, at + sizes[i % sizes.length]));
				}
				expect(feed(chunks)).toEqual({ size: FILE.length, isWhole: true });
			}),
			{ numRuns: runs(100) },
		);
	});

	it.each([
		['nothing but a type', [box('ftyp', 24)]],
		['an index alone', [box('ftyp', 24), box('moov', 300)]],
		['a fragment without its data', [box('moov', 8), box('mdat', 9), box('moof', 8)]],
		['data that nothing describes', [box('ftyp', 24), box('mdat', 100)]],
		[
			'a box shorter than its header',
			[box('moov', 8), u32(2), Buffer.from('free'), box('mdat', 9)],
		],
		['what ends within a header', [FILE, u32(8)]],
	])('does not take %s for a whole file', (_what, boxes) => {
		expect(feed(boxes)).toMatchObject({ isWhole: false });
	});
});
