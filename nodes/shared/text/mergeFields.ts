import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../lib/json';

/** A schema is one thing: half of one and half of another would describe what nobody meant. */
const WHOLE = new Set(['responseJsonSchema', 'responseSchema']);

/**
 * Both as one, key by key and at every depth; where both have a value, `own` has it. A list is one
 * value. Any name is just a name (`__proto__`).
 */
export function mergeFields(extra: IDataObject, own: IDataObject): IDataObject {
	const merged = Object.entries(own).map(([name, value]) => {
		const other = Object.hasOwn(extra, name) ? extra[name] : undefined;
		const areParts = isObject(value) && isObject(other) && !WHOLE.has(name);
		return [name, areParts ? mergeFields(other, value) : value];
	});
	return { ...extra, ...(Object.fromEntries(merged) as IDataObject) };
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
 * One entry for a tool: `{googleSearch: {}}` and the same with settings are one with settings. Lists
 * of functions stay as they were written.
 */
export function mergeTools(extra: unknown, own: IDataObject[]): IDataObject[] {
	const merged = [...own];
	for (const entry of toObjects(extra)) {
		const further = Object.entries(entry).filter(([name, tool]) => {
			const at = merged.findIndex((one) => isObject(tool) && Object.hasOwn(one, name));
			if (at >= 0) merged[at] = mergeFields({ [name]: tool }, merged[at]);
			return at < 0;
		});
		if (further.length > 0) merged.push(Object.fromEntries(further) as IDataObject);
	}
	return merged;
}

const toObjects = (value: unknown): IDataObject[] =>
	Array.isArray(value) ? value.filter(isObject) : [];
