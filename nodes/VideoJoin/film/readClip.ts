import type { InputFile, MediaFile } from '../../shared/lib/mediaFile';
import { extensionOf, FIRST_BOXES, type MediaType, sniff } from '../../shared/lib/mediaType';
import { type Box, boxesIn, findBox, needBox, readHeader } from '../../shared/mp4/boxes';
import { createCursor, refuseClip, withLabel } from './clipFile';
import { type CodedPicture, readCodedPicture, readSound, type Sound } from './codec';
import {
	addFragments,
	type Fragment,
	readTables,
	type Samples,
	TIMESCALE,
	type Track,
} from './samples';
import { beginAtCut } from './trim';

/** A clip, as far as its index tells. */
export interface Clip {
	file: InputFile;
	video: Track<CodedPicture>;
	/** Absent if the clip has no sound, or none is wanted. */
	audio?: Track<Sound>;
}

/** An index that is larger belongs to no clip, and would have to be held in memory. */
const MAX_INDEX_BYTES = 16 * 1024 * 1024;
/** At the top level; each fragment is two boxes. */
const MAX_TOP_BOXES = 20_000;
/** Real clips have some ten. Each is searched for its kind, behind thousands of boxes (CVE-2017-9253). */
const MAX_TRACKS = 100;

/** What a file says of its samples, in front of them or behind. An M4A has no pictures. */
export interface Index {
	kind: 'clip' | 'm4a';
	moov: Buffer;
	fragments: Fragment[];
}

/** Sound in another format, which has no index. */
export interface Stream {
	kind: 'wav' | 'mpeg';
}

/** Reads a file as far as its index, and names it in what it throws. */
export async function openClip(file: InputFile): Promise<Index | Stream> {
	try {
		return await readIndex(file);
	} catch (error) {
		throw withLabel(file, error);
	}
}

/** Reads a clip by its index, and names it in what it throws. */
export function readClip(file: InputFile, index: Index, withSound: boolean): Clip {
	try {
		return toClip(file, withSound, index);
	} catch (error) {
		throw withLabel(file, error);
	}
}

async function readIndex(file: MediaFile): Promise<Index | Stream> {
	const { sizeBytes } = file;
	const cursor = createCursor(file);
	const fragments: Fragment[] = [];
	let moov: Buffer | undefined;
	let isFragmented = true;
	let indexBytes = 0;
	let boxes = 0;
	try {
		do {
			if (++boxes > MAX_TOP_BOXES) throw new RangeError(`it has more than ${MAX_TOP_BOXES} parts`);
			const at = cursor.position();
			const head = await cursor.read(8);
			const isKnown = at > 0 || FIRST_BOXES.includes(head.toString('latin1', 4));
			if (!isKnown) {
				const more = await cursor.read(Math.min(32, sizeBytes - head.length));
				const begin = Buffer.concat([head, more]);
				const type = sniff(begin);
				const kind = type && STREAMS[type];
				return kind ? { kind } : refuseFormat(begin, type);
			}
			const { type, headerBytes, size } =
				readHeader(head) ?? readHeader(Buffer.concat([head, await cursor.read(8)]))!;
			const end = size === Infinity ? sizeBytes : at + size;
			if (size < headerBytes || end > sizeBytes) {
				throw new RangeError(
					`its part "${type}" claims ${size} bytes, and ${sizeBytes - at} are there`,
				);
			}
			if (type === 'moov' || type === 'moof') {
				indexBytes += end - at;
				if (indexBytes > MAX_INDEX_BYTES)
					throw new RangeError(`its index is larger than ${MAX_INDEX_BYTES / 1024 ** 2} MB`);
				const body = await cursor.read(end - cursor.position());
				if (type === 'moof') fragments.push({ at, moof: body });
				else {
					moov = body;
					// Once, and not after each of 20,000 fragments (CVE-2026-31808).
					isFragmented = findBox(moov, 'mvex') !== undefined;
				}
				if (!isFragmented) break;
			}
			await cursor.skipTo(end);
			// Less than a header at the end is no box.
		} while (sizeBytes - cursor.position() >= 8);
	} finally {
		await cursor.close();
	}
	if (!moov) throw new RangeError('its index (moov) is missing');
	const isSound = !findTrack(moov, 'vide') && findTrack(moov, 'soun');
	return { kind: isSound ? 'm4a' : 'clip', moov, fragments };
}

/** Sound without an index. */
const STREAMS: Partial<Record<MediaType, Stream['kind']>> = {
	'audio/wav': 'wav',
	'audio/mpeg': 'mpeg',
	'audio/aac': 'mpeg',
};

function refuseFormat(first: Buffer, type?: MediaType): never {
	const begin = first.toString('latin1');
	const text = begin.replace(/[^ -~]+/g, ' ').trim() || first.toString('hex', 0, 8);
	const what = type
		? `its format is ${extensionOf(type).toUpperCase()}`
		: `it begins with "${text}"`;
	const advice =
		'Check Input Binary Field. A film is made of MP4 and MOV files, and its sound may be an MP3, M4A, AAC or WAV file. Other formats have to be converted first.';
	return refuseClip(`is not an MP4 or MOV file: ${what}`, advice);
}

