import type {
	IAuthenticateRuleResponseCode,
	IAuthenticateRuleResponseSuccessBody,
	IHttpRequestOptions,
} from 'n8n-workflow';

import { isTellable, toKey } from './redact';

/** A made-up task and a made-up model, which nothing but the tests asks for. */
export const PROBES = {
	video: '/v1/video/generations/task_credential_test',
	text: '/v1beta/models/credential-test:generateContent',
};

/**
 * Ends the test of a credential whose key nobody can keep out of items and logs, since it may stand
 * in them by chance. Requests of nodes go out: an odd key is better than none.
 *
 * @throws in the words that n8n shows
 */
export function refuseUntellable(apiKey: unknown, { url }: Pick<IHttpRequestOptions, 'url'>): void {
	const isTest = Object.values(PROBES).some((path) => String(url).endsWith(path));
	if (!isTest || isTellable(toKey(String(apiKey ?? '')))) return;
	throw new Error(
		'The API key is too short, or a short number: in items and logs it could not be told from other words and numbers, and so not be hidden. Check that it was copied completely.',
	);
}

const NO_SERVICE_HERE =
	'The service was not found at this Base URL. Check the address: scheme, host and path, without /v1.';
const WEB_PAGE =
	'The Base URL answers with a web page, not with the API of the service. Check the address.';
const MOVED = 'The Base URL redirects elsewhere. Enter the address it redirects to.';

/** Statuses that mean "no" in a credential test, whatever the probe asks for. */
const REFUSALS: Record<number, string> = {
	301: MOVED,
	302: MOVED,
	303: MOVED,
	307: MOVED,
	308: MOVED,
	401: 'The service refuses the API key: it is unknown, disabled, expired or used up (HTTP 401).',
	403: 'The service knows the API key but does not allow this request: check the IP address, account, model and quota (HTTP 403).',
	405: NO_SERVICE_HERE,
	429: 'The service is rate-limiting requests (HTTP 429). Try again in a moment.',
	500: 'The service could not process the request (HTTP 500). Try again later.',
	502: 'The service cannot be reached behind its proxy (HTTP 502). Try again later.',
	504: 'The service did not answer in time (HTTP 504). Try again later.',
};

/**
 * n8n counts every status outside 2xx as a failed test. A probe with a made-up id or model is
 * answered with 400, 404 or 503 where all is well, so only the statuses above (and `alsoBad`) fail.
 */
export function probeStatusErrors(alsoBad: number[]) {
	return { ignore: true as const, except: [...Object.keys(REFUSALS).map(Number), ...alsoBad] };
}

const codeRules = Object.entries(REFUSALS).map(([status, message]) => ({
	type: 'responseCode',
	properties: { value: Number(status), message },
})) as IAuthenticateRuleResponseCode[];

const bodyRule = (key: string, value: unknown, message: string) =>
	({
		type: 'responseSuccessBody',
		properties: { key, value, message },
	}) as IAuthenticateRuleResponseSuccessBody;

/**
 * Body rules compare one field with one value. A page is a string, and key `0` of a string is its
 * first character; an empty answer has length 0; the last is the gateway's answer to a path that
 * it does not have.
 */
const bodyRules = [
	bodyRule('0', '<', WEB_PAGE),
	bodyRule('0', '\n', WEB_PAGE),
	bodyRule('0', '\r', WEB_PAGE),
	bodyRule('0', ' ', WEB_PAGE),
	bodyRule('length', 0, NO_SERVICE_HERE),
	bodyRule('error.type', 'invalid_request_error', NO_SERVICE_HERE),
];

/**
 * n8n 1 looks past every status where a test looks past any, so there a wrong key is known by the
 * answer alone. The service refuses keys in the shape of its gateway, with an empty code, and tells
 * of an unknown task in another shape. On the text paths older deployments give an unknown model in
 * that shape, too, so the Native Text API has no such rule.
 */
export const VIDEO_KEY_RULE = bodyRule(
	'error.code',
	'',
	'The service refuses the request: most likely the API key is unknown, disabled, expired or used up.',
) as unknown as IAuthenticateRuleResponseCode;

/** Rules shared by both credential tests. n8n's type wants one kind per list; its code takes both. */
export const ANSWER_RULES = [...codeRules, ...bodyRules] as IAuthenticateRuleResponseCode[];
