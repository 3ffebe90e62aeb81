import { boxesIn, findBox, flagsOf, needBox } from './boxes';

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

/** The samples of a clip, and of a film: over an hour, and all their tables fit into some 40 MB. */
export const MAX_SAMPLES = 500_000;

const TOO_MANY = `it names more than ${MAX_SAMPLES} frames`;

export const noSamples = (): Samples => ({
	offsets: [],
	sizes: [],
	times: [0],
	delays: [],
	isKey: [],
});

/** Returns where the rows of a table begin, behind the number of rows. */
function rowsOf(body: Buffer, rowBytes: number, countAt = 4): number[] {
	const count = body.readUInt32BE(countAt);
	const from = countAt + 4;
	if (count > (body.length - from) / rowBytes) throw new RangeError('a table is cut');
	return Array.from({ length: count }, (_, i) => from + i * rowBytes);
}

/** Reads the tables of a track whose samples are all named in `moov`. */
export function readTables(stbl: Buffer): Samples {
	const stsz = needBox(stbl, 'stsz');
	const same = stsz.readUInt32BE(4);
	const count = stsz.readUInt32BE(8);
	if (count > MAX_SAMPLES) throw new RangeError(TOO_MANY);
	const sizes = same
		? new Array<number>(count).fill(same)
		: rowsOf(stsz, 4, 8).map((row) => stsz.readUInt32BE(row));
	if (count === 0) return noSamples();
	const durations = readRuns(needBox(stbl, 'stts'), count, (body, at) => body.readUInt32BE(at));
	const ctts = findBox(stbl, 'ctts');
	const stss = findBox(stbl, 'stss');
	const keys = stss && new Set(rowsOf(stss, 4).map((row) => stss.readUInt32BE(row)));
	const times = [0];
	for (const duration of durations) times.push(times[times.length - 1] + duration);
	return {
		offsets: readOffsets(stbl, sizes),
		sizes,
		times,
		// Some writers put negative numbers where only positive ones are allowed.
		delays: ctts
			? readRuns(ctts, count, (body, at) => body.readInt32BE(at))
			: new Array<number>(count).fill(0),
		isKey: sizes.map((_, i) => keys?.has(i + 1) ?? true),
	};
}

function readRuns(
	body: Buffer,
	count: number,
	valueAt: (body: Buffer, at: number) => number,
): number[] {
	const values: number[] = [];
	for (const row of rowsOf(body, 8)) {
		const value = valueAt(body, row + 4);
		const length = Math.min(body.readUInt32BE(row), count - values.length);
		for (let i = 0; i < length; i++) values.push(value);
	}
	if (values.length < count) throw new RangeError('a table is too short');
	return values;
}

function readOffsets(stbl: Buffer, sizes: number[]): number[] {
	const stco = findBox(stbl, 'stco');
	const co64 = stco ?? needBox(stbl, 'co64');
	const chunks = stco
		? rowsOf(stco, 4).map((row) => stco.readUInt32BE(row))
		: rowsOf(co64, 8).map((row) => Number(co64.readBigUInt64BE(row)));
	const stsc = needBox(stbl, 'stsc');
	const runs = rowsOf(stsc, 12);
	const offsets: number[] = [];
	let run = -1;
	chunks.forEach((start, chunk) => {
		while (run + 1 < runs.length && stsc.readUInt32BE(runs[run + 1]) <= chunk + 1) run++;
		const inChunk = run < 0 ? 0 : stsc.readUInt32BE(runs[run] + 4);
		let at = start;
		for (let i = 0; i < inChunk && offsets.length < sizes.length; i++) {
			offsets.push(at);
			at += sizes[offsets.length - 1];
		}
	});
	if (offsets.length < sizes.length) throw new RangeError('a table is too short');
	return offsets;
}

/** Defaults of a track's fragments: duration, size and flags of a sample. */
type Defaults = [duration: number, size: number, flags: number];

const NOT_KEY = 0x10000;

/** Adds the samples of a fragment (`moof`, section 8.8), which began at this place of the file. */
export function addFragment(
	moof: Buffer,
	moofAt: number,
	moov: Buffer,
	tracks: Map<number, Samples>,
	/** Takes the samples of all other tracks. */
	others: Samples,
): void {
	// Without a base of its own, a track's data follows the data of the track before.
	let end = moofAt;
	for (const { type, body: traf } of boxesIn(moof)) {
		if (type !== 'traf') continue;
		const tfhd = needBox(traf, 'tfhd');
		const flags = flagsOf(tfhd);
		const id = tfhd.readUInt32BE(4);
		const samples = tracks.get(id) ?? others;
		let at = 8;
		let base = flags & 0x20000 ? moofAt : end;
		if (flags & 1) {
			base = Number(tfhd.readBigUInt64BE(at));
			at += 8;
		}
		if (flags & 2) at += 4;
		const given = [8, 0x10, 0x20].map((flag) => {
			if (!(flags & flag)) return undefined;
			at += 4;
			return tfhd.readUInt32BE(at - 4);
		});
		const defaults = readDefaults(moov, id).map((value, i) => given[i] ?? value) as Defaults;
		const tfdt = findBox(traf, 'tfdt');
		if (tfdt) beginAt(samples, tfdt[0] ? Number(tfdt.readBigUInt64BE(4)) : tfdt.readUInt32BE(4));
		end = base;
		for (const { type: inner, body } of boxesIn(traf)) {
			if (inner === 'trun') end = addRun(samples, body, base, end, defaults);
		}
	}
}

/** Fills a gap before a fragment: the sample before it lasts until then. */
function beginAt({ times, sizes }: Samples, time: number) {
	if (sizes.length === 0 || time > times[times.length - 2]) times[times.length - 1] = time;
}

function readDefaults(moov: Buffer, id: number): Defaults {
	const all = boxesIn(needBox(moov, 'mvex')).filter(({ type }) => type === 'trex');
	const trex = all.find(({ body }) => body.readUInt32BE(4) === id)?.body;
	return trex ? [trex.readUInt32BE(12), trex.readUInt32BE(16), trex.readUInt32BE(20)] : [0, 0, 0];
}

function addRun(
	samples: Samples,
	trun: Buffer,
	base: number,
	end: number,
	[duration, size, flags]: Defaults,
): number {
	const has = flagsOf(trun);
	const count = trun.readUInt32BE(4);
	if (samples.sizes.length + count > MAX_SAMPLES) throw new RangeError(TOO_MANY);
	let at = 8;
	const next = () => trun.readUInt32BE((at += 4) - 4);
	let offset = has & 1 ? base + trun.readInt32BE((at += 4) - 4) : end;
	const firstFlags = has & 4 ? next() : undefined;
	for (let i = 0; i < count; i++) {
		const time = samples.times[samples.times.length - 1];
		samples.times.push(time + (has & 0x100 ? next() : duration));
		const bytes = has & 0x200 ? next() : size;
		const ownFlags = has & 0x400 ? next() : flags;
		samples.isKey.push(!(((i === 0 && firstFlags) || ownFlags) & NOT_KEY));
		samples.delays.push(has & 0x800 ? next() | 0 : 0);
		samples.sizes.push(bytes);
		samples.offsets.push(offset);
		offset += bytes;
	}
	return offset;
}
