import { writeFrame } from '../../../../nodes/VideoJoin/film/flac';
import { planFilm } from '../../../../nodes/VideoJoin/film/planFilm';
import { checkFit } from '../../../../nodes/VideoJoin/film/checkFit';
import {
	type Clip,
	type Index,
	openClip,
	readClip,
	readTrack,
} from '../../../../nodes/VideoJoin/film/readClip';
import { readSoundtrack } from '../../../../nodes/VideoJoin/film/soundtrack';
import { layOut } from '../../../../nodes/VideoJoin/film/writeFilm';
import { box, boxesIn, fullBox, u32 } from '../../../../nodes/shared/mp4/boxes';
import { createMp4Check } from '../../../../nodes/shared/mp4/mp4Check';
import { FUZZ } from '../../../support/runs';
import { bytesOf, madeClip, type Shape, toFile } from './support/madeClip';
import { createChance, mutate } from './support/mutations';

// Files with a few bytes changed, the same ones in each run: none breaks the node, and each film that is made plays.

const SHAPE: Shape = {
	timescale: 600,
	pictures: Array.from({ length: 6 }, (_, i) => ({
		...{ duration: 25, delay: 25 * (i % 3), bytes: 40, isKey: i % 4 === 0 },
	})),
	sound: { from: 0, frames: 12, timescale: 48_000, gapAt: 30, gapSeconds: 0 },
	quality: 0,
};
const join = (...parts: Buffer[]) => Buffer.concat(parts);
const hex = (digits: string) => Buffer.from(digits, 'hex');

/** The parts of a file: `ftyp`, the body of `moov`, and `mdat`. */
async function partsOf(shape: Shape) {
	const film = await bytesOf(layOut(planFilm([madeClip(shape)])));
	const [moovAt, mdatAt] = ['moov', 'mdat'].map((type) => film.indexOf(type) - 4);
	return { film, moov: film.subarray(moovAt + 8, mdatAt), mdat: film.subarray(mdatAt + 16) };
}

/** Has tables without rows, as encoders of streams write them; all pictures are in two fragments. */
async function fragmented(): Promise<Buffer> {
	const { film, moov } = await partsOf({ ...SHAPE, sound: undefined });
	const empty = (bytes: Buffer): Buffer =>
		join(
			...[...boxesIn(bytes)].map(({ type, body }) => {
				if (TABLES.includes(type)) return fullBox(type, 0, u32(0, 0));
				return box(type, CONTAINERS.includes(type) ? empty(body) : body);
			}),
		);
	const mvex = box('mvex', fullBox('trex', 0, u32(1, 1, 3600, PICTURE_BYTES, 0)));
	const head = join(film.subarray(0, film.indexOf('moov') - 4), box('moov', empty(moov), mvex));
	const tfhd = fullBox('tfhd', 0x20000, u32(1));
	const moof = (fragment: number, at: number) => {
		const tfdt = fullBox('tfdt', 0, u32(2 * 3600 * fragment));
		return box('moof', box('traf', tfhd, tfdt, fullBox('trun', 0x801, u32(2, at, 0, 0))));
	};
	const dataAt = moof(0, 0).length + 8;
	const fragments = [0, 1].map((i) =>
		join(moof(i, dataAt), box('mdat', Buffer.alloc(2 * PICTURE_BYTES, i))),
	);
	return join(head, ...fragments);
}

const TABLES = ['stts', 'ctts', 'stss', 'stsc', 'stsz', 'co64'];
const CONTAINERS = ['trak', 'mdia', 'minf', 'stbl'];
const PICTURE_BYTES = 20;

/** Its edit list hides all before its second key frame, and a part of what is behind. */
async function trimmed(): Promise<Buffer> {
	const { film } = await partsOf(SHAPE);
	film.writeUInt32BE(5 * 3600, film.indexOf('elst') + 16);
	return film;
}

async function quickTime(): Promise<Buffer> {
	const { moov, mdat } = await partsOf(SHAPE);
	const ftyp = box('ftyp', Buffer.from('qt  '), u32(512), Buffer.from('qt  '));
	// As far behind the front as in the film, whose places it keeps.
	const front = join(ftyp, box('wide'), box('mdat', Buffer.alloc(moov.length + 8), mdat));
	return join(front, box('moov', moov, box('udta', u32(0))));
}

const frames = (count: number, head: string, bytes: number) =>
	join(...Array<Buffer>(count).fill(join(hex(head), Buffer.alloc(bytes - head.length / 2, 7))));

function wav(coding: number, bits: number): Buffer {
	const bytes = Buffer.alloc(44 + 9000);
	bytes.write('RIFF....WAVEfmt ', 'latin1');
	bytes.writeUInt32LE(16, 16);
	[coding, 1, 24_000, 0, 48_000, 0, bits / 8, bits].forEach((value, i) =>
		bytes.writeUInt16LE(value, 20 + 2 * i),
	);
	bytes.write('data', 36, 'latin1');
	bytes.writeUInt32LE(9000, 40);
	return bytes;
}

