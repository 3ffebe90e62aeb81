import type { IDataObject } from 'n8n-workflow';

import type { GenerateRequest, Part } from '../service/textApi';

export interface Turn {
	role: 'user' | 'model';
	parts: Part[];
}

/** What a person set, checked; nothing stands here that was not set. */
export interface TextWish {
	/** Empty where the conversation or the files say all. */
	prompt: string;
	systemInstruction: string;
	/** Earlier turns, in order. */
	turns: Turn[];
	/** In the spelling of the protocol, as all below. */
	generationConfig: IDataObject;
	safetySettings: IDataObject[];
	tools: IDataObject[];
	/** Further fields of the body; they never replace one of the above. */
	extraFields: IDataObject;
}

/** The request body, with `files` in the last turn of the user. */
export function buildRequest(wish: TextWish, files: Part[]): GenerateRequest {
	const { systemInstruction, safetySettings, extraFields } = wish;
	const tools = [...wish.tools, ...toArray(extraFields.tools)];
	return {
		...extraFields,
		...(systemInstruction !== '' && {
			systemInstruction: { parts: [{ text: systemInstruction }] },
		}),
		...(safetySettings.length > 0 && { safetySettings }),
		...(tools.length > 0 && { tools }),
		...mergeConfig(extraFields.generationConfig, wish.generationConfig),
		contents: toContents(wish, files),
	};
}

/** The last turn of a conversation that ends with the user is the question itself. */
function toContents({ prompt, turns }: TextWish, files: Part[]): Turn[] {
	const parts = prompt === '' ? files : [...files, { text: prompt }];
	const last = turns.at(-1);
	if (prompt !== '' || last?.role !== 'user') return [...turns, { role: 'user', parts }];
	return [...turns.slice(0, -1), { role: 'user', parts: [...files, ...last.parts] }];
}

function mergeConfig(extra: unknown, own: IDataObject): IDataObject {
	const merged = { ...(extra as IDataObject | undefined), ...own };
	return Object.keys(merged).length > 0 ? { generationConfig: merged } : {};
}

const toArray = (value: unknown): IDataObject[] =>
	Array.isArray(value) ? (value as IDataObject[]) : [];
