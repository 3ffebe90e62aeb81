import { lacksAddress } from '../failure/reason';
import { isPage } from '../failure/statement';
import { isNoAnswer, type NoAnswer, type ServiceAnswer } from '../http/answer';
import { parseJson, toObject } from '../lib/json';
import { readModels } from './common';
import type { Connection } from './connection';
import type { Ask, ListedModel, Service } from './contract';
import { customPaths } from './customPaths';
import { isOfNewApi, newApi } from './newApi';
import { openAiVideos } from './openAiVideos';

// What a free look tells of a service.

const NO_TASK = 'no-such-id';

/** Returns the path of a task that does not exist. */
export const noTaskPath = ({ noTask = NO_TASK, taskPath }: Service): string => taskPath(noTask);

/** The services whose paths others may have, too. */
const WITH_USUAL_PATHS = [newApi, openAiVideos];

/**
 * Resolves to the service that has to be chosen in place of the given one; `undefined` if no answer says so.
 * New API has both usual paths, and drops what is not written in its own way, and bills it.
 *
 * @param told the answer to a look at a made-up task
 */
export async function findBetter(
	service: Service,
	told: ServiceAnswer | NoAnswer,
	ask: Ask,
): Promise<Service | undefined> {
	if (isNoAnswer(told) || service.origins) return undefined;
	const path = noTaskPath(service);
	const isUsual = WITH_USUAL_PATHS.some((one) => noTaskPath(one) === path);
	if (isOfNewApi(told)) return isUsual && service.name !== newApi.name ? newApi : undefined;
	if (!lacksAddress(told, path)) return undefined;
	for (const other of WITH_USUAL_PATHS) {
		const otherPath = noTaskPath(other);
		const answer = otherPath === path ? undefined : await ask({ path: otherPath });
		if (!answer || isNoAnswer(answer) || isPage(answer.body)) continue;
		if (isOfNewApi(answer)) return newApi;
		// Whoever has New API's path, and not its name, may read any spelling of a setting.
		if (!lacksAddress(answer, otherPath)) return other === newApi ? customPaths({}) : other;
	}
	return undefined;
}

/** Returns what to do where another service has to be chosen. */
export const toBetterAdvice = ({ label, toSubmit }: Service): string =>
	`This service has ${toSubmit({ model: '', fields: {} }).path}: choose ${label} as Service in the credential.`;

/** @param path undocumented, but usual: `/v1/models`, or `/v1beta/models` for texts */
export const askForModels = async ({ send }: Pick<Connection, 'send'>, path: string) =>
	await send({ path, timeoutMs: 15_000, maxBytes: 4 * 1024 ** 2 });

/** Returns the models of an answer; none if it is no list. */
export const readListed = (answer: ServiceAnswer | NoAnswer): ListedModel[] =>
	isNoAnswer(answer) || answer.status >= 300 ? [] : readModels(toObject(parseJson(answer.body)));
