import { boxesIn, findBox, needBox } from './boxes';
import { type Picture, readPicture, readSound, type Sound } from './codec';
import { addFragment, noSamples, readTables, type Samples } from './samples';
import {
	type Cursor,
	openCursor,
	refuse,
	refuseBroken,
	refuseCut,
	type Source,
	toBroken,
} from './source';

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
	source: Source;
	video: Track<Picture>;
	/** Absent if the clip has no sound, or none is wanted. */
	audio?: Track<Sound>;
	/** Width, height and rotation as `tkhd` has them. */
	matrix: Buffer;
	shownSize: Buffer;
}

/** An index that is larger belongs to no clip, and would have to be held in memory. */
const MAX_INDEX_BYTES = 16 * 1024 * 1024;
/** Each fragment is two boxes. */
const MAX_BOXES = 20_000;
const MAX_SECONDS = 12 * 3_600;
const MAX_DELAY_SECONDS = 600;

/** Reads a clip's index, and no more of the file than it takes to find it. */
export async function readClip(source: Source, withSound: boolean): Promise<Clip> {
	try {
		const { moov, fragments } = await findIndex(source);
		return toClip(source, withSound, moov, fragments);
	} catch (error) {
		throw toBroken(source, error);
	}
}

type Fragment = { at: number; moof: Buffer };

