import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	IHttpRequestOptions,
} from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { toBaseUrl } from './baseUrl';
import { CREDENTIAL_CHANGED, HOW_TO_ENTER_IT, NOT_AN_ADDRESS, toMark } from './credentialReading';
import {
	openStream,
	request,
	type HttpContext,
	type Key,
	type StreamAnswer,
	type StreamOptions,
	type WholeAnswer,
} from './http';
import { isNoAnswer, type NoAnswer } from './noAnswer';
import { createRedaction, type Redaction } from './redact';
import { uploadMs } from './uploadTime';

/** A credential, opened: where requests go, how they are sent, and what must not be shown. */
export interface Connection extends Redaction {
	/** Of the newest reading of the credential: somebody may edit it while a render is awaited. */
	readonly baseUrl: string;
	/** Sends a request with the key; the answer comes as it was sent, whatever it quotes. */
	send: Send;
	/** Opens an answer as a stream; the key goes along unless `withKey` is false. */
	open: (address: Address, options: OpenOptions) => Promise<StreamAnswer | NoAnswer>;
}

/** An address, or one that depends on what the base URL is by now. */
export type Address = string | ((baseUrl: string) => string);

export const toUrl = (address: Address, baseUrl: string): string =>
	typeof address === 'string' ? address : address(baseUrl);

/** One request to the service; `path` starts with `/` and is already URL-encoded. */
export interface ServiceRequest {
	method: 'GET' | 'POST';
	path: string;
	body?: IDataObject;
	/** Time without an answer, in milliseconds; with what its body takes to send, time in all. */
	timeoutMs: number;
	/** What is left for it in all, where that is less; in milliseconds. */
	limitMs?: number;
	/** Bytes of the answer after decompression. */
	maxBytes: number;
	/** Ends the request in place of n8n's own signal, which fires the moment somebody stops the run. */
	signal?: AbortSignal;
}

/** What came back, whatever the status; `body` is the raw text. */
export type ServiceAnswer = WholeAnswer;

interface OpenOptions extends StreamOptions {
	withKey?: boolean;
}

/** Never throws for what the service or the network does. */
export type Send = (request: ServiceRequest) => Promise<ServiceAnswer | NoAnswer>;

/** Times that one request is made anew because the credential was edited in between. */
const MAX_READINGS = 3;

/**
 * Reads a credential; throws before anything is sent if its base URL is not usable.
 *
 * @param redaction learns the key of each reading
 */
export async function openConnection(
	context: HttpContext,
	credential: string,
	redaction = createRedaction(),
): Promise<Connection> {
	let reading = await readCredential(context, credential);
	redaction.learn(reading.apiKey);
	/** A request with base URL and key of one reading, and anew where n8n has a newer one. */
	const ask = async <Answer extends object>(
		send: (reading: Reading) => Promise<Answer | NoAnswer>,
	) => {
		for (let count = 1; ; count++) {
			const answer = await send(reading);
			const isOld = isNoAnswer(answer) && answer.code === CREDENTIAL_CHANGED;
			if (!isOld || count === MAX_READINGS) return answer;
			try {
				reading = await readCredential(context, credential);
			} catch {
				return answer;
			}
			redaction.learn(reading.apiKey);
		}
	};
	return {
		get baseUrl() {
			return reading.baseUrl;
		},
		...redaction,
		async send(wanted) {
			const { maxBytes, signal, limitMs = Infinity } = wanted;
			return await ask(async ({ baseUrl, key }) => {
				const totalMs = Math.min(wanted.timeoutMs + uploadMs(wanted.body), limitMs);
				const limits = { totalMs, maxBytes, signal };
				return await request(context, key, toOptions(baseUrl, wanted), limits);
			});
		},
		open: async (address, { withKey = true, ...options }) =>
			await ask(async ({ baseUrl, key }) => {
				const used = withKey ? key : undefined;
				return await openStream(context, used, toUrl(address, baseUrl), options);
			}),
	};
}

/** What belongs together: a credential may be edited between two readings. */
interface Reading {
	baseUrl: string;
	apiKey: string;
	key: Key;
}

async function readCredential(context: HttpContext, credential: string): Promise<Reading> {
	const data: ICredentialDataDecryptedObject = await context.getCredentials(credential);
	const baseUrl = toBaseUrl(data.baseUrl);
	if (!baseUrl) {
		throw new NodeOperationError(context.getNode(), NOT_AN_ADDRESS, {
			description: `Open the credential. ${HOW_TO_ENTER_IT}`,
		});
	}
	return { baseUrl, apiKey: String(data.apiKey ?? ''), key: { credential, mark: toMark(data) } };
}

const toOptions = (
	baseUrl: string,
	{ method, path, body, timeoutMs }: ServiceRequest,
): IHttpRequestOptions => ({
	method,
	url: `${baseUrl}${path}`,
	headers: { Accept: 'application/json', ...(body && { 'Content-Type': 'application/json' }) },
	...(body && { body }),
	timeout: timeoutMs,
});
