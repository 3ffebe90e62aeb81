import type { IDataObject } from 'n8n-workflow';

import { isNoAnswer } from '../shared/http/answer';
import { lowerFirst } from '../shared/lib/text';
import { findRow } from '../shared/models/families/families';
import {
	OPENAI,
	PLAIN,
	SIDE_BY_SIDE,
	UNKNOWN_MODEL,
	withVendor,
} from '../shared/models/families/ways';
import { writeInput } from '../shared/models/fromSchema';
import { RENDERS_FROM, toPlainName } from '../shared/models/names';
import type { Model } from '../shared/models/readSchema';
import type { Row } from '../shared/models/takes';
import { toRequest, type VideoSpec, type Written } from '../shared/models/toRequest';
import type { Reader } from '../shared/n8n/reader';
import type { Run } from '../shared/n8n/run';
import type { Connection } from '../shared/services/connection';
import type { WrittenVideo } from '../shared/services/contract';
import { isOfNewApi } from '../shared/services/newApi';
import { askForModels, readListed, toBetterAdvice } from '../shared/services/probe';
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
	/** Returns the video as it is written; refuses what it cannot write. */
	write: (video: VideoSpec, editor: Editor, inPlainFields: boolean) => WrittenVideo;
}

function tell(written: Written, { refuse, note }: Editor): IDataObject {
	if ('refusal' in written) {
		const { message, advice } = written.refusal;
		return refuse(message, `${advice} Nothing was submitted.`.trim());
	}
	written.notes.forEach(note);
	return written.request;
}

const write = (row: Row, video: VideoSpec, editor: Editor): WrittenVideo => {
	const fields = tell(toRequest(row, video), editor);
	const { isLive, onVideos } = row;
	return { model: String(fields.model), fields, isLive, onVideos };
};

const ofFamily = (family?: Row, owner?: string): Writer => ({
	family,
	row: family ?? UNKNOWN_MODEL,
	write: (video, editor) => write(family ?? UNKNOWN_MODEL, { ...video, owner }, editor),
});

const ofOpenAi: Writer = {
	row: OPENAI,
	write: (video, editor) => write(OPENAI, video, editor),
};

/** @param byName the row of the model by its name, whose rules may not hold */
const sideBySide = (byName?: Row): Writer => ({
	row: SIDE_BY_SIDE,
	write: (video, editor, inPlainFields) =>
		write(inPlainFields ? PLAIN : withVendor(SIDE_BY_SIDE, byName), video, editor),
});

/** By the schema that the service has of the model. */
const ofModel = (schema: Model): Writer => ({
	row: {},
	write({ byHand, ...video }, editor) {
		const fields = { ...byHand };
		// It has chosen the schema.
		delete fields.model;
		const input = tell(writeInput(schema, { ...video, byHand: fields }), editor);
		return { model: schema.id, fields: input };
	},
});

export type Writers = ReturnType<typeof createWriters>;

const NOT_NEW_API =
	'The service does not name itself as New API: if settings have no effect, choose Custom Paths as Service in the credential';

/** Returns what finds the writers for the models of a run. */
export function createWriters({ clock, connect }: Pick<Run, 'clock' | 'connect'>) {
	let listing: ReturnType<typeof askForModels> | undefined;

	/** Asks New API once for the whole run whose the channels behind its models are. */
	const askForOwner = async (connection: Connection, model: string) => {
		const answer = await (listing ??= askForModels(connection, connection.service.lists[0].path));
		const owner = readListed(connection.service, answer).find(({ id }) => id === model)?.owned_by;
		const isOther = !isNoAnswer(answer) && answer.status < 300 && !isOfNewApi(answer);
		return { owner, isOther };
	};

	/** Refuses an item that a free look shows to be for another service: settings would be dropped, and billed. */
	const checkService = async (read: Reader, { look, service }: Connection) => {
		const { better } = await look();
		if (!better) return;
		const message = `The credential is for ${service.label}, and the service is another one`;
		refuseUnsent(read.options, message, toBetterAdvice(better));
	};

	/** Refuses an item if nobody knows what its model takes. */
	const findByModel = async (read: Reader, connection: Connection, id: string) => {
		const fetched = await fetchModel(connection, id, clock);
		if ('reason' in fetched) {
			const { reason } = fetched;
			const { message: words, advice = 'Try again in a minute.' } = reason;
			const message = `What "${id}" takes cannot be read: ${lowerFirst(words)}`;
			return refuseUnsent(read, message, advice, reason);
		}
		if (fetched.model) return ofModel(fetched.model);
		const message = `${connection.service.label} shows no fields of a model "${id}"`;
		return refuseUnsent(read, message, 'Choose one from the list of Model.');
	};

	/**
	 * Resolves to the writer for a model, as its service is written to. At New API, the rules of the chosen
	 * family count, or of the one that its list or the model's name tells.
	 *
	 * @param hasOnlyPrompt nothing but the prompt is set
	 */
	const find = async (
		read: Reader,
		model: string,
		hasOnlyPrompt: boolean,
		note: Editor['note'] = () => {},
	): Promise<Writer> => {
		const connection = await connect();
		const { label, writing } = connection.service;
		const chosen = read.options.choice('modelFamily');
		if (chosen !== 'auto' && writing !== 'family') {
			const message = `Model Family is for New API alone, and the credential is for ${label}`;
			refuseUnsent(read.options, message, 'Remove Model Family.');
		}
		if (writing === 'schema') return await findByModel(read, connection, model);
		const byName = findRow(model, undefined, chosen);
		if (writing !== 'family') {
			if (!hasOnlyPrompt) await checkService(read, connection);
			return writing === 'openAi' ? ofOpenAi : sideBySide(byName);
		}
		// Nothing depends on the channel, so it is not asked for.
		if (hasOnlyPrompt && !RENDERS_FROM.image.test(toPlainName(model))) return ofFamily(byName);
		const { owner, isOther } = await askForOwner(connection, model);
		if (isOther && !hasOnlyPrompt) note(NOT_NEW_API);
		return ofFamily(findRow(model, owner, chosen), owner);
	};

	return { connect, find };
}
