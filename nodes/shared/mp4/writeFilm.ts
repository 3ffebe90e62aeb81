import { box, fullBox, halves, u16, u32 } from './boxes';
import { createCursor, type MediaFile, withLabel } from './clipFile';
import type { Sound } from './codec';
import { type Film, FRAME, TIMESCALE } from './planFilm';
import type { Samples } from './samples';

/** Where the samples of a track are, counted from the first of all, and how large. */
type Places = Pick<Samples, 'offsets' | 'sizes'>;

const noPlaces = (): Places => ({ offsets: [], sizes: [] });

/** Bytes of the film: some of a clip, as they lie there, or some of our own. */
type Part = { from: number; to: number } | Buffer;

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
}

/** Lays out the film, index first. Reads nothing of the clips until its pieces are read. */
export function layOut(film: Film): MediaFile {
	const [video, audio] = [noPlaces(), noPlaces()];
	let position = 0;
	const parts = film.clips.map((_, clip) => {
		const own: Part[] = [];
		for (const { places, number, at, bytes, own: before } of samplesOf(film, clip, video, audio)) {
			places.offsets[number] = position;
			places.sizes[number] = bytes + (before?.length ?? 0);
			position += places.sizes[number];
			if (before) own.push(before);
			const last = own[own.length - 1];
			// Samples that lie one behind the other are read as one.
			if (last && 'to' in last && last.to === at) last.to += bytes;
			else if (bytes > 0) own.push({ from: at, to: at + bytes });
		}
		return own;
	});
	const head = makeHead(film, video, audio, position);
	return { sizeBytes: head.length + position, pieces: () => writePieces(film, head, parts) };
}

/** Returns what the film takes of a clip, in the order in which it lies in the clip's file. */
function samplesOf(film: Film, clip: number, video: Places, audio: Places): Sample[] {
	const { clips, repeatsSets, sound } = film;
	const { samples, format } = clips[clip].video;
	const pictures = video.offsets.length;
	const all: Sample[] = samples.offsets.map((at, i) => ({
		places: video,
		number: pictures + i,
		at,
		bytes: samples.sizes[i],
		own: repeatsSets && samples.isKey[i] ? format.parameterSets : undefined,
	}));
	const slots = audio.offsets.length;
	const heard = clips[clip].audio?.samples;
	// Silence lies behind the frame before it.
	let at = 0;
	sound?.frames[clip].forEach((frame, i) => {
		const place = { places: audio, number: slots + i };
		if (frame === undefined) all.push({ ...place, at, bytes: 0, own: sound.format.silence });
		else all.push({ ...place, at: (at = heard!.offsets[frame]), bytes: heard!.sizes[frame] });
	});
	return all.sort((a, b) => a.at - b.at);
}

async function* writePieces({ clips }: Film, head: Buffer, parts: Part[][]) {
	yield head;
	for (const [clip, { file }] of clips.entries()) {
		const cursor = createCursor(file);
		try {
			for (const part of parts[clip]) {
				if (!('to' in part)) {
					// A copy, because a storage frees each piece that it has written.
					yield Buffer.from(part);
				} else {
					await cursor.skipTo(part.from);
					yield* cursor.passTo(part.to);
				}
			}
		} catch (error) {
			throw withLabel(file, error);
		} finally {
			await cursor.close();
		}
	}
}

const NO_ROTATION = u32(65_536, 0, 0, 0, 65_536, 0, 0, 0, 2 ** 30);

/** Makes `ftyp`, `moov`, and the header of `mdat`. A film may be larger than 4 GB. */
function makeHead(film: Film, video: Places, audio: Places, dataBytes: number): Buffer {
	const mdat = Buffer.concat([u32(1), Buffer.from('mdat'), u32(halves(16 + dataBytes))]);
	const ftyp = box('ftyp', Buffer.from('isom'), u32(512), Buffer.from('isomiso2mp41'));
	const end = film.starts[film.clips.length];
	const mvhd = [u32(0, 0, TIMESCALE, end, 65_536), u16(256, 0, 0, 0, 0, 0), NO_ROTATION];
	const make = (base: number) => {
		const tracks = [videoTrack(film, placesAt(video, base))];
		if (film.sound) tracks.push(audioTrack(film, placesAt(audio, base)));
		const header = fullBox('mvhd', 0, ...mvhd, u32(0, 0, 0, 0, 0, 0, tracks.length + 1));
		return box('moov', header, ...tracks.map((track, i) => toTrak(i + 1, end, track)));
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

function videoTrack({ clips, times, delays, delay }: Film, places: Buffer[]) {
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
		header: fullBox('vmhd', 1, u32(0, 0)),
		tables: [...tables, ...places],
	};
}

function audioTrack({ sound }: Film, places: Buffer[]): TrackBoxes {
	const { format, frames } = sound!;
	const count = frames.reduce((sum, { length }) => sum + length, 0);
	const tables = [
		fullBox('stsd', 0, u32(1), soundEntry(format)),
		fullBox('stts', 0, u32(1, count, FRAME)),
	];
	const shape = Buffer.concat([NO_ROTATION, u32(0, 0)]);
	return {
		kind: 'soun',
		volume: 256,
		shape,
		timescale: format.rate,
		length: count * FRAME,
		// The first slot is before the film's start.
		from: FRAME,
		header: fullBox('smhd', 0, u32(0)),
		tables: [...tables, ...places],
	};
}

const UNDETERMINED_LANGUAGE = 0x55c4;

function toTrak(id: number, end: number, track: TrackBoxes): Buffer {
	const { kind, volume, shape, timescale, length, from, header, tables } = track;
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

/** Writes AAC as MP4 has it; QuickTime has other fields. */
function soundEntry({ rate, channels, config }: Sound): Buffer {
	const descriptor = (tag: number, ...parts: Buffer[]) => {
		const body = Buffer.concat(parts);
		return Buffer.concat([Buffer.from([tag, body.length]), body]);
	};
	const AAC_STREAM = Buffer.from([0x40, 0x15, 0, 0, 0]);
	const decoder = descriptor(4, AAC_STREAM, u32(0, 0), descriptor(5, config));
	const esds = descriptor(3, u16(0), Buffer.from([0]), decoder, descriptor(6, Buffer.from([2])));
	return box(
		'mp4a',
		u16(0, 0, 0, 1, 0, 0, 0, 0, channels, 16, 0, 0, rate > 65_535 ? 0 : rate, 0),
		fullBox('esds', 0, esds),
	);
}
