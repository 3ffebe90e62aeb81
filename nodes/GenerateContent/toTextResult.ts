import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { accumulateTokenUsage } from 'n8n-workflow';

import type { ItemResult } from '../shared/item/output';
import type { Run } from '../shared/item/run';
import { lastOutput } from '../shared/text/codeRuns';
import { withoutBytes } from '../shared/text/inlineFiles';
import { toBrokenJsonFailure } from '../shared/text/jsonFailure';
import { readAnswer, type Candidate, type TextAnswer } from '../shared/text/response';
import type { Source } from '../shared/text/sources';
import { toNoAnswerFailure, toNoJsonFailure, toUnusedFailure } from '../shared/text/textFailure';
import { chooseOutput } from './chooseOutput';
import type { TextJob } from './readJob';
import { toBinaries } from './toBinaries';

/** An answer as an item: its text and facts, its files as binaries; or why it is no answer. */
export async function toTextResult(run: Run, job: TextJob, raw: IDataObject): Promise<ItemResult> {
	try {
		return await toResult(run, job, raw);
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
		...toFacts(chosen),
		...(candidates.length > 1 && { candidates: toCandidates(answer) }),
		...(!simplify && { response: withoutBytes(raw) as IDataObject }),
	};
	const files = candidates.flatMap((candidate) => candidate.files);
	if (files.length === 0) return { json };
	return { json, binary: await toBinaries({ context, redaction }, files, binaryProperty) };
}

const toCandidates = ({ candidates }: TextAnswer) =>
	candidates.map((candidate) => {
		const { text, finishReason } = candidate;
		return { text, finishReason, ...toFacts(candidate) };
	});

/** What some answers have beside their text. */
function toFacts(candidate: Candidate): IDataObject {
	const { thoughts, functionCalls, turn, codeRuns, sources, webSearchQueries } = candidate;
	return {
		...(thoughts !== '' && { thoughts }),
		...(sources.length > 0 && { sources: sources as unknown as IDataObject[] }),
		...(webSearchQueries.length > 0 && { webSearchQueries }),
		...(functionCalls.length > 0 && { functionCalls }),
		...(turn && { content: turn }),
		...(codeRuns.length > 0 && { codeExecution: codeRuns }),
	};
}

/** As much as an agent can put under its answer. */
const toNamed = ({ title, uri, status }: Source): IDataObject => ({
	...(title !== undefined && { title }),
	...(uri !== undefined && { uri }),
	...(status !== undefined && { status }),
});

/** An agent hears only text. */
function toAgentText({ text, files, codeRuns }: Candidate): string {
	if (text.trim() !== '') return text;
	const output = lastOutput(codeRuns);
	if (output !== undefined || files.length === 0) return output ?? text;
	return 'The answer is a file, which a tool cannot return.';
}

/** n8n's own count of tokens, which older versions do not have. Thoughts are billed as output. */
function countTokens(context: IExecuteFunctions, usage: IDataObject): void {
	if (typeof accumulateTokenUsage !== 'function') return;
	const count = (value: unknown) =>
		typeof value === 'number' && Number.isFinite(value) ? value : 0;
	const input = count(usage.promptTokenCount);
	const output = count(usage.candidatesTokenCount) + count(usage.thoughtsTokenCount);
	if (input + output > 0) accumulateTokenUsage(context, input, output);
}
