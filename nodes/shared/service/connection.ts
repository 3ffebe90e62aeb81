import type { ICredentialDataDecryptedObject, IDataObject } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import {
	CREDENTIAL_CHANGED,
	HOW_TO_ENTER_IT,
	NOT_AN_ADDRESS,
	toBaseUrl,
	toMark,
} from './credential';
import {
	isNoAnswer,
	openStream,
	request,
	uploadMs,
	type HttpContext,
	type Key,
	type NoAnswer,
	type ServiceAnswer,
	type StreamAnswer,
	type StreamOptions,
} from './http';
import { createRedaction, type Redaction } from './redact';

/** A credential, opened: where requests go, how they are sent, and what must not be shown. */
export interface Connection extends Redaction {
	/** The base URL in the latest reading of the credential: somebody may edit it during a render. */
	readonly baseUrl: string;
	/**
	 * Sends a request with the key. The answer comes as it was sent, even if it quotes the key. Never
	 * throws for anything that the service or the network does.
	 */
	send: (request: ServiceRequest) => Promise<ServiceAnswer | NoAnswer>;
	/** Opens an answer as a stream; sends the key unless `withKey` is false. */
	open: (
		address: Address,
		options: StreamOptions & { withKey?: boolean },
	) => Promise<StreamAnswer | NoAnswer>;
}

/** An address, or a function that returns it for the current base URL. */
export type Address = string | ((baseUrl: string) => string);

export const toUrl = (address: Address, baseUrl: string): string =>
	typeof address === 'string' ? address : address(baseUrl);

/** One request to the service; `path` starts with `/` and is already URL-encoded. */
export interface ServiceRequest {
	method: 'GET' | 'POST';
	path: string;
	body?: IDataObject;
	/** Milliseconds without an answer. Together with the time to send the body, the limit in all. */
	timeoutMs: number;
	/** Milliseconds left for the whole request, if that is less. */
	limitMs?: number;
	/** Bytes of the answer after decompression. */
	maxBytes: number;
	/** Ends the request instead of n8n's own signal, which fires the moment somebody stops the run. */
	signal?: AbortSignal;
}

/** Parts of one reading of a credential; somebody may edit it between two readings. */
interface Reading {
	baseUrl: string;
	key: Key;
}

/** How often one request is made at most, if the credential is edited in between. */
const MAX_READINGS = 3;

/**
 * Reads a credential. Throws, before anything is sent, if its base URL is not usable.
 *
 * @param redaction learns the key of each reading
 */
export async function openConnection(
	context: HttpContext,
	credential: string,
	redaction = createRedaction(),
): Promise<Connection> {
	const read = async (): Promise<Reading> => {
		const data: ICredentialDataDecryptedObject = await context.getCredentials(credential);
		const baseUrl = toBaseUrl(data.baseUrl);
		if (!baseUrl) {
			throw new NodeOperationError(context.getNode(), NOT_AN_ADDRESS, {
				description: `Open the credential. ${HOW_TO_ENTER_IT}`,
			});
		}
		redaction.learn(String(data.apiKey ?? ''));
		return { baseUrl, key: { credential, mark: toMark(data) } };
	};
	let reading = await read();

	/** Sends a request with the base URL and key of one reading, and again if n8n has a newer one. */
	const ask = async <Answer extends object>(
		send: (reading: Reading) => Promise<Answer | NoAnswer>,
	) => {
		for (let count = 1; ; count++) {
			const answer = await send(reading);
			const isOld = isNoAnswer(answer) && answer.code === CREDENTIAL_CHANGED;
			if (!isOld || count === MAX_READINGS) return answer;
			try {
				reading = await read();
			} catch {
				return answer;
			}
		}
	};

	return {
		get baseUrl() {
			return reading.baseUrl;
		},
		...redaction,
		send: async ({ method, path, body, timeoutMs, limitMs = Infinity, maxBytes, signal }) =>
			await ask(async ({ baseUrl, key }) => {
				const headers = { Accept: 'application/json' };
				const options = {
					method,
					url: `${baseUrl}${path}`,
					headers: body ? { ...headers, 'Content-Type': 'application/json' } : headers,
					...(body && { body }),
					timeout: timeoutMs,
				};
				const totalMs = Math.min(timeoutMs + uploadMs(body), limitMs);
				return await request(context, key, options, { totalMs, maxBytes, signal });
			}),
		open: async (address, { withKey = true, ...options }) =>
			await ask(async ({ baseUrl, key }) => {
				const used = withKey ? key : undefined;
				return await openStream(context, used, toUrl(address, baseUrl), options);
			}),
	};
}
