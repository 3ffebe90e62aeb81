import type { IDataObject } from 'n8n-workflow';

import { findRow } from '../shared/family/families';
import { RENDERS_FROM, toPlainName } from '../shared/family/names';
import type { Row } from '../shared/family/row';
import {
	OPENAI,
	PLAIN,
	SIDE_BY_SIDE,
	UNKNOWN_MODEL,
	WAYS,
	withVendor,
} from '../shared/family/services';
import { toRequest, type VideoSpec, type Written } from '../shared/family/toRequest';
import type { Reader } from '../shared/item/reader';
import type { Run } from '../shared/item/run';
import { adviceFor } from '../shared/item/words';
import { lowerFirst } from '../shared/lib/text';
import type { Model } from '../shared/schema/readModel';
import { writeInput } from '../shared/schema/write';
import { askService, type ServiceFacts, writesByModel } from '../shared/service/askService';
import type { NamedService } from '../shared/service/namedServices';
import type { Route } from '../shared/service/routes';
import { fetchModel } from './fetchModel';
import { refuseUnsent } from './pictures';

/** Who reads what becomes of a video. */
interface Editor {
	refuse: (message: string, advice: string) => never;
	/** Tells the person what is sent without being known to arrive. */
	note: (words: string) => void;
}

/** How the requests for a model are written. */
interface Writer {
	/** The row of the model's family, if its rules hold. */
	family?: Row;
	/** By which pictures are encoded. */
	row: Pick<Row, 'loads' | 'bare'>;
	/** The service takes videos on `/v1/videos` alone, with pictures as files of a form. */
	takesFiles?: true;
	/** Returns the request for a route; refuses what it cannot write. */
	write: (video: VideoSpec, editor: Editor, route: Route, inPlainFields: boolean) => IDataObject;
}

const write = (row: Row, video: VideoSpec, editor: Editor): IDataObject =>
	tell(toRequest(row, video), editor);

function tell(written: Written, { refuse, note }: Editor): IDataObject {
	if ('refusal' in written) {
		const { message, advice } = written.refusal;
		return refuse(message, `${advice} Nothing was submitted.`.trim());
	}
	written.notes.forEach(note);
	return written.request;
}

const ofFamily = (family?: Row, owner?: string): Writer => ({
	family,
	row: family ?? UNKNOWN_MODEL,
	write: (video, editor) => write(family ?? UNKNOWN_MODEL, { ...video, owner }, editor),
});

const ofService = (row: Row): Writer => ({
	row,
	write: (video, editor) => write(row, video, editor),
});

/** @param byName the row of the model by its name, whose rules may not hold */
const ofUnknownService = (byName?: Row): Writer => ({
	row: SIDE_BY_SIDE,
	write(video, editor, { hasSizes }, inPlainFields) {
		// Where most pages show sizes, OpenAI's names are the plain ones.
		const plain = hasSizes ? OPENAI : PLAIN;
		return write(inPlainFields ? plain : withVendor(SIDE_BY_SIDE, byName), video, editor);
	},
});

/** By the schema that the service has of the model. */
const ofModel = (schema: Model): Writer => ({
	row: {},
	write({ byHand, ...video }, editor) {
		const fields = { ...byHand };
		// It has chosen the schema.
		delete fields.model;
		const input = tell(writeInput(schema, { ...video, byHand: fields }), editor);
		return { model: schema.id, input };
	},
});

export type Writers = ReturnType<typeof createWriters>;

/** Returns what finds the writers for the models of a run. */
export function createWriters({ clock, connect }: Pick<Run, 'clock' | 'connect'>) {
	let facts: Promise<ServiceFacts> | undefined;

	/** Asks the service once for the whole run. */
	const ask = async () => await (facts ??= connect().then(askService));

	/** Refuses an item if nobody knows what its model takes. */
	const findByModel = async (read: Reader, service: NamedService, id: string) => {
		const fetched = await fetchModel(await connect(), service, id, clock);
		if ('failure' in fetched) {
			const { failure } = fetched;
			const message = `What "${id}" takes cannot be read: ${lowerFirst(failure.message)}`;
			return refuseUnsent(read, message, adviceFor('list', failure) ?? 'Try again in a minute.');
		}
		if (fetched.model) return ofModel(fetched.model);
		const message = `${service.label} shows no fields of a model "${id}"`;
		return refuseUnsent(read, message, 'Choose one from the list of Model.');
	};

	/**
	 * Resolves to the writer for a model: by the model's own schema at a named service; else by the rules of
	 * the chosen family, or of the one that New API or the model's name tells. For any other service, families
	 * hold no rules, and the credential or the route decides.
	 *
	 * @param hasOnlyPrompt nothing but the prompt is set
	 */
	const find = async (read: Reader, model: string, hasOnlyPrompt: boolean): Promise<Writer> => {
		const { service, settings } = await connect();
		if (service) return await findByModel(read, service, model);
		const { options } = read;
		const chosen = options.choice('modelFamily');
		const byName = findRow(model, undefined, chosen);
		// Nothing depends on the service, so it is not asked.
		if (hasOnlyPrompt && !RENDERS_FROM.image.test(toPlainName(model))) {
			return ofFamily(byName);
		}
		const isChosen = chosen !== 'auto';
		const named = isChosen ? undefined : WAYS[String(settings)];
		if (named) return ofService(named);
		const facts = await ask();
		const { owners, failure, isNewApi } = facts;
		const owner = owners?.get(model);
		const known = findRow(model, owner, chosen);
		const isByModel = writesByModel(await connect(), facts);
		if (isChosen) {
			// Another service may not read what is written for New API.
			const isGuess = isByModel || isNewApi ? undefined : true;
			return ofFamily(known && { ...known, isGuess }, owner);
		}
		if (failure && settings === 'auto' && !hasOnlyPrompt) {
			const message = `Nobody knows yet how this service takes settings: ${lowerFirst(failure.message)}`;
			refuseUnsent(options, message, adviceFor('list', failure) ?? 'Try again in a minute.');
		}
		if (isByModel) return ofFamily(known, owner);
		if (settings === 'auto' && facts.isLiteLlm) return { ...ofService(OPENAI), takesFiles: true };
		return ofUnknownService(byName);
	};

	return { connect, ask, find };
}
