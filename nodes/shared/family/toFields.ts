import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../lib/json';
import { findClash, flatten } from './byHand';
import {
	type Family,
	type FamilyOption,
	PICTURE_LIMITS,
	type Setting,
	type Value,
	type VideoSpec,
} from './family';

/** Why a video cannot be asked for. */
export interface Refusal {
	message: string;
	advice: string;
}

const NOTHING_SENT = 'Nothing was submitted.';

/**
 * Returns the request's fields for everything that was set, or why that is impossible.
 *
 * @param labelOf returns the name of an option in the editor
 */
export function toFields(
	family: Family | undefined,
	model: string,
	video: VideoSpec,
	labelOf: (option: FamilyOption) => string,
): { fields: IDataObject } | { refusal: Refusal } {
	const settings = family?.settings(model) ?? {};
	const set = (Object.entries(video.options) as Array<[FamilyOption, Value]>).map(
		([option, value]) => {
			const setting = settings[option] ?? {};
			return { label: labelOf(option), setting, value, taken: toTaken(setting, value) };
		},
	);
	const wrong = family ? refuseOptions(family, set) : refuseUnknown(model, set);
	if (wrong) return { refusal: wrong };

	const { pictures, byHand } = video;
	const written = set.map(({ label, setting, taken }) => ({
		label,
		fields: writeOption(setting, taken!),
	}));
	const hasPicture = pictures.first !== undefined || pictures.references.length > 0;
	if (hasPicture) {
		const fields = family ? family.pictures.write(pictures) : { image: pictures.first };
		written.unshift({ label: 'The image', fields });
	}
	const claims = written.map(({ label, fields }) => ({
		label,
		paths: flatten(fields).map(({ path }) => path),
	}));
	// Wherever the family reads its pictures, another one by hand in `image` would be dropped, or
	// would replace this one.
	if (hasPicture) claims[0].paths.push('image');
	claims.unshift({ label: 'Prompt', paths: ['prompt'] }, { label: 'Model', paths: ['model'] });
	const clash = findClash(claims, byHand, family?.twins);
	if (clash?.byHand) return { refusal: contradict(clash) };
	if (clash) {
		const message = `${clash.one} and ${clash.other} exclude each other for ${family?.label} models`;
		return { refusal: { message, advice: `Remove one of them. ${NOTHING_SENT}` } };
	}
	for (const [name, limit, instead] of family?.models ?? []) {
		const reason = name.test(model) && PICTURE_LIMITS[limit](video);
		if (!reason) continue;
		const message = `"${model}" ${reason}${instead ? `, or choose ${instead}` : ''}.`;
		return { refusal: { message, advice: NOTHING_SENT } };
	}
	const objection = family?.objection?.(video);
	if (objection) return { refusal: { message: objection, advice: NOTHING_SENT } };
	return { fields: written.reduce<IDataObject>((all, { fields }) => merge(all, fields), {}) };
}

/** Returns the refusal for a setting and a field by hand of which one would replace the other. */
export const contradict = ({ one, other }: { one: string; other: string }): Refusal => ({
	message: `${one} and "${other}" by hand contradict each other`,
	advice: `Remove "${other}" from Metadata (JSON) or Extra Fields (JSON), or leave out what it contradicts. ${NOTHING_SENT}`,
});

type SetOption = { label: string; setting: Setting; value: Value; taken?: Value };

const labelsOf = (set: SetOption[]) => set.map(({ label }) => label).join(', ');

function refuseUnknown(model: string, set: SetOption[]): Refusal | undefined {
	if (set.length === 0) return undefined;
	return {
		message: `The model "${model.slice(0, 200)}" belongs to no family whose field names are known, so these options cannot be sent: ${labelsOf(set)}`,
		advice: `Set Model Family, or send them through Metadata (JSON) or Extra Fields (JSON) in the vendor's own spelling. ${NOTHING_SENT}`,
	};
}

/** Returns one refusal for all options that the family lacks or whose value it does not accept. */
function refuseOptions({ label: family }: Family, set: SetOption[]): Refusal | undefined {
	const missing = set.filter(({ setting }) => !setting.at);
	const wrong = set.filter(({ setting, taken }) => setting.at && taken === undefined);
	const isOne = missing.length + wrong.length === 1;
	if (missing.length + wrong.length === 0) return undefined;
	const messages = wrong.map(
		({ label, setting }) => `${label} must be ${toAllowed(setting)} for ${family} models`,
	);
	const advice = wrong.map(
		({ label, value }) => `${isOne ? 'It' : label} is "${String(value).slice(0, 50)}".`,
	);
	if (missing.length > 0) {
		messages.unshift(`${family} models have no field for: ${labelsOf(missing)}`);
		for (const { label, setting } of missing) {
			if (setting.instead) advice.push(isOne ? setting.instead : `${label}: ${setting.instead}`);
		}
		const removed = labelsOf(missing.filter(({ setting }) => !setting.instead));
		if (removed) advice.push(`Remove ${isOne ? 'this option' : removed}.`);
		advice.push("Or send it through Metadata (JSON) in the vendor's own spelling.");
	}
	return { message: messages.join('; '), advice: [...advice, NOTHING_SENT].join(' ') };
}

/** Returns the value as the family's list spells it; `undefined` if it is not accepted. */
function toTaken({ values, min, max }: Setting, given: Value): Value | undefined {
	if (Number(given) < (min ?? -Infinity) || Number(given) > (max ?? Infinity)) return undefined;
	if (!values) return given;
	const wanted = String(given).trim().toLowerCase();
	return values.find((value) => String(value).toLowerCase() === wanted);
}

function toAllowed({ values, min, max }: Setting): string {
	if (!values) return `from ${min} to ${max}`;
	return values.length === 1 ? String(values[0]) : `one of: ${values.join(', ')}`;
}

function writeOption({ at = [], spell }: Setting, taken: Value): IDataObject {
	const value = spell ? spell(taken) : taken;
	const fields = [at].flat().map((path) =>
		path.split('.').reduceRight<unknown>(
			(inner, name) => ({ [name]: inner }),
			// The gateways declare `seconds` as a text.
			path === 'seconds' ? String(value) : value,
		),
	);
	return (fields as IDataObject[]).reduce(merge, {});
}

/** Returns both objects merged level by level; `over` wins, except where it has `undefined`. */
export function merge(under: IDataObject, over: IDataObject): IDataObject {
	const merged = new Map(Object.entries(under));
	for (const [name, value] of Object.entries(over)) {
		const before = merged.get(name);
		if (isObject(value)) merged.set(name, merge(isObject(before) ? before : {}, value));
		else if (value !== undefined) merged.set(name, value);
	}
	return Object.fromEntries(merged);
}
