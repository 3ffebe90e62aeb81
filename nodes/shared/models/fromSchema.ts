import type { IDataObject } from 'n8n-workflow';

import { isFilled, ownValue, withoutGaps } from '../lib/json';
import { sentences } from '../lib/text';
import { findSettings, type Inputs } from './findSettings';
import { sayAll, toWanted } from './fit';
import { describeField } from './modelFields';
import { choicesOf, findSize, ratioOf, sizesOf } from './pixels';
import type { Input, Model, ModelWay } from './readSchema';
import {
	type Choice,
	CHOICES,
	type Role,
	ROLE_NAMES,
	ROLES,
	SETTING_NAMES,
	type SettingName,
	toLabel,
	toRoles,
	type Value,
} from './settings';
import {
	ALL,
	type Completed,
	type Field,
	type BesideSettings,
	type PictureFields,
	type Refusal,
	type Takes,
	type Version,
} from './takes';

/**
 * Returns what a model takes by its schema: its request has the model's own names and values, and no `model`.
 *
 * @param adviseByHand says how its service takes what no field is for
 */
export function fromSchema(
	model: Model,
	adviseByHand?: (lacking: string) => string | undefined,
): Takes {
	const inputs = findSettings(model);
	const used = new Set(Object.values(inputs));
	return {
		label: 'This model',
		isExact: true,
		makes: model.makes,
		versions: [toVersion(model, inputs)],
		...toPlaces(inputs),
		placesOf(order) {
			const way = wayOf(model, begunBy(order, inputs));
			const { resolution, ...others } = inputs;
			// HappyHorse has it as a field with an image, and in its sizes without one.
			const isInSize = way && !way.inputs.some(({ name }) => name === resolution?.name);
			return toPlaces(isInSize && sizesOf(inputs.aspectRatio) ? others : inputs);
		},
		pictures: toPictureFields(model, inputs),
		prompt: { at: inputs.prompt?.name, isOptional: !inputs.prompt?.required },
		advice: (lacking) => sentences(adviseLacking(model, inputs, lacking), adviseByHand?.(lacking))!,
		modelFields: model.inputs,
		otherFields: model.inputs.filter((input) => !used.has(input)),
		complete(request, byHand, modelFields) {
			// The chosen model has led to the schema. Suno's at kie.ai have a field of that name, too.
			const fields = withoutGaps({ ...request, model: modelFields.model });
			const way = wayOf(model, fields);
			const refusal = way && refuseInWay(model, inputs, fields, byHand, way);
			return refusal ? { refusal } : complete(model, inputs, fields, byHand, way);
		},
	};
}

/** Returns where settings go. */
function toPlaces(inputs: Inputs): Pick<Takes, 'fields' | 'shape'> {
	const sizes = sizesOf(inputs.aspectRatio);
	return {
		fields: {
			...Object.fromEntries(
				SETTING_NAMES.flatMap((name) => (inputs[name] ? [[name, toField(inputs[name])]] : [])),
			),
			...(sizes && toSizeFields(inputs)),
		},
		shape: sizes && (({ ratio, resolution }) => toSize(inputs, sizes, ratio, resolution)),
	};
}

/** Returns what an order has that may tell its way. */
const begunBy = (
	{ pictures, modelFields, byHand }: BesideSettings,
	inputs: Inputs,
): IDataObject => ({
	...Object.fromEntries(toRoles(pictures).map(([role, url]) => [inputs[role]?.name, url])),
	...modelFields,
	...byHand,
});

/** Returns the fields of the shape, if both settings go into one; a resolution that has its own does not. */
function toSizeFields({ aspectRatio, resolution }: Inputs): Takes['fields'] {
	const field = { at: [], or: [aspectRatio!.name] };
	return resolution ? { aspectRatio: field } : { aspectRatio: field, resolution: field };
}

function toSize(inputs: Inputs, sizes: string[], ratio?: string, resolution?: string) {
	const own = inputs.resolution ? undefined : resolution;
	if (ratio === undefined) return inputs.resolution ? {} : undefined;
	const size = findSize(sizes, ratio, own);
	return size === undefined ? undefined : { [inputs.aspectRatio!.name]: size };
}

/** Returns the way in which a model is ordered; `undefined` if it has but one, or lacks what each begins with. */
const wayOf = ({ ways }: Model, request: IDataObject): ModelWay | undefined =>
	ways?.find(({ begins }) => begins === undefined || isFilled(ownValue(request, begins)));

