import type { IDataObject } from 'n8n-workflow';

import { familyNamed, findFamily } from '../shared/family/families';
import type { Family, SettingName } from '../shared/family/family';
import { type Editor, toRequest, type VideoSpec } from '../shared/family/toRequest';
import { toPlainName } from '../shared/family/versions';
import {
	OPENAI,
	PLAIN,
	SIDE_BY_SIDE,
	SIDE_BY_SIDE_WITH_SIZE,
	toRequestInWay,
	type Way,
} from '../shared/family/ways';
import { askForOwners } from '../shared/fields/searchModels';
import type { Reader } from '../shared/item/reader';
import type { Run } from '../shared/item/run';
import { adviceFor } from '../shared/item/words';
import { lowerFirst } from '../shared/lib/text';
import { type Connection, openConnection } from '../shared/service/connection';
import { applyRules, createFieldRules, type FieldRules } from '../shared/service/fieldRules';
import { askWho } from '../shared/service/findRoute';
import type { Route } from '../shared/service/routes';
import { refuseUnsent } from './pictures';

/** How the requests for a model are written. */
interface Writer {
	/** The family whose rules hold. */
	family?: Family;
	/** Returns the request for a route; refuses what it cannot write. */
	write: (video: VideoSpec, editor: Editor, route: Route, rules?: FieldRules) => IDataObject;
}

const ofFamily = (family?: Family): Writer => ({
	family,
	write: (video, editor, route) => toRequest(family, { ...video, route: route.name }, editor),
});

const ofWay = (way: Way): Writer => ({
	write: (video, editor) => toRequestInWay(way, video, editor),
});

/** @param byName the family of the model by its name, whose rules may not hold */
const ofUnknownService = (byName?: Family): Writer => ({
	write(video, editor, { hasSizes }, rules = createFieldRules()) {
		const set = (Object.keys(video.settings) as SettingName[]).map(editor.label);
		if (video.pictures.first !== undefined) set.push('First Frame');
		if (set.length > 0) {
			editor.note(`${set.join(', ')}: not known for this service, sent as given`);
		}
		// Where settings stand together is mostly where OpenAI's names are.
		const ways = hasSizes ? [SIDE_BY_SIDE_WITH_SIZE, OPENAI, PLAIN] : [SIDE_BY_SIDE, PLAIN, OPENAI];
		return toRequestInWay(ways[rules.way], video, editor, {
			family: rules.way === 0 ? byName : undefined,
			adapt: (fields, settings) => applyRules(rules, fields, settings),
		});
	},
});

export type Writers = ReturnType<typeof createWriters>;

/** Returns what finds the writers for the models of a run. */
export function createWriters({ context, credential, redaction, traits }: Run) {
	let connection: Promise<Connection> | undefined;
	let asked: ReturnType<typeof askService> | undefined;
	const connect = async () =>
		await (connection ??= openConnection(context, credential, redaction, traits));

	/** Resolves to the owners of models, and to why nobody knows whether the service is New API. */
	const askService = async () => {
		const connection = await connect();
		const owners = await askForOwners(connection);
		const { settings, traits, send } = connection;
		const isKnown = owners || traits.isNewApi || settings !== 'auto';
		return { owners, failure: isKnown ? undefined : await askWho(send, traits) };
	};

	/** Asks the service once for the whole run. */
	const ask = async () => await (asked ??= askService());

	/**
	 * Resolves to the writer for a model: by the rules of the chosen family, or of the one that New API or
	 * the model's name tells. For any other service, families hold no rules, and the credential or the
	 * route decides.
	 *
	 * @param isPlain nothing but the prompt is set
	 */
	const find = async ({ options }: Reader, model: string, isPlain: boolean): Promise<Writer> => {
		const chosen = options.choice('modelFamily');
		if (chosen !== 'auto') return ofFamily(familyNamed(chosen));
		const byName = findFamily(model);
		// Nothing depends on the service, so it is not asked.
		if (isPlain && !byName?.models?.some(([name]) => name.test(toPlainName(model)))) {
			return ofFamily(byName);
		}
		const { settings } = await connect();
		if (settings === 'openAi') return ofWay(OPENAI);
		if (settings === 'plain') return ofWay(PLAIN);
		const { owners, failure } = await ask();
		if (failure && !isPlain) {
			const message = `Nobody knows yet how this service takes settings: ${lowerFirst(failure.message)}`;
			refuseUnsent(options, message, adviceFor(failure) ?? 'Try again in a minute.');
		}
		const { writesByModel } = await connect();
		if (writesByModel) return ofFamily(findFamily(model, owners?.get(model)));
		return ofUnknownService(byName);
	};

	return { connect, ask, find };
}
