import { open } from 'node:fs/promises';
import { run } from '../n8n/command.mjs';
import { fileSize } from '../n8n/report.mjs';

const MAX_BOXES = 10_000;

/** Resolves to the types of the boxes at a file's top level, and where the last one ends. */
async function topBoxes(file, size) {
	const types = [];
	let at = 0;
	while (at < size && types.length < MAX_BOXES) {
		const header = Buffer.alloc(16);
		const { bytesRead } = await file.read(header, 0, 16, at);
		const type = header.toString('latin1', 4, 8);
		const short = header.readUInt32BE(0);
		// ISO 14496-12: size 1 stands for a 64-bit size behind the type, 0 for "to the end".
		const length = short === 1 ? Number(header.readBigUInt64BE(8)) : short || size - at;
		const isBox = bytesRead >= 8 && length >= 8 && /^[\x20-\x7e]{4}$/.test(type);
		if (!isBox) return { types, end: at, garbled: true };
		types.push(type);
		at += length;
	}
	return { types, end: at, garbled: false };
}

function whyNotWhole({ types, end, garbled }, bytes) {
	if (bytes === 0) return 'the file is empty';
	if (types[0] !== 'ftyp') return 'it is not an MP4 file';
	if (end > bytes) return `it is truncated: ${end - bytes} bytes are missing`;
	if (garbled) return `it is damaged at byte ${end}`;
	if (!types.includes('moov')) return 'it has no index (moov box)';
	if (!types.includes('mdat')) return 'it has no pictures (mdat box)';
	return '';
}

/**
 * Resolves to `{ whole, reason, bytes }`, by the boxes of an MP4 file: it is whole if they end exactly
 * where the file ends, and there are pictures in it.
 */
export async function readMp4(path) {
	const file = await open(path);
	try {
		const { size: bytes } = await file.stat();
		const reason = whyNotWhole(await topBoxes(file, bytes), bytes);
		return { whole: reason === '', reason, bytes };
	} finally {
		await file.close();
	}
}

const SHOW = 'stream=codec_name,width,height:format=duration';

/** Resolves to what ffprobe says of a file, or to nothing where it is not installed. */
async function byFfprobe(file) {
	const args = ['-v', 'error', '-select_streams', 'v:0', '-show_entries', SHOW, '-of', 'json'];
	const { code, output } = await run('ffprobe', [...args, file]);
	if (code === 127) return undefined;
	if (code !== 0) return { problem: output.trim() };
	const { streams, format } = JSON.parse(output);
	const { codec_name: codec, width, height } = streams[0] ?? {};
	return { says: `${codec}, ${width} x ${height}, ${Number(format.duration).toFixed(2)} s` };
}

/**
 * Resolves to `{ whole, lines }`: what there is to say of a video file. Only the boxes show that a file
 * is cut: ffprobe reads the index, which may stand complete at the front of half a file.
 */
export async function videoFacts(file) {
	const { whole, reason, bytes } = await readMp4(file);
	const probe = await byFfprobe(file);
	return {
		whole: whole && !probe?.problem,
		lines: [
			`Video: ${file}`,
			`Size: ${fileSize(bytes)} (${bytes} bytes)`,
			...(probe ? [`ffprobe: ${probe.problem ?? probe.says}`] : []),
			whole ? 'The MP4 is complete.' : `The MP4 is incomplete: ${reason}.`,
		],
	};
}