/** Refuses what a model takes in another way alone: nobody knows whether it would be dropped, and billed. */
function refuseInWay(
	{ id, inputs: all, ways = [] }: Model,
	inputs: Inputs,
	request: IDataObject,
	byHand: IDataObject,
	way: ModelWay,
): Refusal | undefined {
	const toWords = (name: string) => {
		const input = all.find((one) => one.name === name);
		return (input && labelOf(input, inputs)) ?? name;
	};
	for (const { name } of all) {
		const value = ownValue(request, name);
		if (!isFilled(value)) continue;
		const label = toWords(name);
		const own = way.inputs.find((one) => one.name === name);
		if (!own) {
			const other = ways.find((one) => one.inputs.some((input) => input.name === name))?.begins;
			const beside = way.begins
				? ` beside ${toWords(way.begins)}`
				: other
					? ` without ${toWords(other)}`
					: '';
			return { message: `"${id}" takes no ${label}${beside}`, advice: `Remove ${label}.` };
		}
		const isListed = !own.list || own.isList || own.list.includes(value as Value);
		if (isListed) continue;
		const isShape = name === inputs.aspectRatio?.name;
		// Nobody has chosen the pixels of a ratio.
		const said = isShape && byHand[name] !== value ? ratioOf(String(value)) : String(value);
		const beside = way.begins ? `with ${toWords(way.begins)}` : 'from text';
		const message = `${label} is "${said.slice(0, 50)}", which "${id}" does not take ${beside}`;
		const { aspectRatio: ratios = own.list } = choicesIn(own, isShape);
		const takesIt = (one: Input) => one.name === name && one.list?.includes(value as Value);
		const other = ways.find((one) => one.inputs.some(takesIt));
		const otherwise = other?.begins
			? ` With ${toWords(other.begins)}, it also takes ${said}.`
			: other && ` Without ${toWords(way.begins!)}, it also takes ${said}.`;
		return { message, advice: `It takes: ${sayAll(ratios!)}.${otherwise ?? ''}` };
	}
	return undefined;
}

const toField = ({ name, type, list, minimum, maximum }: Input): Field => ({
	...{ at: [name], type, only: list, min: minimum, max: maximum },
});

function toPictureFields(model: Model, inputs: Inputs): PictureFields {
	const takes = ROLE_NAMES.filter((role) => inputs[role]);
	const ofEach = <Kind>(read: (input: Input) => Kind) =>
		Object.fromEntries(takes.map((role) => [role, read(inputs[role]!)])) as Partial<
			Record<Role, Kind>
		>;
	return {
		takes,
		at: ofEach(({ name, partOf = [] }) => [name, ...partOf]),
		most: ofEach(({ isList, maxItems }) => (isList ? (maxItems ?? Infinity) : 1)),
		mixes: excludesFrames(model, inputs) ? undefined : ALL,
		// In one list, it would be the first.
		lastAlone: inputs.last !== inputs.first && !needsFirst(model, inputs),
		heic: takes.some((role) => inputs[role]?.heic) ? ALL : undefined,
		write(pictures) {
			const fields: IDataObject = {};
			for (const [role, url] of toRoles(pictures)) {
				const { name, isList } = inputs[role]!;
				const list = fields[name];
				if (Array.isArray(list)) (list as string[]).push(url);
				else fields[name] = isList ? [url] : url;
			}
			return fields;
		},
	};
}

const needsFirst = ({ needs = {} }: Model, { first, last }: Inputs): boolean =>
	first !== undefined && needs[last?.name ?? '']?.includes(first.name) === true;

/** Returns whether the model takes no frame beside a reference. */
const excludesFrames = ({ apart = [] }: Model, inputs: Inputs): boolean =>
	apart.some((names) => {
		const hasOne = (...roles: Role[]) =>
			roles.some((role) => names.includes(inputs[role]?.name ?? ''));
		return hasOne('first', 'last') && hasOne('image', 'video', 'sound');
	});

const MAX_RANGE = 60;

function toVersion({ id }: Model, inputs: Inputs): Version {
	const version: Version = { label: id, model: id, matches: ALL, checked: '', byDefault: {} };
	for (const choice of CHOICES) {
		const input = inputs[choice];
		version[choice] = input && listValues(input)?.map((value) => toChoice(choice, value));
		const sizes = sizesOf(inputs.aspectRatio);
		if (sizes && choice !== 'duration' && (choice === 'aspectRatio' || !input)) {
			version[choice] = choicesOf(sizes)[choice];
		}
		const byDefault = input?.default as Value | undefined;
		if (byDefault !== undefined) version.byDefault![choice] = toChoice(choice, byDefault);
	}
	return version;
}

