import { makeMovie, type TrackTables } from './movie';
import type { Film } from './planFilm';
import { openCursor } from './source';

/** The bytes of a film, and how many they are. */
export interface FilmFile {
	sizeBytes: number;
	/** Reads the clips one after the other, each from its beginning to its end. */
	pieces: () => AsyncGenerator<Uint8Array, void>;
}

/** A sample of the film, in the order in which it lies in its clip's file. */
interface Place {
	kind: 'video' | 'audio';
	/** Its number in its track of the film, from 0. */
	number: number;
	/** Where it is in the clip. */
	at: number;
	/** 0 for the silence behind the last frame of a clip. */
	bytes: number;
	/** How many frames of silence come before it. */
	silent: number;
	needsSettings: boolean;
}

function placesOf(film: Film, clip: number, firstPicture: number): Place[] {
	const { video, audio } = film.clips[clip];
	const { offsets, sizes, isKey } = video.samples;
	const places: Place[] = offsets.map((at, i) => ({
		kind: 'video',
		number: firstPicture + i,
		at,
		bytes: sizes[i],
		silent: 0,
		needsSettings: film.repeatsSettings && isKey[i],
	}));
	if (film.sound) {
		const { slots, frames } = film.sound;
		let silent = 0;
		const add = (number: number, at: number, bytes: number) => {
			places.push({ kind: 'audio', number, at, bytes, silent, needsSettings: false });
			silent = 0;
		};
		frames[clip].forEach((frame, slot) => {
			if (frame === undefined) silent++;
			else add(slots[clip] + slot, audio!.samples.offsets[frame], audio!.samples.sizes[frame]);
		});
		if (silent > 0) add(slots[clip + 1], Infinity, 0);
	}
	return places.sort((a, b) => a.at - b.at);
}

/** Lays out the film. Nothing is read yet: the index, which comes first, is made of the clips' own. */
export function layOut(film: Film): FilmFile {
	const { clips, sound } = film;
	const pictures = film.delays.length;
	const video: TrackTables = { sizes: new Array<number>(pictures), chunks: [] };
	const frames = sound?.slots[clips.length] ?? 0;
	const audio: TrackTables = { sizes: new Array<number>(frames), chunks: [] };
	const silence = sound?.format.silence ?? Buffer.alloc(0);
	let position = 0;
	let last: unknown;
	const add = (tables: TrackTables, number: number, bytes: number) => {
		const { sizes, chunks } = tables;
		const chunk = chunks[chunks.length - 1];
		if (last === tables && chunk.first + chunk.count === number) chunk.count++;
		else chunks.push({ first: number, count: 1, at: position });
		last = tables;
		sizes[number] = bytes;
		position += bytes;
	};
	let firstPicture = 0;
	clips.forEach(({ video: { samples, format } }, clip) => {
		for (const place of placesOf(film, clip, firstPicture)) {
			for (let i = place.silent; i > 0; i--) add(audio, place.number - i, silence.length);
			if (place.bytes === 0) continue;
			const settings = place.needsSettings ? format.parameterSets.length : 0;
			add(place.kind === 'video' ? video : audio, place.number, place.bytes + settings);
		}
		firstPicture += samples.sizes.length;
	});
	const head = makeMovie(film, video, audio, position);
	return { sizeBytes: head.length + position, pieces: () => writePieces(film, head, silence) };
}

async function* writePieces(film: Film, head: Buffer, silence: Buffer) {
	yield head;
	let firstPicture = 0;
	for (const [clip, { source, video }] of film.clips.entries()) {
		const cursor = openCursor(source);
		/** What lies together in the clip, and will in the film, passes as it comes. */
		let together = { at: 0, bytes: 0 };
		try {
			for (const { at, bytes, silent, needsSettings } of placesOf(film, clip, firstPicture)) {
				const follows = at === together.at + together.bytes;
				if (follows && silent === 0 && !needsSettings) {
					together.bytes += bytes;
					continue;
				}
				await cursor.skipTo(together.at);
				yield* cursor.pass(together.bytes);
				together = { at, bytes };
				if (silent > 0) yield Buffer.concat(new Array<Buffer>(silent).fill(silence));
				if (!needsSettings) continue;
				await cursor.skipTo(at);
				const start = await cursor.read(Math.min(bytes, DELIMITER_BYTES));
				together = { at: at + start.length, bytes: bytes - start.length };
				// A delimiter has to be the first thing of a picture.
				const sets = video.format.parameterSets;
				const end = delimiterOf(start);
				yield Buffer.concat([start.subarray(0, end), sets, start.subarray(end)]);
			}
			if (together.bytes > 0) {
				await cursor.skipTo(together.at);
				yield* cursor.pass(together.bytes);
			}
		} finally {
			await cursor.close();
		}
		firstPicture += video.samples.sizes.length;
	}
}

const DELIMITER_BYTES = 7;

/** Returns how many bytes an access unit delimiter takes: of H.264 (9), of H.265 (35), or none. */
function delimiterOf(start: Buffer): number {
	if (start.length < DELIMITER_BYTES) return 0;
	const [bytes, type] = [start.readUInt32BE(0), start[4]];
	return (bytes === 2 && (type & 0x1f) === 9) || (bytes === 3 && type === 35 << 1) ? 4 + bytes : 0;
}
