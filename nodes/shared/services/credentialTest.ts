import type {
	ICredentialDataDecryptedObject,
	ICredentialTestFunctions,
	IDataObject,
	INodeCredentialTestResult,
} from 'n8n-workflow';

import { isRedirect, readReason, type Reason } from '../failure/reason';
import { isPage } from '../failure/statement';
import { isNoAnswer, type NoAnswer, type ServiceAnswer, toNoAnswer } from '../http/answer';
import { createRedaction } from '../http/redact';
import type { OwnPath } from './contract';
import {
	checkRequest,
	findFault,
	toNativeKey,
	toOwnUrl,
	toVideoKey,
	type WithKey,
} from './credential';
import { serviceOf } from './list';
import { isOfLiteLlm } from './openAiVideos';
import { findBetter, noTaskPath, toBetterAdvice } from './probe';

type TestHelpers = ICredentialTestFunctions['helpers'];

/** Sends a request with the key; a body makes it a POST. */
type Query = (own: OwnPath, body?: IDataObject) => Promise<ServiceAnswer | NoAnswer>;

/** Tests a credential for videos by a made-up task, or by what its service has for that. */
export const testVideos = async (helpers: TestHelpers, data: ICredentialDataDecryptedObject) =>
	await test(helpers, data, toVideoKey(data), async (ask) => {
		const service = serviceOf(data);
		if (service.keyTest) return findNo(await ask(service.keyTest));
		const { lists } = service;
		const told = await ask({ path: noTaskPath(service) });
		const refusal = await findRefusal(told, async () => await ask(lists[0]));
		if (refusal !== undefined || isNoAnswer(told)) return refusal;
		let no: string | undefined;
		const better = await findBetter(service, told, async (own) => {
			const answer = await ask(own);
			// OpenRouter lists its models with any key, and its videos with the right one.
			if (!isNoAnswer(answer)) no ??= refusalOf(answer);
			return answer;
		});
		return no ?? (better && toBetterAdvice(better).replace(/\.$/, ''));
	});

/** Tests a credential for texts by a made-up model. */
export const testTexts = async (helpers: TestHelpers, data: ICredentialDataDecryptedObject) =>
	await test(helpers, data, toNativeKey(data), async (ask) => {
		const path = '/v1beta/models/no-such-model:generateContent';
		const told = await ask({ path }, { contents: [{ parts: [{ text: 'credential test' }] }] });
		return await findRefusal(told, async () => await ask({ path: '/v1beta/models' }));
	});

/** @param find resolves to why the key or the address does not work, in a sentence; `undefined` if they do */
async function test(
	helpers: TestHelpers,
	data: ICredentialDataDecryptedObject,
	key: WithKey,
	find: (ask: Query) => Promise<string | undefined>,
): Promise<INodeCredentialTestResult> {
	const { redact } = createRedaction(String(data.apiKey ?? ''));
	const service = serviceOf(data);
	const ask: Query = async (own, body) => {
		const answer = await sendTest(helpers, data, key, own, body);
		return isNoAnswer(answer) ? answer : (service.toAnswer?.(answer) ?? answer);
	};
	const fault = findFault(data)?.join('. ') ?? (await find(ask));
	if (fault === undefined) return { status: 'OK', message: 'Connected' };
	return { status: 'Error', message: redact(`${fault}.`) };
}

/** Returns why a request that needs the right key alone was not answered; `undefined` if it was. */
const findNo = (answer: ServiceAnswer | NoAnswer): string | undefined =>
	!isNoAnswer(answer) && answer.status < 300 && !isPage(answer.body)
		? undefined
		: toVerdict(answer);

function toVerdict(answer: ServiceAnswer | NoAnswer): string {
	const { message, code } = readReason('list', answer);
	return isNoAnswer(answer) ? `${message} (${code})` : message;
}

/**
 * Resolves to why the key or the address does not work, by an answer about what does not exist. A service
 * that takes the key says so, mostly with a 4xx. What may also be said before a key is looked at needs its
 * list of models, too: FastAPI answers 404 on a route that it does not have. LiteLLM asks a vendor for a
 * made-up video, whose 401 or 500 says nothing of the key.
 */
async function findRefusal(
	told: ServiceAnswer | NoAnswer,
	askForList: () => Promise<ServiceAnswer | NoAnswer>,
): Promise<string | undefined> {
	if (isNoAnswer(told)) return toVerdict(told);
	if (isOfLiteLlm(told)) return undefined;
	const refusal = refusalOf(told);
	if (refusal !== undefined || (tellsOfKey(told) && !isPage(told.body))) return refusal;
	const listed = await askForList();
	const isListed = !isNoAnswer(listed) && listed.status < 300 && !isPage(listed.body);
	if (isListed) return undefined;
	const refused = isNoAnswer(listed) ? undefined : refusalOf(listed);
	if (refused !== undefined) return refused;
	if (told.status >= 500) return `${toVerdict(told)}. Try again later`;
	return isPage(told.body)
		? 'The address answers with a web page, not with the API of the service. Check it'
		: undefined;
}

/** Returns whether only a service that took the key answers so: New API says 503 for a model that it lacks. */
const tellsOfKey = (answer: ServiceAnswer): boolean => {
	const { noAddress, passes }: Reason = readReason('list', answer);
	return noAddress === false || (!noAddress && !passes && answer.status < 500);
};

/** Returns the no in an answer, in a sentence; `undefined` if it is none. */
function refusalOf(answer: ServiceAnswer): string | undefined {
	const { account, busy, message } = readReason('list', answer);
	if (busy) return `${message}. Try again later`;
	return isRedirect(answer) || account ? message : undefined;
}

/** Sends a request with the key, by the only helper that n8n gives to tests; follows no redirect. */
async function sendTest(
	helpers: TestHelpers,
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
