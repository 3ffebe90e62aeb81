import * as fc from 'fast-check';

import { box, fullBox, u16, u32 } from '../../../../nodes/shared/mp4/boxes';
import { readPicture } from '../../../../nodes/shared/mp4/codec';
import { planFilm } from '../../../../nodes/shared/mp4/planFilm';
import { readClip } from '../../../../nodes/shared/mp4/readClip';
import { MAX_SAMPLES } from '../../../../nodes/shared/mp4/samples';
import { layOut } from '../../../../nodes/shared/mp4/writeFilm';
import { bytesOf, madeClip, toSource } from './support/madeClip';

// Files that somebody has made in order to harm, and files that were cut on their way.

const madeFile = async () =>
	await bytesOf(
		layOut(
			planFilm([
				madeClip({
					timescale: 600,
					pictures: Array.from({ length: 10 }, (_, i) => ({
						...{ duration: 25, delay: 25 * (i % 3), bytes: 50, isKey: i === 0 },
					})),
					sound: { from: 0, frames: 30, timescale: 48_000, gapAt: 30, gapSeconds: 0 },
					quality: 0,
				}),
			]),
		),
	);

let good: Buffer;
beforeAll(async () => {
	good = await madeFile();
});

/** Joins a file with itself, as the node does; resolves to the film's size. */
async function join(bytes: Buffer, sizeBytes = bytes.length): Promise<number> {
	const source = { ...toSource(bytes), size: sizeBytes };
	const clip = await readClip(source, true);
	return (await bytesOf(layOut(planFilm([clip, clip])))).length;
}

/** Replaces what stands behind the type of a box, and leaves all lengths as they are. */
function patched(type: string, at: number, value: number): Buffer {
	const bytes = Buffer.from(good);
	bytes.writeUInt32BE(value, bytes.indexOf(type) + 4 + at);
	return bytes;
}

const mdatAt = () => good.indexOf('mdat') - 4;

