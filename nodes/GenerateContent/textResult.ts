import type { IBinaryKeyData, IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { accumulateTokenUsage } from 'n8n-workflow';

import { mergeCarried } from '../shared/item/carried';
import type { ItemResult } from '../shared/item/output';
import type { Run } from '../shared/item/run';
import { toReadFailure } from '../shared/service/failure';
import { isWhole } from '../shared/service/finishReason';
import { sniffImage } from '../shared/service/image';
import { type InlineFile, referToFiles, toFile, withoutBytes } from '../shared/text/answerFiles';
import { readJsonText } from '../shared/text/jsonText';
import { onlyFilled } from '../shared/text/names';
import {
	type Candidate,
	chooseCandidate,
	readAnswer,
	type TextAnswer,
	toEmptyFailure,
	toTextFailure,
	textOrOutput,
} from '../shared/text/response';
import type { TextJob } from './readTextJob';

const OTHER_MODEL = 'Choose a model that generates what Output Format asks for';
const DESCRIBE_JSON =
	'Describe the JSON in the prompt, or give an example of it under Output Format.';

/** Turns an answer into an item with its text, facts and files, or returns why it is not usable. */
export async function toTextResult(run: Run, job: TextJob, raw: IDataObject): Promise<ItemResult> {
	try {
		const answer = readAnswer(raw);
		countTokens(run.context, answer.usageMetadata);
		const candidate = chooseCandidate(answer);
		if (!candidate) return toEmptyFailure(answer);
		const { text, files, addresses, finishReason } = candidate;
		const fail = (message: string, description: string) =>
			toTextFailure(answer, { how: 'unfit', reason: finishReason }, { message, description });
		if (job.wantsFile && files.length + addresses.length === 0) {
			return fail('The answer has no file', OTHER_MODEL);
		}
		const parsed: IDataObject = {};
		// An answer without text, such as a function call, needs no JSON.
		if (job.wantsJson && text.trim() !== '') {
			const output = readJsonText(text, job.schema);
			const what = isWhole(finishReason)
				? 'The answer is not valid JSON'
				: 'The JSON in the answer is cut off';
			if (!output) return fail(what, DESCRIBE_JSON);
			const { json, mismatch } = output;
			const unfit = `The JSON in the answer does not match the schema: ${mismatch}`;
			if (mismatch !== undefined) return fail(unfit, DESCRIBE_JSON);
			parsed.json = json as IDataObject;
		}
		if (run.forAgent) return { json: toAgentJson(candidate, parsed) };
		const names = toFieldNames(job, files.length);
		const binary = { ...job.binary, ...(await storeFiles(run, files, names)) };
		const json = toJson(job, raw, answer, candidate, parsed, names);
		return { json, error: job.error, ...(Object.keys(binary).length > 0 && { binary }) };
	} catch (error) {
		// The disk may be full, for example. In any case, the answer is paid for.
		const facts = { ...toReadFailure(error), certainty: 'unclear' } as const;
		return toTextFailure(readAnswer(raw), { how: 'unstored' }, facts);
	}
}

/** Returns the text for an agent, which cannot take files, and the facts that it can cite. */
function toAgentJson(candidate: Candidate, parsed: IDataObject): IDataObject {
	const { finishReason, files, addresses } = candidate;
	const onlyFile =
		files.length > 0 ? 'The answer is a file without text. A tool returns no files.' : '';
	const text = textOrOutput(candidate) || addresses.map(({ uri }) => uri).join('\n') || onlyFile;
	const sources = candidate.sources.map(({ title, uri, status }) =>
		onlyFilled({ title, uri, status }),
	);
	return { text, ...parsed, finishReason, ...onlyFilled({ sources }) };
}

function toJson(
	{ model, rawResponse, carried }: TextJob,
	raw: IDataObject,
	{ usageMetadata, modelVersion, responseId }: TextAnswer,
	candidate: Candidate,
	parsed: IDataObject,
	names: string[],
): IDataObject {
	const { text, finishReason, turn, files, codeRuns, addresses } = candidate;
	const { thoughts, sources, webSearchQueries, functionCalls } = candidate;
	const content = turn && referToFiles(turn, files, (file) => names[file]);
	return mergeCarried(carried, {
		...{ text, ...parsed, finishReason, usageMetadata },
		// A row may tell the model of its video; `modelVersion` tells ours.
		...(carried?.model === undefined && { model }),
		...onlyFilled({
			...{ modelVersion, responseId, thoughts, sources, webSearchQueries, functionCalls, content },
			codeExecution: codeRuns,
			files: addresses,
		}),
		...(rawResponse && { response: withoutBytes(raw) }),
	});
}

/** Adds to n8n's own count of tokens, if it has one. Thoughts count as output. */
function countTokens(context: IExecuteFunctions, usage: IDataObject): void {
	if (typeof accumulateTokenUsage !== 'function') return;
	const count = (name: string) => {
		const value = usage[name];
		return typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : 0;
	};
	const input = count('promptTokenCount') + count('toolUsePromptTokenCount');
	const output = count('candidatesTokenCount') + count('thoughtsTokenCount');
	if (input + output > 0) accumulateTokenUsage(context, input, output);
}

/** Matches a media type that fits into a header; any other value says nothing about the type. */
const MIME_TYPE = /^[a-z]{1,40}\/[\w.+-]{1,100}(;[ -~]{0,200})?$/i;

/**
 * Returns the binary fields of so many files: `data`, `data_1`, `data_2` unless another name was chosen,
 * without those that the incoming item has.
 */
function toFieldNames({ binaryProperty, binary = {} }: TextJob, count: number): string[] {
	const names: string[] = [];
	for (let i = 0; names.length < count; i++) {
		const name = i === 0 ? binaryProperty : `${binaryProperty}_${i}`;
		if (!(name in binary)) names.push(name);
	}
	return names;
}

/** Stores the files in the binary fields of these names. */
async function storeFiles(
	{ context: { helpers }, redaction: { redact } }: Run,
	files: InlineFile[],
	names: string[],
): Promise<IBinaryKeyData> {
	const binary: IBinaryKeyData = {};
	for (const [i, file] of files.entries()) {
		const { mimeType: declared, bytes } = toFile(file);
		const isType = MIME_TYPE.test(declared) && redact(declared) === declared;
		const mimeType = isType ? declared : (sniffImage(bytes) ?? 'application/octet-stream');
		const data = await helpers.prepareBinaryData(bytes, undefined, mimeType);
		const kind = mimeType.split('/')[0];
		const name = ['image', 'audio', 'video'].includes(kind) ? kind : 'file';
		data.fileName = `${i === 0 ? name : `${name}_${i}`}.${data.fileExtension ?? 'bin'}`;
		binary[names[i]] = data;
	}
	return binary;
}
