import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../lib/json';

/** Code that the model ran at the service, and what came of it; each as the service spells it. */
export interface CodeRun extends IDataObject {
	language?: string;
	code?: string;
	/** Such as `OUTCOME_OK`; missing where the answer ended before the run did. */
	outcome?: string;
	output?: string;
}

/** The protocol puts the result of a run into the part behind its code. */
export function readCodeRuns(parts: IDataObject[]): CodeRun[] {
	const runs: CodeRun[] = [];
	for (const { executableCode, codeExecutionResult } of parts) {
		if (isObject(executableCode)) runs.push(pickTexts(executableCode, 'language', 'code'));
		if (!isObject(codeExecutionResult)) continue;
		const result = pickTexts(codeExecutionResult, 'outcome', 'output');
		const open = runs.at(-1);
		if (open && open.outcome === undefined) Object.assign(open, result);
		else runs.push(result);
	}
	return runs;
}

/** What the last run printed; a failed one prints what went wrong. */
export const lastOutput = (runs: CodeRun[]) =>
	runs
		.map(({ output }) => output)
		.filter((output) => output !== undefined)
		.at(-1);

const pickTexts = (record: IDataObject, ...names: string[]): CodeRun =>
	Object.fromEntries(
		names.filter((name) => typeof record[name] === 'string').map((name) => [name, record[name]]),
	);