const MESSAGES: Array<[name: string, file: () => Buffer, message: string]> = [
	['nothing', () => Buffer.alloc(0), 'is not an MP4 or MOV file: it is empty'],
	[
		'a page of text',
		() => Buffer.from('<!DOCTYPE html><html><body>Not found</body></html>'),
		'is not an MP4 or MOV file: it begins with "<!DOCTYPE html><html><body>',
	],
	[
		'WebM',
		() => Buffer.from('1a45dfa39f4286810142f7810142f2810442f381', 'hex'),
		'is not an MP4 or MOV file: it is a WebM or Matroska file',
	],
	[
		'noise',
		() => Buffer.alloc(600, 0xc5),
		'is not an MP4 or MOV file: it begins with "c5c5c5c5c5c5c5c5"',
	],
	[
		'an end after the first bytes',
		() => good.subarray(0, 30),
		'is incomplete or damaged: its index (moov) is missing',
	],
	[
		'an end inside of its index',
		() => good.subarray(0, 300),
		'is incomplete or damaged: its part "moov" claims',
	],
	[
		'an end inside of its pictures',
		() => good.subarray(0, good.length - 1),
		'is incomplete or damaged: its index needs',
	],
	[
		'a box that claims 2^63 bytes',
		() => Buffer.concat([good.subarray(0, 28), u32(1), Buffer.from('free'), u32(2 ** 31, 0), good]),
		'is incomplete or damaged: its part "free" claims 9223372036854776000 bytes',
	],
	[
		'a box that is shorter than its own head',
		() => Buffer.concat([good.subarray(0, 28), u32(1), Buffer.from('free'), u32(0, 3), good]),
		'is incomplete or damaged: its part "free" claims 3 bytes',
	],
	[
		'a box inside that claims more than there is',
		() => patched('mdia', -8, 2 ** 32 - 1),
		'is incomplete or damaged: the box "mdia" does not fit',
	],
	[
		'an index that is too large',
		() => Buffer.concat([good.subarray(0, 28), box('moov', Buffer.alloc(17 * 1024 * 1024))]),
		'is incomplete or damaged: its index is larger than 16 MB',
	],
	[
		'a million boxes',
		() => Buffer.concat([good.subarray(0, 28), box('moov', emptyBoxes(1_000_000))]),
		'is incomplete or damaged: it has too many boxes',
	],
	[
		'a hundred thousand boxes at the top',
		() => Buffer.concat([good.subarray(0, 28), emptyBoxes(100_000)]),
		'is incomplete or damaged: it has more than 20000 parts',
	],
	[
		'frames of 0 bytes, 100,000 of them',
		() => withTable('stsz', fullBox('stsz', 0, u32(0, 100_000), Buffer.alloc(400_000))),
		'is incomplete or damaged: a table is too short',
	],
	[
		'frames of 0 bytes',
		() => withTable('stsz', fullBox('stsz', 0, u32(0, 10), Buffer.alloc(40))),
		'is incomplete or damaged: its index names frames of 0 bytes',
	],
	[
		'a table of sizes larger than the file',
		() => patched('stsz', 8, 400_000),
		'is incomplete or damaged: a table is cut',
	],
	[
		'four billion frames of the same size',
		() => withTable('stsz', fullBox('stsz', 0, u32(1, 2 ** 32 - 1))),
		`is incomplete or damaged: it names more than ${MAX_SAMPLES} frames`,
	],
	[
		'the same bytes for all frames',
		() => withTable('stsc', fullBox('stsc', 0, u32(1, 1, 1, 1)), (at) => Array(10).fill(at)),
		'is incomplete or damaged: its index names the same bytes twice',
	],
	[
		'offsets behind the end',
		() => withTable('stsc', fullBox('stsc', 0, u32(1, 1, 10, 1)), () => [2 ** 32 - 1]),
		'is incomplete or damaged: its index needs 4294967795 bytes',
	],
	[
		'times without end',
		() => withTable('stts', fullBox('stts', 0, u32(1, 10, 2 ** 32 - 1))),
		'The clips are too long for one film',
	],
	[
		'no time at all',
		() => withTable('stts', fullBox('stts', 0, u32(1, 10, 0))),
		'is incomplete or damaged: its pictures have no duration',
	],
	[
		'ten pictures in a few nanoseconds',
		() => patched('mdhd', 12, 2 ** 32 - 1),
		'its pictures have no duration',
	],
	[
		'impossible delays',
		() => withTable('ctts', fullBox('ctts', 0, u32(1, 10, 2 ** 31 - 1))),
		'is incomplete or damaged: its pictures are shown at impossible times',
	],
	[
		'no time scale',
		() => patched('mdhd', 12, 0),
		'is incomplete or damaged: a track has no time scale',
	],
	[
		'a first picture that needs one before it',
		() => withTable('stss', fullBox('stss', 0, u32(1, 5))),
		'does not begin with a key frame',
	],
	['no pictures', () => renamed('vide', 'meta'), 'has no pictures'],
	['no settings', () => renamed('avcC', 'free'), 'the settings of its pictures are missing'],
	[
		'lengths of 2 bytes, which the settings of another clip do not tell',
		() => patched('avcC', 2, 0x001e_fde1),
		'has pictures with lengths of 2 bytes',
	],
	[
		'a fragment of four billion frames',
		() => withFragment(tfhd, trun(0, 2 ** 32 - 1)),
		`is incomplete or damaged: it names more than ${MAX_SAMPLES} frames`,
	],
	[
		'a fragment with its pictures behind the end',
		() => withFragment(tfhd, trun(1, 1, 2 ** 31 - 1)),
		'is incomplete or damaged: its index needs',
	],
	[
		'a fragment with the bytes of pictures before it',
		() => withFragment(fullBox('tfhd', 1, u32(1, 0, mdatAt() + 8)), trun(0, 1)),
		'is incomplete or damaged: its index names the same bytes twice',
	],
	[
		'a fragment that is shorter than its count',
		() => withFragment(tfhd, trun(0x200, 10, 50)),
		'is incomplete or damaged: one of its parts is cut',
	],
	[
		'a fragment of no track',
		() => withFragment(trun(0, 1)),
		'is incomplete or damaged: the box tfhd is missing',
	],
];

const tfhd = fullBox('tfhd', 0x20000, u32(1));
const trun = (flags: number, count: number, ...values: number[]) =>
	fullBox('trun', flags, u32(count, values));

