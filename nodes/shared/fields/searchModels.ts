import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';
import { NodeApiError } from 'n8n-workflow';

import { readReason } from '../failure/reason';
import { isNoAnswer, type NoAnswer, RECORD_LIMITS, type ServiceAnswer } from '../http/answer';
import { parseJson, toObject } from '../lib/json';
import { findRow } from '../models/families/families';
import { RENDERS_FROM, toPlainName } from '../models/names';
import { type Connection, openConnection } from '../services/connection';
import type { ListedModel } from '../services/contract';
import { isOfNewApi } from '../services/newApi';
import { askForModels, readListed } from '../services/probe';
import { loadPrices, toPriceWords } from './price';

/** The paths are undocumented but usual. Their lists do not say a model's kind; its name does. */
const KINDS = {
	video: {
		credential: 'videoGenerationApi',
		path: undefined,
		isOfKind: (id: string) =>
			findRow(id) !== undefined || /video|pixverse|runway|luma|t2v|i2v/i.test(id),
		/** The documentation's examples, for a service that lists no models. */
		documented: [
			'doubao-seedance-1-5-pro-251215',
			'dreamina-seedance-2-0-fast',
			'veo-3.1-fast-generate-001',
			'veo-3.1-lite-generate-001',
		],
	},
	text: {
		credential: 'geminiCompatibleApi',
		path: '/v1beta/models',
		isOfKind: (id: string) => /^(?!.*(embedding|veo|live|video)).*gemini/i.test(id),
		documented: [
			'gemini-2.5-flash',
			'gemini-2.5-pro',
			'gemini-3-flash-preview',
			'gemini-3-pro-preview',
			'gemini-3.1-pro-preview',
		],
	},
} as const;

type PriceOf = Awaited<ReturnType<typeof loadPrices>>;

/** Returns what the editor shows of a video model: its lists have neither groups nor descriptions. */
function toVideoName({ id, owned_by }: ListedModel, priceOf?: PriceOf): string {
	const row = findRow(id, owned_by);
	if (!row) return id;
	const name = toPlainName(id);
	const from = Object.entries(RENDERS_FROM).find(([, pattern]) => pattern.test(name))?.[0];
	// The editor keeps the name beside the settings, so it says no price that depends on them.
	const price = priceOf?.(row, id, { duration: 1 });
	const shown = `${row.label}: ${id}${from ? ` (${from} to video)` : ''}`;
	return price ? `${shown}, ${toPriceWords(price)} a ${row.price}` : shown;
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
	kind: keyof typeof KINDS,
	filter = '',
): Promise<INodeListSearchResult> {
	const { credential, path, isOfKind, documented } = KINDS[kind];
	const connection = await openConnection(context, credential);
	if (connection.service.schema) return await searchWithSchema(context, connection, filter);
	const answer = await askForModels(connection, path ?? connection.service.lists[0].path);
	if (isNoAnswer(answer) || readReason('list', answer).account) {
		throw toListError(context, connection, answer);
	}
	// A video model writes no text, and costs more. Any other name may be that of a text model.
	const fit = readListed(connection.service, answer).filter(
		({ id }) => kind === 'video' || !KINDS.video.isOfKind(id),
	);
	const models = fit.length > 0 ? fit : documented.map((id): ListedModel => ({ id }));
	const priceOf = kind === 'video' && isOfNewApi(answer) ? await loadPrices(connection) : undefined;
	const results = models
		.map((model) => {
			// Whoever serves a text model may serve videos, too, so its owner says nothing.
			const isVideo = kind === 'video' && isOfKind(model.id);
			return { name: isVideo ? toVideoName(model, priceOf) : model.id, value: model.id };
		})
		.filter(({ name }) => name.toLowerCase().includes(filter.toLowerCase()))
		.sort(
			(one, other) =>
				Number(isOfKind(other.value)) - Number(isOfKind(one.value)) ||
				one.name.localeCompare(other.name),
		);
	return { results };
}
