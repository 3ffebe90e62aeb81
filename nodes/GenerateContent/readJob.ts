import type { IDataObject } from 'n8n-workflow';

import type { Reader } from '../shared/item/reader';
import type { Run } from '../shared/item/run';
import type { Job } from '../shared/item/runItems';
import { toSchemaField, whyNotSchema } from '../shared/text/jsonOutput';
import type { TextWish } from '../shared/text/request';
import { readFiles, type InputFile } from './readFiles';
import {
	readBuiltInTools,
	readExtraFields,
	readGenerationConfig,
	readSafetySettings,
} from './readOptions';
import { readQuestion } from './readQuestion';

/** What one item asks for. */
export interface TextJob extends Job {
	model: string;
	wish: TextWish;
	files: InputFile[];
	jsonOutput: boolean;
	/** Whether words may go out before the answer is whole. */
	streamResponse: boolean;
	/** Whether an answer that an earlier try has brought is taken. */
	reuseAnswers: boolean;
	simplify: boolean;
	binaryProperty: string;
	timeoutMs: number;
	/** Requests under way at once: one number for the node, so the first job's value counts. */
	concurrency: number;
}

export async function readJob(read: Reader, { context }: Pick<Run, 'context'>): Promise<TextJob> {
	const { itemIndex, options } = read;
	const jsonOutput = read.boolean('jsonOutput');
	const files = await readFiles(read, context);
	return {
		itemIndex,
		model: readModel(read),
		wish: {
			...readQuestion(read, files),
			systemInstruction: read.optionalText('systemInstruction'),
			generationConfig: {
				...readGenerationConfig(read),
				...(jsonOutput && readJsonConfig(read)),
			},
			safetySettings: readSafetySettings(read),
			tools: readBuiltInTools(read),
			extraFields: readExtraFields(read),
		},
		files,
		jsonOutput,
		streamResponse: read.boolean('streamResponse'),
		reuseAnswers: options.boolean('reuseAnswers'),
		simplify: read.boolean('simplify'),
		binaryProperty: options.optionalText('binaryProperty').trim() || 'data',
		timeoutMs: options.numberOrDefault('timeout', { above: 0 }) * 1000,
		concurrency: Math.max(1, Math.floor(options.numberOrDefault('concurrency', { above: 0 }))),
	};
}

/** Listings and other tools write `models/` before a name; the path has it already. */
function readModel(read: Reader): string {
	const model = read.text('model').replace(/^models\/+/, '');
	return model === '' ? read.refuse('Model is empty') : model;
}

function readJsonConfig(read: Reader): IDataObject {
	const schema = read.object('jsonSchema');
	const responseMimeType = 'application/json';
	if (Object.keys(schema).length === 0) return { responseMimeType };
	const why = whyNotSchema(schema);
	if (why === undefined) return { responseMimeType, [toSchemaField(schema)]: schema };
	return read.refuse(
		`JSON Schema is not a valid schema: ${why}`,
		'It must be a description of the JSON, such as { "type": "object", "properties": { "city": { "type": "string" } } }, not an example of it. Nothing was sent for this item.',
	);
}
