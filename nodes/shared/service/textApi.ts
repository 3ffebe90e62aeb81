import type { IDataObject } from 'n8n-workflow';

import type { Connection } from './connection';
import { toPathSegment } from './credential';
import { MAX_TEXT_BYTES } from './http';
import type { PaidTrouble } from './paid';

/** A part of a turn: `{text}`, `{inlineData: {mimeType, data}}` or anything else in the protocol. */
export type Part = IDataObject;

/** The body of `:generateContent`. `contents` is documented; the rest is the native protocol's. */
export interface GenerateRequest extends IDataObject {
	contents: Array<{ role: 'user' | 'model'; parts: Part[] }>;
}

/** `answered`: a record of the documented form, which may still hold no text. */
export type GenerateResult = { kind: 'answered'; answer: IDataObject } | NoText;

export interface NoText extends PaidTrouble {
	/** The part of an answer that came before it broke off, in the form of a whole one. */
	partial?: IDataObject;
}

/** One question to a text model. */
export interface TextQuestion {
	model: string;
	body: GenerateRequest;
	/** The most milliseconds to wait for a whole answer, or for the next piece of a stream. */
	timeoutMs: number;
	/** Ends the request, instead of n8n's own signal, and later the stream. */
	signal: AbortSignal;
}

/** Asks a text model once. The caller decides what the answer means. */
export const generateContent = async (
	{ send }: Pick<Connection, 'send'>,
	{ model, ...question }: TextQuestion,
) => await send({ path: toPath(model, 'generateContent'), ...question, maxBytes: MAX_TEXT_BYTES });

/**
 * Opens an answer that comes piece by piece. `alt=sse` asks for server-sent events. The format that
 * really comes differs between deployments; without `alt=sse`, even between vendors.
 */
export async function streamGenerateContent(
	{ open }: Pick<Connection, 'open'>,
	{ model, ...question }: TextQuestion,
) {
	const path = `${toPath(model, 'streamGenerateContent')}?alt=sse`;
	const headers = { Accept: 'text/event-stream, application/json' };
	return await open((baseUrl) => baseUrl + path, { headers, ...question });
}

const toPath = (model: string, action: string) =>
	`/v1beta/models/${toPathSegment(model)}:${action}`;
