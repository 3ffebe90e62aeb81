import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import type { Failure } from '../shared/item/failure';
import { toInputFailure } from '../shared/item/output';
import { jsonObjectOption, numberOption, requireText, throwInput } from '../shared/item/parameters';
import { GENERATE_TIMEOUT_MS } from '../shared/service/textApi';
import type { TextWish } from '../shared/text/request';
import { findSchemaFault, toSchemaField } from '../shared/text/schema';
import { readConversation } from './readConversation';
import { readFiles, type InputFile } from './readFiles';
import {
	readExtraFields,
	readGenerationConfig,
	readSafetySettings,
	readTools,
} from './readOptions';
import { readQuestion, readText } from './readQuestion';

const DEFAULT_CONCURRENCY = 5;

/** What one item asks for. */
export interface TextJob {
	itemIndex: number;
	model: string;
	wish: TextWish;
	files: InputFile[];
	jsonOutput: boolean;
	/** Whether words may go out before the answer is whole. */
	streamResponse: boolean;
	simplify: boolean;
	binaryProperty: string;
	timeoutMs: number;
	/** Requests under way at once: one number for the node, so the first job's value counts. */
	concurrency: number;
}

/** Reads every item before the first request, so that a typo costs nothing. */
export function readJobs(context: IExecuteFunctions): Array<TextJob | Failure> {
	return context.getInputData().map((_item, itemIndex) => {
		try {
			return readJob(context, itemIndex);
		} catch (error) {
			return toInputFailure(error);
		}
	});
}

export const isJob = (entry: TextJob | Failure): entry is TextJob => 'wish' in entry;

function readJob(context: IExecuteFunctions, itemIndex: number): TextJob {
	const options = context.getNodeParameter('options', itemIndex, {}) as IDataObject;
	const number = (name: string, label: string, fallback: number) =>
		numberOption(context, itemIndex, options, { name, label, fallback });
	const jsonOutput = context.getNodeParameter('jsonOutput', itemIndex, false) === true;
	const files = readFiles(context, itemIndex);
	return {
		itemIndex,
		model: readModel(context, itemIndex),
		wish: {
			...readQuestion(context, itemIndex, files, readConversation(context, itemIndex, options)),
			systemInstruction: readText(context, itemIndex, 'systemInstruction', 'System Instruction'),
			generationConfig: {
				...readGenerationConfig(context, itemIndex, options),
				...(jsonOutput && readJsonConfig(context, itemIndex)),
			},
			safetySettings: readSafetySettings(context, itemIndex, options),
			tools: readTools(options),
			extraFields: readExtraFields(context, itemIndex, options),
		},
		files,
		jsonOutput,
		streamResponse: context.getNodeParameter('streamResponse', itemIndex, true) === true,
		simplify: context.getNodeParameter('simplify', itemIndex, true) as boolean,
		binaryProperty: String(options.binaryProperty ?? '').trim() || 'data',
		timeoutMs: number('timeout', 'Timeout', GENERATE_TIMEOUT_MS / 1000) * 1000,
		concurrency: Math.max(
			1,
			Math.floor(number('concurrency', 'Batch Concurrency', DEFAULT_CONCURRENCY)),
		),
	};
}

/** Listings and other tools write `models/` before a name; the path has it already. */
function readModel(context: IExecuteFunctions, itemIndex: number): string {
	const model = requireText(context, itemIndex, 'model', 'Model').replace(/^models\/+/, '');
	return model === '' ? throwInput(context, itemIndex, 'Model is empty') : model;
}

function readJsonConfig(context: IExecuteFunctions, itemIndex: number): IDataObject {
	const value = context.getNodeParameter('jsonSchema', itemIndex, '');
	const schema = jsonObjectOption(context, itemIndex, value, 'JSON Schema');
	const responseMimeType = 'application/json';
	if (Object.keys(schema).length === 0) return { responseMimeType };
	const fault = findSchemaFault(schema);
	if (fault === undefined) return { responseMimeType, [toSchemaField(schema)]: schema };
	return throwInput(
		context,
		itemIndex,
		`JSON Schema is not a schema: ${fault}`,
		'It describes the JSON, such as { "type": "object", "properties": { "city": { "type": "string" } } }; it is not an example of it. Nothing was sent for this item.',
	);
}
