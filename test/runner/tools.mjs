import path from 'node:path';
import { run } from '../../sandbox/n8n/command.mjs';
import { ROOT } from '../../sandbox/n8n/folders.mjs';
import { single } from './steps.mjs';

/** A command-line tool of this repository's packages. */
export const tool = (name) => path.join(ROOT, 'node_modules', '.bin', name);

/** Runs a tool in the root; `show` prints what it writes as it comes. */
export async function runTool(name, args, { show = false } = {}) {
	return await run(tool(name), args, { cwd: ROOT, show });
}

/**
 * A step that passes when the tool ends with exit code 0 and `isClean(output)`; what the tool
 * wrote is shown if it does not.
 */
export function toolStep(title, name, args, isClean = () => true) {
	const runStep = async () => {
		const { code, output } = await runTool(name, args);
		return single(title, code === 0 && isClean(output), output);
	};
	return { title, run: runStep };
}
