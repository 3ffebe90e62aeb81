import { isFilled, isObject, toText, valueAt, withoutFiles } from '../lib/json';
import { kindOf, kindOfName, type MediaKind, typeOfName } from '../lib/mediaType';
import { pathOf, toHttpUrl } from '../lib/url';
import {
	ASIDES,
	ECHOES,
	FILE_PATHS,
	LONE_TEXT_PATHS,
	TEXT_PATHS,
	VIDEO_PATHS,
} from './answerPaths';

/** What a task has made, as its record tells it. */
export interface TaskFiles {
	/** Only if it parses as an http(s) URL. */
	result_url?: string;
	/** All, if there are several. */
	result_urls?: string[];
	/** Files that are in the record itself, as data URIs; no item and no database gets them. */
	inline?: string[];
	/** Of the first file; without it, a file is a video, as far as anyone knows. */
	kind?: MediaKind;
	/** The text that a model has written. */
	text?: string;
	/**
	 * What is no text and no file of a known kind, as the service has it: 3D, weights, timestamps; beside a
	 * file, too.
	 */
	output?: unknown;
}

interface Found {
	url: string;
	kind?: MediaKind;
}

const DATA_URI = /^data:([\w.+-]+\/[\w.+-]+)?[^,]{0,200};base64,/;
/** Of texts with an address at their beginning. */
const SPACE = /\s/;

/** A text of several words that begins with an address is none. */
const isOneAddress = (text: string) => isAddress(text) && !isWritten({ url: text });
const isAddress = (text: string) => DATA_URI.test(text) || toHttpUrl(text) !== undefined;

/** Returns the file that a value is; `undefined` if it is none. What names it tells its kind first. */
function toFile(value: unknown, name = ''): Found | undefined {
	const { url = value, content_type } = isObject(value) ? value : {};
	const text = toText(url);
	if (text === undefined || !isAddress(text)) return undefined;
	const declared = DATA_URI.exec(text)?.[1] ?? toText(content_type);
	const kind = kindOfName(name) ?? kindOf(declared) ?? kindOf(typeOfName(pathOf(text)));
	return { url: text, kind };
}

/** Returns the values at a path; of a path into the first of a list, those of all in the list. */
function valuesAt(place: unknown, path: string, walk?: { closed: boolean }): unknown[] {
	const [list, inside = ''] = path.split(/(?:^|\.)0(?:\.|$)/);
	const values = [valueAt(place, list, walk)].flat() as unknown[];
	return values.map((value) => valueAt(value, inside, walk));
}

const filesAt = (place: unknown, path: string, walk?: { closed: boolean }): Found[] =>
	valuesAt(place, path, walk).flatMap((value) => toFile(value, path) ?? []);

/** A text that a model has written may be JSON, or begin with an address. */
const isWritten = ({ url }: Found) => SPACE.test(url) && !DATA_URI.test(url);

/** Returns whether a file is something else than a video, an image or a sound, by the ending of its name. */
const isOther = ({ url, kind }: Found) => kind === undefined && /\.\w{1,12}$/.test(pathOf(url));

/** Returns the address of a video in an answer. */
export const findVideoUrl = (places: unknown[]): string | undefined =>
	places
		.flatMap((place) => VIDEO_PATHS.flatMap((path) => filesAt(place, path)))
		.find(({ url }) => toHttpUrl(url) !== undefined)?.url;

/**
 * Returns what a task has made that is done, of a service with models that make anything: files, or else
 * a text, or else whatever it is, with its addresses. It is paid for, so nothing counts as missing because
 * nobody knows what it is.
 *
 * @param places the record, and the answer around it
 * @param output what the model has made, as the service has it; `undefined` if there is nothing (any more)
 */
