import { type JsonOutput, readJsonText } from '../shared/text/jsonText';
import { type Candidate, chooseCandidate, type TextAnswer } from '../shared/text/response';
import type { TextJob } from './readJob';

/** What the item is made of. */
export interface Chosen {
	candidate: Candidate;
	/** Whether its text was to be JSON; one without text, such as a call of a function, is not. */
	wantsJson: boolean;
	/** The JSON in it; `undefined` where there is none. */
	output?: JsonOutput;
}

/**
 * The first candidate that may pass as an answer and has the JSON that was asked for, if any was;
 * where none has, the first that may pass, with what is wrong with it.
 */
export function chooseOutput(
	answer: TextAnswer,
	{ jsonOutput, schema }: Pick<TextJob, 'jsonOutput' | 'schema'>,
): Chosen | undefined {
	let first: Chosen | undefined;
	for (const candidate of answer.candidates) {
		if (!chooseCandidate({ ...answer, candidates: [candidate] })) continue;
		const wantsJson = jsonOutput && candidate.text.trim() !== '';
		const output = wantsJson ? readJsonText(candidate.text, schema) : undefined;
		const chosen = { candidate, wantsJson, output };
		if (!wantsJson || (output && !output.broken)) return chosen;
		first ??= chosen;
	}
	return first;
}
