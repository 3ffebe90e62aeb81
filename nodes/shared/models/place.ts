import type { IDataObject } from 'n8n-workflow';

import { holdsValue } from '../lib/json';
import { hasValueAt, writeAt } from './body';
import { isListed, takesAll } from './families/versions';
import { fit, toWanted } from './fit';
import { RENDERS_FROM } from './names';
import {
	CHOICES,
	isChoice,
	type Pictures,
	type Role,
	ROLE_NAMES,
	ROLES,
	type SettingName,
	toLabel,
	toLabels,
	toRoles,
	type Value,
} from './settings';
import {
	type Field,
	insteadOf,
	isFamily,
	type PictureFields,
	type Refusal,
	type Takes,
	type Version,
} from './takes';

/** Everything that was set for one video. */
export interface VideoSpec {
	model: string;
	/** Empty if there is none. */
	prompt: string;
	settings: Partial<Record<SettingName, Value>>;
	pictures: Pictures;
	/** Additional Fields (JSON). */
	byHand: IDataObject;
	/** What is set by the names of the model's schema. */
	modelFields?: IDataObject;
	/** `owned_by` of the model in the service's list. */
	owner?: string;
}

/** A video, with what is known of its model, while its request is written. */
export interface Draft {
	takes: Takes;
	video: VideoSpec;
	/** The plain name of the model. */
	name: string;
	version?: Version;
	/** Something is known of what arrives. */
	isKnown: boolean;
	/** The channel is another vendor's. */
	isForeign: boolean;
}

/** What becomes of the prompt, a setting or pictures. */
export interface Part {
	/** What the editor calls them. */
	label?: string;
	/** `unsure`: sent, with a hint. `replaced`: by Model Fields or Additional Fields (JSON). `lacking`: a field for it. */
	is?: 'unsure' | 'replaced' | 'lacking';
	fields?: IDataObject;
	/** The pictures in `fields`. */
	pictures?: Array<[Role, string]>;
	/** What to do in place of what has no field. */
	instead?: string;
	refusal?: Refusal;
}

/**
 * Returns whether anything stands there by hand. JSON Schema tells names apart by letter case, and a setting has
 * one name, so a null takes it away; elsewhere, a null takes away one of several spellings.
 */
const isByHand = ({ takes, video: { byHand } }: Draft, paths: readonly string[]): boolean =>
	takes.isExact
		? paths.some((path) => byHand[path] === null || holdsValue(byHand[path]))
		: hasValueAt(byHand, paths);

export const toWord = <Kind extends Value | undefined>(value: Kind) =>
	typeof value === 'string' ? value.trim().toLowerCase() : value;

export function placePrompt(draft: Draft): Part {
	const { takes, video } = draft;
	const { at } = takes.prompt ?? { at: 'prompt' };
	const label = 'Prompt';
	const isRemoved = at === undefined && video.byHand.prompt === null;
	if (isRemoved || video.prompt === '') return {};
	if (isByHand(draft, [at ?? 'prompt'])) return { label, is: 'replaced' };
	return at === undefined ? { label, is: 'lacking' } : { fields: { [at]: video.prompt } };
}

export function placeSetting(draft: Draft, setting: SettingName): Part {
	const { takes, video, name, version, isKnown, isForeign } = draft;
	const { [setting]: field } = takes.fields;
	const label = toLabel(setting);
	if (field && isByHand(draft, pathsOf(field))) return { label, is: 'replaced' };
	if (!field || field.not?.test(name)) {
		return { label, is: 'lacking', instead: insteadOf(takes, setting) };
	}
	const typed = video.settings[setting]!;
	// Only New API is known to read small letters. A text such as Negative Prompt goes as it is.
	const word = isFamily(takes) && isChoice(setting) ? toWord(typed) : typed;
	const isAuto = field.auto !== undefined && word === -1;
	const range = setting === 'duration' && !takes.isExact ? { min: 1, ...field } : field;
	const value = isAuto ? word : fit(range, word);
	if (value === undefined) {
		const who = takes.isExact ? `"${video.model}" does not take` : 'the service would drop';
		const advice = `It is "${String(typed).slice(0, 50)}", which ${who}.`;
		return { label, refusal: { message: `${label} must be ${toWanted(range)}`, advice } };
	}
	const paths = isAuto ? [field.auto!] : isForeign ? withoutSize(field) : field.at;
	// Channels of OpenAI's kind read `seconds`, too.
	const isRead = !isForeign || paths.includes('seconds');
	const isSure = takes.isExact ?? (isKnown && isRead && isListed(version, setting, value));
	const fields = writeAt(paths, field.say ? field.say(value) : value);
	return { label, is: isSure ? undefined : 'unsure', fields };
}

const pathsOf = ({ at, or = [] }: Field) => [...at, ...or];

/** A channel of OpenAI's kind refuses a `size` that is not in pixels. */
const withoutSize = (field: Field): string[] =>
	field.at.includes('size')
		? pathsOf(field)
				.filter((path) => path !== 'size')
				.slice(0, 1)
		: field.at;

