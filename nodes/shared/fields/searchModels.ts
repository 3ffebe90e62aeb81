import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';
import { NodeApiError } from 'n8n-workflow';

import { readReason } from '../failure/reason';
import { isNoAnswer, type NoAnswer, RECORD_LIMITS, type ServiceAnswer } from '../http/answer';
import { parseJson, toObject } from '../lib/json';
import { type Connection, openConnection } from '../services/connection';
import type { ListedModel } from '../services/contract';
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
	toNames?: (
		connection: Connection,
		answer: ServiceAnswer,
	) => Promise<(model: ListedModel) => string>;
}

/** Returns why a service's models cannot be listed, as the editor shows it. */
function toListError(
	context: ILoadOptionsFunctions,
	{ redact }: Connection,
	answer: ServiceAnswer | NoAnswer,
): NodeApiError {
	const { message: words, description: advice = '', httpCode } = readReason('list', answer);
	// With the code, the editor offers to open the credential, and puts it before the words.
	const message = redact(words).replace(/ \(HTTP \d+\)$/, '');
	return new NodeApiError(
		context.getNode(),
		{ message },
		{ message, description: redact(advice), httpCode: httpCode?.toString() },
	);
}

/** Resolves to the video models that a service with schemas lists, in its own order. */
async function searchWithSchema(
	context: ILoadOptionsFunctions,
	connection: Connection,
	filter: string,
): Promise<INodeListSearchResult> {
	const { service } = connection;
	const answers = await Promise.all(
		service.lists.map(async (own) => await connection.send({ ...own, ...RECORD_LIMITS })),
	);
	const models = new Map<string, string>();
	for (const answer of answers) {
		if (isNoAnswer(answer) || answer.status >= 300) throw toListError(context, connection, answer);
		for (const { id, name } of service.readList(toObject(parseJson(answer.body)))) {
			models.set(id, name ? `${name}: ${id}` : id);
		}
	}
	const results = [...models].map(([value, name]) => ({ name, value }));
	const wanted = filter.toLowerCase();
	return { results: results.filter(({ name }) => name.toLowerCase().includes(wanted)) };
}

/** Resolves to models, those of the kind first; throws if the key is refused or nothing answers. */
export async function searchModels(
	context: ILoadOptionsFunctions,
	{ credential, path, isOfKind, isOther, documented, toNames }: ModelKind,
	filter = '',
): Promise<INodeListSearchResult> {
	const connection = await openConnection(context, credential);
	if (connection.service.schema) return await searchWithSchema(context, connection, filter);
	const answer = await askForModels(connection, path ?? connection.service.lists[0].path);
	if (isNoAnswer(answer) || readReason('list', answer).account) {
		throw toListError(context, connection, answer);
	}
	const listed = readListed(connection.service, answer).filter(({ id }) => !isOther?.(id));
	const models = listed.length > 0 ? listed : documented.map((id): ListedModel => ({ id }));
	const toName = await toNames?.(connection, answer);
	const results = models
		.map((model) => ({ name: toName?.(model) ?? model.id, value: model.id }))
		.filter(({ name }) => name.toLowerCase().includes(filter.toLowerCase()))
		.sort(
			(one, other) =>
				Number(isOfKind(other.value)) - Number(isOfKind(one.value)) ||
				one.name.localeCompare(other.name),
		);
	return { results };
}
