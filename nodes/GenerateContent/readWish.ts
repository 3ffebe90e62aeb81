import type { IDataObject } from 'n8n-workflow';

import type { Reader } from '../shared/item/reader';
import { mergeFields, type TextWish } from '../shared/text/request';
import { toSchemaField } from '../shared/text/schemaField';
import { refuseTwoWaysToThink } from '../shared/text/settings';
import { readExtraFields } from './readExtraFields';
import { readFileUrls } from './readFileUrls';
import {
	readBuiltInTools,
	readGenerationConfig,
	readSafetySettings,
	readToolConfig,
} from './readOptions';
import { readQuestion } from './readQuestion';
import { readSchema } from './readSchema';

export interface WishReading {
	wish: TextWish;
	/** What JSON is checked against; `undefined` where nothing says what it must be. */
	schema: unknown;
}

/** All that goes into the body, but the bytes of files. */
export function readWish(read: Reader, hasFiles: boolean): WishReading {
	const jsonOutput = read.boolean('jsonOutput');
	const schema = jsonOutput ? readSchema(read) : undefined;
	const { contents, ...extraFields } = readExtraFields(read);
	const fileUrls = readFileUrls(read);
	const generationConfig = {
		...readGenerationConfig(read),
		...(jsonOutput && { responseMimeType: 'application/json' }),
		...(schema && toSchemaField(schema)),
	};
	const config = mergeFields((extraFields.generationConfig ?? {}) as IDataObject, generationConfig);
	// One of them may stand in Extra Fields.
	refuseTwoWaysToThink(read, config.thinkingConfig);
	const wish = {
		...readQuestion(read, contents, hasFiles || fileUrls.length > 0),
		systemInstruction: read.optionalText('systemInstruction'),
		fileUrls,
		generationConfig,
		safetySettings: readSafetySettings(read),
		tools: readBuiltInTools(read),
		toolConfig: readToolConfig(read),
		extraFields,
	};
	const sent = config.responseSchema ?? config.responseJsonSchema;
	return { wish, schema: jsonOutput ? (schema ?? sent) : undefined };
}
