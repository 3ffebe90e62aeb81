import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../lib/json';
import { findClash, flatten, type Claim } from './byHand';
import {
	isSetting,
	type Family,
	type FamilyOption,
	type Setting,
	type Settings,
	type Value,
	type Wishes,
} from './family';

/** Why wishes cannot be fulfilled. */
export interface Refusal {
	message: string;
	advice: string;
}

/** Returns the name of an option in the editor. */
type LabelOf = (option: FamilyOption) => string;

const NOTHING_SENT = 'Nothing was submitted.';
const BY_HAND = "Or send it through Metadata (JSON) in the vendor's own spelling.";
/** The longest name of a model in a message. */
const MAX_NAME_CHARS = 200;

/** Returns the request's fields for everything that was set, or why that is impossible. */
export function toFields(
	family: Family | undefined,
	model: string,
	wishes: Wishes,
	labelOf: LabelOf,
): { fields: IDataObject } | { refusal: Refusal } {
	const set = Object.entries(wishes.options) as Array<[FamilyOption, Value]>;
	const settings = family?.settings(model) ?? {};
	const wrong = family
		? findWrongOptions(family, settings, set, labelOf)
		: findOptionsOfNoFamily(model, set, labelOf);
	if (wrong) return { refusal: wrong };

	const { pictures } = wishes;
	const hasPicture = pictures.first !== undefined || pictures.references.length > 0;
	const written: Array<{ label: string; fields: IDataObject }> = set.map(([option, value]) => {
		const setting = settings[option] as Setting;
		return { label: labelOf(option), fields: setting.write(findTaken(setting, value)!) };
	});
	if (hasPicture) {
		const fields = family ? family.pictures.write(pictures) : { image: pictures.first };
		written.unshift({ label: 'The image', fields });
	}
	const claims: Claim[] = [
		{ label: 'Prompt', paths: ['prompt'] },
		{ label: 'Model', paths: ['model'] },
		...written.map(({ label, fields }) => ({
			label,
			paths: flatten(fields).map(({ path }) => path),
		})),
	];
	// Wherever the family reads its pictures, another one by hand in `image` would be dropped, or
	// would replace this one.
	if (hasPicture) claims[2].paths.push('image');
	const clash = findClash(claims, wishes.byHand, family?.twins);
	if (clash) return { refusal: clash.byHand ? contradict(clash) : exclude(clash, family) };

	const objection = family?.objection?.(wishes, model);
	if (objection !== undefined) return { refusal: { message: objection, advice: NOTHING_SENT } };
	return { fields: written.reduce<IDataObject>((all, { fields }) => merge(all, fields), {}) };
}

/** Returns the refusal for a setting and a field by hand of which one would replace the other. */
export const contradict = ({ one, other }: { one: string; other: string }): Refusal => ({
	message: `${one} and "${other}" by hand contradict each other`,
	advice: `Remove "${other}" from Metadata (JSON) or Extra Fields (JSON), or leave out what it contradicts. ${NOTHING_SENT}`,
});

const exclude = ({ one, other }: { one: string; other: string }, family?: Family): Refusal => ({
	message: `${one} and ${other} exclude each other for ${family?.label} models`,
	advice: `Remove one of them. ${NOTHING_SENT}`,
});

function findOptionsOfNoFamily(
	model: string,
	set: Array<[FamilyOption, Value]>,
	labelOf: LabelOf,
): Refusal | undefined {
	if (set.length === 0) return undefined;
	const labels = set.map(([option]) => labelOf(option)).join(', ');
	return {
		message: `The model "${model.slice(0, MAX_NAME_CHARS)}" belongs to no family whose field names are known, so these options cannot be sent: ${labels}`,
		advice: `Set Model Family, or send them through Metadata (JSON) or Extra Fields (JSON) in the vendor's own spelling. ${NOTHING_SENT}`,
	};
}

/**
 * Returns one refusal for all options that are impossible: those without a field, and those with a
 * wrong value.
 */
function findWrongOptions(
	{ label: family }: Family,
	settings: Settings,
	set: Array<[FamilyOption, Value]>,
	labelOf: LabelOf,
): Refusal | undefined {
	const missing: Array<{ label: string; instead?: string }> = [];
	const wrong: Array<{ label: string; must: string; is: string }> = [];
	for (const [option, value] of set) {
		const setting = settings[option];
		const label = labelOf(option);
		if (!isSetting(setting)) missing.push({ label, instead: setting?.instead });
		else if (findTaken(setting, value) === undefined) {
			wrong.push({ label, must: describe(setting), is: String(value).slice(0, 50) });
		}
	}
	const count = missing.length + wrong.length;
	if (count === 0) return undefined;
	const labelsOf = (some: Array<{ label: string }>) => some.map(({ label }) => label).join(', ');
	const messages = wrong.map(({ label, must }) => `${label} must be ${must} for ${family} models`);
	if (missing.length > 0) {
		messages.unshift(`${family} models have no field for: ${labelsOf(missing)}`);
	}
	const advice = wrong.map(({ label, is }) => `${count === 1 ? 'It' : label} is "${is}".`);
	for (const { label, instead } of missing) {
		if (instead !== undefined) advice.push(count === 1 ? instead : `${label}: ${instead}`);
	}
	const removed = missing.filter(({ instead }) => instead === undefined);
	if (removed.length > 0) {
		advice.push(count === 1 ? 'Remove this option.' : `Remove ${labelsOf(removed)}.`);
	}
	if (missing.length > 0) advice.push(BY_HAND);
	return { message: messages.join('; '), advice: [...advice, NOTHING_SENT].join(' ') };
}

/** Returns the value in the family's spelling; `undefined` if it is not accepted. */
function findTaken({ values, min, max }: Setting, given: Value): Value | undefined {
	if (Number(given) < (min ?? -Infinity) || Number(given) > (max ?? Infinity)) return undefined;
	if (!values) return given;
	const wanted = String(given).trim().toLowerCase();
	return values.find((value) => String(value).toLowerCase() === wanted);
}

function describe({ values, min, max }: Setting): string {
	if (!values) return `from ${min} to ${max}`;
	return values.length === 1 ? String(values[0]) : `one of: ${values.join(', ')}`;
}

/** Returns both objects merged level by level; `over` wins. */
export function merge(under: IDataObject, over: IDataObject): IDataObject {
	const merged = new Map(Object.entries(under));
	for (const [name, value] of Object.entries(over)) {
		const before = merged.get(name);
		merged.set(name, isObject(before) && isObject(value) ? merge(before, value) : value);
	}
	return Object.fromEntries(merged);
}
