import type { IExecuteFunctions } from 'n8n-workflow';

import type { Part } from '../shared/service/textApi';
import { readReference } from '../shared/text/files';
import type { Turn } from '../shared/text/request';
import { readBase64 } from './readBase64';
import type { InputFile } from './readFiles';

/** Turns with the bytes of their files in the place of references. */
export async function loadTurns(
	context: IExecuteFunctions,
	turns: Turn[],
	turnFiles: InputFile[],
): Promise<Turn[]> {
	if (turnFiles.length === 0) return turns;
	const loaded = await loadFiles(context, turnFiles);
	const known = new Map(turnFiles.map(({ property }, i) => [property, loaded[i]]));
	const load = (part: Part) => ({ ...part, ...known.get(readReference(part) ?? '') });
	return turns.map((turn) => ({ ...turn, parts: turn.parts.map(load) }));
}

/** The files of a job as parts of a turn. */
export async function loadFiles(context: IExecuteFunctions, files: InputFile[]): Promise<Part[]> {
	const parts: Part[] = [];
	for (const file of files) {
		const { mimeType } = file;
		parts.push({ inlineData: { mimeType, data: await readBase64(context, file) } });
	}
	return parts;
}
