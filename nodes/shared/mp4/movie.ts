import { box, fullBox, table, u16, u32 } from './boxes';
import type { Film } from './planFilm';

/** The tables of a track that say where its samples are. */
export interface TrackTables {
	sizes: number[];
	/** Samples without a gap between them: the first one's number, and its place behind the head. */
	chunks: Array<{ first: number; count: number; at: number }>;
}

const MAX_SHORT = 2 ** 32 - 1;
const VIDEO_ID = 1;
const AUDIO_ID = 2;
const NO_ROTATION = u32(65_536, 0, 0, 0, 65_536, 0, 0, 0, 2 ** 30);

/** Makes all that comes before the samples: `ftyp`, `moov`, and the header of `mdat`. */
export function makeMovie(
	film: Film,
	video: TrackTables,
	audio: TrackTables,
	dataBytes: number,
): Buffer {
	// Leaves room for the head itself, which is far smaller than the rest to 2 ** 32.
	const isLarge = dataBytes > MAX_SHORT - 2 ** 28;
	const mdat = isLarge
		? Buffer.concat([u32(1), Buffer.from('mdat'), table([16 + dataBytes], 8)])
		: Buffer.concat([u32(8 + dataBytes), Buffer.from('mdat')]);
	const ftyp = box('ftyp', Buffer.from('isom'), u32(512), Buffer.from('isomiso2mp41'));
	const make = (base: number) => makeMoov(film, video, audio, base, isLarge);
	const base = ftyp.length + make(0).length + mdat.length;
	return Buffer.concat([ftyp, make(base), mdat]);
}

function makeMoov(
	film: Film,
	video: TrackTables,
	audio: TrackTables,
	base: number,
	isLarge: boolean,
): Buffer {
	const { timescale, starts, clips } = film;
	const end = starts[starts.length - 1];
	const mvhd = fullBox(
		'mvhd',
		0,
		u32(0, 0, timescale, end, 65_536),
		u16(256, 0, 0, 0, 0, 0),
		NO_ROTATION,
		u32(0, 0, 0, 0, 0, 0, AUDIO_ID + 1),
	);
	const [{ matrix, shownSize }] = clips;
	const videoTrak = box(
		'trak',
		tkhd(VIDEO_ID, end, matrix, shownSize),
		edit(end, film.delay),
		box(
			'mdia',
			mdhd(timescale, end),
			hdlr('vide', 'VideoHandler'),
			box(
				'minf',
				fullBox('vmhd', 1, u16(0, 0, 0, 0)),
				dinf(),
				box('stbl', ...videoTables(film), ...placeTables(video, base, isLarge)),
			),
		),
	);
	return box(
		'moov',
		mvhd,
		videoTrak,
		...(film.sound ? [audioTrak(film, audio, base, isLarge)] : []),
	);
}

function audioTrak(film: Film, audio: TrackTables, base: number, isLarge: boolean): Buffer {
	const { format } = film.sound!;
	const end = film.starts[film.starts.length - 1];
	const count = audio.sizes.length;
	return box(
		'trak',
		tkhd(AUDIO_ID, end, NO_ROTATION, u32(0, 0), { volume: 256, group: 1 }),
		// The first slot is before the film's start.
		edit(end, FRAME),
		box(
			'mdia',
			mdhd(format.rate, count * FRAME),
			hdlr('soun', 'SoundHandler'),
			box(
				'minf',
				fullBox('smhd', 0, u32(0)),
				dinf(),
				box(
					'stbl',
					fullBox('stsd', 0, u32(1), soundEntry(film)),
					fullBox('stts', 0, u32(1, count, FRAME)),
					...placeTables(audio, base, isLarge),
				),
			),
		),
	);
}

const FRAME = 1024;

function tkhd(
	id: number,
	end: number,
	matrix: Buffer,
	size: Buffer,
	{ volume, group } = { volume: 0, group: 0 },
) {
	// Enabled, and a part of the film.
	const flags = 3;
	return fullBox(
		'tkhd',
		flags,
		u32(0, 0, id, 0, end, 0, 0),
		u16(0, group, volume, 0),
		matrix,
		size,
	);
}

const edit = (end: number, from: number) =>
	box('edts', fullBox('elst', 0, u32(1, end, from, 65_536)));

const UNDETERMINED_LANGUAGE = 0x55c4;

const mdhd = (timescale: number, end: number) =>
	fullBox('mdhd', 0, u32(0, 0, timescale, end), u16(UNDETERMINED_LANGUAGE, 0));

const hdlr = (kind: string, name: string) =>
	fullBox('hdlr', 0, u32(0), Buffer.from(kind), u32(0, 0, 0), Buffer.from(`${name}\0`));

const dinf = () => box('dinf', fullBox('dref', 0, u32(1), fullBox('url ', 1)));

function videoTables({ clips, times, delays }: Film): Buffer[] {
	const { format } = clips[0].video;
	const durations = delays.map((_, i) => times[i + 1] - times[i]);
	const isKey = clips.flatMap(({ video }) => video.samples.isKey);
	const keys = isKey.flatMap((is, i) => (is ? [i + 1] : []));
	return [
		fullBox('stsd', 0, u32(1), box(format.format, format.entry)),
		fullBox('stts', 0, toRuns(durations)),
		...(delays.some((delay) => delay > 0) ? [fullBox('ctts', 0, toRuns(delays))] : []),
		...(keys.length < isKey.length ? [fullBox('stss', 0, u32(keys.length), table(keys, 4))] : []),
	];
}

/** Writes equal values that follow each other as one row. */
function toRuns(values: number[]): Buffer {
	const rows: number[] = [];
	values.forEach((value, i) => {
		if (i > 0 && values[i - 1] === value) rows[rows.length - 2]++;
		else rows.push(1, value);
	});
	return Buffer.concat([u32(rows.length / 2), table(rows, 4)]);
}

function placeTables({ sizes, chunks }: TrackTables, base: number, isLarge: boolean): Buffer[] {
	// In a clip, later samples may lie before earlier ones; tables name them in their order.
	const sorted = [...chunks].sort((a, b) => a.first - b.first);
	const offsets = sorted.map(({ at }) => base + at);
	const rows: number[] = [];
	sorted.forEach(({ count }, i) => {
		if (i === 0 || sorted[i - 1].count !== count) rows.push(i + 1, count, 1);
	});
	return [
		fullBox('stsc', 0, u32(rows.length / 3), table(rows, 4)),
		fullBox('stsz', 0, u32(0, sizes.length), table(sizes, 4)),
		isLarge
			? fullBox('co64', 0, u32(offsets.length), table(offsets, 8))
			: fullBox('stco', 0, u32(offsets.length), table(offsets, 4)),
	];
}

/** Writes AAC as MP4 has it; QuickTime has other fields. */
function soundEntry({ sound }: Film): Buffer {
	const { rate, channels, config } = sound!.format;
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
