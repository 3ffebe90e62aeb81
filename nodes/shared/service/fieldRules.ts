import type { IDataObject } from 'n8n-workflow';

import { isObject, toText } from '../lib/json';

/**
 * What plain refusals of one video have shown of the fields that a service reads. They hold for no other
 * video, because a refusal may be about one item.
 */
export interface FieldRules {
	/** Goes up with fields that it refuses as unknown: 0 is the usual way of writing settings. */
	way: 0 | 1 | 2;
	/** Fields that it does not know, or refuses beside others of the same meaning. */
	excluded: string[];
	/** Fields that it wants in another type. */
	types: Record<string, Type>;
	/** Fields that take a setting as a word of their own list, and whether it is in capitals. */
	words: Record<string, { of: Listed; isCapital: boolean }>;
}

type Type = keyof typeof TYPES;
type Listed = 'aspectRatio' | 'resolution';

export const createFieldRules = (): FieldRules => ({
	...{ way: 0, excluded: [], types: {}, words: {} },
});

const UNKNOWN =
	/(unknown|unrecogni[sz]ed|unexpected|extra|additional)[ _](request )?(parameter|field|propert|input|argument|key)|extra_forbidden/i;
const EXCLUDES =
	/mutually exclusive|(can|must|may|do|does|is|are)( ?not|n't) (be )?(combine|compatible|use|pass|specif|provid|set|send|sent|allow)\w*\b.{0,60}\b(with|together|both)\b|only one of|not both|二选一|互斥|不能同时/i;
const WANTS =
	/\bof type \*?(\w+)|\b(?:valid|expected|expects|expecting|must be|should be)(?: an?| the)?(?: valid)? (\w+)/gi;

/** The types that services write, by the words for them, and how a value takes them. */
const TYPES = {
	text: [/^(str|string|text)$/i, (value: unknown) => String(value)],
	number: [
		/^(u?int(eger)?(32|64)?|float(32|64)?|double|number)$/i,
		(value: unknown) => Number(value),
	],
	// OpenAI's own form of a picture in JSON.
	object: [/^(object|dict|dictionary|struct|map)$/i, (value: unknown) => ({ image_url: value })],
} satisfies Record<string, [RegExp, (value: unknown) => unknown]>;

/** The spellings of one setting. Of those that exclude each other, the first stays. */
const SPELLINGS = [
	['duration', 'seconds', 'duration_seconds'],
	['aspect_ratio', 'ratio', 'size', 'width', 'height'],
	['resolution', 'size', 'width', 'height'],
	['image', 'images', 'image_url', 'image_urls', 'input_reference', 'frame_images'],
];
const LISTED: Record<Listed, RegExp> = {
	aspectRatio: /(?<![\w:.])\d{1,2}[:x]\d{1,2}(?![\w:])/i,
	resolution: /(?<!\w)(\d{3,4}p|[248]k)(?!\w)/i,
};

/**
 * Learns from the words of a plain refusal what the service reads. Returns whether there is anything new
 * in them: then another request may be taken, which means the same.
 */
export function learnFields(rules: FieldRules, words: string, request: IDataObject): boolean {
	const before = JSON.stringify(rules);
	// Names are known by what is around them: "size" is a word of its own, "oversize" is not.
	const named = Object.keys(request).filter((name) =>
		new RegExp(`(?<![\\w])${name.replace(/\W/g, '\\$&')}(?![\\w])`, 'i').test(words),
	);
	if (UNKNOWN.test(words)) {
		const isSpare = named.length > 0 && named.every((name) => isSpelledAgain(name, named, request));
		if (isSpare && rules.way === 0 && rules.excluded.length < MAX_UNKNOWN) {
			rules.excluded.push(...named);
			return true;
		}
		if (rules.way === 2) return false;
		// What is left out in one way may be all that another one writes.
		Object.assign(rules, createFieldRules(), { way: rules.way + 1 });
		return true;
	}
	// A refusal with figures is about values, and its "seconds" are no field.
	if (named.length > 1 && EXCLUDES.test(words) && !/\d/.test(words.replace(/^\d+ /, ''))) {
		// A setting that is refused beside another one is no spelling too many.
		const excluded = SPELLINGS.flatMap((names) =>
			names.filter((name) => named.includes(name)).slice(1),
		);
		rules.excluded = [...new Set([...rules.excluded, ...excluded])];
	} else if (!EXCLUDES.test(words)) {
		for (const name of named) learnValue(rules, words, name, request);
	}
	return JSON.stringify(rules) !== before;
}

/** A service that does not know more fields than this knows few, and gets another way of writing. */
const MAX_UNKNOWN = 3;

/** Returns whether a field may be left out, because all that it says stands in other fields, too. */
function isSpelledAgain(name: string, without: string[], request: IDataObject): boolean {
	// All of it is at the top level, too.
	if (name === 'metadata') return true;
	const groups = SPELLINGS.filter((names) => names.includes(name));
	const stays = (one: string) => one in request && !without.includes(one);
	return groups.length > 0 && groups.every((names) => names.some(stays));
}

function learnValue(
	{ types, words: ofWords }: FieldRules,
	words: string,
	name: string,
	request: IDataObject,
) {
	const value = request[name];
	const wanted = [...words.matchAll(WANTS)].map(([, one, other]) => one ?? other);
	const type = (Object.keys(TYPES) as Type[]).find((kind) =>
		wanted.some((word) => TYPES[kind][0].test(word)),
	);
	const isFit = {
		text: typeof value === 'number',
		number: typeof value === 'string' && /^\d+$/.test(value),
		object: name === 'input_reference' && typeof value === 'string',
	};
	if (type && isFit[type] && !/metadata/.test(words)) types[name] ??= type;
	// Without the value itself, which some repeat.
	const listing = words.replaceAll(toText(value) ?? '', '');
	const isSet = { resolution: 'resolution' in request, aspectRatio: 'aspect_ratio' in request };
	const of = (['resolution', 'aspectRatio'] as const).find(
		(one) => LISTED[one].test(listing) && isSet[one],
	);
	const isCapital = /\d[PK]\b/.test(listing);
	const isNews = name === 'size' || (name === of && isCapital);
	if (of && isNews) ofWords[name] ??= { of, isCapital };
}

/**
 * Returns fields as the service reads them; a size whose word is not set is left out.
 *
 * @param set the settings, by name
 */
export function applyRules(
	{ excluded, types, words }: FieldRules,
	fields: IDataObject,
	set: Partial<Record<Listed, unknown>> = {},
): IDataObject {
	const entries = Object.entries(fields).flatMap(([name, value]): Array<[string, unknown]> => {
		if (excluded.includes(name)) return [];
		if (isObject(value)) return [[name, applyRules({ ...NO_RULES, words }, value, set)]];
		const { of, isCapital } = words[name] ?? {};
		if (of) {
			const word = toText(set[of]);
			return word === undefined ? [] : [[name, isCapital ? word.toUpperCase() : word]];
		}
		return [[name, types[name] && !Array.isArray(value) ? TYPES[types[name]][1](value) : value]];
	});
	return Object.fromEntries(entries) as IDataObject;
}

const NO_RULES = createFieldRules();
