import { boxesIn, findBox, flagsOf, needBox, numbersAt, rowsIn } from '../../shared/mp4/boxes';
import { refuseClip } from './clipFile';

/** The samples of a track (its pictures, or its frames of sound), in the order of decoding. */
export interface Samples {
	/** Where each one begins in the file. */
	offsets: number[];
	sizes: number[];
	/** When each one is decoded, in the track's time scale; the last entry is the track's end. */
	times: number[];
	/** How much later than decoded each one is shown. */
	delays: number[];
	/** Whether decoding can begin there. */
	isKey: boolean[];
}

/** Samples of one kind, as far as an index tells. */
export interface Track<Format> {
	format: Format;
	/** Units per second of the track's times. */
	timescale: number;
	samples: Samples;
	/** How many seconds the clip shows the track later than its own times say. */
	shift: number;
	/** What is shown before this time is hidden; absent without an edit list. */
	cut?: number;
	/** Rotation, width and height, as the end of `tkhd` has them. */
	shape: Buffer;
}

/** The samples of a clip, and of a film: over an hour, and all their tables fit into some 40 MB. */
export const MAX_SAMPLES = 500_000;

/** Units per second of a film's times: exact for whole rates and 29.97; 32 bits of them are 13 hours. */
export const TIMESCALE = 90_000;

export function checkCount(count: number): void {
	if (count > MAX_SAMPLES) throw new RangeError(`it names more than ${MAX_SAMPLES} frames`);
}

/**
 * The rows that a table about so many frames may have: one for each, and one more. The index has room
 * for four million, which stopped n8n for a second (CVE-2017-9256 is of the same kind).
 */
const mostRows = (frames: number) => frames + 1;

export const firstShown = ({ times, delays }: Samples) =>
	delays.reduce((first, delay, i) => Math.min(first, times[i] + delay), Infinity);

/** Reads the tables of a track; those of a fragmented file are empty. */
export function readTables(stbl: Buffer): Samples {
	const stsz = needBox(stbl, 'stsz');
	const [same, count] = numbersAt(stsz, 4, 2);
	checkCount(count);
	const sizes = same ? new Array<number>(count).fill(same) : numbersAt(stsz, 12, count);
	const times = [0];
	for (const duration of readRuns(needBox(stbl, 'stts'), count)) {
		times.push(times[times.length - 1] + duration);
	}
	const ctts = findBox(stbl, 'ctts');
	const stss = findBox(stbl, 'stss');
	const keys = stss && new Set(rowsIn(stss, 1, mostRows(count)));
	return {
		offsets: readOffsets(stbl, sizes),
		sizes,
		times,
		// Some writers put negative numbers where only positive ones are allowed.
		delays: ctts ? readRuns(ctts, count).map((delay) => delay | 0) : sizes.map(() => 0),
		isKey: sizes.map((_, i) => keys?.has(i + 1) ?? true),
	};
}

/** Reads a table of values, each behind the number of samples that it is true of. */
function readRuns(body: Buffer, count: number): number[] {
	const rows = rowsIn(body, 2, mostRows(count));
	const values: number[] = [];
	for (let row = 0; row < rows.length; row += 2) {
		const end = Math.min(values.length + rows[row], count);
		while (values.length < end) values.push(rows[row + 1]);
	}
	if (values.length < count) throw new RangeError('a table is too short');
	return values;
}

function readOffsets(stbl: Buffer, sizes: number[]): number[] {
	const stco = findBox(stbl, 'stco');
	const chunks = rowsIn(stco ?? needBox(stbl, 'co64'), stco ? 1 : 2, MAX_SAMPLES);
	const runs = rowsIn(needBox(stbl, 'stsc'), 3, mostRows(sizes.length));
	const offsets: number[] = [];
	let samples = 0;
	for (let chunk = 1, i = 0, run = 0; i < chunks.length; chunk++) {
		for (; runs[run] <= chunk; run += 3) samples = runs[run + 1];
		let at = stco ? chunks[i++] : chunks[i++] * 2 ** 32 + chunks[i++];
		const end = Math.min(offsets.length + samples, sizes.length);
		while (offsets.length < end) at += sizes[offsets.push(at) - 1];
	}
	if (offsets.length < sizes.length) throw new RangeError('a table is too short');
	return offsets;
}

export interface Fragment {
	/** Where its `moof` begins in the file. */
	at: number;
	moof: Buffer;
}

/** Adds what the fragments (section 8.8) have of a track. */
export function addFragments(
	samples: Samples,
	trackId: number,
	moov: Buffer,
	fragments: Fragment[],
): void {
	if (fragments.length === 0) return;
	const trexs = [...boxesIn(needBox(moov, 'mvex'), 'trex')];
	const trex = trexs.find(({ body }) => body.readUInt32BE(4) === trackId)?.body;
	/** What the samples of the track have in common: duration, size and flags. */
	const common = trex ? numbersAt(trex, 12, 3) : [0, 0, 0];
	for (const { at, moof } of fragments) {
		[...boxesIn(moof, 'traf')].forEach(({ body: traf }, i) => {
			const tfhd = needBox(traf, 'tfhd');
			if (tfhd.readUInt32BE(4) !== trackId) return;
			const has = flagsOf(tfhd);
			// Neither its own base nor that of the fragment: it would begin where the track before ends.
			if (i > 0 && !(has & 0x20001)) refuseClip('has fragments without a base', 'Encode it anew.');
			const next = numbersFrom(tfhd, 8);
			const base = has & 1 ? next() * 2 ** 32 + next() : at;
			// Which sample entry it uses: there is only one.
			if (has & 2) next();
			const defaults = common.map((value, bit) => (has & (8 << bit) ? next() : value));
			const tfdt = findBox(traf, 'tfdt');
			if (tfdt) beginAt(samples, tfdt[0] ? Number(tfdt.readBigUInt64BE(4)) : tfdt.readUInt32BE(4));
			let end = base;
			for (const { body } of boxesIn(traf, 'trun'))
				end = addRun(samples, body, base, end, defaults);
		});
	}
}

const numbersFrom = (body: Buffer, at: number) => () => body.readUInt32BE((at += 4) - 4);

/** Fills a gap before a fragment: the sample before it lasts until then. */
function beginAt({ times, sizes }: Samples, time: number) {
	if (sizes.length === 0 || time > times[times.length - 2]) times[times.length - 1] = time;
}

const NOT_KEY = 0x10000;

/** Returns where the data of the run ends. */
function addRun(
	samples: Samples,
	trun: Buffer,
	base: number,
	end: number,
	[duration, size, flags]: number[],
): number {
	const has = flagsOf(trun);
	const count = trun.readUInt32BE(4);
	checkCount(samples.sizes.length + count);
	const next = numbersFrom(trun, 8);
	let offset = has & 1 ? base + (next() | 0) : end;
	let firstFlags = has & 4 ? next() : undefined;
	for (let i = 0; i < count; i++) {
		const time = samples.times[samples.times.length - 1];
		samples.times.push(time + (has & 0x100 ? next() : duration));
		const bytes = has & 0x200 ? next() : size;
		const ownFlags = has & 0x400 ? next() : flags;
		samples.isKey.push(!((firstFlags ?? ownFlags) & NOT_KEY));
		firstFlags = undefined;
		samples.delays.push(has & 0x800 ? next() | 0 : 0);
		samples.sizes.push(bytes);
		samples.offsets.push(offset);
		offset += bytes;
	}
	return offset;
}
