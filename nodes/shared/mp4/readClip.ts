import { lowerFirst } from '../lib/text';
import { boxesIn, findBox, needBox, readHeader } from './boxes';
import { type ClipFile, createCursor, refuseClip, withLabel } from './clipFile';
import { type Picture, readPicture, readSound, REMOVE_SOUND, type Sound } from './codec';
import { addFragments, type Fragment, readTables, type Samples } from './samples';
import { FIRST_BOXES } from './videoFormat';

export interface Track<Format> {
	format: Format;
	/** Units per second of the track's times. */
	timescale: number;
	samples: Samples;
	/** How many seconds the clip shows the track later than its own times say. */
	shift: number;
}

/** A clip, as far as its index tells. */
export interface Clip {
	file: ClipFile;
	video: Track<Picture>;
	/** Absent if the clip has no sound, or none is wanted. */
	audio?: Track<Sound>;
	/** Rotation, width and height, as the end of `tkhd` has them. */
	shape: Buffer;
}

/** An index that is larger belongs to no clip, and would have to be held in memory. */
const MAX_INDEX_BYTES = 16 * 1024 * 1024;
/** Each fragment is two boxes. */
const MAX_BOXES = 20_000;
const MAX_DELAY_SECONDS = 600;
/** Of what an edit list cuts off; a film would show it again. */
const MAX_CUT_SECONDS = 0.02;
/** Pictures a second. */
const MAX_RATE = 1000;

/** Reads a file as far as its index. Refuses a clip that does not fit to the clips before it. */
export async function readClip(file: ClipFile, withSound: boolean, before: Clip[] = []) {
	try {
		const clip = toClip(file, withSound, await findIndex(file));
		checkFit(clip, before);
		return clip;
	} catch (error) {
		throw withLabel(file, error);
	}
}

interface Index {
	moov: Buffer;
	fragments: Fragment[];
}

async function findIndex(file: ClipFile): Promise<Index> {
	const cursor = createCursor(file);
	const fragments: Fragment[] = [];
	let moov: Buffer | undefined;
	let held = 0;
	try {
		for (let count = 0; count === 0 || file.sizeBytes - cursor.position() >= 8; count++) {
			if (count > MAX_BOXES) throw new RangeError(`it has more than ${MAX_BOXES} parts`);
			const at = cursor.position();
			const rest = file.sizeBytes - at;
			let head = await cursor.read(Math.min(8, rest));
			if (count === 0 && !FIRST_BOXES.includes(head.toString('latin1', 4))) {
				refuseFormat(Buffer.concat([head, await cursor.read(Math.min(32, rest - head.length))]));
			}
			if (!readHeader(head)) head = Buffer.concat([head, await cursor.read(8)]);
			const { type, headerBytes, size } = readHeader(head)!;
			const end = size === Infinity ? file.sizeBytes : at + size;
			if (size < headerBytes || end > file.sizeBytes) {
				throw new RangeError(`its part "${type}" claims ${size} bytes, and ${rest} are there`);
			}
			if (type === 'moov' || (type === 'moof' && moov)) {
				held += end - at;
				if (held > MAX_INDEX_BYTES) throw new RangeError('its index is larger than 16 MB');
				const body = await cursor.read(end - cursor.position());
				if (type === 'moof') fragments.push({ at, moof: body });
				else moov ??= body;
				if (moov && !findBox(moov, 'mvex')) break;
			}
			await cursor.skipTo(end);
		}
	} finally {
		await cursor.close();
	}
	if (!moov) throw new RangeError('its index (moov) is missing');
	return { moov, fragments };
}

function refuseFormat(begin: Buffer): never {
	const hex = begin.toString('hex', 0, 8);
	const text = begin.toString('latin1').replace(/[^ -~]+/g, ' ');
	if (/^(?:RIFF....WAVE|ID3|fLaC|\xff[\xe2-\xff])/s.test(begin.toString('latin1'))) {
		const advice = 'Leave the item out: another node or service has to put sound on a film.';
		refuseClip('is sound, and Video Join joins films', advice);
	}
	const isWebm = hex.startsWith('1a45dfa3');
	const what = isWebm ? 'is a WebM or Matroska file' : `begins with "${text.trim() || hex}"`;
	const advice = 'Check Input Binary Field. Other formats have to be converted first.';
	refuseClip(`is not an MP4 or MOV file: it ${what}`, advice);
}

function toClip(file: ClipFile, withSound: boolean, { moov, fragments }: Index): Clip {
	const traks = boxesIn(moov).filter(({ type }) => type === 'trak');
	const kindOf = (trak: Buffer) => needBox(trak, 'mdia', 'hdlr').toString('latin1', 8, 12);
	// Only one track of a kind is ever read, so that many of them cost nothing.
	const find = (kind: string): RawTrack | undefined => {
		const trak = traks.find(({ body }) => kindOf(body) === kind)?.body;
		return trak && { trak, samples: readTables(needBox(trak, ...TABLES)) };
	};
	const pictures = find('vide');
	const sound = withSound ? find('soun') : undefined;
	const tracks = [pictures, sound].flatMap((track) => track ?? []);
	addFragments(fragments, moov, new Map(tracks.map(({ trak, samples }) => [idOf(trak), samples])));
	if (!pictures?.samples.sizes.length) {
		return refuseClip('has no pictures', 'Leave the item out, or check its file.');
	}
	const video = toTrack(moov, pictures, readPicture);
	const audio = sound?.samples.sizes.length ? toTrack(moov, sound, readSound) : undefined;
	if (!video.samples.isKey[0]) refuseClip('does not begin with a key frame', 'Encode it anew.');
	checkPlaces(file, audio ? [video.samples, audio.samples] : [video.samples]);
	checkTimes(video);
	// A matrix of nine numbers, then width and height.
	return { file, video, audio, shape: needBox(pictures.trak, 'tkhd').subarray(-44) };
}

