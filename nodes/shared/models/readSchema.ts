import type { IDataObject } from 'n8n-workflow';

import { ownValue, toObject, toObjects, toText, valueAt, withoutGaps } from '../lib/json';
import type { Made } from '../lib/mediaType';
import { startOf } from '../lib/text';
import { madeByFields, madeByResult } from './makes';
import type { Value } from './settings';

/** A field of a model's request. */
export interface Input {
	name: string;
	/** As JSON Schema calls it; that of the entries, if it is a list; missing if there are several. */
	type?: string;
	isList: boolean;
	/** The only values that it takes, as the model spells them; those of the entries, if it is a list. */
	list?: Value[];
	/** It takes an object, too: fal's `image_size` has names, or a width and a height. */
	orObject?: true;
	default?: unknown;
	/** The service's own words, on one line. */
	description?: string;
	minimum?: number;
	maximum?: number;
	/** How many entries a list takes. */
	maxItems?: number;
	required: boolean;
	/** Its description names HEIC among what it takes. */
	heic?: true;
	/** Where its service puts it: a list that is there by hand replaces it. */
	partOf?: string[];
}

export interface Model {
	/** As the service names it. */
	id: string;
	inputs: Input[];
	/** What it makes; missing if that cannot be told. */
	makes?: Made;
	/** Names of fields that it does not take together. */
	apart?: string[][];
	/** Names of fields, each with those that it cannot do without. */
	needs?: Record<string, string[]>;
	/** What it takes in each of its ways, if there are several. */
	ways?: ModelWay[];
	/** Its schema has more than `MAX_PARTS`, and `inputs` are not all. */
	isTooLarge?: true;
}

/** One of the ways to order from a model; the first that fits an order counts. */
export interface ModelWay {
	/** The field that makes an order one of this way; none of the last one. */
	begins?: string;
	inputs: Input[];
}

/**
 * The most fields and values of a schema, with what it refers to at each place. One of 200 fields with 20 values
 * each has 6,200.
 */
export const MAX_PARTS = 20_000;

/** A schema that is being read. */
interface SchemaReading {
	/** Where references lead. */
	document: IDataObject;
	/** How much of it has been read. */
	parts: number;
}

/**
 * Reads what a model takes; `undefined` if no schema of it is shown. At Replicate, anybody may publish one, and
 * one that refers to itself at several places has no end that anybody lives to see.
 *
 * @param id of the model that was asked for: some schemas of kie name another one (docs.kie.ai, 2026-08)
 * @param found what a service shows of it: the JSON Schemas of its input, or of each way to order from it, and of its
 *   result, the document to which references lead, and what it makes
 */
export function readModel(
	id: string,
	found: {
		input?: unknown;
		ways?: Array<{ begins?: string; schema: IDataObject }>;
		output?: unknown;
		document?: unknown;
		makes?: Made;
	},
): Model | undefined {
	const reading: SchemaReading = { document: toObject(found.document), parts: 0 };
	const schema = flatten(
		found.input ?? { anyOf: (found.ways ?? []).map((way) => way.schema) },
		reading,
	);
	const inputs = toInputs(schema, reading);
	const ways = found.ways?.map(({ begins, schema: own }) => ({
		begins,
		inputs: toInputs(flatten(own, reading), reading),
	}));
	if (reading.parts > MAX_PARTS) return { id, inputs, isTooLarge: true };
	const apart = toApart(schema);
	const needs = schema.dependentRequired as Model['needs'];
	if (inputs.length === 0) return undefined;
	const makes =
		found.makes ?? madeByResult(flatten(found.output, reading)) ?? madeByFields({ id, inputs });
	return withoutGaps<Model>({
		id,
		inputs,
		needs,
		ways,
		makes,
		apart: apart.length > 0 ? apart : undefined,
	});
}

function toInputs(schema: IDataObject, reading: SchemaReading): Input[] {
	const required = new Set(asList(schema.required));
	return Object.entries(toObject(schema.properties)).flatMap(([name, property]) => {
		const flat = flatten(property, reading);
		return isShown(flat) ? [toInput(name, flat, required.has(name), reading)] : [];
	});
}

/** Reads `not: {required: [...]}`, and the same of several sets in `anyOf`. */
const toApart = ({ not }: IDataObject): string[][] =>
	[not, valueAt(not, 'anyOf')]
		.flatMap((one) => toObjects([one].flat()))
		.map(({ required }) => asList(required).map(String))
		.filter(({ length }) => length > 1);

const asList = (value: unknown): unknown[] => (Array.isArray(value) ? (value as unknown[]) : []);

/** Returns whether a field is for people; the last two are WaveSpeed's marks. */
const isShown = ({ deprecated, disabled, 'x-hidden': isHidden }: IDataObject): boolean =>
	![deprecated, disabled, isHidden].includes(true);