/** Writes Aspect Ratio and Resolution as one, where the row does. */
export function placeShape(draft: Draft): Part {
	const { takes, video, name, version, isForeign } = draft;
	const { aspectRatio, resolution } = video.settings as Record<string, string | undefined>;
	const label = CHOICES.filter((one) => one !== 'duration' && one in video.settings)
		.map(toLabel)
		.join(', ');
	const fields = [takes.fields.aspectRatio, takes.fields.resolution];
	const isReplaced = fields.some((field) => field && isByHand(draft, pathsOf(field)));
	if (!takes.shape || (aspectRatio ?? resolution) === undefined || isReplaced) return {};
	const shape = takes.shape({
		ratio: toWord(aspectRatio),
		resolution: toWord(resolution),
		highest: version?.resolution?.at(-1) as string | undefined,
		...{ isForeign, name },
	});
	if (shape) return { label, fields: shape };
	const wanted = [aspectRatio, resolution].flatMap((one) => one?.slice(0, 50) ?? []).join(' in ');
	const message = aspectRatio
		? `${wanted} is no size that can be sent`
		: 'Resolution needs Aspect Ratio beside it';
	const advice =
		'Change Aspect Ratio or Resolution, or write a size into Additional Fields (JSON).';
	return { refusal: { message, advice } };
}

/** Returns where a picture goes, or one of a role. */
export function picturePaths({ at }: PictureFields, role?: Role): string[] {
	if (Array.isArray(at)) return at;
	return role ? (at[role] ?? []) : Object.values(at).flat();
}

/** Places the pictures, as far as none by hand takes their place. */
export function placePictures(draft: Draft): Part[] {
	const { pictures } = draft.takes;
	const all = toRoles(draft.video.pictures);
	const isReplaced = ([role]: [Role, string]) => isByHand(draft, picturePaths(pictures, role));
	const [replaced, left] = [all.filter(isReplaced), all.filter((one) => !isReplaced(one))];
	return [
		...(replaced.length > 0 ? [{ label: roleLabels(replaced), is: 'replaced' } as Part] : []),
		...(left.length > 0 ? [placeLeft(draft, left)] : []),
	];
}

const FRAMES: Role[] = ['first', 'last'];
const REFERENCES = ROLE_NAMES.filter((role) => !FRAMES.includes(role));

const rolesOf = (pictures: Array<[Role, string]>): Role[] =>
	ROLE_NAMES.filter((name) => pictures.some(([role]) => role === name));

export const roleLabels = (pictures: Array<[Role, string]>) => toLabels(rolesOf(pictures));

const toPictures = (pictures: Array<[Role, string]>): Pictures => ({
	first: pictures.find(([role]) => role === 'first')?.[1],
	last: pictures.find(([role]) => role === 'last')?.[1],
	references: pictures.flatMap(([role, url]) =>
		role === 'first' || role === 'last' ? [] : { kind: role, url },
	),
});

function placeLeft(draft: Draft, left: Array<[Role, string]>): Part {
	const { takes, name, version, isKnown, isForeign } = draft;
	const rules = takes.pictures;
	const label = roleLabels(left);
	const isFromText = isFamily(takes) && RENDERS_FROM.text.test(name);
	const lacking = rolesOf(left).filter(
		(role) =>
			!rules.takes?.includes(role) ||
			rules.not?.[role]?.test(name) ||
			(isFromText && (role === 'first' || role === 'last')),
	);
	if (lacking.length > 0) return { label: toLabels(lacking), is: 'lacking' };
	const refusal = refuseTogether(draft, left);
	if (refusal) return { label, refusal };
	const pictures = toPictures(left);
	const isFirstAlone = pictures.references.length === 0 && pictures.last === undefined;
	const isRead = !isForeign || isFirstAlone;
	const isSure = takes.isExact ?? (isKnown && isRead && takesAll(version, pictures));
	const { first } = pictures;
	const fields = {
		...rules.write?.(pictures, name),
		// Where a channel of OpenAI's kind reads it.
		...(isForeign && isFirstAlone && { image: first, input_reference: first }),
	};
	return { label, is: isSure ? undefined : 'unsure', fields, pictures: left };
}

/** Refuses pictures that do not go together. */
function refuseTogether(draft: Draft, left: Array<[Role, string]>): Refusal | undefined {
	const { takes, video, name } = draft;
	const { pictures: rules } = takes;
	const { first, last } = toPictures(left);
	const isSet = (role: Role) =>
		left.some(([one]) => one === role) || isByHand(draft, picturePaths(rules, role));
	if (FRAMES.some(isSet) && REFERENCES.some(isSet) && !rules.mixes?.test(name)) {
		const message = 'References and frames exclude each other';
		const advice =
			'Set First Frame to None and remove the last frame, or remove the references, also those in Additional Fields (JSON).';
		return { message, advice };
	}
	if (last && !first && !rules.lastAlone) {
		const advice = 'Set First Frame to the image that the video starts from.';
		return { message: 'A last frame needs a first one', advice };
	}
	// Two roles may share a list.
	const fieldOf = (role: Role) => (Array.isArray(rules.at) ? role : (rules.at[role]?.[0] ?? role));
	for (const role of rolesOf(left)) {
		const most = rules.most?.[role] ?? Infinity;
		if (left.filter(([one]) => fieldOf(one) === fieldOf(role)).length <= most) continue;
		const message = `${ROLES[role].label}: "${video.model}" takes at most ${most}`;
		// The model may have another field of one for the second.
		const { advice } = takes;
		const others = most === 1 && typeof advice === 'function' ? advice('the others') : undefined;
		return { message, advice: others ?? 'Remove the others.' };
	}
	return undefined;
}
