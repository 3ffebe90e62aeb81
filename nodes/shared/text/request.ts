import type { IDataObject } from 'n8n-workflow';

import { isObject, toObjects } from '../lib/json';
import type { GenerateRequest, Part } from '../service/textApi';

export type Turn = GenerateRequest['contents'][number];

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
	const { systemInstruction, toolConfig, generationConfig, extraFields } = wish;
	const own = {
		...(systemInstruction !== '' && {
			systemInstruction: { parts: [{ text: systemInstruction }] },
		}),
		toolConfig,
		generationConfig,
	};
	const body: IDataObject = {
		...mergeFields(extraFields, own),
		safetySettings: mergeSettings(extraFields.safetySettings, wish.safetySettings),
		tools: mergeTools(extraFields.tools, wish.tools),
	};
	for (const name of ['safetySettings', 'tools', 'toolConfig', 'generationConfig']) {
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
 * Merges two objects at every depth. If both have a value, the one of `own` counts. Fields that a
 * field of `own` excludes are left out. A list is one value.
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
