import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';
import { NodeApiError } from 'n8n-workflow';

import { findRow } from '../family/families';
import { toPlainName } from '../family/names';
import { askForModels, type ListedModel, readModels } from '../service/askService';
import { openConnection } from '../service/connection';
import { isNoAnswer, isOfNewApi } from '../service/http';
import { loadPrices, toPriceWords } from './price';
import { readReason } from '../service/reason';

/** What a model renders from, by what its plain name says. */
const PURPOSES: Array<[name: RegExp, purpose: string]> = [
	[/(?<![a-z])t2v/, 'text to video'],
	[/(?<![a-z])i2v/, 'image to video'],
	[/kf2v/, 'first and last frame to video'],
	[/(?<![a-z])[rs]2v/, 'reference to video'],
];

/** Returns what the editor shows of a video model: its lists have neither groups nor descriptions. */
function toVideoName({ id, owned_by }: ListedModel): string {
	const row = findRow(id, owned_by);
	if (!row) return id;
	const [, purpose] = PURPOSES.find(([name]) => name.test(toPlainName(id))) ?? [];
	return `${row.label}: ${id}${purpose ? ` (${purpose})` : ''}`;
}

/** Both paths are undocumented but usual. Their lists do not say a model's kind; its name does. */
const KINDS = {
	video: {
		credential: 'videoGenerationApi',
		path: '/v1/models',
		isOfKind: (id: string) =>
			findRow(id) !== undefined || /video|pixverse|runway|luma|t2v|i2v/i.test(id),
		toName: toVideoName,
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
		toName: ({ id }: ListedModel) => id,
		documented: [
			'gemini-2.5-flash',
			'gemini-2.5-pro',
			'gemini-3-flash-preview',
			'gemini-3-pro-preview',
			'gemini-3.1-pro-preview',
		],
	},
} as const;

/** Resolves to models, those of the kind first; throws if the key is refused or nothing answers. */
export async function searchModels(
	context: ILoadOptionsFunctions,
	kind: keyof typeof KINDS,
	filter = '',
): Promise<INodeListSearchResult> {
	const { credential, path, isOfKind, toName, documented } = KINDS[kind];
	const connection = await openConnection(context, credential);
	const { redact } = connection;
	const answer = await askForModels(connection, path);
	if (isNoAnswer(answer) || answer.status === 401 || answer.status === 403) {
		const failure = readReason('list', answer);
		// The editor puts the code before it.
		const message = redact(failure.message).replace(/ \(HTTP \d+\)$/, '');
		const description = redact(failure.description ?? '');
		// With the code, the editor offers to open the credential.
		const httpCode = failure.httpCode === undefined ? undefined : String(failure.httpCode);
		throw new NodeApiError(context.getNode(), { message }, { message, description, httpCode });
	}
	const listed = readModels(answer);
	// A video model writes no text, and costs more. Any other name may be that of a text model.
	const fit = listed.filter(({ id }) => kind === 'video' || !KINDS.video.isOfKind(id));
	const models = fit.length > 0 ? fit : documented.map((id): ListedModel => ({ id }));
	const wanted = filter.toLowerCase();
	const priceOf = kind === 'video' && isOfNewApi(answer) ? await loadPrices(connection) : undefined;
	const toPriced = (model: ListedModel): string => {
		const row = findRow(model.id, model.owned_by);
		// The editor keeps the name beside the settings, so it says no price that depends on them.
		const price = row && priceOf?.(row, model.id, { duration: 1 });
		return toName(model) + (price ? `, ${toPriceWords(price)} a ${row?.price}` : '');
	};
	const results = models
		// Whoever serves a text model may serve videos, too, so its owner says nothing.
		.map((model) => ({ name: isOfKind(model.id) ? toPriced(model) : model.id, value: model.id }))
		.filter(({ name }) => name.toLowerCase().includes(wanted))
		.sort(
			(one, other) =>
				Number(isOfKind(other.value)) - Number(isOfKind(one.value)) ||
				one.name.localeCompare(other.name),
		);
	return { results };
}
