import type {
	ICredentialDataDecryptedObject,
	ICredentialTestFunctions,
	IExecuteFunctions,
	IHttpRequestOptions,
	INodeCredentialTestResult,
} from 'n8n-workflow';

import { isObject, parseJson, toObject } from '../lib/json';
import { openConnection } from './connection';
import { checkRequest, toBaseUrl, toBearer, toNativeKey } from './credential';
import { lacksRoute, PROBE_ID, type Send } from './findRoute';
import { isNoAnswer, type NoAnswer, RECORD_LIMITS, type ServiceAnswer } from './http';
import { mayPass } from './later';
import { createRedaction } from './redact';
import { findFault, readRoutes, type Route, ROUTES } from './routes';
import { findError, isPage, readStatement, toSentence } from './serviceWords';

type Helpers = ICredentialTestFunctions['helpers'];

/** What a route answers for a made-up task. */
interface Probe {
	route: Route;
	/** The service has it, and takes the key there. */
	isThere: boolean;
	isPage: boolean;
	/** It says no more than that it does not know the task or the address. */
	isSilent: boolean;
	/** Why a submit would fail there, in a sentence without a full stop. */
	refusal?: string;
}

const WEB_PAGE =
	'The Base URL answers with a web page, not with the API of the service. Check the address.';
const CHECK_ADDRESS = 'Check the address: scheme, host and path, without /v1.';

/** Tests a credential: `ask` resolves to what it found, or throws why nothing could be made with the key. */
async function test(
	data: ICredentialDataDecryptedObject,
	ask: () => Promise<string>,
): Promise<INodeCredentialTestResult> {
	const { redact } = createRedaction(String(data.apiKey ?? ''));
	try {
		const fault = findFault(data);
		if (fault) throw new Error(fault.join('. '));
		return { status: 'OK', message: await ask() };
	} catch (error) {
		return { status: 'Error', message: redact((error as Error).message) };
	}
}

/**
 * Tests a credential for videos: asks each route for a made-up task, which costs nothing. A service
 * that knows the key says that there is no such task; for the other routes, see `lacksRoute`.
 */
export const testRoutes = async (helpers: Helpers, data: ICredentialDataDecryptedObject) =>
	await test(data, async () => await findRoutes(helpers, data));

/** Tests a credential for texts: asks a made-up model, which costs nothing and needs no listing. */
export const testTexts = async (helpers: Helpers, data: ICredentialDataDecryptedObject) =>
	await test(data, async () => {
		const send = await createSender(helpers, data, toNativeKey(data));
		const answer = await send({
			path: '/v1beta/models/credential-test:generateContent',
			body: { contents: [{ parts: [{ text: 'credential test' }] }] },
			...RECORD_LIMITS,
		});
		const refusal = whyNot(answer);
		if (isNoAnswer(answer)) throw new Error(`${refusal}.`);
		const { status, body } = answer;
		// A service that takes the key says 400, 404 or 503: it does not have this model.
		if (refusal && status !== 503) throw new Error(`${refusal}.`);
		if (isPage(body)) throw new Error(WEB_PAGE);
		// New API's type for a path that it does not have.
		const isNowhere = findError(toObject(parseJson(body)))?.type === 'invalid_request_error';
		if (status === 405 || body.trim() === '' || isNowhere) {
			throw new Error(`The service was not found at this Base URL. ${CHECK_ADDRESS}`);
		}
		return 'Connected';
	});

/** @throws why no video could be submitted, in words for a person */
async function findRoutes(helpers: Helpers, data: ICredentialDataDecryptedObject) {
	const allowed = readRoutes(data);
	const others = ROUTES.filter(({ name }) => allowed.every((route) => route.name !== name));
	const send = await createSender(helpers, data, toBearer(data));
	const probes = await Promise.all([...allowed, ...others].map((route) => probe(send, route)));
	const found = probes.filter(({ isThere }) => isThere).map(({ route }) => route);
	// A node goes on to its next route only if the service lacks the one before it.
	const taken = probes.slice(0, allowed.length).find((one) => one.isThere || one.refusal);
	if (taken?.isThere) {
		return `Connected. The service has ${found.map(({ submitPath }) => `POST ${submitPath}`).join(' and ')}`;
	}
	// Only a submit shows which route such a service has.
	if (!taken && found.length === 0 && probes.every(({ isSilent }) => isSilent)) return 'Connected';
	const page = probes.find((one) => one.isPage) && found.length === 0 ? WEB_PAGE : undefined;
	throw new Error(
		[
			taken?.refusal ? `${taken.refusal}.` : (page ?? toLack(data, allowed, found)),
			found[0] && toAdvice(found[0], taken),
		]
			.filter(Boolean)
			.join(' '),
	);
}

