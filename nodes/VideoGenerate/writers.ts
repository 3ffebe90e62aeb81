import { NOT_SUBMITTED } from '../shared/failure/failure';
import { isNoAnswer } from '../shared/http/answer';
import { nameNearest } from '../shared/lib/nearest';
import { sentences } from '../shared/lib/text';
import { findRow } from '../shared/models/families/families';
import {
	byHandAlone,
	OPENAI,
	PLAIN,
	SIDE_BY_SIDE,
	UNKNOWN_MODEL,
	withVendor,
} from '../shared/models/families/ways';
import { fromSchema } from '../shared/models/fromSchema';
import { RENDERS_FROM, toPlainName } from '../shared/models/names';
import type { VideoSpec } from '../shared/models/place';
import { type Family, isFamily, type Takes } from '../shared/models/takes';
import { toRequest } from '../shared/models/toRequest';
import type { Reader } from '../shared/n8n/reader';
import type { Run } from '../shared/n8n/run';
import type { Connection } from '../shared/services/connection';
import type { Service } from '../shared/services/contract';
import { fetchListed } from '../shared/services/modelList';
import { isOfNewApi } from '../shared/services/newApi';
import { readListed, toBetterAdvice } from '../shared/services/probe';
import type { VideoRequest } from '../shared/services/submit';
import { fetchModel } from './fetchModel';
import { refuseUnsent } from './pictures';

/** What is told to the person while a request is written. */
interface Tell {
	refuse: (message: string, advice: string) => never;
	/** Tells the person what is sent without being known to arrive. */
	note: (words: string) => void;
}

/** By what the requests for a model are written. */
export interface Writer {
	takes: Takes;
	owner?: string;
	/** What counts if the service refuses an unknown field. */
	plain?: Takes;
}

/** Returns a video as it is written; refuses what cannot be written. */
export function write(writer: Writer, spec: VideoSpec, { refuse, note }: Tell): VideoRequest {
	const { takes, owner } = writer;
	const written = toRequest(takes, { ...spec, owner });
	if ('refusal' in written) {
		const { message, advice } = written.refusal;
		return refuse(message, `${advice} ${NOT_SUBMITTED}`.trim());
	}
	written.notes.forEach(note);
	const { model } = spec;
	const { isLive, onVideos } = familyOf(writer) ?? {};
	const video = { model, fields: written.request, isLive, onVideos, makes: takes.makes };
	// If there is no plain field for a setting, the service's refusal explains more.
	const plain = writer.plain && toRequest(writer.plain, spec);
	if (!plain || 'refusal' in plain) return { video };
	if (JSON.stringify(plain.request) === JSON.stringify(video.fields)) return { video };
	return { video, plain: { model, fields: plain.request } };
}

/** Returns the family of a model, if its rules hold. */
export const familyOf = ({ takes }: Writer): Family | undefined =>
	isFamily(takes) ? takes : undefined;

export type Writers = ReturnType<typeof createWriters>;

const CHOOSE_MODEL = 'Choose a model from the list.';
const OR_BY_HAND =
	'If the service has it since, write all but the prompt into Additional Fields (JSON) as the service spells it.';
const NOT_NEW_API =
	'The service does not name itself as New API: if settings have no effect, choose Custom Paths as Service in the credential';

/** Returns how to write for a model whose name tells nothing; refuses one that New API does not have. */
function findUnknown(read: Reader, model: string, listed: string[], isOther: boolean): Takes {
	if (listed.length === 0 || listed.includes(model)) return UNKNOWN_MODEL;
	const nearest = nameNearest(model, listed);
	if (!isOther) {
		const message = `The service does not list the model "${model}"`;
		refuseUnsent(read, message, sentences(nearest, CHOOSE_MODEL)!);
	}
	// The list of another service may leave out the models of videos.
	return { ...UNKNOWN_MODEL, advice: `${nearest} ${UNKNOWN_MODEL.advice as string}`.trim() };
}

/** Returns how to write for a model that nobody but its service knows, if anything is written by hand. */
function findByHand({ options }: Reader, model: string, promptAt: string): Takes | undefined {
	const names = Object.keys(options.object('additionalFields'));
	const isAny = names.some((name) => !['model', 'prompt'].includes(name));
	return isAny ? byHandAlone(model, promptAt) : undefined;
}

/** Says that a model is not known, and how to order it all the same. */
const toUnknown = ({ label, schema }: Service, model: string): [string, string?] =>
	schema?.promptAt
		? [`The node does not know the model "${model}" of ${label}`, OR_BY_HAND]
		: [`${label} has no model "${model}"`];

/** Returns what finds the writers for the models of a run. */
export function createWriters({ clock, connect }: Pick<Run, 'clock' | 'connect'>) {
	/** Asks New API once for the whole run which models it has, and whose the channels behind them are. */
	const askForOwner = async ({ listed, service }: Connection, model: string) => {
		const answer = await listed();
		const models = readListed(service, answer);
		const owner = models.find(({ id }) => id === model)?.owned_by;
		const isOther = !isNoAnswer(answer) && answer.status < 300 && !isOfNewApi(answer);
		return { owner, isOther, names: models.map(({ id }) => id) };
	};

	/** Refuses an item that a free look shows to be for another service: settings would be dropped, and billed. */
	const checkService = async (read: Reader, { look, service }: Connection) => {
		const { better } = await look();
		if (!better) return;
		const message = `The credential is for ${service.label}, and the service is another one`;
		refuseUnsent(read.options, message, toBetterAdvice(better));
	};

	/** Refuses an item if nobody knows what its model takes. */
	const findByModel = async (read: Reader, connection: Connection, id: string): Promise<Writer> => {
		const fetched = await fetchModel(connection, id, clock);
		if ('reason' in fetched) {
			const { reason } = fetched;
			const { message: words, advice = 'Try again in a minute.' } = reason;
			const message = `${words}, so it is not known what "${id}" takes`;
			return refuseUnsent(read, message, advice, reason);
		}
		const { schema, takesBytes } = connection.service;
		if (fetched.model) {
			const bytes = takesBytes && ({ loads: true, bare: true } as const);
			return { takes: { ...fromSchema(fetched.model, schema!.adviseLacking), ...bytes } };
		}
		const unknown = schema!.promptAt && findByHand(read, id, schema!.promptAt);
		if (unknown) return { takes: unknown };
		const byAnother = schema?.adviseUnknown?.(id);
		const listed = byAnother === undefined ? await fetchListed(connection) : [];
		const ids = Array.isArray(listed) ? listed.map((one) => one.id) : [];
		const nearest = byAnother ?? nameNearest(id, ids);
		const [message, otherwise] = toUnknown(connection.service, id);
		return refuseUnsent(read, message, sentences(nearest, CHOOSE_MODEL, otherwise)!);
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
		note: Tell['note'] = () => {},
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
			if (writing === 'openAi') return { takes: OPENAI };
			return { takes: withVendor(SIDE_BY_SIDE, byName), plain: PLAIN };
		}
		// Nothing depends on the channel, so it is not asked for.
		if (hasOnlyPrompt && !RENDERS_FROM.image.test(toPlainName(model)))
			return { takes: byName ?? UNKNOWN_MODEL };
		const { owner, isOther, names: listed } = await askForOwner(connection, model);
		if (isOther && !hasOnlyPrompt) note(NOT_NEW_API);
		const row = findRow(model, owner, chosen);
		return { takes: row ?? findUnknown(read, model, listed, isOther), owner };
	};

	return { connect, find };
}