/** Returns exactly what a field takes; `undefined` if its schema does not list that. */
function listValues({ list, type, minimum, maximum }: Input): Value[] | undefined {
	const isNumber = type === 'integer' || type === 'number';
	if (list || !isNumber || minimum === undefined || maximum === undefined) return list;
	if (maximum - minimum > MAX_RANGE) return undefined;
	const first = Math.ceil(minimum);
	const all = Array.from({ length: Math.floor(maximum) - first + 1 }, (_one, i) => first + i);
	// Seedance on Replicate takes -1 to 30, where -1 lets the model choose.
	return all.filter((one) => one !== 0);
}

/** Returns a length as a number, so that a choice outlives a change of the model: "8s" is 8, "auto" -1. */
function toChoice(choice: Choice, value: Value): Value {
	if (choice !== 'duration') return value;
	if (value === 'auto') return -1;
	return /^-?\d+s?$/.test(String(value)) ? parseInt(String(value), 10) : value;
}

/** Returns what to do about all that the model has no field for, and which other fields it has. */
function adviseLacking({ inputs: all }: Model, inputs: Inputs, lacking: string): string {
	const used = new Set(Object.values(inputs));
	// kie's Veo 3.1 has one list for frames and, by another of its fields, for references.
	if (inputs.first?.isList && lacking.includes(ROLES.image.label)) used.delete(inputs.first);
	const others = all.filter((input) => !used.has(input));
	const names = others.map(({ name }) => name).join(', ');
	const isFrame = lacking.includes(ROLES.first.label);
	// At fal, another model takes the image.
	const otherwise = inputs.image
		? ', and add it to Input Files with the role Reference'
		: ', or choose a model that renders from an image';
	const orElse = isFrame ? otherwise : '';
	const fix = `Remove ${lacking}${orElse}.`;
	return names ? `${fix} Model Fields can set: ${names}.` : fix;
}

/** Adds the defaults of what is required, or says what the model cannot do without. */
function complete(
	{ id, inputs: all }: Model,
	inputs: Inputs,
	{ ...request }: IDataObject,
	byHand: IDataObject,
	way?: ModelWay,
): Completed {
	const needed = new Set((way?.inputs ?? all).filter((one) => one.required).map((one) => one.name));
	const unset = all.filter(
		({ name }) => needed.has(name) && !isFilled(ownValue(request, name)) && byHand[name] !== null,
	);
	for (const input of unset) request[input.name] = defaultOf(input, inputs) as IDataObject;
	// An empty list may be a default.
	const missing = unset.filter(({ name }) => ownValue(request, name) === undefined);
	if (missing.length === 0) return { request };
	const needs = missing.map((input) => {
		const { name, list } = input;
		const label = labelOf(input, inputs);
		if (!label)
			return { label: name, fix: `Add ${name} in Model Fields: ${describeField(input)}.` };
		const inFiles = ROLE_NAMES.some((role) => role !== 'first' && inputs[role] === input);
		if (inFiles && inputs.first !== input)
			return { label, fix: `Add the file to Input Files, with the role ${label}.` };
		const { aspectRatio: ratios = list } = choicesIn(input, input === inputs.aspectRatio);
		return { label, fix: `Set ${label}${list ? ` to ${toWanted({ only: ratios })}` : ''}.` };
	});
	const message = `"${id}" needs ${needs.map(({ label }) => label).join(', ')}`;
	return { refusal: { message, advice: needs.map(({ fix }) => fix).join(' ') } };
}

/** Returns the ratios of a field that has sizes in pixels. */
function choicesIn(input: Input, isShape: boolean): { aspectRatio?: Value[] } {
	const sizes = isShape && sizesOf(input);
	return sizes ? choicesOf(sizes) : {};
}

/** Returns what a required field has if nothing is set. */
function defaultOf(input: Input, inputs: Inputs): unknown {
	// Two models of kie have `[""]` and `[]` as default of the image that they need (2026-08).
	if (input.isList && Object.values(inputs).includes(input)) return undefined;
	if (input.default !== undefined) return input.default;
	// kie's Kling 3.0 requires its list of shots even for a single one (2026-08).
	if (input.name === 'multi_prompt') return [];
	return input.type === 'boolean' ? false : undefined;
}

/** Returns what the editor calls the setting of a field. */
function labelOf(input: Input, inputs: Inputs): string | undefined {
	const [name] = Object.entries(inputs).find(([, one]) => one === input) ?? [];
	if (name === undefined) return undefined;
	return name in ROLES ? ROLES[name as Role].label : toLabel(name as SettingName);
}
