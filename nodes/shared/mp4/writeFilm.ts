import { makeHead, type Places } from './movie';
import type { Film } from './planFilm';
import { openCursor, toRefusal } from './source';

/** The bytes of a film, and how many they are. */
export interface FilmFile {
	sizeBytes: number;
	/** Reads the clips one after the other, each from its beginning to its end. */
	pieces: () => AsyncGenerator<Uint8Array, void>;
}

/** A sample of the film, in the order in which it lies in its clip's file. */
interface Place {
	isSound: boolean;
	/** Its number in its track of the film, from 0. */
	number: number;
	/** Where it is in the clip. */
	at: number;
	/** 0 for a frame of silence. */
	bytes: number;
	/** What has to stand before it. */
	settings?: Buffer;
}

function placesOf({ clips, pictures, repeatsSettings, sound }: Film, clip: number): Place[] {
	const { video, audio } = clips[clip];
	const { offsets, sizes, isKey } = video.samples;
	const places: Place[] = offsets.map((at, i) => ({
		...{ isSound: false, number: pictures[clip] + i, at, bytes: sizes[i] },
		settings: repeatsSettings && isKey[i] ? video.format.parameterSets : undefined,
	}));
	// Silence lies behind the frame before it.
	let at = 0;
	sound?.frames[clip].forEach((frame, i) => {
		const number = sound.slots[clip] + i;
		if (frame !== undefined) at = audio!.samples.offsets[frame];
		const bytes = frame === undefined ? 0 : audio!.samples.sizes[frame];
		places.push({ isSound: true, number, at, bytes });
	});
	return places.sort((a, b) => a.at - b.at);
}

/** Lays out the film. Nothing is read yet: the index, which comes first, is made of the clips' own. */
export function layOut(film: Film): FilmFile {
	const { clips, sound } = film;
	const toPlaces = (count: number): Places => ({
		offsets: new Array<number>(count).fill(0),
		sizes: new Array<number>(count).fill(0),
	});
	const video = toPlaces(film.pictures[clips.length]);
	const audio = toPlaces(sound?.slots[clips.length] ?? 0);
	const silence = sound?.format.silence ?? Buffer.alloc(0);
	let position = 0;
	clips.forEach((_, clip) => {
		for (const { isSound, number, bytes, settings } of placesOf(film, clip)) {
			const { offsets, sizes } = isSound ? audio : video;
			offsets[number] = position;
			sizes[number] = (bytes || silence.length) + (settings?.length ?? 0);
			position += sizes[number];
		}
	});
	const head = makeHead(film, video, audio, position);
	return { sizeBytes: head.length + position, pieces: () => writePieces(film, head, silence) };
}

async function* writePieces(film: Film, head: Buffer, silence: Buffer) {
	yield head;
	for (const [clip, { source }] of film.clips.entries()) {
		const cursor = openCursor(source);
		try {
			for (const { at, bytes, settings } of placesOf(film, clip)) {
				if (bytes === 0) {
					yield silence;
					continue;
				}
				await cursor.skipTo(at);
				if (settings) {
					const start = await cursor.read(Math.min(bytes, DELIMITER_BYTES));
					// A delimiter has to be the first thing of a picture.
					const end = delimiterOf(start);
					yield Buffer.concat([start.subarray(0, end), settings, start.subarray(end)]);
				}
				yield* cursor.passTo(at + bytes);
			}
		} catch (error) {
			throw toRefusal(source, error);
		} finally {
			await cursor.close();
		}
	}
}

const DELIMITER_BYTES = 7;

/** Returns how many bytes an access unit delimiter takes: of H.264 (9), of H.265 (35), or none. */
function delimiterOf(start: Buffer): number {
	if (start.length < DELIMITER_BYTES) return 0;
	const [bytes, type] = [start.readUInt32BE(0), start[4]];
	return (bytes === 2 && (type & 0x1f) === 9) || (bytes === 3 && type === 35 << 1) ? 4 + bytes : 0;
}
