import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';
import { NodeApiError } from 'n8n-workflow';

import { type Reason, readReason } from '../failure/reason';
import { isNoAnswer, type ServiceAnswer } from '../http/answer';
import type { Made } from '../lib/mediaType';
import { startOf } from '../lib/text';
import { type Connection, openConnection } from '../services/connection';
import type { ListedModel } from '../services/contract';
import { fetchListed } from '../services/modelList';
import { askForModels, readListed } from '../services/probe';

/** What a node lists. */
export interface ModelKind {
	credential: 'videoGenerationApi' | 'geminiCompatibleApi';
	/** Undocumented, but usual; that of the service if missing. */
	path?: string;
	/** Models of which the name says that they are of this kind come first. */
	isOfKind: (id: string) => boolean;
	/** Models that the name rules out. */
	isOther?: (id: string) => boolean;
	/** The documentation's examples, for a service that lists no models. */
	documented: string[];
	/** Resolves to how the editor shows a model of an answer: its lists have neither groups nor descriptions. */
	toShown?: (
		connection: Connection,
		answer: ServiceAnswer,
	) => Promise<(model: ListedModel) => ShownModel>;
}

export interface ShownModel {
	name: string;
	/** Such as "$0.40/s". */
	price?: string;
}

/** Returns why a service's models cannot be listed, as the editor shows it. */
function toListError(
	context: ILoadOptionsFunctions,
	{ redact }: Connection,
	reason: Reason,
): NodeApiError {
	const { message: words, description: advice = '', httpCode } = reason;
	// With the code, the editor offers to open the credential, and puts it before the words.
	const message = redact(words).replace(/ \(HTTP \d+\)$/, '');
	return new NodeApiError(
		context.getNode(),
		{ message },
		{ message, description: redact(advice), httpCode: httpCode?.toString() },
	);
}

/** In this order; models of which nothing is said come behind those that make videos. */
const MADE: Array<Made | undefined> = ['video', undefined, 'image', 'sound', 'text', 'task'];
const MAX_PRICE_CHARS = 40;

/**
 * The field of the chosen model shows some 37 characters of its name (n8n 2.41), so that a price comes first; kie's
 * is a sentence, and comes last.
 */
const SHORT_PRICE_CHARS = 20;

const withPrice = ({ name, price }: ShownModel) => (price ? `${price}, ${name}` : name);

/** Returns how the editor shows a model: "from $0.05, Veo 3.1: google/veo3.1 (video)". */
function toModelName({ id, name, makes, price = '' }: ListedModel): string {
	const isShort = price.length <= SHORT_PRICE_CHARS;
	const facts = [makes, !isShort && startOf(price, MAX_PRICE_CHARS)].filter(Boolean).join(', ');
	const shown = `${name ? `${name}: ${id}` : id}${facts ? ` (${facts})` : ''}`;
	return withPrice({ name: shown, price: isShort ? price : undefined });
}

/** What people also call what a model makes. */
const WORDS: Record<string, string | undefined> = { sound: 'audio voice speech music' };

/** Some write "lip-sync", and some `lipsync`. */
const toSearched = (text: string) => text.toLowerCase().replaceAll('-', '');

/** Resolves to the models that a service with schemas lists, of all kinds, those that make videos first. */
async function searchWithSchema(
	context: ILoadOptionsFunctions,
	connection: Connection,
	filter: string,
	from: number,
): Promise<INodeListSearchResult> {
	const listed = await fetchListed(connection, filter);
	if (!Array.isArray(listed)) throw toListError(context, connection, listed);
	const words = toSearched(filter).split(/\s+/);
	// A model comes before its variants, whose IDs go on: fal-ai/veo3.1, and fal-ai/veo3.1/reference-to-video.
	const byLength = filter.trim() !== '' && !connection.service.listOf;
	const results = listed
		.sort(
			(one, other) =>
				MADE.indexOf(one.makes) - MADE.indexOf(other.makes) ||
				(byLength ? one.id.length - other.id.length : 0),
		)
		.map((model) => ({ model, name: toModelName(model) }))
		.filter(({ model, name }) => {
			const searched = toSearched(`${name} ${WORDS[model.makes ?? ''] ?? ''}`);
			return model.isFound || words.every((word) => searched.includes(word));
		})
		.map(({ model, name }) => ({ name, value: model.id }));
	const end = from + PAGE;
	return {
		results: results.slice(from, end),
		...(results.length > end && { paginationToken: String(end) }),
	};
}

/** The editor asks for the next page when somebody scrolls there; fal has more than a thousand models. */
const PAGE = 100;

/** Resolves to models, those of the kind first; throws if the key is refused or nothing answers. */
export async function searchModels(
	context: ILoadOptionsFunctions,
	{ credential, path, isOfKind, isOther, documented, toShown }: ModelKind,
	filter = '',
	paginationToken = '0',
): Promise<INodeListSearchResult> {
	const connection = await openConnection(context, credential);
	if (connection.service.schema) {
		return await searchWithSchema(context, connection, filter, Number(paginationToken));
	}
	const answer = await askForModels(connection, path ?? connection.service.lists[0].path);
	if (isNoAnswer(answer) || readReason('list', answer).account) {
		throw toListError(context, connection, readReason('list', answer));
	}
	const listed = readListed(connection.service, answer).filter(({ id }) => !isOther?.(id));
	const models = listed.length > 0 ? listed : documented.map((id): ListedModel => ({ id }));
	const show = (await toShown?.(connection, answer)) ?? (({ id }: ListedModel) => ({ name: id }));
	const results = models
		.map((model) => ({ shown: show(model), value: model.id }))
		.filter(({ shown }) => shown.name.toLowerCase().includes(filter.toLowerCase()))
		.sort(
			(one, other) =>
				Number(isOfKind(other.value)) - Number(isOfKind(one.value)) ||
				one.shown.name.localeCompare(other.shown.name),
		)
		.map(({ shown, value }) => ({ name: withPrice(shown), value }));
	return { results };
}
