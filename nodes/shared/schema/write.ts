import type { IDataObject } from 'n8n-workflow';

import { mergeByHand } from '../family/body';
import { type Role, type SettingName, toLabel, type Value } from '../family/row';
import { REPLACED, ROLES, type VideoSpec, type Written } from '../family/toRequest';
import { holdsValue } from '../lib/json';
import { fit, toWanted } from './fit';
import type { Input, Model } from './readModel';
import { findSettings, type Setting, type Settings } from './settings';

type Video = Pick<VideoSpec, 'prompt' | 'settings' | 'pictures' | 'byHand'>;

type Refusal = Extract<Written, { refusal: object }>['refusal'];

/** What becomes of a setting, or of a picture. */
interface Part {
	/** What the editor calls it. */
	label: string;
	/** `replaced`: by Additional Fields (JSON). `lacking`: a field for it. */
	is?: 'replaced' | 'lacking';
	/** Where the value goes. */
	input?: Input;
	value?: Value;
	refusal?: Refusal;
}

/**
 * Returns the input of a model for everything that was set, in the model's own names and values, without its
 * ID. Refuses what the schema rules out; few schemas say which settings exclude each other.
 */
export function writeInput(model: Model, video: Video): Written {
	const fields = findSettings(model);
	const { byHand } = video;
	const parts = toSet(video).map(([setting, value]) => place(model, fields, video, setting, value));
	const form: IDataObject = {};
	for (const { input, value } of parts) {
		if (!input) continue;
		const { name, isList } = input;
		form[name] = isList ? [...((form[name] ?? []) as string[]), String(value)] : value;
	}
	const request = mergeByHand(form, byHand);
	const unset = model.inputs.filter(
		({ name, required }) => required && request[name] === undefined && byHand[name] !== null,
	);
	for (const input of unset) request[input.name] = defaultOf(input, fields) as IDataObject;
	const missing = unset.filter(({ name }) => request[name] === undefined);
	const refusal =
		refuseLacking(model, fields, parts) ??
		parts.find((part) => part.refusal)?.refusal ??
		refuseMany(model, parts) ??
		refuseApart(model, parts) ??
		refuseMissing(model, fields, missing);
	if (refusal) return { refusal };
	const replaced = labelsOf(parts, 'replaced');
	return { request, notes: replaced ? [`${replaced}: ${REPLACED}`] : [] };
}

/** Returns everything that is set, in the order in which refusals name it. */
function toSet({ prompt, settings: set, pictures }: Video): Array<[Setting, Value]> {
	const { first, last, references } = pictures;
	const all = [
		['prompt', prompt],
		['first', first],
		['last', last],
		...references.map(({ kind, url }) => [kind, url]),
		...Object.entries(set),
	];
	return all.filter(([, value]) => value !== undefined) as Array<[Setting, Value]>;
}

const labelOf = (setting: Setting): string =>
	setting in ROLES ? ROLES[setting as Role] : toLabel(setting as SettingName);

const labelsOf = (parts: Part[], is: Part['is']): string =>
	[...new Set(parts.flatMap((part) => (part.is === is ? part.label : [])))].join(', ');

function place(
	{ id }: Model,
	fields: Settings,
	{ pictures, byHand }: Video,
	setting: Setting,
	value: Value,
): Part {
	const { [setting]: input } = fields;
	const label = labelOf(setting);
	if (!input) {
		// A few models render from an image alone.
		const isLeftOut = setting === 'prompt' && byHand.prompt === null;
		return { label, is: isLeftOut ? undefined : 'lacking' };
	}
	// JSON Schema tells names apart by letter case.
	if (holdsValue(byHand[input.name])) return { label, is: 'replaced' };
	if (setting === 'last' && input === fields.first && !pictures.first) {
		const advice = 'Set First Frame to the image that the video starts from.';
		return { label, refusal: { message: 'A last frame needs a first one', advice } };
	}
	const fitting = fit(input, value);
	if (fitting !== undefined) return { label, input, value: fitting };
	const message = `${label} must be ${toWanted(input)}`;
	const advice = `It is "${String(value).slice(0, 50)}", which "${id}" does not take.`;
	return { label, refusal: { message, advice } };
}

/** Returns what a required field has if nothing is set. */
function defaultOf(input: Input, fields: Settings): unknown {
	// Two models of kie have `[""]` and `[]` as default of the image that they need (2026-08).
	if (input.isList && Object.values(fields).includes(input)) return undefined;
	if (input.default !== undefined) return input.default;
	// kie's Kling 3.0 requires its list of shots even for a single one (2026-08).
	if (input.name === 'multi_prompt') return [];
	return input.type === 'boolean' ? false : undefined;
}

/** Refuses at once all that the model has no field for, and says which other fields it has. */
function refuseLacking(model: Model, fields: Settings, parts: Part[]): Refusal | undefined {
	const { id, inputs } = model;
	const lacking = labelsOf(parts, 'lacking');
	if (!lacking) return undefined;
	const others = inputs.filter((input) => !Object.values(fields).includes(input));
	const names = others.map(({ name }) => name).join(', ');
	// At fal, another model takes the image.
	const isFrame = lacking.includes(ROLES.first);
	const orElse = isFrame ? ', or choose a model that renders from an image' : '';
	const fix = fields.prompt
		? `Remove ${lacking}${orElse}.`
		: 'Write "prompt": null into Additional Fields (JSON).';
	const advice = names ? `${fix} Additional Fields (JSON) can set: ${names}.` : fix;
	return { message: `"${id}" has no field for: ${lacking}`, advice };
}

/** Refuses more pictures than a field takes. */
function refuseMany({ id }: Model, parts: Part[]): Refusal | undefined {
	for (const { label, input } of parts) {
		const most = input?.isList ? (input.maxItems ?? Infinity) : 1;
		if (!input || parts.filter((part) => part.input === input).length <= most) continue;
		return { message: `${label}: "${id}" takes at most ${most}`, advice: 'Remove the others.' };
	}
	return undefined;
}

/** Refuses fields that exclude each other. */
function refuseApart({ id, apart = [] }: Model, parts: Part[]): Refusal | undefined {
	const isSet = (name: string) => parts.some(({ input }) => input?.name === name);
	const names = apart.find((set) => set.every(isSet));
	if (!names) return undefined;
	const both = parts.flatMap(({ label, input }) =>
		names.includes(input?.name ?? '') ? label : [],
	);
	const labels = [...new Set(both)].join(' and ');
	return { message: `"${id}" does not take ${labels} together`, advice: 'Remove one of them.' };
}

/** Refuses a request without what the model cannot do without. */
function refuseMissing({ id }: Model, fields: Settings, missing: Input[]): Refusal | undefined {
	if (missing.length === 0) return undefined;
	const needs = missing.map((input) => {
		const { name, list } = input;
		const setting = (Object.keys(fields) as Setting[]).find((one) => fields[one] === input);
		if (!setting) return { label: name, fix: `Write ${name} into Additional Fields (JSON).` };
		const label = labelOf(setting);
		return { label, fix: `Set ${label}${list ? ` to one of: ${list.join(', ')}` : ''}.` };
	});
	const message = `"${id}" needs ${needs.map(({ label }) => label).join(', ')}`;
	return { message, advice: needs.map(({ fix }) => fix).join(' ') };
}
