import type { IDataObject } from 'n8n-workflow';

import { isObject, toJson } from '../lib/json';
import { saysSomething } from './names';
import { laterReason, readReason, saysWhy } from './reasons';

/** These records say one thing in this chunk and another in the next. */
const RECORDS = ['promptFeedback', 'usageMetadata'];

/** These records say what an answer rests on: at once, bit by bit, or again and again. */
const SOURCES = ['citationMetadata', 'groundingMetadata', 'urlContextMetadata'];

interface MergedCandidate {
	fields: IDataObject;
	/** Fields of the content, apart from its parts. */
	content: IDataObject;
	parts: IDataObject[];
	/** The place of each source in its list, by list and source. */
	places: Map<string, number>;
	order: Order;
}

/**
 * How content and reason have followed each other: `open`, content came without a reason; `said`, all
 * content so far came in one chunk with a reason; `over`, something without content came behind that,
 * such as the usage record; `wentOn`, content came behind a reason.
 */
type Order = 'empty' | 'open' | 'said' | 'over' | 'wentOn';

/**
 * Merges the chunks of a streamed answer, which are answers themselves: texts go on, parts and sources
 * add up, of all else the last that says something counts.
 */
export function createMerge() {
	const fields = {};
	let candidates: Map<number, MergedCandidate> | undefined;
	let count = 0;
	let first: IDataObject = {};

	/** Adds a chunk; returns the words that it adds to the first candidate, without thoughts. */
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
	/** Returns all so far as one answer, of the form that is not streamed. */
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
	 * Whether the last chunk alone had a reason, as the vendor sends it: nothing comes behind it. Others
	 * write `STOP` into every chunk, where it says nothing about the end.
	 */
	const reasonCameLast = () =>
		[...(candidates?.values() ?? [])].every(({ order }) => order === 'open' || order === 'over');
	return { add, answer, isEmpty: () => count === 0, reasonCameLast };
}

/** Adds a chunk's candidate; returns its words. */
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
		// A part of a chunk stays as it is: it may stand in the first answer.
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
	const hadReason = saysWhy(readReason(fields.finishReason));
	if (!hasContent) return order === 'said' ? 'over' : order;
	if (hadReason) return 'wentOn';
	return hasReason && order === 'empty' ? 'said' : 'open';
}

/** Silence takes the place of nothing: reason and usage may come before the last chunk. */
function takeLast(fields: IDataObject, said: IDataObject, records: string[] = []): void {
	for (const [name, value] of Object.entries(said)) {
		// An assignment would change the object itself, and no protocol has a field of this name.
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
 * Adds the sources of a chunk: a list grows by what it does not have yet. A support names its chunks
 * by their places. Beside a list of its own they are those of that list, as far as it has them; else
 * those of all chunks of the stream.
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
