import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../lib/json';
import type { Family, FamilyOption, Instead, Setting, Value, Wishes } from './family';

/** Why wishes cannot be had; `labels` names an option as the editor does. */
export interface Refusal {
	message: string;
	advice: string;
}

const NOTHING_SENT = 'Nothing was submitted.';
const BY_HAND = "Or send it through Metadata (JSON) in the vendor's own spelling.";

/** The fields of the request for what was set, or why that cannot be had. */
export function toFields(
	family: Family,
	model: string,
	wishes: Wishes,
	labelOf: (option: FamilyOption) => string,
): { fields: IDataObject } | { refusal: Refusal } {
	const settings = family.settings(model);
	const set = Object.entries(wishes.options) as Array<[FamilyOption, Value]>;
	const unknown = set.filter(([option]) => !isSetting(settings[option]));
	if (unknown.length > 0) {
		const options = unknown.map(([option]) => option);
		const advice = options.map((option) => (settings[option] as Instead | undefined)?.instead);
		return refuse(`${family.label} models have no field for: ${options.map(labelOf).join(', ')}`, [
			...advice,
			advice.some(Boolean) ? undefined : 'Remove these options.',
			BY_HAND,
		]);
	}
	for (const [one, other] of family.exclusive ?? []) {
		if (!(one in wishes.options && other in wishes.options)) continue;
		const message = `${labelOf(one)} and ${labelOf(other)} exclude each other for ${family.label} models`;
		return refuse(message, ['Remove one of them.']);
	}
	let fields = pictureFields(family, wishes);
	for (const [option, value] of set) {
		const setting = settings[option] as Setting;
		const taken = findTaken(setting, value);
		if (taken === undefined) {
			const message = `${labelOf(option)} must be ${describe(setting)} for ${family.label} models`;
			return refuse(message, [`It is "${String(value).slice(0, 50)}".`]);
		}
		fields = merge(fields, setting.write(taken));
	}
	const objection = family.objection?.(wishes, model);
	return objection === undefined ? { fields } : refuse(objection, []);
}

const pictureFields = ({ pictures: { write } }: Family, { pictures }: Wishes): IDataObject =>
	pictures.first === undefined && pictures.references.length === 0 ? {} : write(pictures);

const isSetting = (setting: Setting | Instead | undefined): setting is Setting =>
	setting !== undefined && 'write' in setting;

/** The value in the spelling of the family. */
function findTaken({ values, min, max }: Setting, given: Value): Value | undefined {
	if (Number(given) < (min ?? -Infinity) || Number(given) > (max ?? Infinity)) return undefined;
	if (!values) return given;
	const wanted = String(given).trim().toLowerCase();
	return values.find((value) => String(value).toLowerCase() === wanted);
}

function describe({ values, min, max }: Setting): string {
	if (values) return values.length === 1 ? String(values[0]) : `one of: ${values.join(', ')}`;
	return max === undefined ? `${min} or more` : `from ${min} to ${max}`;
}

function refuse(message: string, advice: Array<string | undefined>): { refusal: Refusal } {
	const words = new Set([...advice.filter((one) => one !== undefined), NOTHING_SENT]);
	return { refusal: { message, advice: [...words].join(' ') } };
}

/** Level by level; what `over` says wins. */
export function merge(under: IDataObject, over: IDataObject): IDataObject {
	const merged = new Map(Object.entries(under));
	for (const [name, value] of Object.entries(over)) {
		const before = merged.get(name);
		merged.set(name, isObject(before) && isObject(value) ? merge(before, value) : value);
	}
	return Object.fromEntries(merged);
}