async function m4a(): Promise<Buffer> {
	const { film } = await partsOf(SHAPE);
	film.write('meta', film.indexOf('vide'));
	return film;
}

const SEEDS: Array<[name: string, make: () => Buffer | Promise<Buffer>]> = [
	['MP4', async () => (await partsOf(SHAPE)).film],
	['trimmed MP4', trimmed],
	['MOV', quickTime],
	['fragmented MP4', fragmented],
	['M4A', m4a],
	['WAV', () => wav(1, 16)],
	['WAV of floats', () => wav(3, 32)],
	['MP3', () => join(Buffer.from('ID3\x03\0\0\0\0\0\x0a0123456789'), frames(8, 'fffb90c0', 417))],
	['AAC', () => frames(8, 'fff1584007001c', 56)],
	['FLAC', () => join(Buffer.from('fLaC\0\0\0\x22'), writeFrame(Buffer.alloc(800, 3), 1, 0, 16))],
];

const readAny = async (bytes: Buffer, label: string) => {
	const file = { ...toFile(bytes), label };
	return { file, index: await openClip(file) };
};

/** Joins what a file begins with, as the node does; resolves to the film, and how many pictures it has. */
async function joinWith(bytes: Buffer, good: Clip, way: number) {
	const { file, index } = await readAny(bytes, 'Clip 1 (a.mp4)');
	const clips: Clip[] = [];
	if (index.kind === 'clip') clips.push(readClip(file, index, way < 3));
	if (way > 0) {
		clips.splice(way % 2, 0, way > 1 ? (clips[0] ?? good) : good);
	}
	clips.forEach((clip, i) => checkFit(clip, clips.slice(0, i)));
	// Sound takes the place of the sound of the clips.
	if (index.kind !== 'clip') clips.splice(0, 1, { ...good, audio: undefined });
	const film = planFilm(clips);
	const seconds = film.starts.at(-1)! / 90_000;
	const soundtrack = index.kind === 'clip' ? undefined : await readSoundtrack(file, index, seconds);
	const laidOut = layOut(film, soundtrack);
	return { sizeBytes: laidOut.sizeBytes, written: await bytesOf(laidOut), film, soundtrack };
}

/** Says what is wrong with a film, read anew; '' if it is good. */
async function faultOf(made: Awaited<ReturnType<typeof joinWith>>): Promise<string> {
	const { film, soundtrack, written, sizeBytes } = made;
	const check = createMp4Check();
	check.feed(written);
	if (!check.isWhole() || written.length !== sizeBytes) return 'it is not whole';
	const { file, index } = await readAny(written, 'The film');
	// Checks that all samples lie inside of the file, and that no two share bytes.
	const { video } = readClip(file, index as Index, !soundtrack);
	const { sizes, times } = video.samples;
	if (!sizes.some((size) => size > 0)) return 'no picture has bytes';
	if (times.at(-1)! <= times[0]) return 'it has no duration';
	if (times.some((time, i) => time < times[i - 1])) return 'its times go back';
	if (sizes.length !== film.delays.length) return 'pictures are lost';
	const heard = readTrack(index as Index, 'soun', (type) => type)?.samples;
	const slots = soundtrack ? soundtrack.sizes.length : (film.sound?.frames.flat().length ?? 0);
	if ((heard?.sizes.length ?? 0) !== slots) return 'sound is lost';
	if (heard?.sizes.every((size) => size === 0)) return 'no frame of sound has bytes';
	return '';
}

it.each(SEEDS)(
	'%s: no changed file breaks the node, or makes a film that does not play',
	async (name, make) => {
		const file = await make();
		const good = madeClip(SHAPE);
		const chance = createChance(FUZZ.seed);
		const ends = { films: 0, refusals: 0 };
		for (let run = 0; run < FUZZ.runs; run++) {
			const bytes = run === 0 ? file : mutate(file, chance);
			const way = chance.below(5);
			try {
				const fault = await faultOf(await joinWith(bytes, good, way));
				ends.films++;
				if (fault !== '') throw new Error(`A film is bad: ${fault}`);
			} catch (error) {
				const { message, description } = error as Error & { description?: unknown };
				ends.refusals++;
				// Without a description, they are not words of ours.
				if (typeof description === 'string' && !message.startsWith('The film')) continue;
				const found = `${name}, seed ${FUZZ.seed}, run ${run}, way ${way}: ${message}\n${bytes.toString('hex')}`;
				throw Object.assign(error as Error, { message: found });
			}
		}
		// Neither all nor none is taken, but a FLAC file never is.
		expect([ends.films > 0, ends.refusals > 0]).toEqual([name !== 'FLAC', true]);
	},
	FUZZ.timeoutMs,
);
