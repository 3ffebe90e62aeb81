import type { IDataObject } from 'n8n-workflow';

import { isObject, toObjects } from '../lib/json';
import type { GenerateRequest, Part } from '../service/textApi';
import { saysSomething } from './names';

export type Turn = GenerateRequest['contents'][number];

/**
 * Returns the body of the request.
 *
 * @param own the fields that the node's parameters set; lists and objects may be empty
 * @param extra the fields from Additional Fields; where both have a value, that of `own` counts
 */
export function buildRequest(
	contents: Turn[],
	own: IDataObject & Record<'safetySettings' | 'tools', IDataObject[]>,
	extra: IDataObject,
): GenerateRequest {
	const body: IDataObject = {
		...mergeFields(extra, own),
		safetySettings: mergeSettings(extra.safetySettings, own.safetySettings),
		tools: mergeTools(extra.tools, own.tools),
	};
	for (const name of ['safetySettings', 'tools', 'toolConfig', 'generationConfig']) {
		if (!saysSomething(body[name])) delete body[name];
	}
	return { ...body, contents };
}

/** Adds prompt and files as a turn. Without a prompt, the files go into a last turn of the user. */
export function toContents(turns: Turn[], prompt: string, files: Part[]): Turn[] {
	const last = turns.at(-1);
	if (prompt !== '') return [...turns, { role: 'user', parts: [...files, { text: prompt }] }];
	if (last?.role !== 'user') return [...turns, { role: 'user', parts: files }];
	return [...turns.slice(0, -1), { role: 'user', parts: [...files, ...last.parts] }];
}

/** Fields that are never merged: halves of two schemas would make one that nobody meant. */
const WHOLE = new Set(['responseJsonSchema', 'responseSchema']);

/** The protocol takes only one field of each row. */
const ONE_OF = [
	['responseJsonSchema', 'responseSchema'],
	['multiSpeakerVoiceConfig', 'voiceConfig'],
	['prebuiltVoiceConfig', 'replicatedVoiceConfig'],
	['thinkingBudget', 'thinkingLevel'],
];

/**
 * Merges two objects at every depth. If both have a value, that of `own` counts. A list is one
 * value. If `own` has a field of a row of `ONE_OF`, the other fields of that row are left out.
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

/** Merges safety settings by category: the protocol takes one per category. */
export function mergeSettings(extra: unknown, own: IDataObject[]): IDataObject[] {
	const others = toObjects(extra);
	const isSame = (one: IDataObject) => (other: IDataObject) => one.category === other.category;
	return [
		...own.map((setting) => mergeFields(others.find(isSame(setting)) ?? {}, setting)),
		...others.filter((setting) => !own.some(isSame(setting))),
	];
}

/** Merges each tool of `own` with its settings in `extra`; other tools stay as they were written. */
export function mergeTools(extra: unknown, own: IDataObject[]): IDataObject[] {
	const others = toObjects(extra).map((entry) => ({ ...entry }));
	const merged = own.map((tool) => {
		const [name] = Object.keys(tool);
		const twin = others.find((entry) => Object.hasOwn(entry, name) && isObject(entry[name]));
		if (!twin) return tool;
		const both = mergeFields({ [name]: twin[name] }, tool);
		delete twin[name];
		return both;
	});
	return [...merged, ...others.filter((entry) => Object.keys(entry).length > 0)];
}