async function findIndex(source: Source): Promise<{ moov: Buffer; fragments: Fragment[] }> {
	const cursor = openCursor(source);
	const fragments: Fragment[] = [];
	let moov: Buffer | undefined;
	let held = 0;
	try {
		for (let count = 0; count === 0 || source.size - cursor.position() >= 8; count++) {
			const at = cursor.position();
			const { type, end } = await readHeader(source, cursor, count === 0);
			if (count > MAX_BOXES) refuseBroken(source, `it has more than ${MAX_BOXES} parts`);
			if (type === 'moov' || (type === 'moof' && moov)) {
				held += end - at;
				if (held > MAX_INDEX_BYTES) refuseBroken(source, 'it is larger than 16 MB');
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
	return { moov: moov ?? refuseCut(source, 'its index (moov) is missing'), fragments };
}

/** The types of box that an MP4 or QuickTime file begins with, and that only such files have. */
const FIRST_BOXES = ['ftyp', 'styp', 'moov', 'mdat', 'free', 'skip', 'wide', 'pnot'];

async function readHeader(source: Source, cursor: Cursor, isFirst: boolean) {
	const at = cursor.position();
	const rest = source.size - at;
	const head = await cursor.read(Math.min(8, rest));
	const type = head.toString('latin1', 4);
	if (isFirst && !FIRST_BOXES.includes(type)) {
		const more = await cursor.read(Math.min(512, rest - head.length));
		const kind = whatItIs(Buffer.concat([head, more]));
		refuse(source, `is not an MP4 or MOV file: it ${kind}`, OTHER_FORMAT);
	}
	let size = head.readUInt32BE(0);
	if (size === 1 && rest >= 16) size = Number((await cursor.read(8)).readBigUInt64BE(0));
	const end = size === 0 ? source.size : at + size;
	if (size !== 0 && end < cursor.position()) refuseBroken(source, 'one of its boxes has no length');
	if (end > source.size) {
		const name = JSON.stringify(type);
		refuseCut(source, `its part ${name} claims ${size} bytes, and ${rest} are there`);
	}
	return { type, end };
}

const OTHER_FORMAT = 'Check Input Binary Field. Other formats have to be converted first.';

function toClip(source: Source, withSound: boolean, moov: Buffer, fragments: Fragment[]): Clip {
	const traks = boxesIn(moov).filter(({ type }) => type === 'trak');
	const inFragments = new Set(fragments.flatMap(({ moof }) => trackIdsOf(moof)));
	const find = (wanted: string) => {
		const found = traks.find(({ body }) => {
			const kind = needBox(body, 'mdia', 'hdlr').toString('latin1', 8, 12);
			return kind === wanted && (hasTables(body) || inFragments.has(idOf(body)));
		});
		return found && { trak: found.body, samples: readTables(needBox(found.body, ...TABLES)) };
	};
	const seen = find('vide');
	const heard = withSound ? find('soun') : undefined;
	if (!seen) return refuse(source, 'has no video track', 'Leave the item out, or check its file.');
	const byId = new Map(
		[seen, ...(heard ? [heard] : [])].map((one) => [idOf(one.trak), one.samples]),
	);
	const others = noSamples();
	for (const { at, moof } of fragments) addFragment(moof, at, moov, byId, others);
	const video = toTrack(source, moov, seen.trak, seen.samples, readPicture);
	const audio = heard && toTrack(source, moov, heard.trak, heard.samples, readSound);
	if (video.samples.sizes.length === 0) refuseCut(source, 'it has no pictures');
	if (!video.samples.isKey[0]) {
		refuse(source, 'does not begin with a key frame', 'Render it again, or encode it anew.');
	}
	checkPlaces(source, audio ? [video.samples, audio.samples] : [video.samples]);
	checkTimes(source, video);
	const tkhd = needBox(seen.trak, 'tkhd');
	const matrixAt = tkhd[0] ? 52 : 40;
	const matrix = tkhd.subarray(matrixAt, matrixAt + 36);
	const shownSize = tkhd.subarray(matrixAt + 36, matrixAt + 44);
	return { source, video, audio, matrix, shownSize };
}

const TABLES = ['mdia', 'minf', 'stbl'];

const hasTables = (trak: Buffer) => needBox(trak, ...TABLES, 'stsz').readUInt32BE(8) > 0;

function idOf(trak: Buffer): number {
	const tkhd = needBox(trak, 'tkhd');
	return tkhd.readUInt32BE(tkhd[0] ? 20 : 12);
}

const trackIdsOf = (moof: Buffer) =>
	boxesIn(moof)
		.filter(({ type }) => type === 'traf')
		.map(({ body }) => needBox(body, 'tfhd').readUInt32BE(4));

function toTrack<Format>(
	source: Source,
	moov: Buffer,
	trak: Buffer,
	samples: Samples,
	readFormat: (type: string, body: Buffer) => Format,
): Track<Format> {
	const mdhd = needBox(trak, 'mdia', 'mdhd');
	const timescale = mdhd.readUInt32BE(mdhd[0] ? 20 : 12);
	if (timescale === 0) throw new RangeError('a track has no time scale');
	const entries = boxesIn(needBox(trak, ...TABLES, 'stsd').subarray(8));
	if (entries.length !== 1) {
		refuse(source, 'changes its format on the way', 'Render it again, or encode it anew.');
	}
	const [{ type, body }] = entries;
	if (type === 'encv' || type === 'enca') {
		refuse(source, 'is encrypted (DRM)', 'Only files without protection can be joined.');
	}
	return {
		format: readFormat(type, body),
		timescale,
		samples,
		shift: readShift(moov, trak, timescale),
	};
}

/** Reads by how much the edit list (section 8.6.6) moves a track: a wait, then a cut at the start. */
function readShift(moov: Buffer, trak: Buffer, timescale: number): number {
	const elst = findBox(trak, 'edts', 'elst');
	if (!elst) return 0;
	const mvhd = needBox(moov, 'mvhd');
	const movieScale = mvhd.readUInt32BE(mvhd[0] ? 20 : 12);
	const isLong = elst[0] === 1;
	let waited = 0;
	const count = elst.readUInt32BE(4);
	for (let i = 0, at = 8; i < count; i++, at += isLong ? 20 : 12) {
		const duration = isLong ? Number(elst.readBigUInt64BE(at)) : elst.readUInt32BE(at);
		const from = isLong ? Number(elst.readBigInt64BE(at + 8)) : elst.readInt32BE(at + 4);
		if (from >= 0) return waited - from / timescale;
		waited += movieScale > 0 ? duration / movieScale : 0;
	}
	return waited;
}

/** All samples lie inside of the file, and no two share bytes: so a film is never larger than its clips. */
function checkPlaces(source: Source, tracks: Samples[]): void {
	const places = tracks.flatMap(({ offsets, sizes }) => offsets.map((at, i) => [at, sizes[i]]));
	places.sort(([a], [b]) => a - b);
	let end = 0;
	for (const [at, bytes] of places) {
		if (bytes === 0) refuseBroken(source, 'it names frames of 0 bytes');
		if (at < end) refuseBroken(source, 'it names the same bytes twice');
		end = at + bytes;
	}
	if (end > source.size) {
		refuseCut(source, `its index needs ${end} bytes, and its file has ${source.size}`);
	}
}

function checkTimes(source: Source, { samples, timescale }: Track<Picture>): void {
	const { times, delays, sizes } = samples;
	// Some writers give the last picture no time of its own.
	if (sizes.length > 1 && times[sizes.length] === times[sizes.length - 1]) {
		times[sizes.length] += times[sizes.length - 1] - times[sizes.length - 2];
	}
	const seconds = (times[sizes.length] - times[0]) / timescale;
	if (!(seconds > 0)) refuseBroken(source, 'its pictures have no duration');
	if (seconds > MAX_SECONDS) {
		refuse(source, 'is longer than 12 hours', 'Leave the item out, or check its file.');
	}
	if (delays.some((delay) => Math.abs(delay) > MAX_DELAY_SECONDS * timescale)) {
		refuseBroken(source, 'its pictures are shown at impossible times');
	}
}

/** How files begin that people mistake for an MP4, and what to call them. */
const KINDS: Array<[RegExp, string]> = [
	[/^$/, 'is empty'],
	[/^.E\xdf\xa3/s, 'is a WebM or Matroska file'],
	[/^RIFF.{4}AVI /s, 'is an AVI file'],
	[/^RIFF.{4}WAVE/s, 'is a sound file (WAV)'],
	[/^RIFF.{4}WEBP/s, 'is a picture (WebP)'],
	[/^\x89PNG/, 'is a picture (PNG)'],
	[/^\xff\xd8\xff/, 'is a picture (JPEG)'],
	[/^GIF8/, 'is a picture (GIF)'],
	[/^(ID3|\xff[\xe3\xf3\xfb])/, 'is a sound file (MP3)'],
	[/^OggS/, 'is an Ogg file'],
	[/^FLV/, 'is a Flash video'],
	[/^PK/, 'is a ZIP archive'],
	[/^.\x8b/s, 'is a GZIP archive'],
	[/^%PDF/, 'is a PDF'],
	[/^G.{187}G/s, 'is an MPEG transport stream'],
	[/^\s*<(!doctype html|html)/i, 'is a web page'],
	[/^\s*[{[]/, 'is JSON'],
	[/^[\t\n\r\x20-\x7e]*$/, 'is text'],
];

/** Returns what a file is by its first bytes, to complete "it ...". */
function whatItIs(start: Buffer): string {
	const text = start.toString('latin1');
	return KINDS.find(([pattern]) => pattern.test(text))?.[1] ?? 'begins as no video file does';
}
