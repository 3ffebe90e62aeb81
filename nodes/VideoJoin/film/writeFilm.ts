import type { InputFile, MediaFile } from '../../shared/lib/mediaFile';
import { box, fullBox, halves, u16, u32 } from '../../shared/mp4/boxes';
import { createCursor, type Cursor, withLabel } from './clipFile';
import { isHevc } from './codec';
import { type Film, FRAME, type SoundGrid } from './planFilm';
import { type Samples, TIMESCALE } from './samples';
import { soundEntry } from './soundSource';
import type { Soundtrack } from './soundtrack';
import { spliced } from './splice';

/** Where the samples of a track are, counted from the first of all, and how large. */
type Places = Pick<Samples, 'offsets' | 'sizes'>;

const noPlaces = (): Places => ({ offsets: [], sizes: [] });

/**
 * Bytes of the film: some of a clip, as they lie there or with which it begins anew, some of our own, or
 * frames of the soundtrack.
 */
type FilmPart = { from: number; to: number; isSpliced?: boolean } | Buffer | { frames: number };

/** A picture or a frame of sound of a clip, and its number in its track of the film. */
interface Sample {
	places: Places;
	number: number;
	/** Where it is in the clip. */
	at: number;
	/** What is copied of the clip. */
	bytes: number;
	/** What stands there in place of a copy (silence), or before it (parameter sets). */
	own?: Buffer;
	/** A clip of H.265 begins with it. */
	isSpliced?: boolean;
}

/**
 * Lays out the film, index first. Reads nothing of the clips until its pieces are read.
 *
 * @param soundtrack takes the place of the sound of the clips, which the film then has not
 */
export function layOut(film: Film, soundtrack?: Soundtrack): MediaFile {
	const [video, audio] = [noPlaces(), noPlaces()];
	let position = 0;
	/** Places the frames that are heard before a picture, so that players find both together. */
	const placeSoundtrack = ({ sizes, times, from, timescale }: Soundtrack, until: number) => {
		const before = audio.sizes.length;
		for (let i = before; i < sizes.length; i++) {
			if (((times[i] - from) / timescale) * TIMESCALE > until) break;
			audio.offsets.push(position);
			position += audio.sizes[audio.sizes.push(sizes[i]) - 1];
		}
		return { frames: audio.sizes.length - before };
	};
	const parts = film.clips.map((_, clip) => {
		const own: FilmPart[] = [];
		for (const sample of samplesOf(film, clip, video, audio)) {
			const { places, number, at, bytes, own: before, isSpliced } = sample;
			if (soundtrack) {
				const part = placeSoundtrack(soundtrack, film.times[number]);
				if (part.frames > 0) own.push(part);
			}
			places.offsets[number] = position;
			places.sizes[number] = bytes + (before?.length ?? 0);
			position += places.sizes[number];
			if (before) own.push(before);
			const last = own[own.length - 1];
			// Samples that lie one behind the other are read as one.
			const isNext = last && 'to' in last && last.to === at && !last.isSpliced;
			if (isNext && !isSpliced) last.to += bytes;
			else if (bytes > 0) own.push({ from: at, to: at + bytes, isSpliced });
		}
		return own;
	});
	if (soundtrack) parts[parts.length - 1].push(placeSoundtrack(soundtrack, Infinity));
	const head = makeHead(film, soundtrack, video, audio, position);
	const pieces = () => writePieces(film, soundtrack, head, parts);
	return { sizeBytes: head.length + position, pieces };
}

