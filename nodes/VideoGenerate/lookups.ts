import type { Family } from '../shared/family/family';
import { familyNamed, findFamily } from '../shared/family/modelFamily';
import type { Run } from '../shared/item/run';
import { type Connection, openConnection } from '../shared/service/connection';
import { askForModels, readModels } from '../shared/service/models';
import { type LoadedPicture, loadPicture } from './loadPicture';

/** What reading the items may ask the network for. None of it costs money. */
export interface Lookups {
	/**
	 * The family of a model: the one that the person chose, or as the service lists the model, or by
	 * its name. With `ask` unset, where it would make no difference, the service is not asked.
	 */
	familyOf: (model: string, how: { chosen: string; ask: boolean }) => Promise<Family | undefined>;
	/** The picture at an address, or why there is none. */
	loadPicture: (url: string, allowPrivate: boolean) => Promise<LoadedPicture>;
}

export function createLookups(run: Run): Lookups {
	let connection: Promise<Connection> | undefined;
	let owners: Promise<Map<string, string | undefined>> | undefined;
	const { context, credential, redaction } = run;
	const connect = async () => await (connection ??= openConnection(context, credential, redaction));
	return {
		async familyOf(model, { chosen, ask }) {
			if (chosen !== 'auto') return familyNamed(chosen);
			if (!ask) return findFamily(model);
			owners ??= readOwners(connect);
			return findFamily(model, (await owners).get(model));
		},
		loadPicture: async (url, allowPrivate) =>
			await loadPicture(url, allowPrivate, run, await connect()),
	};
}

/** Empty where the service lists no models: the submit says what is wrong, if anything is. */
async function readOwners(
	connect: () => Promise<Connection>,
): Promise<Map<string, string | undefined>> {
	try {
		const models = readModels(await askForModels(await connect(), '/v1/models'));
		return new Map(models.map(({ id, owned_by }) => [id, owned_by]));
	} catch {
		return new Map();
	}
}
