import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { itemsOf } from '../n8n/api.mjs';
import { Refusal } from '../n8n/report.mjs';
import { executeInProduction } from './examples.mjs';
import { videoFacts } from './videoFacts.mjs';

// Longer than the longest wait that Video Generate has by default (30 minutes).
const RENDER_WITHIN_MS = 35 * 60_000;
const TEXT_WITHIN_MS = 5 * 60_000;

/** Prompt -> Video Generate -> Video Download; true if the file that came out is whole. */
export async function checkVideo({ api, report, data, video }) {
	const name = 'Prompt -> Video Generate -> Video Download';
	const execution = await report.during(name, () =>
		executeInProduction(api, video, name, RENDER_WITHIN_MS),
	);
	const [item] = itemsOf(execution, 'Video Download');
	const binary = Object.values(item?.binary ?? {})[0];
	if (!binary) throw new Refusal(`Execution ${execution.id} produced no file.`);
	const folder = path.join(data, 'videos');
	await mkdir(folder, { recursive: true });
	const file = path.join(folder, `execution-${execution.id}.mp4`);
	await api.saveBinary(binary, file);
	const { whole, lines } = await videoFacts(file);
	report.line(`Execution ${execution.id} (${execution.mode}): ${execution.status}`);
	lines.forEach((line) => report.line(line));
	return whole;
}

/** Generate Content; prints the text that came back. */
export async function checkText({ api, report, text }) {
	const name = 'Generate Content';
	const execution = await report.during(name, () =>
		executeInProduction(api, text, name, TEXT_WITHIN_MS),
	);
	const answer = itemsOf(execution, 'Generate Content')[0]?.json?.text;
	if (!answer) throw new Refusal(`Execution ${execution.id} produced no text.`);
	report.line(`Execution ${execution.id} (${execution.mode}): ${execution.status}`);
	report.line(`Text: ${answer}`);
}
