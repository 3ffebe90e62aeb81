import type { IDataObject } from 'n8n-workflow';

import type { GenerateRequest, Part } from '../service/textApi';
import { mergeFields, mergeSettings, mergeTools } from './mergeFields';

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
	/** Files that the vendor fetches: `{fileData: {fileUri, mimeType?}}`. */
	fileUrls: Part[];
	/** In the spelling of the protocol, as all below. */
	generationConfig: IDataObject;
	safetySettings: IDataObject[];
	tools: IDataObject[];
	toolConfig: IDataObject;
	/** Further fields of the body but `contents`; they never replace one of the above. */
	extraFields: IDataObject;
}

/** The request body, with `files` in the last turn of the user. */
export function buildRequest(wish: TextWish, files: Part[]): GenerateRequest {
	const { systemInstruction, toolConfig, extraFields } = wish;
	const { safetySettings, tools, generationConfig, ...extra } = extraFields;
	const lists = {
		safetySettings: mergeSettings(safetySettings, wish.safetySettings),
		tools: mergeTools(tools, wish.tools),
	};
	const own: IDataObject = {
		...(systemInstruction !== '' && {
			systemInstruction: { parts: [{ text: systemInstruction }] },
		}),
		...(hasFields(toolConfig) && { toolConfig }),
	};
	const config = mergeFields((generationConfig ?? {}) as IDataObject, wish.generationConfig);
	return {
		...mergeFields(extra, own),
		...(lists.safetySettings.length > 0 && { safetySettings: lists.safetySettings }),
		...(lists.tools.length > 0 && { tools: lists.tools }),
		...(hasFields(config) && { generationConfig: config }),
		contents: toContents(wish, [...files, ...wish.fileUrls]),
	};
}

/** The last turn of a conversation that ends with the user is the question itself. */
function toContents({ prompt, turns }: TextWish, files: Part[]): Turn[] {
	const parts = prompt === '' ? files : [...files, { text: prompt }];
	const last = turns.at(-1);
	if (prompt !== '' || last?.role !== 'user') return [...turns, { role: 'user', parts }];
	return [...turns.slice(0, -1), { role: 'user', parts: [...files, ...last.parts] }];
}

const hasFields = (fields: IDataObject) => Object.keys(fields).length > 0;
