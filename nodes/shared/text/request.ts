import type { IDataObject } from 'n8n-workflow';

import { isObject, toObjects } from '../lib/json';
import type { GenerateRequest, Part } from '../service/textApi';

export interface Turn {
	role: 'user' | 'model';
	parts: Part[];
}

/** The checked question of a person. It holds nothing that the person did not set. */
export interface TextWish {
	/** Empty if the conversation or the files say everything. */
	prompt: string;
	systemInstruction: string;
	/** Earlier turns, in order. */
	turns: Turn[];
	/** Files that the vendor fetches: `{fileData: {fileUri, mimeType?}}`. */
	fileUrls: Part[];
	/** In the protocol's spelling, like all fields below. */
	generationConfig: IDataObject;
	safetySettings: IDataObject[];
	tools: IDataObject[];
	toolConfig: IDataObject;
	/** Further fields of the body, except `contents`; they never replace one of the above. */
	extraFields: IDataObject;
}

/** Returns the body of the request. `files` go into the last turn of the user. */
export function buildRequest(wish: TextWish, files: Part[]): GenerateRequest {
	const { systemInstruction, toolConfig, extraFields } = wish;
	const { safetySettings, tools, generationConfig, ...extra } = extraFields;
	const own: IDataObject = {
		...(systemInstruction !== '' && {
			systemInstruction: { parts: [{ text: systemInstruction }] },
		}),
		...(Object.keys(toolConfig).length > 0 && { toolConfig }),
	};
	const body: IDataObject = {
		...mergeFields(extra, own),
		safetySettings: mergeSettings(safetySettings, wish.safetySettings),
		tools: mergeTools(tools, wish.tools),
		generationConfig: mergeFields((generationConfig ?? {}) as IDataObject, wish.generationConfig),
	};
	for (const name of ['safetySettings', 'tools', 'generationConfig']) {
		if (Object.keys(body[name] as object).length === 0) delete body[name];
	}
	return { ...body, contents: toContents(wish, [...files, ...wish.fileUrls]) };
}

/** Returns all turns. Without a prompt, a last turn of the user is the question itself. */
function toContents({ prompt, turns }: TextWish, files: Part[]): Turn[] {
	const parts = prompt === '' ? files : [...files, { text: prompt }];
	const last = turns.at(-1);
	if (prompt !== '' || last?.role !== 'user') return [...turns, { role: 'user', parts }];
	return [...turns.slice(0, -1), { role: 'user', parts: [...files, ...last.parts] }];
}

/** Never merged: half of one schema and half of another would describe what nobody meant. */
const WHOLE = new Set(['responseJsonSchema', 'responseSchema']);

/** The protocol takes only one field of each row. */
const ONE_OF = [
	['responseJsonSchema', 'responseSchema'],
	['multiSpeakerVoiceConfig', 'voiceConfig'],
	['prebuiltVoiceConfig', 'replicatedVoiceConfig'],
];

/**
 * Merges two objects key by key, at every depth. If both have a value, the one of `own` counts.
 * Fields that a field of `own` excludes are left out. A list is one value. Every name is just a
 * name, even `__proto__`.
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
	const merged = [...own];
	for (const setting of toObjects(extra)) {
		const at = merged.findIndex(({ category }) => category === setting.category);
		if (at < 0) merged.push(setting);
		else merged[at] = mergeFields(setting, merged[at]);
	}
	return merged;
}

/**
 * Returns the tools of `own`, each merged with its settings in `extra`: `{googleSearch: {}}` and
 * the same tool with settings are one. All other tools of `extra` stay as they were written, even
 * if a tool stands there twice.
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
