import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { toBaseUrl } from './baseUrl';
import {
	openStream,
	request,
	type HttpContext,
	type StreamAnswer,
	type StreamOptions,
} from './http';
import { toJson } from '../lib/bounded';
import { isNoAnswer, type NoAnswer } from './noAnswer';
import { createRedaction, type Redaction } from './redact';

/** A credential, opened: where requests go, how they are sent, and what must not be shown. */
export interface Connection extends Redaction {
	baseUrl: string;
	/** Sends a request with the key; the answer comes as it was sent, whatever it quotes. */
	send: Send;
	/** Opens an answer as a stream; the key goes along unless `withKey` is false. */
	open: (url: string, options: OpenOptions) => Promise<StreamAnswer | NoAnswer>;
}

/** One request to the service; `path` starts with `/` and is already URL-encoded. */
export interface ServiceRequest {
	method: 'GET' | 'POST';
	path: string;
	body?: IDataObject;
	/** Time without an answer, in milliseconds. */
	timeoutMs: number;
	/** Ends the request in place of n8n's own signal, which fires the moment somebody stops the run. */
	signal?: AbortSignal;
}

/** What came back, whatever the status; `body` is the raw text. */
export interface ServiceAnswer {
	status: number;
	headers: Record<string, string>;
	body: string;
}

interface OpenOptions extends StreamOptions {
	withKey?: boolean;
}

/** Never throws for what the service or the network does. */
export type Send = (request: ServiceRequest) => Promise<ServiceAnswer | NoAnswer>;

/**
 * Reads a credential; throws before anything is sent if its base URL is not usable.
 *
 * @param redaction learns the key
 */
export async function openConnection(
	context: HttpContext,
	credential: string,
	redaction = createRedaction(),
): Promise<Connection> {
	const { baseUrl: typed, apiKey } = await context.getCredentials(credential);
	const baseUrl = toBaseUrl(typed);
	if (!baseUrl) {
		throw new NodeOperationError(
			context.getNode(),
			'The Base URL in the credential is not a web address',
			{ description: 'Open the credential and enter an address such as https://api.example.com' },
		);
	}
	redaction.learn(String(apiKey ?? ''));
	return {
		...redaction,
		baseUrl,
		async send(wanted) {
			const answer = await request(context, credential, toOptions(baseUrl, wanted), wanted.signal);
			if (isNoAnswer(answer)) return answer;
			const { statusCode, headers, body } = answer;
			return {
				status: statusCode,
				headers: headers as Record<string, string>,
				body: typeof body === 'string' ? body : toJson(body ?? ''),
			};
		},
		open: async (url, { withKey = true, ...options }) =>
			await openStream(context, withKey ? credential : undefined, url, options),
	};
}

const toOptions = (
	baseUrl: string,
	{ method, path, body, timeoutMs }: ServiceRequest,
): IHttpRequestOptions => ({
	method,
	url: `${baseUrl}${path}`,
	headers: { Accept: 'application/json', ...(body && { 'Content-Type': 'application/json' }) },
	...(body && { body }),
	encoding: 'text',
	timeout: timeoutMs,
});
