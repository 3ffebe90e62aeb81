import type { IDataObject } from 'n8n-workflow';

import { isObject, toText } from '../lib/json';
import { createSourceMerge, type SourceMerge } from './mergeSources';
import { laterReason } from './reasons';
import { saysSomething } from './spelling';

export interface Merge {
	/** Adds a chunk; gives the words that it adds to the first candidate, without thoughts. */
	add: (chunk: IDataObject) => string;
	/** All so far as one answer, of the form that is not streamed. */
	answer: () => IDataObject;
	isEmpty: () => boolean;
	/**
	 * Whether finish reasons have come as the vendor sends them, with the last chunk alone. Others
	 * write `STOP` into every chunk, where it says nothing about the end. `undefined` where there was
	 * only one chunk.
	 */
	reasonsCameLast: () => boolean | undefined;
}

/** Of these, too, one chunk says this and the next one that. */
const RECORDS = ['promptFeedback', 'usageMetadata'];

/** By name: each chunk may bring a new one, so nothing is copied for it. */
type Fields = Map<string, unknown>;

interface MergedCandidate {
	fields: Fields;
	/** Of the content, apart from its parts. */
	ofContent: Fields;
	parts: IDataObject[];
	sources: SourceMerge;
	/** How its chunks and its reasons have followed each other. */
	order: { openChunks: number; hasReason: boolean; wentOn: boolean; isOver: boolean };
}

/**
 * Chunks of a streamed answer are answers themselves: texts go on, sources add up, of all else the
 * last counts.
 */
export function createMerge(): Merge {
	const fields: Fields = new Map();
	const records = new Map(RECORDS.map((name): [string, Fields] => [name, new Map()]));
	let candidates: Map<number, MergedCandidate> | undefined;
	let count = 0;
	let first: IDataObject = {};

	const add = (chunk: IDataObject): string => {
		if (count++ === 0) first = chunk;
		const { candidates: list, ...rest } = chunk;
		for (const [name, ofRecord] of records) {
			const { [name]: record } = rest;
			if (!isObject(record)) continue;
			delete rest[name];
			addTo(ofRecord, record);
		}
		takeLast(fields, rest);
		if (!Array.isArray(list)) return noteOthers(candidates);
		const known = (candidates ??= new Map<number, MergedCandidate>());
		const added = (list as unknown[]).filter(isObject).map((candidate, place) => {
			const index = typeof candidate.index === 'number' ? candidate.index : place;
			const merged = known.get(index) ?? newCandidate();
			known.set(index, merged);
			const parts = addCandidate(merged, candidate);
			return index === 0 ? wordsOf(parts) : '';
		});
		return added.join('');
	};
	const merged = () => ({
		...(candidates && {
			candidates: [...candidates]
				.sort(([a], [b]) => a - b)
				.map(([, { fields: own, ofContent, parts, sources }]) => ({
					...Object.fromEntries(own),
					...sources.fields(),
					content: { ...Object.fromEntries(ofContent), ...(parts.length > 0 && { parts }) },
				})),
		}),
		...Object.fromEntries(fields),
		...Object.fromEntries(
			[...records]
				.filter(([, ofRecord]) => ofRecord.size > 0)
				.map(([name, ofRecord]) => [name, Object.fromEntries(ofRecord)]),
		),
	});
	const answer = () => (count === 1 ? first : merged());
	const reasonsCameLast = () => {
		const orders = [...(candidates?.values() ?? [])].map(({ order }) => order);
		if (orders.some(({ wentOn }) => wentOn)) return false;
		return orders.every(({ openChunks, isOver }) => openChunks > 0 || isOver) || undefined;
	};
	return { add, answer, isEmpty: () => count === 0, reasonsCameLast };
}

const newCandidate = (): MergedCandidate => ({
	fields: new Map(),
	ofContent: new Map(),
	parts: [],
	sources: createSourceMerge(),
	order: { openChunks: 0, hasReason: false, wentOn: false, isOver: false },
});

/** A chunk without candidates, such as the usage record, comes behind the last words. */
function noteOthers(candidates: Map<number, MergedCandidate> | undefined): string {
	for (const { order } of candidates?.values() ?? []) order.isOver = order.hasReason;
	return '';
}

/** Adds what a chunk holds of a candidate, and gives the parts that came with it. */
function addCandidate(merged: MergedCandidate, candidate: IDataObject): IDataObject[] {
	const { content, finishReason, ...rest } = candidate;
	const { parts, ...ofContent } = isObject(content) ? content : ({} as IDataObject);
	takeLast(merged.fields, merged.sources.add(rest));
	const reason = laterReason(merged.fields.get('finishReason'), finishReason);
	takeLast(merged.fields, { finishReason: reason as string });
	takeLast(merged.ofContent, ofContent);
	const came = Array.isArray(parts) ? (parts as unknown[]).filter(isObject) : [];
	noteOrder(merged.order, came.some(bringsContent), toText(finishReason) !== undefined);
	came.forEach((part) => addPart(merged.parts, part));
	return came;
}

function noteOrder(order: MergedCandidate['order'], hasContent: boolean, hasReason: boolean): void {
	if (hasContent && order.hasReason) order.wentOn = true;
	if (hasContent && !hasReason) order.openChunks++;
	if (!hasContent && (hasReason || order.hasReason)) order.isOver = true;
	order.hasReason ||= hasReason;
}

const bringsContent = ({ text, ...rest }: IDataObject) =>
	saysSomething(text) || Object.keys(rest).some((name) => name !== 'thought');

/** Text goes on where the last part was text of the same kind, thought or not. */
function addPart(parts: IDataObject[], part: IDataObject): void {
	const last = parts.at(-1);
	const goesOn = last && isOnlyText(last) && isOnlyText(part) && last.thought === part.thought;
	if (goesOn)
		parts[parts.length - 1] = { ...last, text: `${String(last.text)}${String(part.text)}` };
	else parts.push(part);
}

const isOnlyText = (part: IDataObject) =>
	typeof part.text === 'string' &&
	Object.keys(part).every((name) => name === 'text' || name === 'thought');

const wordsOf = (parts: IDataObject[]) =>
	parts
		.map(({ text, thought }) => (thought !== true && typeof text === 'string' ? text : ''))
		.join('');

/** What says nothing takes the place of nothing: reason and usage may come before the last chunk. */
function takeLast(fields: Fields, said: IDataObject): void {
	for (const [name, value] of Object.entries(said)) {
		if (saysSomething(value)) fields.set(name, value);
	}
}

/** The same, and what says nothing is kept where nothing else is said. */
function addTo(fields: Fields, said: IDataObject): void {
	for (const [name, value] of Object.entries(said)) {
		if (saysSomething(value) || !fields.has(name)) fields.set(name, value);
	}
}
