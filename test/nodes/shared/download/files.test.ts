import fc from 'fast-check';

import { box as mp4Box, u32 } from '../../../../nodes/shared/mp4/boxes';
import { createMp4Check } from '../../../../nodes/shared/mp4/mp4Check';
import type { VideoType } from '../../../../nodes/shared/mp4/videoFormat';
import { toFileName } from '../../../../nodes/shared/download/storeFile';
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

describe('toFileName', () => {
	it.each<[string, string, VideoType, string]>([
		['', 'task_1', 'video/mp4', 'task_1.mp4'],
		['ad', 'task_1', 'video/mp4', 'ad.mp4'],
		['ad', '', 'video/webm', 'ad.webm'],
		['', '../../etc/passwd', 'video/mp4', '_.._etc_passwd.mp4'],
		['Version 2.10', '', 'video/mp4', 'Version 2.10.mp4'],
		['Dr. No', '', 'video/quicktime', 'Dr. No.mov'],
		['mp4', '', 'video/mp4', 'mp4.mp4'],
		['', 'task.1a', 'video/webm', 'task.1a.webm'],
		['ad.MP4', '', 'video/webm', 'ad.MP4'],
		['ad.m4v', '', 'video/mp4', 'ad.m4v'],
		['C:\\temp\\ad.mp4', '', 'video/mp4', 'C_temp_ad.mp4'],
		['a\u0000b\nc', '', 'video/mp4', 'a_b_c.mp4'],
		['می\u200cخواهم 👩\u200d💻', '', 'video/mp4', 'می\u200cخواهم 👩\u200d💻.mp4'],
	])('of %p and %p (%s) makes %s', (wanted, task_id, mimeType, name) => {
		expect(toFileName(wanted, task_id, mimeType)).toBe(name);
	});

	it('never gives a path, a hidden file or a name that is too long', () => {
		const text = fc.string({ unit: 'binary', maxLength: 400 });
		fc.assert(
			fc.property(text, text, (wanted, task_id) => {
				const name = toFileName(wanted, task_id, 'video/mp4');
				expect(name).not.toMatch(/[/\\\p{Cc}\p{Surrogate}]/u);
				expect(name).not.toMatch(/^\./);
				expect([...name].length).toBeLessThanOrEqual(160);
				expect(name).toMatch(/\.\w+$/);
			}),
		);
	});
});