export function readFiles(places: unknown[], output: unknown): TaskFiles {
	for (const place of places) {
		for (const path of FILE_PATHS) {
			const closed = !path.startsWith('resultJson');
			const all = filesAt(place, path, { closed }).filter((file) => !isWritten(file));
			const files = all.filter((file) => !isOther(file));
			if (files.length > 0) return { ...toFields(files), ...besides(output, files) };
		}
	}
	if (output === undefined || output === null) return {};
	const parts = typeof output === 'object' ? Object.values(output) : [];
	const isAll = Array.isArray(output) || parts.length < 2;
	const isOne = isAll && parts.every((part) => typeof part === 'string');
	const text = readText(output, isOne ? [...TEXT_PATHS, ...LONE_TEXT_PATHS] : TEXT_PATHS);
	if (isOne && text !== undefined) return { text };
	const others = [...new Map(filesIn(output).map((file) => [file.url, file])).values()];
	const areKnown = others.every(({ kind }) => kind !== undefined);
	const { kind, inline, ...addresses } = toFields(areKnown ? inOrder(others) : others);
	return { ...addresses, ...(areKnown && { kind, inline }), text, output: withoutFiles(output) };
}

/** Returns what stands beside files of a known kind: a text, and all of it if there is more, such as weights. */
function besides(output: unknown, files: Found[]): Pick<TaskFiles, 'text' | 'output'> {
	// It would count as no file to download.
	if (files[0].kind === undefined) return {};
	const urls = files.map(({ url }) => url);
	const isMore = ([name, value]: [string, unknown]) => {
		if (!isFilled(value) || typeof value === 'number' || typeof value === 'boolean') return false;
		const own = filesIn(value, name);
		return own.length === 0 ? !ASIDES.test(name) : own.some(({ url }) => !urls.includes(url));
	};
	const parts = typeof output === 'object' ? Object.entries(output ?? {}) : [];
	return {
		text: isObject(output) ? readText(output, TEXT_PATHS) : undefined,
		output: parts.some(isMore) ? withoutFiles(output) : undefined,
	};
}

const KINDS: MediaKind[] = ['video', 'image', 'sound'];
const inOrder = (files: Found[]) =>
	KINDS.flatMap((kind) => files.filter((file) => file.kind === kind));

function toFields(files: Found[]): TaskFiles {
	const isLink = ({ url }: Found) => toHttpUrl(url) !== undefined;
	const links = files.filter(isLink).map(({ url }) => url);
	const inline = files.filter((file) => !isLink(file)).map(({ url }) => url);
	return {
		result_url: links[0],
		result_urls: links.length > 1 ? links : undefined,
		inline: inline.length > 0 ? inline : undefined,
		kind: files[0]?.kind,
	};
}

/** Returns a text; a list of words is one, and so are lines. */
function readText(output: unknown, paths: string[]): string | undefined {
	for (const path of paths) {
		const words = valuesAt(output, path, { closed: true });
		const isText = words.every((word) => typeof word === 'string' && !isOneAddress(word));
		const text = isText ? words.join(path === '' ? '' : '\n') : '';
		if (text.trim() !== '') return text;
	}
	return undefined;
}

/** Returns all files in what a model has made, in the order in which they stand there. */
function filesIn(value: unknown, name?: string): Found[] {
	const file = toFile(value, name);
	if (file) return isWritten(file) ? [] : [file];
	if (typeof value !== 'object' || value === null) return [];
	return Object.entries(value).flatMap(([key, inner]) =>
		ECHOES.includes(key) ? [] : filesIn(inner, key),
	);
}

/** Returns the addresses of a task's files, as links or as data URIs, in their order. */
export const addressesOf = ({ result_url, result_urls, inline = [] }: TaskFiles): string[] => [
	...(result_urls ?? (result_url === undefined ? [] : [result_url])),
	...inline,
];

/** Returns whether a task has made something that is no file to download: a text, weights, a 3D model. */
export const hasNoMedia = ({ text, output, kind }: TaskFiles): boolean =>
	kind === undefined && (text !== undefined || output !== undefined);

/** Returns what a model has made; `undefined` if that is nothing (any more). */
export const unlessEmpty = (value: unknown): unknown => (isFilled(value) ? value : undefined);
