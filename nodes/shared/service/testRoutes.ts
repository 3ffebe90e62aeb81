import type {
	ICredentialDataDecryptedObject,
	ICredentialTestFunctions,
	INodeCredentialTestResult,
} from 'n8n-workflow';

import { isObject, parseJson } from '../lib/json';
import { createTimeLimit } from '../lib/time';
import {
	checkKeyLength,
	forKeyOf,
	HOW_TO_ENTER_IT,
	NOT_AN_ADDRESS,
	toBaseUrl,
	toBearer,
	WEB_PAGE,
} from './credential';
import { lacksRoute, PROBE_ID, type Send } from './findRoute';
import {
	isNoAnswer,
	MAX_RECORD_BYTES,
	type NoAnswer,
	type Readable,
	readWhole,
	type ServiceAnswer,
	TIMED_OUT,
	toNoAnswer,
} from './http';
import { mayPass } from './later';
import { createRedaction } from './redact';
import { findPathFault, HOW_TO_ENTER_PATHS, readRoutes, type Route, ROUTES } from './routes';
import { isPage, readStatement, toSentence } from './serviceWords';

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

/**
 * Tests a credential for videos: asks each route for a made-up task, which costs nothing. A service
 * that knows the key says that there is no such task; for the other routes, see `lacksRoute`.
 */
export async function testRoutes(
	helpers: Helpers,
	data: ICredentialDataDecryptedObject,
): Promise<INodeCredentialTestResult> {
	const { redact } = createRedaction(String(data.apiKey ?? ''));
	try {
		return { status: 'OK', message: await findRoutes(helpers, data) };
	} catch (error) {
		return { status: 'Error', message: redact((error as Error).message) };
	}
}

/** @throws why no video could be submitted, in words for a person */
async function findRoutes(helpers: Helpers, data: ICredentialDataDecryptedObject) {
	checkKeyLength(data.apiKey);
	const pathFault = findPathFault(data);
	if (pathFault) throw new Error(`${pathFault}. ${HOW_TO_ENTER_PATHS}.`);

	const allowed = readRoutes(data);
	const others = ROUTES.filter(({ name }) => allowed.every((route) => route.name !== name));
	const send = createSender(helpers, data);
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
	const answer = await send({ path, timeoutMs: 30_000, maxBytes: MAX_RECORD_BYTES });
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
	return `The service has neither POST ${one.submitPath} nor POST ${other.submitPath} at this Base URL. Check the address: scheme, host and path, without /v1. If the service documents other paths, set API to Custom Paths.`;
}

/** As the field API of the credential has them. */
const LABELS: Partial<Record<Route['name'], string>> = {
	videoGenerations: 'Video Generations',
	openAiVideos: 'OpenAI Videos',
};

const toAdvice = ({ name, submitPath }: Route, taken?: Probe) =>
	`It has POST ${submitPath}: set API to ${LABELS[name]}${taken ? '' : ' or Auto'}.`;

/** Returns a function that asks each path once, with the key, by the only helper that n8n gives to tests. */
function createSender(helpers: Helpers, data: ICredentialDataDecryptedObject): Send {
	const baseUrl = toBaseUrl(data.baseUrl);
	if (!baseUrl) throw new Error(`${NOT_AN_ADDRESS}. ${HOW_TO_ENTER_IT}`);
	// Throws if the key cannot be sent.
	forKeyOf(data, { url: baseUrl });
	const answers = new Map<string, ReturnType<Send>>();

	const ask = async ({ path, timeoutMs, maxBytes }: Parameters<Send>[0]) => {
		const limit = createTimeLimit(timeoutMs);
		let stream: Readable | undefined;
		const request = async () => {
			const answer = await helpers.request({
				method: 'GET',
				url: baseUrl + path,
				headers: { Accept: 'application/json', ...toBearer(data) },
				followRedirect: false,
				simple: false,
				resolveWithFullResponse: true,
				useStream: true,
				timeout: timeoutMs,
			});
			stream = answer.body as Readable;
			stream.on('error', () => {});
			const { statusCode: status, headers } = answer;
			return await readWhole({ status, headers, stream }, maxBytes, []);
		};
		try {
			const answer = request().catch((error: unknown) => toNoAnswer(error, baseUrl));
			return (await limit.within(answer)) ?? TIMED_OUT;
		} finally {
			stream?.destroy();
			limit.close();
		}
	};
	return async (wanted) => {
		const answer = answers.get(wanted.path) ?? ask(wanted);
		answers.set(wanted.path, answer);
		return await answer;
	};
}
