import { createHash } from 'node:crypto';

import type { ICredentialDataDecryptedObject, IDataObject } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { type Reason, readReason } from '../failure/reason';
import { isNoAnswer, type NoAnswer, RECORD_LIMITS, type ServiceAnswer } from '../http/answer';
import { createRequests, type HttpContext, type Limits, type Method } from '../http/connection';
import type { Body } from '../http/body';
import { createRedaction } from '../http/redact';
import { leadsInside } from '../lib/privateHost';
import { originOf, toHttpUrl } from '../lib/url';
import type { OwnPath, Service } from './contract';
import { findFault, readBaseUrls, toOwnUrl } from './credential';
import { serviceOf } from './list';
import { askForModels, type Look, lookAt } from './probe';

const toRefused = (
	message: string,
	more: Partial<Pick<Reason, 'passes' | 'httpCode'>> = {},
): Reason => ({ message, passes: false, refused: true, ...more });

/** Tells one key from another, without the key. */
const toHash = (key: unknown) =>
	createHash('sha256')
		.update(String(key ?? ''))
		.digest('hex');

/** Returns an answer as the service means it; of none, whether nobody has typed its address. */
function asMeant(
	answer: ServiceAnswer | NoAnswer,
	{ origins, toAnswer }: Service,
	url: string,
): ServiceAnswer | NoAnswer {
	if (!isNoAnswer(answer)) return toAnswer?.(answer) ?? answer;
	const isKnownAddress = origins?.some((one) => one === originOf(url));
	return isKnownAddress ? { ...answer, isKnownAddress } : answer;
}

/** An opened credential: the service, where requests go, and what must not be shown. */
export type Connection = Awaited<ReturnType<typeof openConnection>>;

/** One request to the service; a body makes it a POST. The path is already URL-encoded. */
export type ServiceRequest = OwnPath & Limits & { body?: IDataObject | Body; method?: Method };

function refuseUnusable(context: HttpContext, data: ICredentialDataDecryptedObject): void {
	const [fault, advice] = findFault(data) ?? [];
	if (!fault) return;
	const description = `Open the credential. ${advice}`;
	throw new NodeOperationError(context.getNode(), fault, { description });
}

/**
 * Reads a credential, and returns the ways to send requests with it.
 *
 * @param redaction learns the key
 * @throws before anything is sent, if n8n cannot read the credential or its base URL or paths are unusable
 */
export async function openConnection(
	context: HttpContext,
	credential: string,
	redaction = createRedaction(),
) {
	const data = await context.getCredentials(credential);
	redaction.learn(String(data.apiKey ?? ''));
	refuseUnusable(context, data);
	const [baseUrl] = readBaseUrls(data);
	// The credential for texts names none: its lists and answers are those of New API.
	const service = serviceOf(data);
	const { contentPath } = service;
	const requests = createRequests(context, credential);
	let looking: Promise<Look> | undefined;
	let listing: ReturnType<typeof askForModels> | undefined;

	/** Sends a request with the key. See `createRequests`. */
	const send = async ({
		body,
		method,
		path,
		origin,
		...limits
	}: ServiceRequest): Promise<ServiceAnswer | NoAnswer> => {
		const url = toOwnUrl(data, { path, origin });
		return asMeant(await requests.send(url, body, limits, { method }), service, url);
	};

	return {
		redact: redaction.redact,
		baseUrl,
		service,
		keyHash: toHash(data.apiKey),
		/** Where a task's video is, whatever its record says; missing where only the record tells. */
		contentUrl: (task_id: string) => contentPath && baseUrl + contentPath(task_id),
		/** Returns an address of the service itself as it is behind a proxy; any other one as it is. */
		viaProxy(url: URL): URL {
			const { origins } = service;
			if (!origins?.includes(url.origin) || origins.includes(baseUrl)) return url;
			return new URL(baseUrl + url.pathname + url.search);
		},
		/** Resolves to a fresh address of a task's file, if the service gives one. */
		freshUrl: async (url: string) =>
			await service.freshUrl?.(
				url,
				async (at, body) => await send({ ...at, body, ...RECORD_LIMITS }),
			),
		/** Whether hosts other than the base URL's may be inside a private network. */
		allowPrivateAddresses: data.allowPrivateAddresses === true,
		send,
		/** Sends a file, without the key, to an address that the service has given for it. Resolves to why it failed. */
		async put(
			address: string,
			file: Body,
			limits: Limits,
			method: 'PUT' | 'POST' = 'PUT',
		): Promise<Reason | undefined> {
			const url = toHttpUrl(address);
			const isOpen = url && (data.allowPrivateAddresses === true || !leadsInside(url, baseUrl));
			if (!isOpen) return toRefused('its storage is at no public address');
			const how = { method, withKey: false } as const;
			const answer = await requests.send(url.href, file, limits, how);
			if (!isNoAnswer(answer) && answer.status < 300) return undefined;
			const { message, passes } = readReason('file', answer);
			const at = `its storage at ${url.origin}`;
			if (isNoAnswer(answer)) return toRefused(`${at}: ${message}`, { passes });
			const { status: httpCode } = answer;
			return toRefused(`${at} answers with HTTP ${httpCode}`, { passes, httpCode });
		},
		/** Looks at a made-up task, once for all callers: tells whether another service has to be chosen. */
		look: async () =>
			await (looking ??= lookAt(service, async (at) => await send({ ...at, ...RECORD_LIMITS }))),
		/** Asks for the list of models that gateways have, once for all callers. */
		listed: async () => await (listing ??= askForModels({ send }, service.lists[0].path)),
		open: requests.open,
	};
}
