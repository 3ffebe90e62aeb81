import type { IDataObject } from 'n8n-workflow';

import { isObject, parseJson } from '../lib/json';

/** Finds JSON objects in a text that comes in pieces: one, several in a row, or those of a list. */
export interface ObjectScanner {
	/** The objects that end in this piece. */
	scan: (piece: string) => IDataObject[];
	/** Whether the text stands inside an object. */
	isInside: () => boolean;
	/** Forgets what has not ended: nothing that belongs to it will come. */
	reset: () => void;
	/** Whether something could not be read or has not ended. */
	isBroken: () => boolean;
	/** What has begun and is not at its end, where all before it could be read. */
	lacks: () => Lacking;
}

export type Lacking = 'object' | 'bracket' | undefined;

/** All that decides where an object ends; a regular expression is quicker than a look at each sign. */
const SIGNS = /["\\{}[\]]/g;

/**
 * Only braces, lists and strings are followed; whether an object is valid is for the JSON parser.
 * What stands between the objects (commas, white space, words) is passed over.
 */
export function createObjectScanner(): ObjectScanner {
	let pieces: string[] = [];
	let depth = 0;
	let lists = 0;
	let isQuoted = false;
	let isEscaped = false;
	let isBroken = false;

	const finish = (last: string): IDataObject[] => {
		const object = parseJson(pieces.join('') + last);
		pieces = [];
		if (isObject(object)) return [object];
		isBroken = true;
		return [];
	};
	/** Takes a sign that is not escaped; tells whether an object begins or ends with it. */
	const step = (sign: string): 'begins' | 'ends' | undefined => {
		if (sign === '"') isQuoted = !isQuoted;
		else if (isQuoted) return undefined;
		else if (sign === '{') return depth++ === 0 ? 'begins' : undefined;
		else if (sign === '}' && depth > 0) return --depth === 0 ? 'ends' : undefined;
		else if (depth === 0 && sign === '[') lists++;
		else if (depth === 0 && sign === ']') lists--;
		return undefined;
	};
	const scan = (piece: string): IDataObject[] => {
		const objects: IDataObject[] = [];
		let from = 0;
		SIGNS.lastIndex = isEscaped && piece !== '' ? 1 : 0;
		isEscaped &&= piece === '';
		for (let found = SIGNS.exec(piece); found; found = SIGNS.exec(piece)) {
			const event = step(found[0]);
			if (event === 'begins') from = found.index;
			if (event === 'ends') objects.push(...finish(piece.slice(from, SIGNS.lastIndex)));
			if (found[0] === '\\' && isQuoted) isEscaped = ++SIGNS.lastIndex > piece.length;
		}
		if (depth > 0) pieces.push(piece.slice(from));
		return objects;
	};
	const reset = () => {
		if (depth > 0 || lists !== 0) isBroken = true;
		pieces = [];
		depth = 0;
		lists = 0;
		isQuoted = false;
		isEscaped = false;
	};
	return {
		scan,
		isInside: () => depth > 0,
		reset,
		isBroken: () => isBroken || depth > 0 || lists !== 0,
		lacks: () => {
			if (isBroken) return undefined;
			if (depth > 0) return 'object';
			return lists > 0 ? 'bracket' : undefined;
		},
	};
}