interface RawTrack {
	trak: Buffer;
	samples: Samples;
}

const TABLES = ['mdia', 'minf', 'stbl'];

const idOf = (trak: Buffer) => behindDates(needBox(trak, 'tkhd'));

/** The number behind the dates in `tkhd` (the ID), and in `mdhd` and `mvhd` (the time scale). */
const behindDates = (body: Buffer) => body.readUInt32BE(body[0] ? 20 : 12);

function toTrack<Format>(
	moov: Buffer,
	{ trak, samples }: RawTrack,
	readFormat: (type: string, body: Buffer) => Format,
): Track<Format> {
	const timescale = behindDates(needBox(trak, 'mdia', 'mdhd'));
	if (timescale === 0) throw new RangeError('a track has no time scale');
	const entries = boxesIn(needBox(trak, ...TABLES, 'stsd').subarray(8));
	if (entries.length !== 1) refuseClip('changes its format on the way', 'Encode it anew.');
	const format = readFormat(entries[0].type, entries[0].body);
	return { format, timescale, samples, shift: readShift(moov, trak, timescale) };
}

/** Reads by how much the edit list (section 8.6.6) moves a track: a wait, then a cut at the start. */
function readShift(moov: Buffer, trak: Buffer, timescale: number): number {
	const elst = findBox(trak, 'edts', 'elst');
	const count = elst?.readUInt32BE(4) ?? 0;
	const movieScale = Math.max(1, behindDates(needBox(moov, 'mvhd')));
	let waited = 0;
	for (let i = 0; i < count; i++) {
		const [duration, from] = elst![0]
			? [Number(elst!.readBigUInt64BE(8 + 20 * i)), Number(elst!.readBigInt64BE(16 + 20 * i))]
			: [elst!.readUInt32BE(8 + 12 * i), elst!.readInt32BE(12 + 12 * i)];
		if (from >= 0) return waited - from / timescale;
		waited += duration / movieScale;
	}
	return waited;
}

/** All samples lie inside of the file, and no two share bytes: so a film is never larger than its clips. */
function checkPlaces({ sizeBytes }: ClipFile, tracks: Samples[]): void {
	const places = tracks.flatMap(({ offsets, sizes }) => offsets.map((at, i) => [at, sizes[i]]));
	places.sort(([a], [b]) => a - b);
	let end = 0;
	for (const [at, bytes] of places) {
		if (bytes === 0) throw new RangeError('its index names frames of 0 bytes');
		if (at < end) throw new RangeError('its index names the same bytes twice');
		end = at + bytes;
	}
	if (end > sizeBytes) {
		throw new RangeError(`its index needs ${end} bytes, and its file has ${sizeBytes}`);
	}
}

function checkTimes({ samples: { times, delays, sizes }, timescale, shift }: Track<Picture>): void {
	const last = sizes.length - 1;
	// Some writers give the last picture no time of its own.
	if (last > 0 && times[last + 1] === times[last]) times[last + 1] += times[last] - times[last - 1];
	if (((times[last + 1] - times[0]) / timescale) * MAX_RATE < sizes.length) {
		throw new RangeError('its pictures have no duration');
	}
	const shown = delays.reduce((least, delay, i) => Math.min(least, times[i] + delay), Infinity);
	if (-shift - shown / timescale > MAX_CUT_SECONDS) {
		refuseClip('has pictures that its edit list cuts off', 'Encode it anew.');
	}
	if (delays.some((delay) => Math.abs(delay) > MAX_DELAY_SECONDS * timescale)) {
		throw new RangeError('its pictures are shown at impossible times');
	}
}

const SAME_SETTINGS =
	'Render all clips with the same Model, Aspect Ratio and Resolution, or make a film of each kind with Group By.';

function checkFit(clip: Clip, before: Clip[]): void {
	compare(clip, before[0], lookOf, SAME_SETTINGS);
	if (clip.audio)
		compare(
			clip,
			before.find(({ audio }) => audio),
			soundOf,
			REMOVE_SOUND,
		);
}

function compare(
	clip: Clip,
	other: Clip | undefined,
	traitsOf: (clip: Clip) => string[],
	advice: string,
): void {
	const traits = other && traitsOf(other);
	traitsOf(clip).forEach((trait, i) => {
		if (!traits || trait === traits[i]) return;
		refuseClip(`has ${trait}, but ${lowerFirst(other.file.label)} has ${traits[i]}`, advice);
	});
}

function lookOf({ video: { format }, shape }: Clip): string[] {
	const { type, width, height, colour } = format;
	const [a, b, c, d] = [0, 4, 12, 16].map((at) => shape.readInt32BE(at));
	const degrees = Math.round(Math.atan2(b, a) * (180 / Math.PI));
	// Width and height have 16 bits behind the point.
	const shown = [36, 40].map((at) => Math.round(shape.readUInt32BE(at) / 65_536));
	return [
		`${width} x ${height} pixels`,
		`the video codec ${type.startsWith('avc') ? 'H.264' : 'H.265'} (${type})`,
		`the colour format ${colour}`,
		`a rotation of ${(degrees + 360) % 360} degrees${a * d < b * c ? ', mirrored' : ''}`,
		`a shown size of ${shown.join(' x ')}`,
	];
}

const soundOf = ({ audio }: Clip) => [
	`sound with ${audio!.format.rate} Hz`,
	audio!.format.channels === 1 ? 'mono sound' : 'stereo sound',
];
