import type { IBinaryKeyData, IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { accumulateTokenUsage } from 'n8n-workflow';

import { type Failure, readFailed } from '../shared/failure/failure';
import { mergeCarried } from '../shared/n8n/carried';
import type { ItemResult } from '../shared/n8n/output';
import type { Run } from '../shared/n8n/run';
import {
	findUnusable,
	readAnswer,
	type TextAnswer,
	textOrOutput,
	toResponse,
} from './gemini/answer';
import { toFile, withoutBytes } from './gemini/files';
import { readJsonText } from './gemini/jsonText';
import { onlyFilled } from './gemini/protocol';
import { findMismatch } from './gemini/schema';
import { textFailed } from './gemini/textFailed';
import type { TextJob } from './readTextJob';

const ASK_OTHER_MODEL = 'Choose a model that generates what Output Format asks for';
const DESCRIBE_JSON =
	'Describe the JSON in the prompt, or give an example of it under Output Format.';

/** Turns an answer into an item with its text, facts and files, or returns why it is not usable. */
export async function toTextResult(
	run: Run,
	job: TextJob,
	chunks: IDataObject[],
): Promise<ItemResult> {
	const answer = readAnswer(chunks);
	try {
		countTokens(run.context, answer.usageMetadata);
		// An answer without text, such as a function call, needs no JSON.
		const hasJson = job.wantsJson && answer.text.trim() !== '';
		const json = hasJson ? readJsonText(answer.text) : undefined;
		const failure = findUnusable(answer) ?? findUnfit(job, answer, json, hasJson);
		if (failure) return failure;
		const parsed = (hasJson ? { json } : {}) as IDataObject;
		if (run.forAgent) return { json: toTextForAgent(answer, parsed) };
		const binary = { ...job.binary, ...(await storeFiles(run, job, answer)) };
		return {
			json: toJson(job, answer, parsed, chunks),
			error: job.error,
			...(Object.keys(binary).length > 0 && { binary }),
		};
	} catch (error) {
		// The disk may be full, for example. In any case, the answer is paid for.
		return textFailed(answer, { how: 'unstored' }, readFailed(error));
	}
}

/** Returns why an answer is not what Output Format asks for. */
function findUnfit(
	{ schema, wantsFile }: TextJob,
	answer: TextAnswer,
	json: unknown,
	hasJson: boolean,
): Failure | undefined {
	const { finishReason: reason, files, addresses } = answer;
	const fail = (message: string, description: string) =>
		textFailed(answer, { how: 'unfit', reason }, { message, description });
	if (wantsFile && files.length + addresses.length === 0) {
		return fail('The answer has no file', ASK_OTHER_MODEL);
	}
	if (!hasJson) return undefined;
	if (json === undefined) {
		const isCut = reason === 'MAX_TOKENS';
		const what = isCut ? 'The JSON in the answer is cut off' : 'The answer is not valid JSON';
		return fail(what, DESCRIBE_JSON);
	}
	const mismatch = schema && findMismatch(schema, json);
	if (mismatch === undefined) return undefined;
	return fail(`The JSON in the answer does not match the schema: ${mismatch}`, DESCRIBE_JSON);
}

/** Returns the text for an agent, which cannot take files, and the facts that it can cite. */
function toTextForAgent(answer: TextAnswer, parsed: IDataObject): IDataObject {
	const { finishReason, files, addresses, sources } = answer;
	const onlyFile =
		files.length > 0 ? 'The answer is a file without text. A tool returns no files.' : '';
	const text = textOrOutput(answer) || addresses.map(({ uri }) => uri).join('\n') || onlyFile;
	return { text, ...parsed, finishReason, ...onlyFilled({ sources }) };
}

function toJson(
	{ model, rawResponse, carried }: TextJob,
	answer: TextAnswer,
	parsed: IDataObject,
	chunks: IDataObject[],
): IDataObject {
	const { text, finishReason, usageMetadata, modelVersion, responseId } = answer;
	const { thoughts, sources, functionCalls, content, codeExecution, addresses } = answer;
	return mergeCarried(carried, {
		...{ text, ...parsed, finishReason, usageMetadata },
		// A row may tell the model of its video; `modelVersion` tells ours.
		...(carried?.model === undefined && { model }),
		...onlyFilled({ modelVersion, responseId, thoughts, sources, functionCalls, content }),
		...onlyFilled({ codeExecution, files: addresses }),
		...(rawResponse && { response: withoutBytes(toResponse(chunks)) }),
	});
}

/** Adds to n8n's own count of tokens, if it has one. Thoughts count as output. */
function countTokens(context: IExecuteFunctions, usage: IDataObject): void {
	if (typeof accumulateTokenUsage !== 'function') return;
	const count = (name: string) => (typeof usage[name] === 'number' ? usage[name] : 0);
	const input = count('promptTokenCount') + count('toolUsePromptTokenCount');
	const output = count('candidatesTokenCount') + count('thoughtsTokenCount');
	if (input + output > 0) accumulateTokenUsage(context, input, output);
}

/**
 * Stores the files of an answer in binary fields: `data`, `data_1`, `data_2` unless another name was
 * chosen, without those that the incoming item has.
 */
async function storeFiles(
	{ context: { helpers }, redaction: { redact } }: Run,
	{ binaryProperty, binary = {} }: TextJob,
	{ files }: TextAnswer,
): Promise<IBinaryKeyData> {
	const stored: IBinaryKeyData = {};
	let number = 0;
	const fieldName = () => (number === 0 ? binaryProperty : `${binaryProperty}_${number}`);
	for (const [i, file] of files.entries()) {
		const { mimeType, bytes } = toFile(file);
		// Without a type, n8n finds it out by the bytes.
		const data = await helpers.prepareBinaryData(bytes, undefined, redact(mimeType) || undefined);
		const kind = ['image', 'audio', 'video'].find((one) => data.mimeType.startsWith(`${one}/`));
		const name = kind ?? 'file';
		data.fileName = `${i === 0 ? name : `${name}_${i}`}.${data.fileExtension ?? 'bin'}`;
		while (fieldName() in binary || fieldName() in stored) number++;
		stored[fieldName()] = data;
	}
	return stored;
}