function toClip(file: InputFile, withSound: boolean, index: Index): Clip {
	const whole = readTrack(index, 'vide', readCodedPicture);
	if (!whole) return refuseClip('has no pictures', 'Leave the item out, or check its file.');
	endLast(whole.samples);
	const video = beginAtCut(whole);
	const { sizes, isKey } = video.samples;
	// Empty samples are allowed, and stand for no picture.
	const first = sizes.findIndex((bytes) => bytes > 0);
	if (first < 0) throw new RangeError('its pictures have no bytes');
	if (!isKey[first]) refuseClip('does not begin with a key frame', 'Encode it anew.');
	const keys = isKey.filter((isOne) => isOne).length;
	// They may be repeated before each key frame, which is larger: 200 kB became a film of 800 MB.
	if (keys * video.format.parameterSets.length > file.sizeBytes) {
		throw new RangeError('its parameter sets are too large for its pictures');
	}
	const audio = withSound ? readTrack(index, 'soun', readSound) : undefined;
	checkPlaces(file, audio ? [video.samples, audio.samples] : [video.samples]);
	checkTimes(video);
	return { file, video, audio };
}

/** Reads the first track of a kind; `undefined` if there is none, or it is empty. */
export function readTrack<Format>(
	{ moov, fragments }: Index,
	kind: string,
	readFormat: (type: string, body: Buffer) => Format,
): Track<Format> | undefined {
	const trak = findTrack(moov, kind);
	if (!trak) return undefined;
	const header = needBox(trak, 'tkhd');
	const stbl = needBox(trak, 'mdia', 'minf', 'stbl');
	const samples = readTables(stbl);
	addFragments(samples, behindDates(header), moov, fragments);
	if (samples.sizes.length === 0) return undefined;
	const timescale = behindDates(needBox(trak, 'mdia', 'mdhd'));
	if (timescale === 0) throw new RangeError('a track has no time scale');
	const entries = [...boxesIn(needBox(stbl, 'stsd').subarray(8))];
	if (entries.length !== 1) refuseClip('changes its format on the way', 'Encode it anew.');
	return {
		format: readFormat(entries[0].type, entries[0].body),
		timescale,
		samples,
		...readEdits(moov, trak, timescale),
		// A matrix of nine numbers, then width and height; a copy, that the index need not stay in memory.
		shape: Buffer.from(header.subarray(-44)),
	};
}

function findTrack(moov: Buffer, kind: string): Buffer | undefined {
	const tracks = [...boxesIn(moov, 'trak')];
	if (tracks.length > MAX_TRACKS) throw new RangeError(`it has more than ${MAX_TRACKS} tracks`);
	const isKind = ({ body }: Box) =>
		needBox(body, 'mdia', 'hdlr').toString('latin1', 8, 12) === kind;
	return tracks.find(isKind)?.body;
}

/** The number behind the dates in `tkhd` (the ID), and in `mdhd` and `mvhd` (the time scale). */
const behindDates = (body: Buffer) => body.readUInt32BE(body[0] ? 20 : 12);

/** Reads by how much the edit list (section 8.6.6) moves a track: a wait, then a cut at the start. */
function readEdits(
	moov: Buffer,
	trak: Buffer,
	timescale: number,
): Pick<Track<unknown>, 'shift' | 'cut'> {
	const elst = findBox(trak, 'edts', 'elst');
	const count = elst?.readUInt32BE(4) ?? 0;
	const movieScale = Math.max(1, behindDates(needBox(moov, 'mvhd')));
	let waited = 0;
	for (let i = 0; i < count; i++) {
		const [duration, from] = elst![0]
			? [Number(elst!.readBigUInt64BE(8 + 20 * i)), Number(elst!.readBigInt64BE(16 + 20 * i))]
			: [elst!.readUInt32BE(8 + 12 * i), elst!.readInt32BE(12 + 12 * i)];
		if (from >= 0) return { shift: waited - from / timescale, cut: from };
		waited += duration / movieScale;
	}
	return { shift: waited };
}

/** All samples lie inside of the file, and no two share bytes: so a film is never larger than its clips. */
function checkPlaces({ sizeBytes }: InputFile, tracks: Samples[]): void {
	const places = tracks.flatMap(({ offsets, sizes }) => offsets.map((at, i) => [at, sizes[i]]));
	places.sort(([a, before], [b, after]) => a - b || before - after);
	let end = 0;
	for (const [at, bytes] of places) {
		if (at < end) throw new RangeError('its index names the same bytes twice');
		end = at + bytes;
	}
	if (end > sizeBytes) {
		throw new RangeError(`its index needs ${end} bytes, and its file has ${sizeBytes}`);
	}
}

/** Real ones are below a second, and more than 13 hours do not fit into a film's 32 bits. */
const MAX_DELAY_SECONDS = 3600;

/** Some writers give the last picture no time of its own. */
function endLast({ times, sizes }: Samples): void {
	const last = sizes.length - 1;
	if (last > 0 && times[last + 1] === times[last]) times[last + 1] += times[last] - times[last - 1];
}

function checkTimes({ samples, timescale }: Track<CodedPicture>): void {
	const { times, sizes, delays } = samples;
	const length = ((times[sizes.length] - times[0]) / timescale) * TIMESCALE;
	if (Math.round(length) === 0) throw new RangeError('its pictures have no duration');
	const least = delays.reduce((low, delay) => Math.min(low, delay), Infinity);
	const most = delays.reduce((high, delay) => Math.max(high, delay), -Infinity);
	if ((most - least) / timescale > MAX_DELAY_SECONDS) {
		throw new RangeError('its pictures are displayed more than an hour after they are decoded');
	}
}
