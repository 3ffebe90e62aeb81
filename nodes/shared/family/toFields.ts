import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../lib/json';
import { findContradictedWord } from './commonTwins';
import { findByHand, findContradiction, findOtherPicture } from './contradiction';
import type { Family, FamilyOption, Setting, Settings, Value, Wishes } from './family';
import { findAt } from './namesByHand';
import { findTwiceByHand } from './twiceByHand';
import { findTaken, findWrongOptions, isSetting } from './wrongOptions';

/** Why wishes cannot be had; `labels` names an option as the editor does. */
export interface Refusal {
	message: string;
	advice: string;
}

const NOTHING_SENT = 'Nothing was submitted.';

/** The fields of the request for what was set, or why that cannot be had. */
export function toFields(
	family: Family,
	model: string,
	wishes: Wishes,
	labelOf: (option: FamilyOption) => string,
): { fields: IDataObject } | { refusal: Refusal } {
	const settings = family.settings(model);
	const set = Object.entries(wishes.options) as Array<[FamilyOption, Value]>;
	const wrong = findWrongOptions(family, settings, set, labelOf);
	if (wrong) return refuse(wrong.message, wrong.advice);
	for (const [one, other] of family.exclusive ?? []) {
		if (!(one in wishes.options && other in wishes.options)) continue;
		const message = `${labelOf(one)} and ${labelOf(other)} exclude each other for ${family.label} models`;
		return refuse(message, ['Remove one of them.']);
	}
	const noObject = findNoObject(family, wishes.metadata);
	if (noObject) return refuse(`"${noObject}" in Metadata (JSON) must be a JSON object`, []);
	const byHand = { ...wishes.extra, metadata: wishes.metadata };
	const word = findContradictedWord(model, wishes, family.twins);
	if (word) return contradict(word.label, word.path);
	const labels = Object.fromEntries(set.map(([option]) => [option, labelOf(option)]));
	const excluded = findExcluded(family, settings, labels, byHand);
	if (excluded) return contradict(excluded.label, excluded.path);
	let fields = pictureFields(family, wishes);
	const picture = findOtherPicture(fields, wishes.pictures, {
		byHand,
		twins: family.twins,
	});
	if (picture !== undefined) return contradict('The image', picture);
	for (const [option, value] of set) {
		const setting = settings[option] as Setting;
		const written = setting.write(findTaken(setting, value)!);
		const path = findContradiction(written, byHand, family.twins);
		if (path !== undefined) return contradict(labelOf(option), path);
		fields = merge(fields, written);
	}
	const twice = findTwiceByHand(byHand, family.twins);
	if (twice) return contradict(`"${twice[0]}"`, twice[1]);
	const objection = family.objection?.(wishes, model);
	return objection === undefined ? { fields } : refuse(objection, []);
}

const pictureFields = ({ pictures: { write } }: Family, { pictures }: Wishes): IDataObject =>
	pictures.first === undefined && pictures.references.length === 0 ? {} : write(pictures);

const findNoObject = ({ objects = [] }: Family, metadata: IDataObject): string | undefined =>
	objects.flatMap((path) => findAt(metadata, path)).find(({ value }) => !isObject(value))?.path;

/** An option, or a field by hand that carries one, beside a field by hand that carries what it excludes. */
function findExcluded(
	{ exclusive = [] }: Family,
	settings: Settings,
	labels: Partial<Record<string, string>>,
	byHand: IDataObject,
): { label: string; path: string } | undefined {
	const pathOf = (option: FamilyOption) => {
		const setting = settings[option];
		return isSetting(setting)
			? findByHand(setting.write(setting.values?.[0] ?? 1), byHand)
			: undefined;
	};
	for (const [one, other] of exclusive.flatMap(([a, b]) => [[a, b] as const, [b, a] as const])) {
		const path = pathOf(other);
		const first = pathOf(one);
		const label = labels[one] ?? (first && `"${first}"`);
		if (path !== undefined && label !== undefined) return { label, path };
	}
	return undefined;
}

/** What was set in the editor, and a field by hand that would replace it or be replaced. */
export const contradict = (label: string, path: string): { refusal: Refusal } =>
	refuse(`${label} and "${path}" by hand contradict each other`, [
		`Remove "${path}" from Metadata (JSON) or Extra Fields (JSON), or leave out what it contradicts.`,
	]);

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