/** Returns a schema with what it refers to, as one object. */
function flatten(schema: unknown, reading: SchemaReading, depth = 0): IDataObject {
	reading.parts += countParts(toObject(schema));
	// One that refers to itself has no end.
	if (depth > 9 || reading.parts > MAX_PARTS) return {};
	const { $ref, allOf, anyOf, oneOf, type, ...own } = toObject(schema);
	const inner = (one: unknown) => flatten(one, reading, depth + 1);
	const target = typeof $ref === 'string' ? [follow($ref, reading)] : [];
	const forms = [anyOf, oneOf].flatMap(toObjects).filter((form) => form.type !== 'null');
	const types = [type].flat().filter((one) => one !== 'null' && one !== undefined);
	const parts = [
		...[...target, ...toObjects(allOf)].map(inner),
		unite(forms.map(inner)),
		...(types.length === 1 ? [{ type: types[0] }] : []),
		...(own.const === undefined ? [] : [{ enum: [own.const] }]),
	];
	return Object.assign({}, ...parts, own) as IDataObject;
}

/** Returns how many fields a schema has, with those of its objects, and the entries of its lists. */
const countParts = (schema: IDataObject): number =>
	Object.values(schema).reduce<number>(
		(count, one) => count + 1 + (typeof one === 'object' ? Object.keys(one ?? {}).length : 0),
		0,
	);

const MAX_REFERENCE_NAMES = 10;

/** Returns what `#/components/schemas/Name` leads to. Each step is short, because there may be many. */
const follow = ($ref: string, { document }: SchemaReading): unknown =>
	$ref
		.split('/', MAX_REFERENCE_NAMES)
		.slice(1)
		.reduce<unknown>(
			(inner, name) =>
				Array.isArray(inner) ? (inner as unknown[])[Number(name)] : ownValue(toObject(inner), name),
			document,
		);

/** Returns what all forms take. Beside plain values, an object or a list is left out. */
function unite(forms: IDataObject[]): IDataObject {
	if (forms.length < 2) return forms[0] ?? {};
	const plain = forms.filter(({ type }) => type !== 'object' && type !== 'array');
	if (plain.length === 0) return uniteObjects(forms);
	const orObject = forms.some((form) => form.type === 'object');
	if (plain.length === 1) return { ...plain[0], ...(orObject && { orObject }) };
	const [{ type }] = plain;
	const lists = plain.map((form) => asList(form.enum) as Value[]);
	return {
		...(orObject && { orObject }),
		...(plain.every((form) => form.type === type) && { type }),
		...(lists.every(({ length }) => length > 0) && { enum: lists.flat() }),
	};
}

/** Four models of kie have a set of fields for each way to use them. Required is what all sets require. */
function uniteObjects(forms: IDataObject[]): IDataObject {
	const fields = new Map<string, unknown[]>();
	for (const { properties } of forms) {
		for (const [name, field] of Object.entries(toObject(properties))) {
			fields.set(name, fields.get(name) ?? []);
			fields.get(name)!.push(field);
		}
	}
	const widened = [...fields].map(([name, all]) => [name, widen(toObjects(all))]);
	const required = forms.map((form) => new Set(asList(form.required)));
	return {
		properties: Object.fromEntries(widened) as IDataObject,
		required: [...fields.keys()].filter((name) => required.every((names) => names.has(name))),
	};
}

/** Returns a field that takes whatever one of the sets takes. */
function widen(fields: IDataObject[]): IDataObject {
	const lists = fields.map((one) => asList(one.const === undefined ? one.enum : [one.const]));
	const isListed = lists.every(({ length }) => length > 0);
	const most = fields.map(({ maxItems }) => asNumber(maxItems));
	return {
		...(Object.assign({}, ...fields) as IDataObject),
		const: undefined,
		enum: isListed ? ([...new Set(lists.flat())] as Value[]) : undefined,
		maxItems: most.includes(undefined) ? undefined : Math.max(...(most as number[])),
	};
}

const asNumber = (value: unknown) => (typeof value === 'number' ? value : undefined);

/** Its service shows a person no more than some lines, either. */
const MAX_DESCRIPTION_CHARS = 200;

/** "Supported formats: JPG, PNG, WebP, BMP, TIFF, GIF, HEIC, HEIF" (fal's Seedance 2.5, 2026). */
const HEIC = /\bhei[cf]\b/i;

function toInput(
	name: string,
	schema: IDataObject,
	required: boolean,
	reading: SchemaReading,
): Input {
	const isList = schema.type === 'array';
	const { type, ...entry } = isList ? flatten(schema.items, reading) : schema;
	const isValue = (one: unknown) => ['string', 'number', 'boolean'].includes(typeof one);
	const list = asList(schema.enum ?? entry.enum).filter(isValue) as Value[];
	const description = toText(schema.description);
	return {
		// Some names of kie end in a space (docs.kie.ai, 2026-08).
		...{ name: name.trim(), isList, required },
		type: typeof type === 'string' ? type : undefined,
		list: list.length > 0 ? list : undefined,
		// Replicate writes null for no default.
		default: schema.default ?? undefined,
		minimum: asNumber(entry.minimum),
		maximum: asNumber(entry.maximum),
		maxItems: asNumber(schema.maxItems),
		...(schema.orObject === true && { orObject: true }),
		...(description && { description: startOf(description, MAX_DESCRIPTION_CHARS) }),
		...(HEIC.test(String(schema.description)) && { heic: true }),
		...(schema.partOf !== undefined && { partOf: [String(schema.partOf)] }),
	};
}
