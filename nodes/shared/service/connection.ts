import { type IDataObject, NodeOperationError } from 'n8n-workflow';

import { HOW_TO_ENTER_IT, NOT_AN_ADDRESS, toBaseUrl, toMark } from './credential';
import {
	CREDENTIAL_CHANGED,
	isNoAnswer,
	openAnswer,
	request,
	type HttpContext,
	type Key,
	type NoAnswer,
	type ServiceAnswer,
	type ServiceRequest,
	type StreamAnswer,
	uploadMs,
} from './http';
import { createRedaction } from './redact';

export type Connection = Awaited<ReturnType<typeof openConnection>>;

/** An address, or a function that returns it for the current base URL. */
export type Address = string | ((baseUrl: string) => string);

export const toUrl = (address: Address, baseUrl: string): string =>
	typeof address === 'string' ? address : address(baseUrl);

export interface StreamOptions {
	/** The caller fires `signal` after so many ms without an answer, not counting a large upload. */
	timeoutMs: number;
	/** Ends the request and, later, the stream with its socket; also fires on Stop. */
	signal: AbortSignal;
	headers?: Record<string, string>;
	/** Makes the request a POST. */
	body?: IDataObject;
	/** `false` sends no key. */
	withKey?: boolean;
}

/** How many times one request is tried at most, if somebody keeps editing the credential. */
const MAX_READINGS = 3;

/**
 * Reads a credential, and returns the ways to send requests with it.
 *
 * @param redaction learns the key of each reading
 * @throws before anything is sent, if n8n cannot read the credential or its base URL is unusable
 */
export async function openConnection(
	context: HttpContext,
	credential: string,
	redaction = createRedaction(),
) {
	const read = async () => {
		const data = await context.getCredentials(credential);
		const baseUrl = toBaseUrl(data.baseUrl);
		if (!baseUrl) {
			throw new NodeOperationError(context.getNode(), NOT_AN_ADDRESS, {
				description: `Open the credential. ${HOW_TO_ENTER_IT}`,
			});
		}
		redaction.learn(String(data.apiKey ?? ''));
		const allowPrivateAddresses = data.allowPrivateAddresses === true;
		return { baseUrl, allowPrivateAddresses, key: { credential, headers: toMark(data) } };
	};
	let reading = await read();

	/** Sends a request; if somebody has edited the credential, reads it anew and sends again. */
	const ask = async <Answer extends object>(
		send: (baseUrl: string, key: Key) => Promise<Answer | NoAnswer>,
	) => {
		for (let count = 1; ; count++) {
			const answer = await send(reading.baseUrl, reading.key);
			const isOld = isNoAnswer(answer) && answer.code === CREDENTIAL_CHANGED;
			const newer = isOld && count < MAX_READINGS && (await read().catch(() => undefined));
			if (!newer) return answer;
			reading = newer;
		}
	};

	return {
		...redaction,
		/** The base URL in the latest reading of the credential: somebody may edit it during a render. */
		get baseUrl() {
			return reading.baseUrl;
		},
		/** Whether hosts other than the base URL's may be inside a private network. */
		get allowPrivateAddresses() {
			return reading.allowPrivateAddresses;
		},
		/**
		 * Sends a request with the key. The answer comes as it was sent, even if it quotes the key.
		 * Never throws for anything that the service or the network does.
		 */
		async send(asked: ServiceRequest): Promise<ServiceAnswer | NoAnswer> {
			return await ask(async (baseUrl, key) => await request(context, baseUrl, key, asked));
		},
		async open(address: Address, options: StreamOptions): Promise<StreamAnswer | NoAnswer> {
			const { timeoutMs, signal, headers, body, withKey = true } = options;
			const json = body && JSON.stringify(body);
			// Whoever opens a stream gives it up earlier, by a clock of its own.
			const rest = { headers, json, timeout: 2 * (timeoutMs + uploadMs(json)) };
			return await ask(async (baseUrl, key) => {
				const url = toUrl(address, baseUrl);
				return await openAnswer(context, withKey ? key : undefined, { url, ...rest }, signal);
			});
		},
	};
}
