import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../lib/json';

export interface Merge {
	/** Adds a chunk; gives the words that it adds to the first candidate, without thoughts. */
	add: (chunk: IDataObject) => string;
	/** All so far as one answer, of the form that is not streamed. */
	answer: () => IDataObject;
}

/** By name: each chunk may bring a new one, so nothing is copied for it. */
type Fields = Map<string, unknown>;

interface MergedCandidate {
	fields: Fields;
	/** Of the content, apart from its parts. */
	ofContent: Fields;
	parts: IDataObject[];
}

/** Chunks of a streamed answer are answers themselves: texts go on, of all else the last counts. */
export function createMerge(): Merge {
	const fields: Fields = new Map();
	let candidates: Map<number, MergedCandidate> | undefined;

	const add = ({ candidates: list, ...rest }: IDataObject): string => {
		takeLast(fields, rest);
		if (!Array.isArray(list)) return '';
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
	const answer = () => ({
		...(candidates && {
			candidates: [...candidates]
				.sort(([a], [b]) => a - b)
				.map(([, { fields: own, ofContent, parts }]) => ({
					...Object.fromEntries(own),
					content: { ...Object.fromEntries(ofContent), ...(parts.length > 0 && { parts }) },
				})),
		}),
		...Object.fromEntries(fields),
	});
	return { add, answer };
}

const newCandidate = (): MergedCandidate => ({
	fields: new Map(),
	ofContent: new Map(),
	parts: [],
});

/** Adds what a chunk holds of a candidate, and gives the parts that came with it. */
function addCandidate(merged: MergedCandidate, candidate: IDataObject): IDataObject[] {
	const { content, ...rest } = candidate;
	const { parts, ...ofContent } = isObject(content) ? content : ({} as IDataObject);
	takeLast(merged.fields, rest);
	takeLast(merged.ofContent, ofContent);
	const came = Array.isArray(parts) ? (parts as unknown[]).filter(isObject) : [];
	came.forEach((part) => addPart(merged.parts, part));
	return came;
}

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

function saysSomething(value: unknown): boolean {
	if (value === undefined || value === null || value === '') return false;
	return typeof value !== 'object' || Object.keys(value).length > 0;
}
