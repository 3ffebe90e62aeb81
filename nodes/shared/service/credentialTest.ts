import type {
	ICredentialDataDecryptedObject,
	ICredentialTestFunctions,
	IDataObject,
	INodeCredentialTestResult,
} from 'n8n-workflow';

import { checkRequest, toNativeKey, toOwnUrl, toVideoKey, type WithKey } from './credential';
import { isNoAnswer, isOfLiteLlm, type NoAnswer, type ServiceAnswer, toNoAnswer } from './http';
import { type NamedService, namedService, type OwnPath } from './namedServices';
import { createRedaction } from './redact';
import { findFault, readRoutes } from './routes';
import { isPage, readStatement, STATUS_MESSAGES, toSentence } from './serviceWords';

type Helpers = ICredentialTestFunctions['helpers'];

/** What a credential is tested with; nothing of it is billed. */
interface Probe {
	/** Each asks for something that does not exist. */
	paths: string[];
	/** Makes it a POST. */
	body?: IDataObject;
	/** The path of the service's models. */
	list: string;
	key: WithKey;
	service?: NamedService;
}

/** Tests a credential for videos by a made-up task. */
export const testVideos = async (helpers: Helpers, data: ICredentialDataDecryptedObject) =>
	await test(helpers, data, {
		paths: readRoutes(data).map(({ taskPath }) => taskPath('no-such-id')),
		list: '/v1/models',
		key: toVideoKey(data),
		service: namedService(data),
	});

/** Tests a credential for texts by a made-up model. */
export const testTexts = async (helpers: Helpers, data: ICredentialDataDecryptedObject) =>
	await test(helpers, data, {
		paths: ['/v1beta/models/no-such-model:generateContent'],
		body: { contents: [{ parts: [{ text: 'credential test' }] }] },
		list: '/v1beta/models',
		key: toNativeKey(data),
	});

async function test(
	helpers: Helpers,
	data: ICredentialDataDecryptedObject,
	probe: Probe,
): Promise<INodeCredentialTestResult> {
	const { redact } = createRedaction(String(data.apiKey ?? ''));
	const ask: Ask = async (own, body) => await send(helpers, data, probe.key, own, body);
	const fault = findFault(data)?.join('. ') ?? (await findRefusal(ask, probe));
	if (fault === undefined) return { status: 'OK', message: 'Connected' };
	return { status: 'Error', message: redact(`${fault}.`) };
}

/** Sends a request with the key; a body makes it a POST. */
type Ask = (own: OwnPath, body?: IDataObject) => Promise<ServiceAnswer | NoAnswer>;

/**
 * Resolves to why the key or the address does not work, in a sentence; `undefined` if they do. A service
 * that takes the key says that there is no such task or model, mostly with a 4xx. What may also be said
 * before a key is looked at needs another route, and its list of models, too: FastAPI answers 404 on a
 * route that it does not have, and OpenRouter lists its models with any key. LiteLLM asks a vendor for a
 * made-up video, whose 401 or 500 says nothing of the key.
 */
async function findRefusal(ask: Ask, probe: Probe): Promise<string | undefined> {
	const { paths, body, list, service } = probe;
	if (service) return await findOwnRefusal(ask, service);
	let last: ServiceAnswer | undefined;
	for (const path of paths) {
		const answer = await ask({ path }, body);
		if (isNoAnswer(answer)) return `${answer.message} (${answer.code})`;
		if (isOfLiteLlm(answer)) return undefined;
		const refusal = toRefusal(answer);
		if (refusal !== undefined || (tellsOfKey(answer) && !isPage(answer.body))) return refusal;
		last = answer;
	}
	const listed = await ask({ path: list });
	const isListed = !isNoAnswer(listed) && listed.status < 300 && !isPage(listed.body);
	if (isListed) return undefined;
	const refused = isNoAnswer(listed) ? undefined : toRefusal(listed);
	if (refused !== undefined) return refused;
	if (last && last.status >= 500) return `${toSentence(last, {})}. Try again later`;
	return last && isPage(last.body)
		? 'The Base URL answers with a web page, not with the API of the service. Check the address'
		: undefined;
}

/** Resolves to the same of a service whose page names a request that is free, and needs the right key. */
async function findOwnRefusal(ask: Ask, service: NamedService): Promise<string | undefined> {
	const [first, ...others] = service.tests;
	const told = await ask(first);
	if (isNoAnswer(told)) return `${told.message} (${told.code})`;
	const answer = service.toAnswer?.(told) ?? told;
	if (answer.status >= 300 || isPage(answer.body)) return toSentence(answer, {});
	for (const other of others) {
		const missing = await ask(other);
		const refusal = isNoAnswer(missing) ? undefined : toRefusal(missing);
		if (refusal !== undefined) return refusal;
	}
	return undefined;
}

/** Returns whether only a service that took the key answers so. */
const tellsOfKey = ({ status, body }: ServiceAnswer): boolean =>
	(![404, 405].includes(status) && status < 500) ||
	// New API answers 503 for a model that it does not have.
	readStatement(body).code === 'model_not_found';

/** Returns the no in an answer, in a sentence; `undefined` if it is none. */
function toRefusal(answer: ServiceAnswer): string | undefined {
	const { status, body } = answer;
	// A wrong key is 400 at Google, with this reason in its details, and at LiteLLM without a database.
	if (status === 400 && /"(API_KEY_INVALID|no_db_connection)"/.test(body))
		return `${STATUS_MESSAGES[401]} (HTTP 400)`;
	if (status === 429) return `${toSentence(answer, {})}. Try again later`;
	const isRedirect = status >= 300 && status < 400;
	return isRedirect || [401, 403].includes(status) ? toSentence(answer, {}) : undefined;
}

/** Sends a request with the key, by the only helper that n8n gives to tests; follows no redirect. */
async function send(
	helpers: Helpers,
	data: ICredentialDataDecryptedObject,
	{ headers, qs }: WithKey,
	own: OwnPath,
	json?: IDataObject,
): Promise<ServiceAnswer | NoAnswer> {
	const url = toOwnUrl(data, own);
	try {
		checkRequest(data, { url });
		const answer = await helpers.request({
			...{ method: json ? 'POST' : 'GET', url, qs, timeout: 30_000 },
			headers: { ...headers, Accept: 'application/json' },
			body: json && JSON.stringify(json),
			...{ followRedirect: false, simple: false, resolveWithFullResponse: true },
		});
		const { statusCode: status, headers: answered, body } = answer;
		return { status, headers: answered, body: String(body ?? '') };
	} catch (error) {
		return toNoAnswer(error, url);
	}
}
