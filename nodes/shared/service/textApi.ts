import type { IDataObject } from 'n8n-workflow';

import { toFaultError, toServiceError, type ServiceError } from './errors';
import { isNetworkFault, type Send } from './http';
import { isObject, parseJson } from './json';
import { readRetryAfter, saysNo } from './retry';

/** A part of a turn: `{text}`, `{inlineData: {mimeType, data}}` or what else the protocol has. */
export type Part = IDataObject;

/** Body of `:generateContent`: documented is `contents`, the rest is the native protocol's. */
export interface GenerateRequest extends IDataObject {
	contents: Array<{ role: 'user' | 'model'; parts: Part[] }>;
}

/**
 * `answered`: a record of the documented form, which may still hold no text. `refused`: the service
 * said no before it did any work. `unclear`: the request may have been charged.
 */
export type GenerateResult =
	| { kind: 'answered'; answer: IDataObject }
	| { kind: 'refused' | 'unclear'; error: ServiceError; retryAfterMs?: number };

/** Models that think for long answer late; proxies give up sooner. */
export const GENERATE_TIMEOUT_MS = 300_000;

/** Asks a text model once. What an unclear answer means is for the caller. */
export async function generateContent(
	send: Send,
	model: string,
	body: GenerateRequest,
	timeoutMs = GENERATE_TIMEOUT_MS,
): Promise<GenerateResult> {
	const path = `/v1beta/models/${encodeURIComponent(model)}:generateContent`;
	const answer = await send({ method: 'POST', path, body, timeoutMs });
	if (isNetworkFault(answer)) {
		const kind = answer.network === 'notSent' ? 'refused' : 'unclear';
		return { kind, error: toFaultError(answer) };
	}
	const parsed = answer.status < 300 ? parseJson(answer.body) : undefined;
	if (isGenerated(parsed)) return { kind: 'answered', answer: parsed };
	const error = toServiceError(answer);
	const kind = saysNo(answer, error.code) ? 'refused' : 'unclear';
	return { kind, error, retryAfterMs: readRetryAfter(answer) };
}

/** A blocked prompt has no candidates; an empty answer has a usage record at most. */
function isGenerated(parsed: unknown): parsed is IDataObject {
	if (!isObject(parsed)) return false;
	const { candidates, promptFeedback, usageMetadata } = parsed;
	if (Array.isArray(candidates) || isObject(promptFeedback)) return true;
	const hasCandidates = candidates !== undefined && candidates !== null;
	return isObject(usageMetadata) && !hasCandidates;
}
