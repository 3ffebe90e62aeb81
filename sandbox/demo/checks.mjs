import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { itemsOf } from '../n8n/api.mjs';
import { Refusal } from '../n8n/report.mjs';
import { executeInProduction } from './examples.mjs';
import { videoFacts } from './videoFacts.mjs';

// Longer than the longest wait that Video Generate has by default (30 minutes).
const RENDER_WITHIN_MS = 35 * 60_000;
const TEXT_WITHIN_MS = 5 * 60_000;

async function execute({ api, report }, workflow, name, withinMs) {
	const execution = await report.during(name, () =>
		executeInProduction(api, workflow, name, withinMs),
	);
	report.line(`Execution ${execution.id} (${execution.mode}): ${execution.status}`);
	return execution;
}

/** Prompt -> Video Generate -> Video Download; resolves to whether the file that came out is whole. */
export async function checkVideo(demo) {
	const name = 'Prompt -> Video Generate -> Video Download';
	const execution = await execute(demo, demo.video, name, RENDER_WITHIN_MS);
	const [item] = itemsOf(execution, 'Video Download');
	const binary = Object.values(item?.binary ?? {})[0];
	if (!binary) throw new Refusal(`Execution ${execution.id} produced no file.`);
	const folder = path.join(demo.data, 'videos');
	await mkdir(folder, { recursive: true });
	const file = path.join(folder, `execution-${execution.id}.mp4`);
	await demo.api.saveBinary(binary, file);
	const { whole, lines } = await videoFacts(file);
	lines.forEach((line) => demo.report.line(line));
	return whole;
}

/** Generate Content; prints the text that came back. */
export async function checkText(demo) {
	const execution = await execute(demo, demo.text, 'Generate Content', TEXT_WITHIN_MS);
	const answer = itemsOf(execution, 'Generate Content')[0]?.json?.text;
	if (!answer) throw new Refusal(`Execution ${execution.id} produced no text.`);
	demo.report.line(`Text: ${answer}`);
}
