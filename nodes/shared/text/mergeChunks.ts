import type { IDataObject } from 'n8n-workflow';

import { isObject, toJson } from '../lib/json';
import { saysSomething } from './names';
import { laterReason, readReason, saysWhy } from './reasons';

/** Records that may say one thing in one chunk and another in the next. */
const RECORDS = ['promptFeedback', 'usageMetadata'];

/** Records of what an answer rests on. Chunks bring them all at once, bit by bit, or repeatedly. */
const SOURCES = ['citationMetadata', 'groundingMetadata', 'urlContextMetadata'];

interface MergedCandidate {
	fields: IDataObject;
	/** Fields of the content, without its parts. */
	content: IDataObject;
	parts: IDataObject[];
	/** The place of each source in its list, by list and source. */
	places: Map<string, number>;
	order: Order;
}

/**
 * The order in which content and reason came. `open`: content came without a reason. `said`: all
 * content so far came in one chunk, with a reason. `over`: something without content came after
 * that, such as the usage record. `wentOn`: content came after a reason.
 */
type Order = 'empty' | 'open' | 'said' | 'over' | 'wentOn';

/**
 * Merges the chunks of a streamed answer, each of which is an answer itself. Texts are joined;
 * parts and sources add up; of all other fields, the last value that says something counts.
 */
export function createMerge() {
	const fields = {};
	let candidates: Map<number, MergedCandidate> | undefined;
	let count = 0;
	let first: IDataObject = {};

	/** Adds a chunk. Returns the words that it adds to the first candidate, without thoughts. */
	const add = (chunk: IDataObject): string => {
		if (count++ === 0) first = chunk;
		const { candidates: list, ...rest } = chunk;
		takeLast(fields, rest, RECORDS);
		if (!Array.isArray(list)) {
			for (const merged of candidates?.values() ?? [])
				merged.order = nextOrder(merged, false, false);
			return '';
		}
		const known = (candidates ??= new Map<number, MergedCandidate>());
		let words = '';
		(list as unknown[]).filter(isObject).forEach((candidate, place) => {
			const index = typeof candidate.index === 'number' ? candidate.index : place;
			const merged: MergedCandidate = known.get(index) ?? {
				...{ fields: {}, content: {}, parts: [], places: new Map(), order: 'empty' },
			};
			known.set(index, merged);
			const added = addCandidate(merged, candidate);
			if (index === 0) words += added;
		});
		return words;
	};
	/** Returns all chunks so far as one answer, in the form of an answer that was not streamed. */
	const answer = (): IDataObject => {
		if (count === 1) return first;
		const inOrder = [...(candidates ?? [])].sort(([a], [b]) => a - b);
		const merged = inOrder.map(([, { fields: own, content, parts }]) => ({
			...own,
			content: { ...content, ...(parts.length > 0 && { parts }) },
		}));
		return { ...(candidates && { candidates: merged }), ...fields };
	};
	/**
	 * Returns whether a finish reason marks the end, because only the last content came with one, as
	 * the vendor sends it. Other services write `STOP` into every chunk, where it says nothing about
	 * the end.
	 */
	const reasonCameLast = () =>
		[...(candidates?.values() ?? [])].every(({ order }) => order === 'open' || order === 'over');
	return { add, answer, isEmpty: () => count === 0, reasonCameLast };
}

