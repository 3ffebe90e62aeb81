import { parseJson, toObject, toObjects, toText } from '../lib/json';
import type { Connection } from './connection';
import {
	isNoAnswer,
	isOfLiteLlm,
	isOfNewApi,
	type NoAnswer,
	RECORD_LIMITS,
	type ServiceAnswer,
} from './http';
import { lacksRoute, type Route } from './routes';
import { type Reason, readReason } from './reason';

/** A made-up task. */
const NO_TASK = 'no-such-id';

/** What a run finds out about a service; asked for once, and free. */
export interface ServiceFacts {
	/** It says that it is New API, whose rules for fields the families of models hold. */
	isNewApi: boolean;
	/** It says that it is LiteLLM, which takes videos as OpenAI documents it, with pictures as files. */
	isLiteLlm: boolean;
	/** The owners of its models, by ID; missing if it has no list. */
	owners?: Map<string, string | undefined>;
	/** Why nobody knows whether it is New API: nothing answers, or perhaps a proxy. */
	failure?: Reason;
}

/** Asks a service for its models and, unless it is New API by that, for a made-up video. */
export async function askService(connection: Connection): Promise<ServiceFacts> {
	const listed = await askForModels(connection, '/v1/models');
	const isListed = !isNoAnswer(listed) && listed.status < 300;
	const owners = isListed
		? new Map(readModels(listed).map(({ id, owned_by }) => [id, owned_by]))
		: undefined;
	if (isListed && isOfNewApi(listed)) return { isNewApi: true, isLiteLlm: false, owners };
	// LiteLLM sends its header on /v1/videos only.
	const path = connection.routes.at(-1)!.taskPath(NO_TASK);
	const answer = await connection.send({ path, ...RECORD_LIMITS });
	const isNewApi = isOfNewApi(listed) || isOfNewApi(answer);
	const isLiteLlm = isOfLiteLlm(answer);
	const isSure = !isNoAnswer(answer) && answer.status !== 429 && answer.status < 500;
	const isKnown = isListed || isNewApi || isLiteLlm || isSure;
	return {
		isNewApi,
		isLiteLlm,
		owners,
		failure: isKnown ? undefined : readReason('list', answer),
	};
}

/** Resolves to the route that a submit would take, by a look at a made-up task. Costs nothing. */
export async function findRoute({ send, routes }: Connection): Promise<Route> {
	const [first, second] = routes;
	if (!second) return first;
	const path = first.taskPath(NO_TASK);
	const answer = await send({ path, ...RECORD_LIMITS });
	return !isNoAnswer(answer) && lacksRoute(answer, path) ? second : first;
}

/** Whether requests are written by the rules of the models' families, which are New API's. */
export const writesByModel = ({ settings }: Connection, { isNewApi }: ServiceFacts): boolean =>
	settings === 'byModel' || (settings === 'auto' && isNewApi);

/** @param path undocumented, but usual: `/v1/models`, or `/v1beta/models` for texts */
export const askForModels = async ({ send }: Pick<Connection, 'send'>, path: string) =>
	await send({ path, timeoutMs: 15_000, maxBytes: 4 * 1024 ** 2 });

export interface ListedModel {
	id: string;
	owned_by?: string;
}

/** Reads `{data: [{id}]}` or `{models: [{name: "models/..."}]}`; anything else gives no models. */
export function readModels(answer: ServiceAnswer | NoAnswer): ListedModel[] {
	if (isNoAnswer(answer) || answer.status >= 300) return [];
	const { data, models } = toObject(parseJson(answer.body));
	return toObjects([data, models].find(Array.isArray)).flatMap(({ id, name, owned_by }) => {
		const named = toText(id) ?? toText(name);
		return named ? [{ id: named.replace(/^models\//, ''), owned_by: toText(owned_by) }] : [];
	});
}