async function probe(send: Send, route: Route): Promise<Probe> {
	const path = route.taskPath(PROBE_ID);
	const answer = await send({ path, ...RECORD_LIMITS });
	const refusal = whyNot(answer);
	const isWebPage = !isNoAnswer(answer) && answer.status < 300 && isPage(answer.body);
	const isThere = !refusal && !isWebPage && !(await lacksRoute(send, route));
	const isSilent =
		!isNoAnswer(answer) &&
		answer.status === 404 &&
		isObject(parseJson(answer.body)) &&
		!answer.body.includes(path);
	return { route, isThere, isPage: isWebPage, isSilent, refusal };
}

/** Returns why an answer is a no, whatever was asked for. */
function whyNot(answer: ServiceAnswer | NoAnswer): string | undefined {
	if (isNoAnswer(answer)) return `${answer.message} (${answer.code})`;
	const { status, body } = answer;
	const isNo = (status >= 300 && status < 400) || [401, 403, 429].includes(status) || status >= 500;
	if (!isNo) return undefined;
	const sentence = toSentence(answer, readStatement(body));
	return mayPass('check', status) ? `${sentence}. Try again later` : sentence;
}

/** Returns that the service lacks what the credential allows. */
function toLack(data: ICredentialDataDecryptedObject, [first, second]: Route[], found: Route[]) {
	if (first.name === 'customPaths') {
		return `The service has no GET ${String(data.taskPath).trim()} at this Base URL. Check the paths.`;
	}
	if (found.length > 0) return `The service has no POST ${first.submitPath}.`;
	const [one, other] = second ? [first, second] : ROUTES;
	return `The service has neither POST ${one.submitPath} nor POST ${other.submitPath} at this Base URL. ${CHECK_ADDRESS} If the service documents other paths, set API to Custom Paths.`;
}

/** As the field API of the credential has them. */
const LABELS: Partial<Record<Route['name'], string>> = {
	videoGenerations: 'Video Generations',
	openAiVideos: 'OpenAI Videos',
};

const toAdvice = ({ name, submitPath }: Route, taken?: Probe) =>
	`It has POST ${submitPath}: set API to ${LABELS[name]}${taken ? '' : ' or Auto'}.`;

/** Returns a function that asks each path once, with the key, by the only helper that n8n gives to tests. */
async function createSender(
	helpers: Helpers,
	data: ICredentialDataDecryptedObject,
	{ headers, qs }: Pick<IHttpRequestOptions, 'headers' | 'qs'>,
): Promise<Send> {
	// Throws if the key cannot be sent.
	checkRequest(data, { url: toBaseUrl(data.baseUrl)! });
	const request = async (_credential: string, wanted: IHttpRequestOptions) => {
		const { method, url, body, timeout, headers: others } = wanted;
		const answer = await helpers.request({
			...{ method, url, body, timeout, qs, headers: { ...others, ...headers } },
			...{ followRedirect: false, simple: false, resolveWithFullResponse: true, useStream: true },
		});
		(wanted.abortSignal as AbortSignal).addEventListener('abort', () => answer.body.destroy());
		return answer;
	};
	const context = {
		getCredentials: async () => data,
		helpers: { httpRequestWithAuthentication: request },
	};
	const { send } = await openConnection(context as unknown as IExecuteFunctions, '');
	const answers = new Map<string, ReturnType<Send>>();
	return async (wanted) => {
		const answer = answers.get(wanted.path) ?? send(wanted);
		answers.set(wanted.path, answer);
		return await answer;
	};
}
