import type { IExecuteFunctions } from 'n8n-workflow';

import type { Part } from '../shared/service/textApi';
import { readBase64 } from './readBase64';
import type { InputFile } from './readFiles';

/** The files of a job as parts of a turn. */
export async function loadFiles(context: IExecuteFunctions, files: InputFile[]): Promise<Part[]> {
	const parts: Part[] = [];
	for (const file of files) {
		const { mimeType } = file;
		parts.push({ inlineData: { mimeType, data: await readBase64(context, file) } });
	}
	return parts;
}
