import { checkWords, type Reader } from '../shared/item/reader';
import type { Run } from '../shared/item/run';
import type { Job } from '../shared/item/runItems';
import { readModel } from '../shared/text/readModel';
import type { TextWish } from '../shared/text/request';
import { type InputFile, readInputFiles, readTurnFiles } from './readFiles';
import { readWish } from './readWish';

/** What one item asks for. */
export interface TextJob extends Job {
	model: string;
	wish: TextWish;
	files: InputFile[];
	/** What earlier turns refer to. */
	turnFiles: InputFile[];
	jsonOutput: boolean;
	/** What the JSON is checked against; `undefined` where nothing says what it must be. */
	schema: unknown;
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

export async function readJob(
	read: Reader,
	{ context, parameters }: Pick<Run, 'context' | 'parameters'>,
): Promise<TextJob> {
	const { itemIndex, options } = read;
	checkWords(read, parameters);
	const files = await readInputFiles(read, context);
	const reading = readWish(read, files.length > 0);
	const { turns } = reading.wish;
	return {
		itemIndex,
		model: readModel(read),
		...reading,
		files,
		turnFiles: await readTurnFiles(read, context, turns, files),
		jsonOutput: read.boolean('jsonOutput'),
		streamResponse: read.boolean('streamResponse'),
		reuseAnswers: options.boolean('reuseAnswers'),
		simplify: read.boolean('simplify'),
		binaryProperty: options.optionalText('binaryProperty').trim() || 'data',
		timeoutMs: options.numberOrDefault('timeout', { above: 0 }) * 1000,
		concurrency: Math.max(1, Math.floor(options.numberOrDefault('concurrency', { above: 0 }))),
	};
}
