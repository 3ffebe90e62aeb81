import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { accumulateTokenUsage } from 'n8n-workflow';

import { isFailed, type ItemResult } from '../shared/item/output';
import type { Run } from '../shared/item/run';
import { referToFiles, withoutBytes } from '../shared/text/files';
import {
	type Candidate,
	countUsage,
	lastOutput,
	readAnswer,
	type TextAnswer,
} from '../shared/text/response';
import type { Source } from '../shared/text/sources';
import {
	toBrokenJsonFailure,
	toNoAnswerFailure,
	toNoJsonFailure,
	toUnusedFailure,
} from '../shared/text/textFailure';
import { chooseOutput } from './chooseOutput';
import type { TextJob } from './readJob';
import { toBinaries, toFieldName } from './toBinaries';

/** An answer as an item: its text and facts, its files as binaries; or why it is no answer. */
export async function toTextResult(run: Run, job: TextJob, raw: IDataObject): Promise<ItemResult> {
	try {
		const result = await toResult(run, job, raw);
		if (!isFailed(result)) return result;
		return { failure: { ...result.failure, usage: readAnswer(raw).usageMetadata } };
	} catch (error) {
		// Such as a full disk. Whatever it is, the answer is paid for.
		return { failure: toUnusedFailure(error, raw) };
	}
}

async function toResult(
	{ context, forAgent, redaction }: Run,
	job: TextJob,
	raw: IDataObject,
): Promise<ItemResult> {
	const answer = readAnswer(raw);
	countTokens(context, answer.usageMetadata);
	const choice = chooseOutput(answer, job);
	if (!choice) return { failure: toNoAnswerFailure(answer) };
	const { candidate: chosen, wantsJson, output } = choice;
	const { text, finishReason, sources } = chosen;
	if (wantsJson && !output) return { failure: { ...toNoJsonFailure(chosen, answer), text } };
	if (output?.broken) return { failure: toBrokenJsonFailure(chosen, answer, output.broken) };
	const parsed: IDataObject = output ? { json: output.json as IDataObject } : {};
	if (forAgent) {
		const named = sources.length > 0 && { sources: sources.map(toNamed) };
		return { json: { text: toAgentText(chosen), ...parsed, finishReason, ...named } };
	}
	const { model, simplify, binaryProperty } = job;
	const { usageMetadata, modelVersion, responseId, candidates } = answer;
	const json: IDataObject = {
		text,
		...parsed,
		finishReason,
		usageMetadata,
		model,
		...(modelVersion && { modelVersion }),
		...(responseId && { responseId }),
		...toFacts(chosen, toFieldOf(answer, chosen, binaryProperty)),
		...(candidates.length > 1 && { candidates: toCandidates(answer, binaryProperty) }),
		...(!simplify && { response: withoutBytes(raw) as IDataObject }),
	};
	const files = candidates.flatMap((candidate) => candidate.files);
	if (files.length === 0) return { json };
	return { json, binary: await toBinaries({ context, redaction }, files, binaryProperty) };
}

const toCandidates = (answer: TextAnswer, binaryProperty: string) =>
	answer.candidates.map((candidate) => {
		const { text, finishReason } = candidate;
		const fieldOf = toFieldOf(answer, candidate, binaryProperty);
		return { text, finishReason, ...toFacts(candidate, fieldOf) };
	});

/** By file of a candidate, its binary field: the files of all candidates are numbered as one list. */
function toFieldOf({ candidates }: TextAnswer, candidate: Candidate, binaryProperty: string) {
	const before = candidates.slice(0, candidates.indexOf(candidate));
	const first = before.reduce((count, { files }) => count + files.length, 0);
	return (file: number) => toFieldName(binaryProperty, first + file);
}

/** What some answers have beside their text. */
function toFacts(candidate: Candidate, fieldOf: (file: number) => string): IDataObject {
	const { thoughts, functionCalls, codeRuns, sources, webSearchQueries, files, addresses } =
		candidate;
	const turn = candidate.turn && referToFiles(candidate.turn, files, fieldOf);
	return {
		...(thoughts !== '' && { thoughts }),
		...(sources.length > 0 && { sources: sources as unknown as IDataObject[] }),
		...(webSearchQueries.length > 0 && { webSearchQueries }),
		...(functionCalls.length > 0 && { functionCalls }),
		...(turn && { content: turn }),
		...(codeRuns.length > 0 && { codeExecution: codeRuns }),
		...(addresses.length > 0 && { files: addresses }),
	};
}

/** As much as an agent can put under its answer. */
const toNamed = ({ title, uri, status }: Source): IDataObject => ({
	...(title !== undefined && { title }),
	...(uri !== undefined && { uri }),
	...(status !== undefined && { status }),
});

/** An agent hears only text. */
function toAgentText({ text, files, addresses, codeRuns }: Candidate): string {
	if (text.trim() !== '') return text;
	const output = lastOutput(codeRuns) || addresses.map(({ uri }) => uri).join('\n');
	if (output !== '' || files.length === 0) return output;
	return 'The answer is a file, which a tool cannot return.';
}

/** n8n's own count of tokens, which older versions do not have. */
function countTokens(context: IExecuteFunctions, usage: IDataObject): void {
	if (typeof accumulateTokenUsage !== 'function') return;
	const { input, output } = countUsage(usage);
	if (input + output > 0) accumulateTokenUsage(context, input, output);
}
