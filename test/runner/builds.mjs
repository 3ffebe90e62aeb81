import { rm } from 'node:fs/promises';
import path from 'node:path';
import { buildPackage, hashFiles } from '../../sandbox/n8n/package.mjs';
import { ROOT } from '../../sandbox/n8n/folders.mjs';
import { single } from './steps.mjs';
import { runTool } from './tools.mjs';

/** TypeScript and the icons by gulp, without n8n's tool: what `npm run build:classic` does. */
async function classicBuild() {
	await rm(path.join(ROOT, 'dist'), { recursive: true, force: true });
	const compiled = await runTool('tsc', []);
	return compiled.code === 0 ? await runTool('gulp', ['build:icons']) : compiled;
}

/** The files that are not the same in both lists of hashes. */
function differences(left, right) {
	const names = new Set([...Object.keys(left), ...Object.keys(right)]);
	return [...names].filter((name) => left[name] !== right[name]);
}

const BUILD = 'Build (n8n-node build)';
const SAME = 'Classic build produces the same files';

async function compareBuilds() {
	const dist = () => hashFiles(['dist']);
	const byNodeCli = await dist();
	const { code, output } = await classicBuild();
	const different = differences(byNodeCli, await dist());
	if (code === 0 && different.length === 0) {
		return single(SAME, Object.keys(byNodeCli).length > 0, 'dist/ is empty');
	}
	// Later steps run what people get.
	await buildPackage({ always: true });
	return single(SAME, false, code === 0 ? `different: ${different.join(', ')}` : output);
}

export const buildSteps = () => [
	{
		title: BUILD,
		run: async () => {
			await buildPackage({ always: true });
			return single(BUILD, true);
		},
	},
	{ title: SAME, run: compareBuilds },
];

const FAST = 'Build (tsc and gulp)';

async function fastBuild() {
	const { code, output } = await classicBuild();
	return single(FAST, code === 0, output);
}

export const fastBuildSteps = () => [{ title: FAST, run: fastBuild }];
