import type { Reason } from '../failure/reason';
import { toObject } from '../lib/json';
import { MINUTE_MS } from './common';
import type { ListedModel, OwnPath } from './contract';
import { type Asker, readKept } from './readKept';

const KEEP_MS = 10 * MINUTE_MS;
/** fal had 1,390 models, at up to 1,000 a page (2026-08). */
const MAX_PAGES = 20;

/**
 * Resolves to all models that a service with schemas lists, or to why it does not. Lists are read once, and
 * searched often.
 *
 * @param words also asks a service that lists a part of its models, and finds others by words
 */
export async function fetchListed(connection: Asker, words = ''): Promise<ListedModel[] | Reason> {
	const { service } = connection;
	const found = words.trim() && service.listOf?.(words.trim());
	const places = [...(found ? [found] : []), ...service.lists];
	const models = new Map<string, ListedModel>();
	for (const list of await Promise.all(places.map(async (at) => await readPages(connection, at)))) {
		if (!Array.isArray(list)) return list;
		for (const model of list) models.set(model.id, { ...models.get(model.id), ...model });
	}
	return [...models.values()];
}

async function readPages(connection: Asker, first: OwnPath): Promise<ListedModel[] | Reason> {
	const { readList, nextPage, schema } = connection.service;
	const models: ListedModel[] = [];
	let at: OwnPath | undefined = first;
	for (let page = 0; at && page < MAX_PAGES; page++) {
		const keepMs = (at.path === schema?.at?.('').path ? schema?.keepMs : undefined) ?? KEEP_MS;
		const read = await readKept(connection, at, keepMs);
		if ('reason' in read) return read.reason;
		const answer = toObject(read.answer);
		models.push(...readList(answer));
		at = nextPage?.(at, answer);
	}
	return models;
}
