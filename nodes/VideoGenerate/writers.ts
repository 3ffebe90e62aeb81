import type { IDataObject } from 'n8n-workflow';

import { findFamily } from '../shared/family/families';
import { type Family, hasReferences, type SettingName } from '../shared/family/family';
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
import type { Reader } from '../shared/item/reader';
import type { Run } from '../shared/item/run';
import { adviceFor } from '../shared/item/words';
import { lowerFirst } from '../shared/lib/text';
import { askService, type ServiceFacts, writesByModel } from '../shared/service/askService';
import type { Route } from '../shared/service/routes';
import { refuseUnsent } from './pictures';

/** How the requests for a model are written. */
interface Writer {
	/** The family whose rules hold. */
	family?: Family;
	/** Model Family would not help: the service has no rules for models, or none that are known. */
	isByService?: true;
	/** The service takes videos on `/v1/videos` alone, with pictures as files of a form. */
	takesFiles?: true;
	/** Returns the request for a route; refuses what it cannot write. */
	write: (video: VideoSpec, editor: Editor, route: Route, inPlainFields: boolean) => IDataObject;
}

/** @param doubt what is known of what becomes of all that is set */
const ofFamily = (family?: Family, doubt?: string): Writer => ({
	family,
	write(video, editor, route) {
		if (doubt !== undefined) noteOnAll(video, editor, doubt);
		return toRequest(family, { ...video, route: route.name }, editor);
	},
});

/** Tells the person what may become of all that is set. */
function noteOnAll(
	{ settings, pictures }: VideoSpec,
	{ label, note }: Editor,
	words: string,
): void {
	const set = (Object.keys(settings) as SettingName[]).map(label);
	if (pictures.first !== undefined) set.push('First Frame');
	if (pictures.last !== undefined) set.push('Last Frame');
	if (hasReferences(pictures)) set.push('References');
	if (set.length > 0) note(`${set.join(', ')}: ${words}`);
}

const AS_NEW_API = 'sent as New API writes them, which this service may not read';

const ofWay = (way: Way): Writer => ({
	isByService: true,
	write: (video, editor) => toRequestInWay(way, video, editor),
});

/** @param byName the family of the model by its name, whose rules may not hold */
const ofUnknownService = (byName?: Family): Writer => ({
	isByService: true,
	write(video, editor, { hasSizes }, inPlainFields) {
		noteOnAll(video, editor, 'not known for this service, sent as given');
		// Where most pages show sizes, OpenAI's names are the plain ones.
		const [all, plain] = hasSizes ? [SIDE_BY_SIDE_WITH_SIZE, OPENAI] : [SIDE_BY_SIDE, PLAIN];
		return inPlainFields
			? toRequestInWay(plain, video, editor)
			: toRequestInWay(all, video, editor, byName);
	},
});

export type Writers = ReturnType<typeof createWriters>;

/** Returns what finds the writers for the models of a run. */
export function createWriters({ connect }: Pick<Run, 'connect'>) {
	let facts: Promise<ServiceFacts> | undefined;

	/** Asks the service once for the whole run. */
	const ask = async () => await (facts ??= connect().then(askService));

	/**
	 * Resolves to the writer for a model: by the rules of the chosen family, or of the one that New API or
	 * the model's name tells. For any other service, families hold no rules, and the credential or the
	 * route decides.
	 *
	 * @param hasOnlyPrompt nothing but the prompt is set
	 */
	const find = async (
		{ options }: Reader,
		model: string,
		hasOnlyPrompt: boolean,
	): Promise<Writer> => {
		const chosen = options.choice('modelFamily');
		const byName = findFamily(model, undefined, chosen);
		// Nothing depends on the service, so it is not asked.
		if (hasOnlyPrompt && !byName?.models?.some(([name]) => name.test(toPlainName(model)))) {
			return ofFamily(byName);
		}
		const { settings } = await connect();
		const isChosen = chosen !== 'auto';
		if (settings === 'openAi' && !isChosen) return ofWay(OPENAI);
		if (settings === 'plain' && !isChosen) return ofWay(PLAIN);
		const facts = await ask();
		const { owners, failure, isNewApi } = facts;
		const known = findFamily(model, owners?.get(model), chosen);
		const isByModel = writesByModel(await connect(), facts);
		if (isChosen) return ofFamily(known, isByModel || isNewApi ? undefined : AS_NEW_API);
		if (failure && settings === 'auto' && !hasOnlyPrompt) {
			const message = `Nobody knows yet how this service takes settings: ${lowerFirst(failure.message)}`;
			refuseUnsent(options, message, adviceFor('list', failure) ?? 'Try again in a minute.');
		}
		if (isByModel) return ofFamily(known);
		if (settings === 'auto' && facts.isLiteLlm) return { ...ofWay(OPENAI), takesFiles: true };
		return ofUnknownService(byName);
	};

	return { connect, ask, find };
}
