import type { IDataObject } from 'n8n-workflow';

import { isObject, toJson } from '../lib/json';
import { saysSomething } from './spelling';

/** What an answer rests on, which a stream gives in one piece, bit by bit, or again and again. */
export interface SourceMerge {
	/** Takes the sources out of what a chunk says of a candidate, and gives the rest. */
	add: (said: IDataObject) => IDataObject;
	/** All so far, as one chunk would have it. */
	fields: () => IDataObject;
}

/** Lists by the names of the fields that they stand in, and what they stand in. */
const LISTS: Record<string, string[]> = {
	citationMetadata: ['citations', 'citationSources'],
	groundingMetadata: [
		...['groundingChunks', 'groundingSupports', 'webSearchQueries', 'imageSearchQueries'],
		'retrievalQueries',
	],
	urlContextMetadata: ['urlMetadata'],
};

/** A list that grows by what it does not have yet. */
interface Growing {
	entries: unknown[];
	places: Map<string, number>;
}

export function createSourceMerge(): SourceMerge {
	const records = new Map<string, Map<string, unknown>>();
	const lists = new Map<string, Growing>();

	/** Adds a chunk's list, and gives the place of each of its entries in the whole. */
	const grow = (name: string, list: unknown[]): number[] => {
		const growing = lists.get(name) ?? { entries: [], places: new Map<string, number>() };
		lists.set(name, growing);
		const { entries, places } = growing;
		const added: Array<[string, number]> = [];
		const own = list.map((entry) => {
			const key = toJson(entry);
			const known = places.get(key);
			if (known !== undefined) return known;
			added.push([key, entries.push(entry) - 1]);
			return entries.length - 1;
		});
		// Twice in one chunk is meant: the places of its own list count.
		for (const [key, place] of added) places.set(key, place);
		return own;
	};
	const addRecord = (name: string, record: IDataObject) => {
		const fields = records.get(name) ?? new Map<string, unknown>();
		records.set(name, fields);
		const chunks = record.groundingChunks;
		const places = Array.isArray(chunks) ? grow('groundingChunks', chunks as unknown[]) : [];
		for (const [field, value] of Object.entries(record)) {
			if (!saysSomething(value)) continue;
			const isList = LISTS[name].includes(field) && Array.isArray(value);
			if (isList && field !== 'groundingChunks') {
				const moved = field === 'groundingSupports' ? movedTo(places, value) : value;
				grow(field, moved as unknown[]);
			}
			fields.set(field, isList ? lists.get(field)?.entries : value);
		}
	};
	const add = (said: IDataObject): IDataObject => {
		const rest = { ...said };
		for (const name of Object.keys(LISTS)) {
			const { [name]: record } = said;
			if (!isObject(record)) continue;
			addRecord(name, record);
			delete rest[name];
		}
		return rest;
	};
	const fields = () =>
		Object.fromEntries(
			[...records]
				.filter(([, record]) => record.size > 0)
				.map(([name, record]) => [name, Object.fromEntries(record)]),
		) as IDataObject;
	return { add, fields };
}

/**
 * A support names chunks by their places. Beside a list of its own they are those of that list, as far
 * as it has them; else those of all chunks of the stream.
 */
function movedTo(places: number[], supports: unknown): unknown[] {
	return (supports as unknown[]).map((support) => {
		if (!isObject(support) || !Array.isArray(support.groundingChunkIndices)) return support;
		const indices = support.groundingChunkIndices as unknown[];
		const isOwn = indices.every((index) => typeof index === 'number' && index < places.length);
		const moved = indices.map((index) => (isOwn ? places[index as number] : index));
		return { ...support, groundingChunkIndices: moved as number[] };
	});
}
