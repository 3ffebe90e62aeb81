import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import {
	isNetworkFault,
	openStream,
	type Connection,
	type StreamAnswer,
	type StreamOptions,
} from './http';
import { isObject, parseJson } from '../lib/json';
import type { NetworkFault } from './noAnswer';
import type { Send } from './connection';
import { toUnanswered, type Unanswered } from './paid';

/** A part of a turn: `{text}`, `{inlineData: {mimeType, data}}` or what else the protocol has. */
export type Part = IDataObject;

/** Body of `:generateContent`: documented is `contents`, the rest is the native protocol's. */
export interface GenerateRequest extends IDataObject {
	contents: Array<{ role: 'user' | 'model'; parts: Part[] }>;
}

/** `answered`: a record of the documented form, which may still hold no text. */
export type GenerateResult = { kind: 'answered'; answer: IDataObject } | NoText;

export interface NoText extends Unanswered {
	/** What came of an answer before it broke off, of the same form as a whole one. */
	partial?: IDataObject;
}

/** Models that think for long answer late; proxies give up sooner. */
export const GENERATE_TIMEOUT_MS = 300_000;

/** Asks a text model once. What an unclear answer means is for the caller. */
export async function generateContent(
	send: Send,
	model: string,
	body: GenerateRequest,
	timeoutMs = GENERATE_TIMEOUT_MS,
): Promise<GenerateResult> {
	const path = toPath(model, 'generateContent');
	const answer = await send({ method: 'POST', path, body, timeoutMs });
	if (isNetworkFault(answer)) return toUnanswered(answer);
	const parsed = answer.status < 300 ? parseJson(answer.body) : undefined;
	return isGenerated(parsed) ? { kind: 'answered', answer: parsed } : toUnanswered(answer);
}

/**
 * Opens an answer that comes piece by piece. `alt=sse` asks for server-sent events; what really
 * comes differs from deployment to deployment, and without it even from vendor to vendor.
 */
export async function streamGenerateContent(
	context: IExecuteFunctions,
	{ credential, baseUrl }: Connection,
	model: string,
	body: GenerateRequest,
	{ timeoutMs, signal }: Pick<StreamOptions, 'timeoutMs' | 'signal'>,
): Promise<StreamAnswer | NetworkFault> {
	const url = `${baseUrl}${toPath(model, 'streamGenerateContent')}?alt=sse`;
	const headers = {
		Accept: 'text/event-stream, application/json',
		'Content-Type': 'application/json',
	};
	return await openStream(context, credential, url, { timeoutMs, signal, headers, body });
}

const toPath = (model: string, action: string) =>
	`/v1beta/models/${encodeURIComponent(model)}:${action}`;

/** A blocked prompt has no candidates; an empty answer has a usage record at most. */
export function isGenerated(parsed: unknown): parsed is IDataObject {
	if (!isObject(parsed)) return false;
	const { candidates, promptFeedback, usageMetadata } = parsed;
	if (Array.isArray(candidates) || isObject(promptFeedback)) return true;
	const hasCandidates = candidates !== undefined && candidates !== null;
	return isObject(usageMetadata) && !hasCandidates;
}
