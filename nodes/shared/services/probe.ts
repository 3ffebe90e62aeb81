import { lacksAddress, type Reason, readReason } from '../failure/reason';
import { isPage } from '../failure/statement';
import { isNoAnswer, type NoAnswer, type ServiceAnswer } from '../http/answer';
import type { Limits } from '../http/connection';
import { parseJson, toObject } from '../lib/json';
import type { Ask, ListedModel, OwnPath, Service } from './contract';
import { customPaths } from './customPaths';
import { isOfNewApi, newApi } from './newApi';
import { openAiVideos } from './openAiVideos';

// What a free look tells of a service.

const NO_TASK = 'no-such-id';

/** Returns the path of a task that does not exist. */
export const noTaskPath = ({ noTask = NO_TASK, taskPath }: Service): string => taskPath(noTask);

/** The services whose paths others may have, too. */
const WITH_USUAL_PATHS = [newApi, openAiVideos];

/** What a look at a made-up task tells; nothing of a service with an address, or with paths, of its own. */
export interface Look {
	/** The address of tasks is not there. */
	missing?: Reason;
	/** The service that has to be chosen in place of the given one. */
	better?: Service;
}

/** Looks at a made-up task, which costs nothing. */
export async function lookAt(service: Service, ask: Ask): Promise<Look> {
	const path = noTaskPath(service);
	if (!WITH_USUAL_PATHS.some((one) => noTaskPath(one) === path)) return {};
	const told = await ask({ path });
	const better = await findBetter(service, told, ask);
	const isMissing = !isNoAnswer(told) && lacksAddress(told, path);
	return isMissing ? { missing: readReason('submit', told), better } : { better };
}

/**
 * Resolves to the service that has to be chosen in place of one with a usual path; `undefined` if no answer
 * says so. New API has both of these paths, and drops what is not written in its own way, and bills it.
 *
 * @param told the answer to a look at a made-up task
 */
export async function findBetter(
	service: Service,
	told: ServiceAnswer | NoAnswer,
	ask: Ask,
): Promise<Service | undefined> {
	const path = noTaskPath(service);
	if (isNoAnswer(told) || !WITH_USUAL_PATHS.some((one) => noTaskPath(one) === path)) {
		return undefined;
	}
	if (isOfNewApi(told)) return service.name === newApi.name ? undefined : newApi;
	if (!lacksAddress(told, path)) return undefined;
	for (const other of WITH_USUAL_PATHS.filter((one) => noTaskPath(one) !== path)) {
		const otherPath = noTaskPath(other);
		const answer = await ask({ path: otherPath });
		if (isNoAnswer(answer) || isPage(answer.body)) continue;
		if (isOfNewApi(answer)) return newApi;
		// Whoever has New API's path, and not its name, may read any spelling of a setting.
		if (!lacksAddress(answer, otherPath)) return other === newApi ? customPaths({}) : other;
	}
	return undefined;
}

/** Returns what to do where another service has to be chosen. */
export const toBetterAdvice = ({ label, toSubmit }: Service): string =>
	`This service has ${toSubmit({ model: '', fields: {} }).path}: choose ${label} as Service in the credential.`;

interface Sender {
	send: (request: OwnPath & Limits) => Promise<ServiceAnswer | NoAnswer>;
}

/** @param path undocumented, but usual: `/v1/models`, or `/v1beta/models` for texts */
export const askForModels = async ({ send }: Sender, path: string) =>
	await send({ path, timeoutMs: 15_000, maxBytes: 4 * 1024 ** 2 });

/** Returns the models of an answer; none if it is no list. */
export const readListed = (
	{ readList }: Pick<Service, 'readList'>,
	answer: ServiceAnswer | NoAnswer,
): ListedModel[] =>
	isNoAnswer(answer) || answer.status >= 300 ? [] : readList(toObject(parseJson(answer.body)));
