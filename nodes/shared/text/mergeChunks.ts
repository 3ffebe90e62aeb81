import type { IDataObject } from 'n8n-workflow';

import { isObject, toJson, toObject, toObjects } from '../lib/json';
import { mergeReasons, readReason, isSpecified } from '../service/finishReason';
import { isFilled } from './names';
import { isFilledPart, isThought, joinTexts } from './response';

/** Fields of sources. A service sends these in one chunk, spread over chunks, or in every chunk. */
const SOURCES = ['citationMetadata', 'groundingMetadata', 'urlContextMetadata'];

/**
 * Merges the chunks of a streamed answer, each in the form of an answer. Texts are joined, parts and
 * sources add up, objects are merged; of other values, the last that says something counts.
 */
export function createMerge() {
	const fields: IDataObject = {};
	let first: IDataObject = {};
	let count = 0;
	/** Fields of the candidate, and of its content, without its parts. */
	let candidate: IDataObject | undefined;
	const content: IDataObject = {};
	const parts: IDataObject[] = [];
	/** The index of each source in its list, by the list's name and the source's JSON. */
	const knownSources = new Map<string, number>();
	/** The number of the chunk that brought the first content. */
	let firstContent = Infinity;
	let hasContentAfterReason = false;

	const addCandidate = ({ content: update, finishReason, ...rest }: IDataObject): string => {
		candidate ??= {};
		const { parts: list, ...more } = toObject(update);
		const added = toObjects(list);
		const bringsContent = added.some((part) => !isThought(part) && isFilledPart(part));
		hasContentAfterReason ||= bringsContent && isSpecified(readReason(candidate.finishReason));
		if (bringsContent) firstContent = Math.min(firstContent, count);
		for (const name of SOURCES) {
			if (!isObject(rest[name])) continue;
			addSources(objectIn(candidate, name), rest[name], knownSources);
			delete rest[name];
		}
		takeLast(content, more);
		const reason = mergeReasons(candidate.finishReason, finishReason) as string;
		takeLast(candidate, { ...rest, finishReason: reason });
		for (const part of added) {
			const last = parts.at(-1);
			const goesOn = last && isOnlyText(last) && isOnlyText(part) && last.thought === part.thought;
			if (goesOn) last.text = `${String(last.text)}${String(part.text)}`;
			else parts.push(part);
		}
		return joinTexts(added.filter((part) => !isThought(part)));
	};
	return {
		/** Returns the words that a chunk adds, without thoughts. */
		add(chunk: IDataObject): string {
			if (count++ === 0) first = chunk;
			const { candidates, ...rest } = chunk;
			takeLast(fields, rest);
			const added = toObjects(candidates).find(({ index = 0 }) => index === 0 || index === null);
			return added ? addCandidate(added) : '';
		},
		/** Returns all chunks so far as one answer, in the form of an answer that was not streamed. */
		answer(): IDataObject {
			if (count === 1) return first;
			const turn = { ...content, ...(parts.length > 0 && { parts }) };
			return { ...(candidate && { candidates: [{ ...candidate, content: turn }] }), ...fields };
		},
		isEmpty: () => count === 0,
		/**
		 * Returns whether a finish reason marks the end: a chunk came after the first content, and no
		 * content after a reason. Some services write `STOP` into every chunk.
		 */
		reasonCameLast: () => count > firstContent && !hasContentAfterReason,
	};
}

const isOnlyText = (part: IDataObject) =>
	typeof part.text === 'string' &&
	Object.keys(part).every((name) => name === 'text' || name === 'thought');

/** Returns the object in a field; puts an empty one there if the field holds anything else. */
const objectIn = (fields: IDataObject, name: string): IDataObject =>
	isObject(fields[name]) ? fields[name] : ((fields[name] = {}) as IDataObject);

/** Merges fields; nothing empty replaces what says something, because usage may come early. */
function takeLast(fields: IDataObject, update: IDataObject): void {
	for (const [name, value] of Object.entries(update)) {
		// Merging into it would change the prototype of all objects; no protocol has such a field.
		if (name === '__proto__') continue;
		if (value === undefined || (!isFilled(value) && Object.hasOwn(fields, name))) continue;
		if (isObject(value)) takeLast(objectIn(fields, name), value);
		else fields[name] = value;
	}
}

/**
 * Adds the sources of a chunk; each list grows by the entries that it does not have yet. A support
 * names its `groundingChunks` by index. If all its indices fit the list in the same chunk, they
 * mean that list; otherwise they mean the list of the whole stream.
 */
function addSources(merged: IDataObject, update: IDataObject, known: Map<string, number>): void {
	const grow = (name: string, list: unknown[]): number[] => {
		if (!Array.isArray(merged[name])) merged[name] = [];
		const entries = merged[name] as unknown[];
		return list.map((entry) => {
			const key = `${name} ${toJson(entry)}`;
			const place = known.get(key) ?? entries.push(entry) - 1;
			known.set(key, place);
			return place;
		});
	};
	const { groundingChunks, groundingSupports, ...rest } = update;
	const places = Array.isArray(groundingChunks) ? grow('groundingChunks', groundingChunks) : [];
	const supports = toObjects(groundingSupports).map((support) => {
		const indices = support.groundingChunkIndices as number[];
		const fit =
			Array.isArray(indices) &&
			indices.every((index) => Number.isInteger(index) && places[index] !== undefined);
		return fit ? { ...support, groundingChunkIndices: indices.map((i) => places[i]) } : support;
	});
	if (supports.length > 0) grow('groundingSupports', supports);
	for (const [name, value] of Object.entries(rest)) {
		if (Array.isArray(value)) grow(name, value);
		else takeLast(merged, { [name]: value });
	}
}
