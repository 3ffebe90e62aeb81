import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';

import { isNetworkFault, request, type Connection, type HttpContext } from './http';
import type { NetworkFault } from './noAnswer';

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

/** Sends a request with the node's credential. Never throws for what the service or network does. */
export type Send = (request: ServiceRequest) => Promise<ServiceAnswer | NetworkFault>;

/** For answers of JSON and text, with the key blanked out of them. */
export function createSend(context: HttpContext, connection: Connection): Send {
	const { credential, baseUrl, redact } = connection;
	return async ({ method, path, body, timeoutMs, signal }) => {
		const options: IHttpRequestOptions = {
			method,
			url: `${baseUrl}${path}`,
			headers: { Accept: 'application/json' },
			encoding: 'text',
			timeout: timeoutMs,
		};
		if (body) {
			options.headers = { ...options.headers, 'Content-Type': 'application/json' };
			options.body = body;
		}
		const answer = await request(context, credential, options, signal);
		if (isNetworkFault(answer)) return answer;
		const { statusCode, headers, body: text } = answer;
		return {
			status: statusCode,
			headers: headers as Record<string, string>,
			body: redact(typeof text === 'string' ? text : JSON.stringify(text ?? '')),
		};
	};
}
