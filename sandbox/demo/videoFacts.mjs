import { run } from '../n8n/command.mjs';
import { fileSize } from '../n8n/report.mjs';
import { readMp4 } from './mp4.mjs';

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
