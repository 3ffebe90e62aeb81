import type { IDataObject } from 'n8n-workflow';

import { isObject, toText } from '../lib/json';
import { createChunkOrder, type ChunkOrder } from './chunkOrder';
import { createSourceMerge, type SourceMerge } from './mergeSources';
import { laterReason } from './reasons';
import { saysSomething } from './spelling';

export interface Merge {
	/** Adds a chunk; gives the words that it adds to the first candidate, without thoughts. */
	add: (chunk: IDataObject) => string;
	/** All so far as one answer, of the form that is not streamed. */
	answer: () => IDataObject;
	isEmpty: () => boolean;
	/** As in the order of chunks, of all candidates. */
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
	order: ChunkOrder;
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
		if (!Array.isArray(list)) {
			for (const { order } of candidates?.values() ?? []) order.note(false, false);
			return '';
		}
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
		const said = [...(candidates?.values() ?? [])].map(({ order }) => order.reasonCameLast());
		return said.includes(false) ? false : said.every(Boolean) || undefined;
	};
	return { add, answer, isEmpty: () => count === 0, reasonsCameLast };
}

const newCandidate = (): MergedCandidate => ({
	fields: new Map(),
	ofContent: new Map(),
	parts: [],
	sources: createSourceMerge(),
	order: createChunkOrder(),
});

/** Adds what a chunk holds of a candidate, and gives the parts that came with it. */
function addCandidate(merged: MergedCandidate, candidate: IDataObject): IDataObject[] {
	const { content, finishReason, ...rest } = candidate;
	const { parts, ...ofContent } = isObject(content) ? content : ({} as IDataObject);
	takeLast(merged.fields, merged.sources.add(rest));
	const reason = laterReason(merged.fields.get('finishReason'), finishReason);
	takeLast(merged.fields, { finishReason: reason as string });
	takeLast(merged.ofContent, ofContent);
	const came = Array.isArray(parts) ? (parts as unknown[]).filter(isObject) : [];
	merged.order.note(came.some(bringsContent), toText(finishReason) !== undefined);
	came.forEach((part) => addPart(merged.parts, part));
	return came;
}

const bringsContent = ({ text, thought, ...rest }: IDataObject) =>
	thought !== true && (saysSomething(text) || Object.keys(rest).length > 0);

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
