import * as fc from 'fast-check';

import { planFilm } from '../../../../nodes/VideoJoin/film/planFilm';
import { openClip } from '../../../../nodes/VideoJoin/film/readClip';
import { MAX_SAMPLES } from '../../../../nodes/VideoJoin/film/samples';
import { layOut } from '../../../../nodes/VideoJoin/film/writeFilm';
import { box, boxesIn, fullBox, u16, u32 } from '../../../../nodes/shared/mp4/boxes';
import { runs } from '../../../support/runs';
import { bytesOf, madeClip, openAndRead, toFile } from './support/madeClip';

// Files that somebody has made in order to harm, and files that were cut on their way.

let good: Buffer;
beforeAll(async () => {
	const pictures = Array.from({ length: 10 }, (_, i) => ({
		...{ duration: 25, delay: 25 * (i % 3), bytes: 50, isKey: i === 0 },
	}));
	const sound = { from: 0, frames: 30, timescale: 48_000, gapAt: 30, gapSeconds: 0 };
	const clip = madeClip({ timescale: 600, pictures, sound, quality: 0 });
	good = await bytesOf(layOut(planFilm([clip])));
});

/** Joins a file with itself, as the node does; resolves to the film's size. */
async function join(bytes: Buffer, sizeBytes = bytes.length): Promise<number> {
	const clip = await openAndRead({ ...toFile(bytes), sizeBytes });
	return (await bytesOf(layOut(planFilm([clip, clip])))).length;
}

/** Replaces what stands behind the type of a box, and leaves all lengths as they are. */
function patched(type: string, at: number, value: number, file = good): Buffer {
	const bytes = Buffer.from(file);
	bytes.writeUInt32BE(value, bytes.indexOf(type) + 4 + at);
	return bytes;
}

const mdatAt = () => good.indexOf('mdat') - 4;

/** What is wrong with a file, as the message says it, and such a file. */
const DAMAGED: Array<[message: string, file: () => Buffer]> = [
	['its index (moov) is missing', () => good.subarray(0, 30)],
	['its part "moov" claims', () => good.subarray(0, 300)],
	['its index needs', () => good.subarray(0, good.length - 1)],
	['its index is larger than 16 MB', () => withFirst(box('moov', Buffer.alloc(17 * 1024 * 1024)))],
	['it has more than 20000 parts', () => withFirst(emptyBoxes(100_000))],
	['a table is too short', () => withTable('stsz', 0, 100_000, ...zeros(100_000))],
	[`it names more than ${MAX_SAMPLES} frames`, () => withTable('stsz', 1, 2 ** 32 - 1)],
	['its index names the same bytes twice', () => withTable('co64', 10, ...zeros(20))],
	['a track has no time scale', () => patched('mdhd', 12, 0)],
	[
		'one of its boxes contains more than 10000 boxes',
		() => withFirst(box('moov', emptyBoxes(10_001))),
	],
	[
		'one of its boxes contains more than 10000 boxes',
		() => withTable('stsd', 1, ...wordsOf(emptyBoxes(10_001))),
	],
	['it has more than 100 tracks', () => withFirst(box('moov', ...Array<Buffer>(101).fill(TRACK)))],
	[
		'the description of its pictures is larger than 64 kB',
		() => withTable('stsd', 1, ...wordsOf(box('avc1', Buffer.alloc(65 * 1024)))),
	],
	[
		'it has more than 1024 parameter sets',
		() => withTable('stsd', 1, ...wordsOf(hevcEntry(30_000))),
	],
	// It has 10 pictures, and one row more is allowed.
	['a table is too long', () => withTable('stss', 12, ...rows(12, (i) => [i + 1]))],
	['a table is too long', () => withTable('stts', 12, ...rows(12, () => [1, 25]))],
	['a table is too long', () => withTable('ctts', 12, ...rows(12, () => [1, 0]))],
	['a table is too long', () => withTable('stsc', 12, ...rows(12, (i) => [i + 1, 1, 1]))],
	['a table is too long', () => withTable('co64', MAX_SAMPLES + 1)],
	['its pictures have no bytes', () => withTable('stsz', 0, 10, ...zeros(10))],
	[
		'its pictures have no duration',
		() => patched('mdhd', 12, 2 ** 31, withTable('stts', 1, 10, 1)),
	],
	[
		'its pictures are displayed more than an hour after',
		() => withTable('ctts', 2, 1, 0, 9, 2 ** 31 - 1),
	],
	['its parameter sets are too large for its pictures', () => withFragment(TFHD, trun(0, 100_000))],
	[
		`it names more than ${MAX_SAMPLES} frames`,
		() => withFragment(fullBox('tfhd', 0, u32(1)), trun(0, 2 ** 32 - 1)),
	],
];

/** What is whole, but cannot be joined. */
const OTHERS: Array<[message: string, file: () => Buffer]> = [
	['it begins with "<!DOCTYPE html><html><body>', () => Buffer.from(PAGE)],
	['its format is MKV', () => Buffer.from('1a45dfa39f4286810142f781', 'hex')],
	['does not begin with a key frame', () => withTable('stss', 1, 5)],
	['does not begin with a key frame', () => withTable('stsz', 0, 10, 0, ...zeros(9).fill(50))],
	['has no pictures', () => renamed('soun', 'meta', renamed('vide', 'meta'))],
	['The clips are too long for one film', () => withTable('stts', 1, 10, 2 ** 32 - 1)],
];

