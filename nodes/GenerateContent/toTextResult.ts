import type { IBinaryKeyData, IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { accumulateTokenUsage } from 'n8n-workflow';

import type { ItemResult } from '../shared/item/output';
import type { Run } from '../shared/item/run';
import { sniffImage } from '../shared/service/image';
import { lastOutput } from '../shared/text/codeRuns';
import { toBrokenJsonFailure } from '../shared/text/jsonFailure';
import { readJsonText } from '../shared/text/jsonOutput';
import {
	chooseCandidate,
	readAnswer,
	withoutBytes,
	type Candidate,
	type InlineFile,
	type TextAnswer,
} from '../shared/text/response';
import { toNoAnswerFailure, toNoJsonFailure } from '../shared/text/textFailure';
import type { TextJob } from './readJob';

/** An answer as an item: its text and facts, its files as binaries; or why it is no answer. */
export async function toTextResult(
	{ context, forAgent }: Run,
	job: TextJob,
	raw: IDataObject,
): Promise<ItemResult> {
	const answer = readAnswer(raw);
	countTokens(context, answer.usageMetadata);
	const chosen = chooseCandidate(answer);
	if (!chosen) return { failure: toNoAnswerFailure(answer) };
	const { text, finishReason, functionCalls, codeRuns } = chosen;
	const wantsJson = job.jsonOutput && text.trim() !== '';
	const output = wantsJson ? readJsonText(text, job.schema) : undefined;
	if (wantsJson && !output) return { failure: { ...toNoJsonFailure(chosen, answer), text } };
	if (output?.broken) return { failure: toBrokenJsonFailure(chosen, answer, output.broken) };
	const parsed: IDataObject = output ? { json: output.json as IDataObject } : {};
	if (forAgent) return { json: { text: toAgentText(chosen), ...parsed, finishReason } };
	const { model, simplify, binaryProperty } = job;
	const json: IDataObject = {
		text,
		...parsed,
		finishReason,
		usageMetadata: answer.usageMetadata,
		model,
		...(functionCalls.length > 0 && { functionCalls }),
		...(codeRuns.length > 0 && { codeExecution: codeRuns }),
		...(answer.candidates.length > 1 && { candidates: toCandidates(answer) }),
		...(!simplify && { response: withoutBytes(raw) as IDataObject }),
	};
	const files = answer.candidates.flatMap((candidate) => candidate.files);
	if (files.length === 0) return { json };
	return { json, binary: await toBinaries(context, files, binaryProperty) };
}

const toCandidates = ({ candidates }: TextAnswer) =>
	candidates.map(({ text, finishReason }) => ({ text, finishReason }));

/** An agent hears only text. */
function toAgentText({ text, files, codeRuns }: Candidate): string {
	if (text.trim() !== '') return text;
	const output = lastOutput(codeRuns);
	if (output !== undefined || files.length === 0) return output ?? text;
	return 'The answer is a file, which a tool cannot return.';
}

/** As it is written into a header; anything else that a service calls a type says nothing. */
const MIME_TYPE = /^[a-z]{1,40}\/[\w.+-]{1,100}(;[ -~]{0,200})?$/i;

async function toBinaries(
	{ helpers }: IExecuteFunctions,
	files: InlineFile[],
	binaryProperty: string,
): Promise<IBinaryKeyData> {
	const binary: IBinaryKeyData = {};
	for (const [i, { mimeType: declared, base64 }] of files.entries()) {
		const bytes = Buffer.from(base64, 'base64');
		const mimeType = MIME_TYPE.test(declared)
			? declared
			: (sniffImage(bytes) ?? 'application/octet-stream');
		const data = await helpers.prepareBinaryData(bytes, undefined, mimeType);
		const kind = mimeType.split('/')[0];
		const name = ['image', 'audio', 'video'].includes(kind) ? kind : 'file';
		data.fileName = `${name}${i === 0 ? '' : `_${i}`}.${data.fileExtension ?? 'bin'}`;
		binary[i === 0 ? binaryProperty : `${binaryProperty}_${i}`] = data;
	}
	return binary;
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
