import type { IBinaryKeyData, IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { accumulateTokenUsage } from 'n8n-workflow';

import { isFailed, type ItemResult } from '../shared/item/output';
import type { Run } from '../shared/item/run';
import { sniffImage } from '../shared/service/image';
import { type InlineFile, referToFiles, toFile, withoutBytes } from '../shared/text/files';
import { type JsonOutput, readJsonText } from '../shared/text/jsonText';
import {
	type Candidate,
	chooseCandidate,
	countUsage,
	lastOutput,
	readAnswer,
	type TextAnswer,
} from '../shared/text/response';
import {
	toBrokenJsonFailure,
	toNoAnswerFailure,
	toNoJsonFailure,
	toUnusedFailure,
} from '../shared/text/textFailure';
import type { TextJob } from './readJob';

/** Turns an answer into an item with its text, facts and files, or returns why it is not usable. */
export async function toTextResult(run: Run, job: TextJob, raw: IDataObject): Promise<ItemResult> {
	try {
		const result = await toAnswerResult(run, job, raw);
		if (!isFailed(result)) return result;
		return { failure: { ...result.failure, usage: readAnswer(raw).usageMetadata } };
	} catch (error) {
		// The disk may be full, for example. In any case, the answer is paid for.
		return { failure: toUnusedFailure(error, raw) };
	}
}

async function toAnswerResult(run: Run, job: TextJob, raw: IDataObject): Promise<ItemResult> {
	const answer = readAnswer(raw);
	countTokens(run.context, answer.usageMetadata);
	const choice = chooseOutput(answer, job);
	if (!choice) return { failure: toNoAnswerFailure(answer) };
	const { candidate: chosen, wantsJson, output } = choice;
	const { text, finishReason, sources } = chosen;
	if (wantsJson && !output) return { failure: { ...toNoJsonFailure(chosen, answer), text } };
	if (output?.broken) return { failure: toBrokenJsonFailure(chosen, answer, output.broken) };
	const parsed: IDataObject = output ? { json: output.json as IDataObject } : {};
	if (run.forAgent) {
		// The agent gets only the facts that it can cite under its answer.
		const named = sources.map(({ title, uri, status }) => ({
			...(title !== undefined && { title }),
			...(uri !== undefined && { uri }),
			...(status !== undefined && { status }),
		}));
		const cited = named.length > 0 && { sources: named };
		return { json: { text: toAgentText(chosen), ...parsed, finishReason, ...cited } };
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
		...toCandidateFields(answer, chosen, binaryProperty),
		...(candidates.length > 1 && {
			candidates: candidates.map((one) => ({
				text: one.text,
				finishReason: one.finishReason,
				...toCandidateFields(answer, one, binaryProperty),
			})),
		}),
		...(!simplify && { response: withoutBytes(raw) as IDataObject }),
	};
	const files = candidates.flatMap((candidate) => candidate.files);
	if (files.length === 0) return { json };
	return { json, binary: await storeFiles(run, files, binaryProperty) };
}

interface Choice {
	candidate: Candidate;
	/** Whether its text should be JSON; not for a candidate without text, such as a function call. */
	wantsJson: boolean;
	output?: JsonOutput;
}

/**
 * Returns the first usable candidate with the JSON that was asked for, if any was; if none has it,
 * the first usable one.
 */
function chooseOutput(answer: TextAnswer, { jsonOutput, schema }: TextJob): Choice | undefined {
	let first: Choice | undefined;
	for (const candidate of answer.candidates) {
		if (!chooseCandidate({ ...answer, candidates: [candidate] })) continue;
		const wantsJson = jsonOutput && candidate.text.trim() !== '';
		const output = wantsJson ? readJsonText(candidate.text, schema) : undefined;
		const choice = { candidate, wantsJson, output };
		if (!wantsJson || (output && !output.broken)) return choice;
		first ??= choice;
	}
	return first;
}

/** Returns the fields that only some answers have. */
function toCandidateFields(
	{ candidates }: TextAnswer,
	candidate: Candidate,
	binaryProperty: string,
): IDataObject {
	const { thoughts, functionCalls, codeRuns, sources, webSearchQueries, files, addresses } =
		candidate;
	// The files of all candidates are numbered as one list.
	const before = candidates.slice(0, candidates.indexOf(candidate)).flatMap((one) => one.files);
	const fieldOf = (file: number) => toFieldName(binaryProperty, before.length + file);
	const content = candidate.turn && referToFiles(candidate.turn, files, fieldOf);
	return {
		...(thoughts !== '' && { thoughts }),
		...(sources.length > 0 && { sources: sources as unknown as IDataObject[] }),
		...(webSearchQueries.length > 0 && { webSearchQueries }),
		...(functionCalls.length > 0 && { functionCalls }),
		...(content && { content: withoutEmptyTexts(content) }),
		...(codeRuns.length > 0 && { codeExecution: codeRuns }),
		...(addresses.length > 0 && { files: addresses }),
	};
}

/** Removes empty texts from a turn, because Vertex refuses them; signed ones must be repeated. */
function withoutEmptyTexts(turn: IDataObject): IDataObject {
	const parts = (turn.parts as IDataObject[]).filter(
		(part) =>
			part.text !== '' || Object.keys(part).some((name) => !['text', 'thought'].includes(name)),
	);
	return { ...turn, parts };
}

/** Returns the text for an agent, which cannot take files. */
function toAgentText({ text, files, addresses, codeRuns }: Candidate): string {
	if (text.trim() !== '') return text;
	const output = lastOutput(codeRuns) || addresses.map(({ uri }) => uri).join('\n');
	if (output !== '' || files.length === 0) return output;
	return 'The answer is a file, which a tool cannot return.';
}

/** Adds to n8n's own count of tokens, which older versions of n8n do not have. */
function countTokens(context: IExecuteFunctions, usage: IDataObject): void {
	if (typeof accumulateTokenUsage !== 'function') return;
	const { input, output } = countUsage(usage);
	if (input + output > 0) accumulateTokenUsage(context, input, output);
}

/** Matches a media type that fits into a header; any other value says nothing about the type. */
const MIME_TYPE = /^[a-z]{1,40}\/[\w.+-]{1,100}(;[ -~]{0,200})?$/i;

const toFieldName = (binaryProperty: string, file: number) =>
	file === 0 ? binaryProperty : `${binaryProperty}_${file}`;

/** Stores the files in binary fields: `data`, `data_1`, `data_2` unless another name was chosen. */
async function storeFiles(
	{ context: { helpers }, redaction: { redact } }: Run,
	files: InlineFile[],
	binaryProperty: string,
): Promise<IBinaryKeyData> {
	const binary: IBinaryKeyData = {};
	for (const [i, file] of files.entries()) {
		const { mimeType: declared, bytes } = toFile(file);
		const isType = MIME_TYPE.test(declared) && redact(declared) === declared;
		const mimeType = isType ? declared : (sniffImage(bytes) ?? 'application/octet-stream');
		const data = await helpers.prepareBinaryData(bytes, undefined, mimeType);
		const kind = mimeType.split('/')[0];
		const name = ['image', 'audio', 'video'].includes(kind) ? kind : 'file';
		data.fileName = `${name}${i === 0 ? '' : `_${i}`}.${data.fileExtension ?? 'bin'}`;
		binary[toFieldName(binaryProperty, i)] = data;
	}
	return binary;
}
