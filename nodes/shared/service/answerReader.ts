import type { IDataObject } from 'n8n-workflow';

import { isObject, parseExactJson, parseJson, toObjects, toText } from '../lib/json';
import {
	BYTES_FIELDS,
	ECHO_FILES,
	ECHO_PLACES,
	ENVELOPES,
	FILE_ENDING,
	FILE_FIELDS,
	FILE_PLACES,
	KIND_FIELD,
	LAST_RESORT,
	MADE_LIST,
	MADE_PLACES,
	NO_FILE_FIELD,
	OTHER_KIND,
	OTHER_PATH,
	OF_REQUEST,
	OF_ECHO,
	REASON_WITH_FILE,
	STAGE,
	STATUS_FIELD,
	STATUS_FIELDS,
	STATUS_PREFIX,
	STATUS_WORDS,
	type TaskStatus,
	VIDEO_NAME,
	VIDEO_PATH,
} from './answerTable';
import { toHttpUrl } from './credential';

const MAX_ENVELOPES = 3;

/** Returns an answer with the JSON that some send as a text in an envelope. */
export function openTexts(answer: unknown, depth = MAX_ENVELOPES): unknown {
	if (Array.isArray(answer)) return answer.map((one) => openTexts(one, depth));
	if (!isObject(answer) || depth === 0) return answer;
	const open = (value: unknown) =>
		typeof value === 'string' && /^\s*[[{]/.test(value) ? parseExactJson(value) : value;
	const opened = ENVELOPES.filter((name) => name in answer).map((name) => {
		const inner = openTexts(open(answer[name]) ?? answer[name], depth - 1);
		return [name, inner] as const;
	});
	return { ...answer, ...Object.fromEntries(opened) };
}

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

const toSign = (word: string) => word.toLowerCase().replace(/[-_\s.!。]/g, '');

/** Returns the state that a word means, in whatever writing; `undefined` if nobody knows it. */
export function findStatus(word: string): TaskStatus | undefined {
	if (STAGE.test(word)) return undefined;
	const sign = toSign(word).replace(STATUS_PREFIX, '');
	return STATUS_WORDS.find(([, words]) => words.test(sign))?.[0];
}

/** Returns whether a word may be about the request alone, as the states of success may. */
export const isOfRequest = (word: string): boolean =>
	OF_REQUEST.test(toSign(word)) || findStatus(word) === 'SUCCESS';

const statesOf = (object: IDataObject): unknown[] => [
	...STATUS_FIELDS.map((name) => object[name]),
	...Object.keys(object).flatMap((name) => (STATUS_FIELD.test(name) ? object[name] : [])),
];

/** Returns a state in words, as it was sent; beside one that may be of the request, another one counts. */
export function statusOf(object: IDataObject): string | undefined {
	const words = statesOf(object).filter((word) => typeof word === 'string');
	const isOfTask = (word: string) => word.trim() !== '' && !isOfRequest(word) && findStatus(word);
	return words.length > 1 && isOfRequest(words[0]) ? (words.find(isOfTask) ?? words[0]) : words[0];
}

/** Returns the texts that may be a video's address, and not that of a picture or sound. */
const toVideoUrls = (values: unknown[]): string[] =>
	values.map(toText).filter((text) => {
		const url = toHttpUrl(text);
		return url !== undefined && !OTHER_PATH.test(url.pathname);
	}) as string[];

/** Returns whether a field has another file's address, by the words of its name in whatever case. */
const isOtherFile = (name: string): boolean =>
	NO_FILE_FIELD.test(name.replace(/([a-z])(?=[A-Z])/g, '$1_'));

/** Returns whether an object says that it is a picture, or anything but a video. */
const isOther = (object: IDataObject): boolean =>
	Object.entries(object).some(([name, kind]) =>
		kind === true && /^(is_?|preview|draft|proxy)/i.test(name)
			? OTHER_KIND.test(name.replace(/^is_?/i, ''))
			: KIND_FIELD.test(name) && OTHER_KIND.test(toText(kind) ?? ''),
	);

/** Returns the addresses that an object has itself under known names: texts, objects or lists of these. */
function knownAddresses(object: IDataObject): string[] {
	const fields = [...FILE_FIELDS, REASON_WITH_FILE].flatMap((name) => object[name]);
	const inner = fields.map((one) =>
		isObject(one) ? toVideoUrls(FILE_FIELDS.map((name) => one[name]))[0] : one,
	);
	// Objects in these places are objects below this one.
	return toVideoUrls([...inner, ...FILE_PLACES.flatMap((name) => object[name])]);
}

/** Returns those under names that nobody knows. */
const otherAddresses = (object: IDataObject): string[] =>
	toVideoUrls(
		Object.keys(object)
			.filter((name) => FILE_ENDING.test(name) && !isOtherFile(name) && !OF_ECHO.test(name))
			.flatMap((name) => object[name]),
	);

const NO_ECHO = Object.fromEntries(ECHO_FILES.map((name) => [name, undefined]));
const RESULT_PLACES = FILE_PLACES.filter((name) => !ECHO_PLACES.includes(name));

/**
 * Returns the video's address in an object or below it: the outermost one under a known name, and only
 * without any, one under another name, which may be that of what the video was made from.
 *
 * @param enters returns whether an object below may tell of this video
 * @param isLastResort returns whether an address is taken only if there is no other under a known name
 */
export function findAddress(
	object: unknown,
	enters: (object: IDataObject) => boolean = () => true,
	isLastResort: (url: string) => boolean = () => false,
): string | undefined {
	const isOurs = (one: IDataObject) => !isOther(one) && enters(one);
	const top = Array.isArray(object) ? toObjects(object).filter((one) => !isOther(one)) : [object];
	const [made, ours, all] = [MADE_PLACES, RESULT_PLACES, FILE_PLACES].map((places) =>
		toLevels(top, places, MAX_PLACES, isOurs).flat(),
	);
	const sure = [...made.map((one) => (top.includes(one) ? { ...one, ...NO_ECHO } : one)), ...ours];
	const echoes = new Set<unknown>(
		all.flatMap(({ metadata, content }) => [metadata, ...(Array.isArray(content) ? content : [])]),
	);
	const unsure = all.map((one) => (echoes.has(one) ? { ...one, ...NO_ECHO } : one));
	const known = [...sure, ...unsure].flatMap(knownAddresses);
	return (
		known.find((url) => !isLastResort(url)) ?? known[0] ?? onlyOne(unsure.flatMap(otherAddresses))
	);
}

/** Returns the only one of several addresses: of two, nobody knows which one is the video's. */
function onlyOne(urls: string[] = []): string | undefined {
	const [url, ...others] = new Set(urls);
	return others.length > 0 ? undefined : url;
}

const KNOWN_PLACES = new Set([...RESULT_PLACES, ...ENVELOPES]);
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
	if (isObject(inner) && depth > 0 && (isOther(inner) || !enters(inner))) return;
	for (const [key, one] of Object.entries(inner)) {
		const own = Array.isArray(inner) ? name : key;
		const isNone =
			(isOtherFile(own) && !LAST_RESORT.test(own)) ||
			OF_ECHO.test(own) ||
			ECHO_PLACES.includes(own);
		// A list may be of the videos that this one was made from, unless its name says that it is made.
		const isList = Array.isArray(one) && !MADE_LIST.test(own);
		const isOurs = KNOWN_PLACES.has(own) || !(isNone || isList);
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
	const found = [...textsIn(record, enters)].flatMap(([name, text]) =>
		toVideoUrls([text]).map((url) => ({ name, url })),
	);
	const likely = found.filter(({ name }) => !LAST_RESORT.test(name));
	const kinds = [
		likely.filter(({ url }) => VIDEO_PATH.test(toHttpUrl(url)!.pathname)),
		likely.filter(({ name }) => VIDEO_NAME.test(name)),
		found.filter(({ name }) => LAST_RESORT.test(name)),
	];
	return onlyOne(kinds.find(({ length }) => length > 0)?.map(({ url }) => url));
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
