import type { IDataObject } from 'n8n-workflow';

import { isObject, toObjects } from '../lib/json';

/** A schema is one thing: half of one and half of another would describe what nobody meant. */
const WHOLE = new Set(['responseJsonSchema', 'responseSchema']);

/** Fields of which the protocol takes one. */
const ONE_OF = [
	['responseJsonSchema', 'responseSchema'],
	['multiSpeakerVoiceConfig', 'voiceConfig'],
	['prebuiltVoiceConfig', 'replicatedVoiceConfig'],
];

/**
 * Both as one, key by key and at every depth; where both have a value, `own` has it, and what
 * excludes a field of it is left out. A list is one value. Any name is just a name (`__proto__`).
 */
export function mergeFields(extra: IDataObject, own: IDataObject): IDataObject {
	const merged = Object.entries(own).map(([name, value]) => {
		const other = Object.hasOwn(extra, name) ? extra[name] : undefined;
		const areParts = isObject(value) && isObject(other) && !WHOLE.has(name);
		return [name, areParts ? mergeFields(other, value) : value];
	});
	const isExcluded = ([name]: [string, unknown]) =>
		ONE_OF.some((names) => names.includes(name) && names.some((one) => Object.hasOwn(own, one)));
	const further = Object.entries(extra).filter((field) => !isExcluded(field));
	return Object.fromEntries([...further, ...merged]) as IDataObject;
}

/** One setting for a category, as the protocol has it; those that both have are merged. */
export function mergeSettings(extra: unknown, own: IDataObject[]): IDataObject[] {
	const merged = [...own];
	for (const setting of toObjects(extra)) {
		const at = merged.findIndex(({ category }) => category === setting.category);
		if (at < 0) merged.push(setting);
		else merged[at] = mergeFields(setting, merged[at]);
	}
	return merged;
}

/**
 * The tools that were set, each with its settings in `extra`: `{googleSearch: {}}` and the same with
 * settings are one. All others of `extra` stay as they were written: a tool may stand there twice.
 */
export function mergeTools(extra: unknown, own: IDataObject[]): IDataObject[] {
	const merged = [...own];
	const settled = new Set<string>();
	const others: IDataObject[] = [];
	for (const entry of toObjects(extra)) {
		const further = Object.entries(entry).filter(([name, tool]) => {
			const at = own.findIndex((one) => isObject(tool) && Object.hasOwn(one, name));
			if (at < 0 || settled.has(name)) return true;
			settled.add(name);
			merged[at] = mergeFields({ [name]: tool }, merged[at]);
			return false;
		});
		if (further.length > 0) others.push(Object.fromEntries(further) as IDataObject);
	}
	return [...merged, ...others];
}
