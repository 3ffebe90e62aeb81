import type { IDataObject } from 'n8n-workflow';

import type { Connection } from './connection';
import { toPathSegment } from './credential';
import { MAX_TEXT_BYTES, type NoAnswer, type ServiceAnswer, type StreamAnswer } from './http';
import type { PaidTrouble } from './paid';

/** A part of a turn: `{text}`, `{inlineData: {mimeType, data}}` or what else the protocol has. */
export type Part = IDataObject;

/** Body of `:generateContent`: documented is `contents`, the rest is the native protocol's. */
export interface GenerateRequest extends IDataObject {
	contents: Array<{ role: 'user' | 'model'; parts: Part[] }>;
}

/** `answered`: a record of the documented form, which may still hold no text. */
export type GenerateResult = { kind: 'answered'; answer: IDataObject } | NoText;

export interface NoText extends PaidTrouble {
	/** What came of an answer before it broke off, of the same form as a whole one. */
	partial?: IDataObject;
}

/** One question to a text model. */
export interface TextQuestion {
	model: string;
	body: GenerateRequest;
	/** Time without an answer, or without the next piece of it. */
	timeoutMs: number;
	/** Ends the request, in place of n8n's own signal, and later the stream. */
	signal: AbortSignal;
}

/** Asks a text model once. What the answer means is for the caller. */
export async function generateContent(
	{ send }: Pick<Connection, 'send'>,
	{ model, body, timeoutMs, signal }: TextQuestion,
): Promise<ServiceAnswer | NoAnswer> {
	const path = toPath(model, 'generateContent');
	return await send({ method: 'POST', path, body, timeoutMs, maxBytes: MAX_TEXT_BYTES, signal });
}

/**
 * Opens an answer that comes piece by piece. `alt=sse` asks for server-sent events; what really
 * comes differs from deployment to deployment, and without it even from vendor to vendor.
 */
export async function streamGenerateContent(
	{ open }: Pick<Connection, 'open'>,
	{ model, body, timeoutMs, signal }: TextQuestion,
): Promise<StreamAnswer | NoAnswer> {
	const path = `${toPath(model, 'streamGenerateContent')}?alt=sse`;
	const headers = {
		Accept: 'text/event-stream, application/json',
		'Content-Type': 'application/json',
	};
	return await open((baseUrl) => `${baseUrl}${path}`, { timeoutMs, signal, headers, body });
}

const toPath = (model: string, action: string) =>
	`/v1beta/models/${toPathSegment(model)}:${action}`;
