import type { IDataObject } from 'n8n-workflow';

import { isObject, toJson, toObjects } from '../lib/json';
import { saysSomething } from './names';
import { laterReason, readReason, saysWhy } from './reasons';
import { joinTexts } from './response';

/** Fields of sources. A service sends these in one chunk, spread over chunks, or in every chunk. */
const SOURCES = ['citationMetadata', 'groundingMetadata', 'urlContextMetadata'];

/**
 * Merges the chunks of a streamed answer, each in the form of an answer. Texts are joined, parts
 * and sources add up, and objects are merged. Of finish reasons, `laterReason` chooses one; of any
 * other values, the last that says something counts.
 */
export function createMerge() {
	const fields: IDataObject = {};
	const candidates = new Map<number, ReturnType<typeof createCandidate>>();
	let hasList = false;
	let first: IDataObject = {};
	let count = 0;
	/** Chunks without candidates, such as usage records. */
	let countWithout = 0;
	return {
		/** Returns the words that a chunk adds to the first candidate, without thoughts. */
		add(chunk: IDataObject): string {
			if (count++ === 0) first = chunk;
			const { candidates: list, ...rest } = chunk;
			takeLast(fields, rest);
			if (!Array.isArray(list)) {
				countWithout++;
				return '';
			}
			hasList = true;
			let words = '';
			toObjects(list).forEach((said, place) => {
				const index = typeof said.index === 'number' ? said.index : place;
				const candidate = candidates.get(index) ?? createCandidate();
				candidates.set(index, candidate);
				const added = candidate.add(said, countWithout);
				if (index === 0) words += added;
			});
			return words;
		},
		/** Returns all chunks so far as one answer, in the form of an answer that was not streamed. */
		answer(): IDataObject {
			if (count === 1) return first;
			const inOrder = [...candidates].sort(([a], [b]) => a - b);
			const merged = inOrder.map(([, candidate]) => candidate.answer());
			return { ...(hasList && { candidates: merged }), ...fields };
		},
		isEmpty: () => count === 0,
		/**
		 * Returns whether finish reasons, if given, mark the end: each candidate got a chunk after its
		 * first content, and no content after a reason. Some services write `STOP` into every chunk,
		 * where it says nothing about the end; nor can a single chunk tell.
		 */
		reasonCameLast: () => [...candidates.values()].every((one) => one.reasonCameLast(countWithout)),
	};
}

function createCandidate() {
	const fields: IDataObject = {};
	/** Fields of the content, without its parts. */
	const ofContent: IDataObject = {};
	const parts: IDataObject[] = [];
	/** The index of each source in its list, by the list's name and the source's JSON. */
	const places = new Map<string, number>();
	let hasContent = false;
	/** `hasMore`: a chunk came behind the first content. `wentOn`: content came behind a reason. */
	let hasMore = false;
	let wentOn = false;
	/** How many chunks without candidates had come before the first content. */
	let withoutBefore = 0;
	return {
		/** Adds what a chunk says of the candidate. Returns the words in it, without thoughts. */
		add({ content, finishReason, ...rest }: IDataObject, countWithout: number): string {
			const { parts: list, ...more } = isObject(content) ? content : ({} as IDataObject);
			const came = toObjects(list);
			const bringsContent = came.some(
				({ text, thought, ...others }) =>
					thought !== true && (saysSomething(text) || Object.keys(others).length > 0),
			);
			wentOn ||= bringsContent && saysWhy(readReason(fields.finishReason));
			hasMore ||= hasContent;
			if (bringsContent && !hasContent) withoutBefore = countWithout;
			hasContent ||= bringsContent;
			for (const name of SOURCES) {
				if (!isObject(rest[name])) continue;
				addSources(objectIn(fields, name), rest[name], places);
				delete rest[name];
			}
			takeLast(ofContent, more);
			const reason = laterReason(fields.finishReason, finishReason) as string;
			takeLast(fields, { ...rest, finishReason: reason });
			for (const part of came) {
				const last = parts.at(-1);
				const goesOn =
					last && isOnlyText(last) && isOnlyText(part) && last.thought === part.thought;
				if (goesOn) last.text = `${String(last.text)}${String(part.text)}`;
				else parts.push(part);
			}
			return joinTexts(came.filter(({ thought }) => thought !== true));
		},
		answer: () => ({ ...fields, content: { ...ofContent, ...(parts.length > 0 && { parts }) } }),
		reasonCameLast: (countWithout: number) =>
			(hasMore || (hasContent && countWithout > withoutBefore)) && !wentOn,
	};
}

const isOnlyText = (part: IDataObject) =>
	typeof part.text === 'string' &&
	Object.keys(part).every((name) => name === 'text' || name === 'thought');

/** Returns the object in a field; puts an empty one there if the field holds anything else. */
const objectIn = (fields: IDataObject, name: string): IDataObject =>
	isObject(fields[name]) ? fields[name] : ((fields[name] = {}) as IDataObject);

/**
 * Takes over fields; objects are merged. An empty value never replaces one that says something:
 * reason and usage may come before the last chunk.
 */
function takeLast(fields: IDataObject, said: IDataObject): void {
	for (const [name, value] of Object.entries(said)) {
		// Merging into it would change the prototype of all objects; no protocol has such a field.
		if (name === '__proto__') continue;
		if (value === undefined || (!saysSomething(value) && Object.hasOwn(fields, name))) continue;
		if (isObject(value)) takeLast(objectIn(fields, name), value);
		else fields[name] = value;
	}
}

/**
 * Adds the sources of a chunk; each list grows by the entries that it does not have yet. A support
 * names its `groundingChunks` by index. If all its indices fit the list in the same chunk, they
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
	const supports = toObjects(groundingSupports).map((support) => {
		const indices = support.groundingChunkIndices as number[];
		const areOwn =
			Array.isArray(indices) &&
			indices.every((index) => Number.isInteger(index) && own[index] !== undefined);
		return areOwn ? { ...support, groundingChunkIndices: indices.map((i) => own[i]) } : support;
	});
	if (supports.length > 0) grow('groundingSupports', supports);
	for (const [name, value] of Object.entries(rest)) {
		if (Array.isArray(value)) grow(name, value);
		else takeLast(known, { [name]: value });
	}
}