/** Puts the index behind the pictures, and a fragment behind the index. */
function withFragment(...parts: Buffer[]): Buffer {
	const moov = good.subarray(good.indexOf('moov') + 4, mdatAt());
	const mvex = box('mvex', fullBox('trex', 0, u32(1, 1, 25, 50, 0)));
	const moof = box('moof', box('traf', ...parts));
	return Buffer.concat([renamed('moov', 'free'), box('moov', moov, mvex), moof]);
}

const emptyBoxes = (count: number) =>
	Buffer.from('00000008'.concat('66726565').repeat(count), 'hex');

function renamed(from: string, to: string): Buffer {
	const bytes = Buffer.from(good);
	bytes.write(to, bytes.indexOf(from), 'latin1');
	return bytes;
}

/** Puts another table into the track of pictures, which is the first, and the places of its chunks. */
function withTable(type: string, other: Buffer, chunks?: (at: number) => number[]): Buffer {
	const moovAt = good.indexOf('moov') - 4;
	const data = good.subarray(mdatAt());
	const rebuild = (bytes: Buffer, path: string[], base: number): Buffer => {
		const parts: Buffer[] = [];
		let isDone = false;
		for (let at = 0; at < bytes.length;) {
			const size = bytes.readUInt32BE(at);
			const name = bytes.toString('latin1', at + 4, at + 8);
			const whole = bytes.subarray(at, at + size);
			at += size;
			const isHere = !isDone && (name === path[0] || (path.length === 1 && name === 'stco'));
			if (isHere && path.length > 1) {
				parts.push(box(name, rebuild(whole.subarray(8), path.slice(1), base)));
				isDone = true;
			} else if (isHere && name === 'stco') {
				const places = chunks?.(base);
				parts.push(places ? fullBox('stco', 0, u32(places.length, places)) : whole);
			} else parts.push(isHere ? other : whole);
		}
		return Buffer.concat(parts);
	};
	const path = ['trak', 'mdia', 'minf', 'stbl', type];
	const moov = box('moov', rebuild(good.subarray(moovAt + 8, mdatAt()), path, mdatAt() + 8));
	// Behind a shorter table all data lies further in front than its places say.
	return Buffer.concat([good.subarray(0, moovAt), moov, data, box('free', Buffer.alloc(1000))]);
}

it.each(MESSAGES)('refuses %s', async (_name, file, message) => {
	const thrown: unknown = await join(file()).catch((error: unknown) => error);
	expect((thrown as Error).message).toContain(message);
	expect(thrown).toMatchObject({
		message: expect.stringMatching(/^(Clip 1 \(a\.mp4\)|The clips are too long)/),
		description: expect.stringMatching(/\.$/),
	});
});

it('notices that a file is shorter than its storage says', async () => {
	const cut = good.subarray(0, good.length - 100);
	await expect(join(cut, good.length)).rejects.toThrow(
		`Clip 1 (a.mp4) is incomplete or damaged: its file ends after ${cut.length} bytes`,
	);
});

it('says what is wrong with any damaged file, and makes no film that is larger than its clips', async () => {
	expect(await join(good)).toBeGreaterThan(1000);
	const change = fc.tuple(fc.nat(), fc.constantFrom(0, 1, 0x7f, 0x80, 0xff));
	await fc.assert(
		fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 6 }), async (changes) => {
			const bytes = Buffer.from(good);
			for (const [at, value] of changes) bytes[at % mdatAt()] = value;
			const end: unknown = await join(bytes).catch((error: unknown) => error);
			if (typeof end === 'number') {
				// An index and silence come on top.
				expect(end).toBeLessThan(2 * good.length + 16 * MAX_SAMPLES);
			} else {
				expect(end).toMatchObject({ description: expect.any(String) });
				expect((end as Error).message).toMatch(/^(Clip 1|The clips are too long)/);
			}
		}),
		{ numRuns: 1000 },
	);
});

it('repeats no settings that are larger than real ones', () => {
	const sets = [4, 5000].map((bytes) => Buffer.concat([u16(bytes), Buffer.alloc(bytes)]));
	const head = [Buffer.from([1, 66, 0, 30, 0xff, 0xe1]), sets[0], Buffer.from([1]), sets[1]];
	const entry = Buffer.concat([Buffer.alloc(78), box('avcC', ...head)]);
	expect(() => readPicture('avc1', entry)).toThrow('the settings of its pictures are too large');
});
