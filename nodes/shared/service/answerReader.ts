import type { IDataObject } from 'n8n-workflow';

import { isObject, parseJson, toObjects, toText } from '../lib/json';
import {
	BYTES_FIELDS,
	ENVELOPES,
	FILE_ENDING,
	FILE_FIELDS,
	FILE_PLACES,
	ID_WORDS,
	NO_FILE_FIELD,
	OTHER_KIND,
	OTHER_PATH,
	OF_REQUEST,
	OF_WISH,
	REASON_WITH_FILE,
	STATUS_FIELDS,
	STATUS_PREFIX,
	STATUS_WORDS,
	type TaskStatus,
	VIDEO_NAME,
	VIDEO_PATH,
} from './answerTable';
import { toHttpUrl } from './credential';

const MAX_ENVELOPES = 3;
const MAX_PLACES = 4;

/** Returns the objects of an answer that may be its task, the outer ones first. */
export const objectsIn = (answer: unknown): IDataObject[] =>
	toLevels(answer, ENVELOPES, MAX_ENVELOPES).flat();

/** Returns the objects below a value, level by level, as far as they have these names. */
function toLevels(
	value: unknown,
	names: string[],
	depth: number,
	enters: (object: IDataObject) => boolean = () => true,
): IDataObject[][] {
	const levels = [toObjects([value].flat())];
	while (levels.length <= depth) {
		const inner = levels[levels.length - 1].flatMap((object) =>
			names.flatMap((name) => object[name]),
		);
		levels.push(toObjects(inner).filter(enters));
	}
	return levels;
}

/** Returns the objects of an answer around one of its own, the inner ones first. */
export const objectsAround = (answer: unknown, inner: IDataObject): IDataObject[] =>
	objectsIn(answer)
		.filter((one) => one !== inner && objectsIn(one).includes(inner))
		.reverse();

const toSign = (word: string) => word.toLowerCase().replace(/[-_\s]/g, '');

/** Returns the state that a word means, in whatever writing; `undefined` if nobody knows it. */
export function findStatus(word: string): TaskStatus | undefined {
	const sign = toSign(word).replace(STATUS_PREFIX, '');
	return STATUS_WORDS.find(([, words]) => words.test(sign))?.[0];
}

/** Returns whether a word may be about the request alone, as the states of success may. */
export const isOfRequest = (word: string): boolean =>
	OF_REQUEST.test(toSign(word)) || findStatus(word) === 'SUCCESS';

/** Returns a state in words, as it was sent. */
export const statusOf = (object: IDataObject): string | undefined =>
	STATUS_FIELDS.map((name) => object[name]).find((word) => typeof word === 'string');

/** The fewest characters by which an ID is known in another form: fewer are alike by chance. */
const MIN_CORE_CHARS = 6;
const MAX_ID_CHARS = 200;

/** Returns whether two IDs are one task's: equal, or the same between what is put around them. */
export function isSameTask(one: string, other: string): boolean {
	if (one === other) return true;
	const isWhole = (id: string) => !id.includes(':');
	// Of two that both name a model, that part would be the same for all tasks.
	if (!isWhole(one) && !isWhole(other)) return false;
	return toCores(one).some((core) => toCores(other).includes(core));
}

/** Returns the parts of an ID (`sora-2:task_1a2b3c`), each without the words around it. */
function toCores(id: string): string[] {
	if (id.length > MAX_ID_CHARS) return [];
	const toCore = (part: string): string => {
		const core = part.replace(ID_WORDS, '');
		return core === part ? core : toCore(core);
	};
	const cores = id.split(':').map(toCore);
	return cores.filter((core) => core.length >= MIN_CORE_CHARS && /\d/.test(core));
}

/** Returns a video's address; `undefined` for other texts, and for addresses of pictures or sound. */
function toVideoUrl(value: unknown): string | undefined {
	const url = toHttpUrl(value);
	return url && !OTHER_PATH.test(url.pathname) ? toText(value) : undefined;
}

const firstOf = (object: IDataObject, names: string[]) =>
	names.map((name) => toVideoUrl(object[name])).find((url) => url !== undefined);

/** Returns whether an object says that it is a picture, or anything but a video. */
const isOther = (object: IDataObject): boolean =>
	['type', 'role', 'kind', 'mime_type', 'mimeType'].some((name) =>
		OTHER_KIND.test(toText(object[name]) ?? ''),
	);

/** Returns the video's address that an object has itself: in a text, an object or a list of these. */
export function findOwnAddress(object: IDataObject): string | undefined {
	if (isOther(object)) return undefined;
	const others = Object.keys(object).filter(
		(name) => FILE_ENDING.test(name) && !NO_FILE_FIELD.test(name),
	);
	const fields = [...FILE_FIELDS, REASON_WITH_FILE, ...others].flatMap((name) => object[name]);
	// Objects in these places are objects below this one.
	const places = FILE_PLACES.flatMap((name) => object[name]);
	return [...fields.map((one) => (isObject(one) ? firstOf(one, FILE_FIELDS) : one)), ...places]
		.map(toVideoUrl)
		.find((url) => url !== undefined);
}

/**
 * Returns the video's address in an object or below it, the outermost one.
 *
 * @param enters returns whether an object below may tell of this video
 */
export function findAddress(
	object: unknown,
	enters?: (object: IDataObject) => boolean,
): string | undefined {
	for (const one of toLevels(object, FILE_PLACES, MAX_PLACES, enters).flat()) {
		const url = findOwnAddress(one);
		if (url !== undefined) return url;
	}
	return undefined;
}

const KNOWN_PLACES = new Set([...FILE_PLACES, ...ENVELOPES]);
const MAX_DEPTH = 8;

/** Yields the texts in a value with their names, also those in JSON in a text, but none of a request. */
function* textsIn(
	value: unknown,
	enters: (object: IDataObject) => boolean,
	name = '',
	depth = 0,
): Generator<[name: string, text: string]> {
	const inner = typeof value === 'string' && /^\s*[[{]/.test(value) ? parseJson(value) : value;
	if (typeof inner === 'string') yield [name, inner];
	if (typeof inner !== 'object' || inner === null || depth > MAX_DEPTH) return;
	if (isObject(inner) && (isOther(inner) || !enters(inner))) return;
	for (const [key, one] of Object.entries(inner)) {
		const own = Array.isArray(inner) ? name : key;
		const isOurs = KNOWN_PLACES.has(own) || !(NO_FILE_FIELD.test(own) || OF_WISH.test(own));
		if (isOurs) yield* textsIn(one, enters, own, depth + 1);
	}
}

/**
 * Returns an address that looks like a video's, wherever it is in a record that has none in the places
 * that are known: by the end of its path, or else by its name.
 */
export function findAnyAddress(
	record: IDataObject,
	enters: (object: IDataObject) => boolean,
): string | undefined {
	const found = [...textsIn(record, (one) => one === record || enters(one))].flatMap(
		([name, text]) => {
			const url = toVideoUrl(text);
			return url === undefined ? [] : [{ name, url, path: toHttpUrl(url)!.pathname }];
		},
	);
	const one = found.find(({ path }) => VIDEO_PATH.test(path));
	return (one ?? found.find(({ name }) => VIDEO_NAME.test(name)))?.url;
}

/** Returns whether a record holds a video itself. */
export const holdsVideo = (record: IDataObject): boolean =>
	toLevels(record, FILE_PLACES, MAX_PLACES)
		.flat()
		.some(
			(one) =>
				BYTES_FIELDS.some((name) => toText(one[name]) !== undefined) ||
				Object.values(one).some((value) => toText(value)?.startsWith('data:video/')),
		);