const PAGE = '<!DOCTYPE html><html><body>Not found</body></html>';
const zeros = (count: number) => new Array<number>(count).fill(0);
const rows = (count: number, row: (i: number) => number[]) =>
	Array.from({ length: count }, (_, i) => row(i)).flat();
const TRACK = box('trak', box('mdia', fullBox('hdlr', 0, u32(0), Buffer.from('meta'))));
const TFHD = fullBox('tfhd', 0, u32(1));
const wordsOf = (bytes: Buffer) =>
	Array.from({ length: bytes.length / 4 }, (_, i) => bytes.readUInt32BE(4 * i));
/** Has so many parameter sets without bytes. */
const hevcEntry = (sets: number) => {
	const list = Buffer.concat([Buffer.from([1, 32]), u16(sets), Buffer.alloc(2 * sets)]);
	return box('hvc1', Buffer.alloc(78), box('hvcC', Buffer.alloc(22), list));
};
const withFirst = (rest: Buffer) => Buffer.concat([good.subarray(0, 28), rest]);
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

function renamed(from: string, to: string, file = good): Buffer {
	const bytes = Buffer.from(file);
	bytes.write(to, bytes.indexOf(from), 'latin1');
	return bytes;
}

/** Puts other numbers into a table of the track of pictures, which is the first. */
function withTable(table: string, ...numbers: number[]): Buffer {
	const moovAt = good.indexOf('moov') - 4;
	const CONTAINERS = ['trak', 'mdia', 'minf', 'stbl'];
	let other: Buffer | undefined = fullBox(table, 0, u32(numbers));
	const rebuild = (bytes: Buffer): Buffer => {
		const boxes = [...boxesIn(bytes)].map(({ type, body }) => {
			if (type !== table || !other)
				return box(type, CONTAINERS.includes(type) ? rebuild(body) : body);
			const taken = other;
			other = undefined;
			return taken;
		});
		return Buffer.concat(boxes);
	};
	const moov = box('moov', rebuild(good.subarray(moovAt + 8, mdatAt())));
	// Behind a shorter table all data lies further in front than its places say.
	const rest = [good.subarray(mdatAt()), box('free', Buffer.alloc(1000))];
	return Buffer.concat([good.subarray(0, moovAt), moov, ...rest]);
}

/** Joins a file that cannot be joined; resolves to the message. */
async function refusalOf(file: Buffer): Promise<string> {
	const thrown: unknown = await join(file).catch((error: unknown) => error);
	expect(thrown).toMatchObject({ description: expect.stringMatching(/\.$/) });
	return (thrown as Error).message;
}

it.each(DAMAGED)('refuses a damaged file: %s', async (message, file) => {
	const start = `Clip 1 (a.mp4) is incomplete or damaged: ${message}`;
	expect((await refusalOf(file())).slice(0, start.length)).toBe(start);
});

it.each(OTHERS)('refuses a file that it cannot join: %s', async (message, file) => {
	expect(await refusalOf(file())).toContain(message);
});

it.each<[string, (bytes: Buffer, type: string) => number, number]>([
	['an empty picture lies where the one before it begins', (bytes, type) => bytes.indexOf(type), 1],
	[
		'an empty frame of sound lies where a picture begins',
		(bytes, type) => bytes.lastIndexOf(type),
		0,
	],
])('joins a clip in which %s', async (_what, find, sample) => {
	const bytes = Buffer.from(good);
	bytes.writeUInt32BE(0, find(bytes, 'stsz') + 16 + 4 * sample);
	const first = bytes.indexOf('co64') + 12;
	bytes.copy(bytes, find(bytes, 'co64') + 12 + 8 * sample, first, first + 8);
	expect(await join(bytes)).toBeGreaterThan(1000);
});

it('begins a fragment with a key frame where only the flags of its first picture say so', async () => {
	const laterFlags = fullBox('tfhd', 0x20020, u32(1, 0x10000));
	const { video } = await openAndRead(toFile(withFragment(laterFlags, trun(4, 1, 0))));
	expect(video.samples.isKey.at(-1)).toBe(true);
});

it('looks for the mark of fragments once, however many there are', async () => {
	const file = withFirst(
		box('moov', emptyBoxes(500), good.subarray(good.indexOf('moov') + 4, mdatAt()), box('mvex')),
	);
	const read = jest.spyOn(Buffer.prototype, 'toString');
	const cut = jest.spyOn(Buffer.prototype, 'subarray');
	await openClip(toFile(Buffer.concat([file, ...Array<Buffer>(500).fill(box('moof'))])));
	const times = read.mock.calls.length;
	const cuts = cut.mock.calls.length;
	read.mockRestore();
	cut.mockRestore();
	// Each box is read by its type.
	expect(times).toBeGreaterThan(1000);
	expect(times).toBeLessThan(10_000);
	// The others, of which an index may have two million, are not cut out; each top box is, twice.
	expect(cuts).toBeLessThan(1200);
});

it('notices that a file is shorter than its storage says', async () => {
	const message = 'Clip 1 (a.mp4) is incomplete or damaged: its file ends after';
	await expect(join(good.subarray(0, -100), good.length)).rejects.toThrow(message);
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
		{ numRuns: runs(1000) },
	);
});