/** Returns what the film takes of a clip, in the order in which it lies in the clip's file. */
function samplesOf(film: Film, clip: number, video: Places, audio: Places): Sample[] {
	const { clips, repeatsSets, sound } = film;
	const { samples, format } = clips[clip].video;
	const pictures = video.offsets.length;
	const begin = samples.sizes.findIndex((bytes) => bytes > 0);
	const all: Sample[] = samples.offsets.map((at, i) => ({
		places: video,
		number: pictures + i,
		at,
		bytes: samples.sizes[i],
		own: repeatsSets && samples.isKey[i] ? format.parameterSets : undefined,
		isSpliced: i === begin && isHevc(format),
	}));
	const slots = audio.offsets.length;
	const heard = clips[clip].audio?.samples;
	// Silence lies behind the frame before it.
	let at = 0;
	sound?.frames[clip].forEach((frame, i) => {
		const isSilent = frame === undefined;
		if (!isSilent) at = heard!.offsets[frame];
		all.push({
			places: audio,
			number: slots + i,
			at,
			bytes: isSilent ? 0 : heard!.sizes[frame],
			own: isSilent ? sound.format.silence : undefined,
		});
	});
	return all.sort((a, b) => a.at - b.at);
}

async function* writePieces(
	{ clips }: Film,
	soundtrack: Soundtrack | undefined,
	head: Buffer,
	parts: FilmPart[][],
) {
	const sound = soundtrack?.frames();
	try {
		yield head;
		for (const [clip, { file }] of clips.entries()) {
			const cursor = createCursor(file);
			try {
				for (const part of parts[clip]) {
					if ('frames' in part) yield* takeFrames(soundtrack!.file, sound!, part.frames);
					else if ('to' in part) yield* copy(file, cursor, part);
					// A copy, because a storage frees each piece that it has written.
					else yield Buffer.from(part);
				}
			} finally {
				await cursor.close();
			}
		}
	} finally {
		await sound?.return();
	}
}

async function* copy(
	file: InputFile,
	cursor: Cursor,
	{ from, to, isSpliced }: { from: number; to: number; isSpliced?: boolean },
) {
	try {
		await cursor.skipTo(from);
		yield* isSpliced ? spliced(cursor, to) : cursor.passTo(to);
	} catch (error) {
		throw withLabel(file, error);
	}
}

async function* takeFrames(
	file: InputFile,
	frames: ReturnType<Soundtrack['frames']>,
	count: number,
) {
	try {
		for (let i = 0; i < count; i++) {
			const next = await frames.next();
			if (next.done) throw new RangeError('its file has become shorter');
			yield next.value.bytes;
		}
	} catch (error) {
		throw withLabel(file, error);
	}
}

const NO_ROTATION = u32(65_536, 0, 0, 0, 65_536, 0, 0, 0, 2 ** 30);

/** Makes `ftyp`, `moov`, and the header of `mdat`. A film may be larger than 4 GB. */
function makeHead(
	film: Film,
	soundtrack: Soundtrack | undefined,
	video: Places,
	audio: Places,
	dataBytes: number,
): Buffer {
	const mdat = Buffer.concat([u32(1), Buffer.from('mdat'), u32(halves(16 + dataBytes))]);
	const ftyp = box('ftyp', Buffer.from('isom'), u32(512), Buffer.from('isomiso2mp41'));
	const end = film.starts[film.clips.length];
	const mvhd = [u32(0, 0, TIMESCALE, end, 65_536), u16(256, 0, 0, 0, 0, 0), NO_ROTATION];
	const heard = soundtrack ? toHeard(soundtrack) : film.sound && gridToHeard(film.sound, end);
	const make = (base: number) => {
		const tracks = [videoTrack(film, placesAt(video, base))];
		if (heard) tracks.push(audioTrack(heard, placesAt(audio, base)));
		const header = fullBox('mvhd', 0, ...mvhd, u32(0, 0, 0, 0, 0, 0, tracks.length + 1));
		return box('moov', header, ...tracks.map((track, i) => toTrak(i + 1, track)));
	};
	const base = ftyp.length + make(0).length + mdat.length;
	return Buffer.concat([ftyp, make(base), mdat]);
}

/** Makes the tables that say where the samples are. Each is a chunk of its own. */
function placesAt({ offsets, sizes }: Places, base: number): Buffer[] {
	const places = offsets.flatMap((at) => halves(base + at));
	return [
		fullBox('stsc', 0, u32(1, 1, 1, 1)),
		fullBox('stsz', 0, u32(0, sizes.length, sizes)),
		fullBox('co64', 0, u32(offsets.length, places)),
	];
}

