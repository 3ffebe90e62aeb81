import { open } from 'node:fs/promises';
import { run } from '../n8n/command.mjs';
import { fileSize } from '../n8n/report.mjs';

const MAX_BOXES = 10_000;
const MAX_MOOV_BYTES = 64_000_000;
const CONTAINERS = new Set(['moov', 'trak', 'mdia', 'minf', 'stbl']);

/** Reads one box header: `{ type, start, bodyStart, end }`. Size 0 means "to the end". */
function readHeader(bytes, start, limit) {
	let size = bytes.readUInt32BE(0);
	const type = bytes.toString('latin1', 4, 8);
	let header = 8;
	if (size === 1) {
		size = Number(bytes.readBigUInt64BE(8));
		header = 16;
	}
	if (size === 0) size = limit - start;
	return { type, start, bodyStart: start + header, end: start + size, valid: size >= header };
}

/** The boxes at the file's top level, without reading what is in them. */
async function topBoxes(file, size) {
	const boxes = [];
	let at = 0;
	while (at < size && boxes.length < MAX_BOXES) {
		const bytes = Buffer.alloc(16);
		const { bytesRead } = await file.read(bytes, 0, 16, at);
		const box = bytesRead >= 8 ? readHeader(bytes, at, size) : null;
		if (!box?.valid || !/^[\x20-\x7e]{4}$/.test(box.type)) return { boxes, end: at, garbled: true };
		boxes.push(box);
		at = box.end;
	}
	return { boxes, end: at, garbled: false };
}

/** Every box inside `bytes` (a moov box), containers opened, as `{ type, body, trak }`. */
function* inner(bytes, trak = 0) {
	let at = 0;
	for (let count = 0; at + 8 <= bytes.length && count < MAX_BOXES; count += 1) {
		const padded = Buffer.concat([bytes.subarray(at, at + 16), Buffer.alloc(16)]);
		const box = readHeader(padded, at, bytes.length);
		if (!box.valid || box.end > bytes.length) return;
		const body = bytes.subarray(box.bodyStart, box.end);
		const number = box.type === 'trak' ? at + 1 : trak;
		yield { type: box.type, body, trak: number };
		if (CONTAINERS.has(box.type)) yield* inner(body, number);
		at = box.end;
	}
}

function describeMoov(moov) {
	const boxes = [...inner(moov)];
	const video = boxes.find(
		({ type, body }) => type === 'hdlr' && body.toString('latin1', 8, 12) === 'vide',
	);
	const ofVideo = (type) =>
		boxes.find((box) => box.type === type && box.trak === video?.trak)?.body;
	const mvhd = boxes.find(({ type }) => type === 'mvhd')?.body;
	const tkhd = ofVideo('tkhd');
	return {
		seconds: mvhd ? durationOf(mvhd) : 0,
		codec: ofVideo('stsd')?.toString('latin1', 12, 16) ?? '',
		// Width and height are the last eight bytes, as 16.16 fixed-point numbers.
		width: tkhd ? tkhd.readUInt32BE(tkhd.length - 8) / 65536 : 0,
		height: tkhd ? tkhd.readUInt32BE(tkhd.length - 4) / 65536 : 0,
	};
}

function durationOf(mvhd) {
	const long = mvhd[0] === 1;
	const timescale = mvhd.readUInt32BE(long ? 20 : 12);
	const ticks = long ? Number(mvhd.readBigUInt64BE(24)) : mvhd.readUInt32BE(16);
	return timescale > 0 ? ticks / timescale : 0;
}

/**
 * What an MP4 file's own boxes say: `{ whole, reason, bytes, codec, width, height, seconds }`.
 * Whole means: the boxes end exactly where the file ends, and there are pictures in it.
 */
export async function readMp4(path) {
	const file = await open(path);
	try {
		const { size: bytes } = await file.stat();
		const { boxes, end, garbled } = await topBoxes(file, bytes);
		const moov = boxes.find(({ type }) => type === 'moov');
		let facts = { seconds: 0, codec: '', width: 0, height: 0 };
		if (moov && moov.end <= bytes && moov.end - moov.bodyStart <= MAX_MOOV_BYTES) {
			const body = Buffer.alloc(moov.end - moov.bodyStart);
			await file.read(body, 0, body.length, moov.bodyStart);
			facts = describeMoov(body);
		}
		const reason = whyNotWhole({ boxes, end, garbled, bytes, facts });
		return { whole: reason === '', reason, bytes, ...facts };
	} finally {
		await file.close();
	}
}

function whyNotWhole({ boxes, end, garbled, bytes, facts }) {
	const has = (type) => boxes.some((box) => box.type === type);
	if (bytes === 0) return 'the file is empty';
	if (boxes[0]?.type !== 'ftyp') return 'it is not an MP4 file';
	if (end > bytes) return `it is truncated: ${end - bytes} bytes are missing`;
	if (garbled) return `it is damaged at byte ${end}`;
	if (!has('moov')) return 'it has no index (moov box)';
	if (!has('mdat')) return 'it has no pictures (mdat box)';
	if (!facts.codec || !(facts.seconds > 0)) return 'it has no video track';
	return '';
}

const FFPROBE = [
	'-v',
	'error',
	'-select_streams',
	'v:0',
	'-show_entries',
	'stream=codec_name,width,height:format=duration',
	'-of',
	'json',
];

/** `{ codec, width, height, seconds }` by ffprobe, or null where it is not installed. */
async function byFfprobe(file) {
	const { code, output } = await run('ffprobe', [...FFPROBE, file]);
	if (code === 127) return null;
	if (code !== 0) return { problem: output.trim() };
	const { streams, format } = JSON.parse(output);
	const { codec_name: codec, width, height } = streams[0] ?? {};
	return { codec, width, height, seconds: Number(format.duration) };
}

/**
 * `{ whole, lines }`: what there is to say of a video file. Only the boxes show that a file is cut:
 * ffprobe reads the index, which may stand complete at the front of half a file.
 */
export async function videoFacts(file) {
	const boxes = await readMp4(file);
	const probe = await byFfprobe(file);
	const facts = probe ?? boxes;
	const says = facts.problem
		? facts.problem
		: `${facts.codec}, ${facts.width} x ${facts.height}, ${facts.seconds.toFixed(2)} s`;
	return {
		whole: boxes.whole && !probe?.problem,
		lines: [
			`Video: ${file}`,
			`Size: ${fileSize(boxes.bytes)} (${boxes.bytes} bytes)`,
			`${probe ? 'ffprobe' : "The file's boxes (ffprobe is not installed)"}: ${says}`,
			boxes.whole ? 'The MP4 is complete.' : `The MP4 is incomplete: ${boxes.reason}.`,
		],
	};
}