/** Adds a chunk's candidate. Returns its words, without thoughts. */
function addCandidate(merged: MergedCandidate, candidate: IDataObject): string {
	const { content, finishReason, ...rest } = candidate;
	const { parts, ...ofContent } = isObject(content) ? content : ({} as IDataObject);
	for (const name of SOURCES) {
		if (!isObject(rest[name])) continue;
		const known = isObject(merged.fields[name]) ? merged.fields[name] : {};
		merged.fields[name] = known;
		addSources(known, rest[name], merged.places);
		delete rest[name];
	}
	takeLast(merged.content, ofContent);
	const came = (Array.isArray(parts) ? (parts as unknown[]) : []).filter(isObject);
	const bringsContent = came.some(
		({ text, thought, ...more }) =>
			thought !== true && (saysSomething(text) || Object.keys(more).length > 0),
	);
	merged.order = nextOrder(merged, bringsContent, saysWhy(readReason(finishReason)));
	const reason = laterReason(merged.fields.finishReason, finishReason) as string;
	takeLast(merged.fields, { ...rest, finishReason: reason });
	for (const part of came) {
		const last = merged.parts.at(-1);
		const goesOn = last && isOnlyText(last) && isOnlyText(part) && last.thought === part.thought;
		// The last part is replaced, not changed: it may belong to `first`.
		if (goesOn)
			merged.parts[merged.parts.length - 1] = {
				...last,
				text: `${String(last.text)}${String(part.text)}`,
			};
		else merged.parts.push(part);
	}
	return came
		.map(({ text, thought }) => (thought !== true && typeof text === 'string' ? text : ''))
		.join('');
}

const isOnlyText = (part: IDataObject) =>
	typeof part.text === 'string' &&
	Object.keys(part).every((name) => name === 'text' || name === 'thought');

function nextOrder(
	{ order, fields }: MergedCandidate,
	hasContent: boolean,
	hasReason: boolean,
): Order {
	if (!hasContent) return order === 'said' ? 'over' : order;
	if (saysWhy(readReason(fields.finishReason))) return 'wentOn';
	return hasReason && order === 'empty' ? 'said' : 'open';
}

/**
 * Takes over fields. A value that says nothing never replaces one that does: reason and usage may
 * come before the last chunk.
 */
function takeLast(fields: IDataObject, said: IDataObject, records: string[] = []): void {
	for (const [name, value] of Object.entries(said)) {
		// Assigning `__proto__` would change the object itself; no protocol has a field of this name.
		if (name === '__proto__') continue;
		if (records.includes(name) && isObject(value)) {
			const known = isObject(fields[name]) ? fields[name] : {};
			fields[name] = known;
			takeLast(known, value);
		} else if (saysSomething(value) || (value !== undefined && !Object.hasOwn(fields, name))) {
			fields[name] = value;
		}
	}
}

/**
 * Adds the sources of a chunk; each list grows by the entries that it does not have yet. A support
 * names its `groundingChunks` by index. If all its indices fit the list that came with it, they
 * mean that list; otherwise they mean the list of the whole stream.
 */
function addSources(known: IDataObject, said: IDataObject, places: Map<string, number>): void {
	const grow = (name: string, list: unknown[]): number[] => {
		if (!Array.isArray(known[name])) known[name] = [];
		const entries = known[name] as unknown[];
		return list.map((entry) => {
			const key = `${name} ${toJson(entry)}`;
			const place = places.get(key) ?? entries.push(entry) - 1;
			places.set(key, place);
			return place;
		});
	};
	const { groundingChunks, groundingSupports, ...rest } = said;
	const own = Array.isArray(groundingChunks) ? grow('groundingChunks', groundingChunks) : [];
	const supports = Array.isArray(groundingSupports) ? (groundingSupports as unknown[]) : [];
	const moved = supports.map((support) => {
		if (!isObject(support) || !Array.isArray(support.groundingChunkIndices)) return support;
		const indices = support.groundingChunkIndices as unknown[];
		const areOwn = indices.every((index) => typeof index === 'number' && index < own.length);
		return areOwn
			? { ...support, groundingChunkIndices: indices.map((index) => own[index as number]) }
			: support;
	});
	if (moved.length > 0) grow('groundingSupports', moved);
	for (const [name, value] of Object.entries(rest)) {
		if (Array.isArray(value)) {
			if (value.length > 0) grow(name, value);
		} else takeLast(known, { [name]: value });
	}
}