type TrackBoxes = ReturnType<typeof videoTrack>;

function videoTrack({ clips, starts, times, delays, delay }: Film, places: Buffer[]) {
	const [{ video }] = clips;
	const areKeys = clips.flatMap((clip) => clip.video.samples.isKey);
	const keys = areKeys.flatMap((isKey, i) => (isKey ? [i + 1] : []));
	const tables = [
		fullBox('stsd', 0, u32(1), box(video.format.type, video.format.entry)),
		fullBox('stts', 0, toRuns(delays.map((_, i) => times[i + 1] - times[i]))),
		fullBox('ctts', 0, toRuns(delays)),
		fullBox('stss', 0, u32(keys.length, keys)),
	];
	return {
		kind: 'vide',
		volume: 0,
		shape: video.shape,
		timescale: TIMESCALE,
		length: times[delays.length],
		from: delay,
		end: starts[clips.length],
		header: fullBox('vmhd', 1, u32(0, 0)),
		tables: [...tables, ...places],
	};
}

/** The sound of a film, wherever it comes from. */
interface Heard extends Pick<Soundtrack, 'entry' | 'timescale' | 'from'> {
	durations: number[];
	/** How long it is heard, in units of the film. */
	end: number;
}

const toHeard = ({ entry, timescale, from, times, seconds }: Soundtrack): Heard => ({
	entry,
	timescale,
	from,
	durations: times.slice(1).map((time, i) => time - times[i]),
	end: Math.round(seconds * TIMESCALE),
});

const gridToHeard = ({ format, frames }: SoundGrid, end: number): Heard => ({
	entry: soundEntry(format),
	timescale: format.rate,
	// The first slot is before the film's start.
	from: FRAME,
	durations: frames.flatMap((slots) => slots.map(() => FRAME)),
	end,
});

function audioTrack(
	{ entry, timescale, from, durations, end }: Heard,
	places: Buffer[],
): TrackBoxes {
	const tables = [fullBox('stsd', 0, u32(1), entry), fullBox('stts', 0, toRuns(durations))];
	return {
		kind: 'soun',
		volume: 256,
		shape: Buffer.concat([NO_ROTATION, u32(0, 0)]),
		timescale,
		length: durations.reduce((sum, duration) => sum + duration, 0),
		from,
		end,
		header: fullBox('smhd', 0, u32(0)),
		tables: [...tables, ...places],
	};
}

const UNDETERMINED_LANGUAGE = 0x55c4;

function toTrak(id: number, track: TrackBoxes): Buffer {
	const { kind, volume, shape, timescale, length, from, end, header, tables } = track;
	// Enabled, and a part of the film.
	const flags = 3;
	const tkhd = fullBox('tkhd', flags, u32(0, 0, id, 0, end, 0, 0), u16(0, 0, volume, 0), shape);
	const elst = fullBox('elst', 0, u32(1, end, from, 65_536));
	const mdhd = fullBox('mdhd', 0, u32(0, 0, timescale, length), u16(UNDETERMINED_LANGUAGE, 0));
	const hdlr = fullBox('hdlr', 0, u32(0), Buffer.from(kind), u32(0, 0, 0), Buffer.from('\0'));
	const dinf = box('dinf', fullBox('dref', 0, u32(1), fullBox('url ', 1)));
	const minf = box('minf', header, dinf, box('stbl', ...tables));
	return box('trak', tkhd, box('edts', elst), box('mdia', mdhd, hdlr, minf));
}

/** Writes a table whose rows are a value and how often it follows itself. */
function toRuns(values: number[]): Buffer {
	const rows: number[] = [];
	values.forEach((value, i) => {
		if (i > 0 && values[i - 1] === value) rows[rows.length - 2]++;
		else rows.push(1, value);
	});
	return u32(rows.length / 2, rows);
}
