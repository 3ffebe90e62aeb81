import type { IDataObject } from 'n8n-workflow';

import type { ItemResult } from '../shared/item/output';
import { isBase64, mapTexts } from '../shared/lib/json';
import type { VideoJob } from './readJob';

/** Longer ones are no words, if they have the alphabet of base64. */
const MAX_BARE_CHARS = 1_000;
/** Of a file, enough to tell what it is. */
const SHOWN_CHARS = 40;

const FOR_AGENT =
	'Dry Run is on: the request was checked and not submitted. There is no video and no task, and nothing is billed. Tell the person so.';

/** The item of a job that is not submitted: what would have been, without the bytes of pictures. */
export function toDryRun({ request, family, carried }: VideoJob, forAgent: boolean): ItemResult {
	const { model } = request;
	const json: IDataObject = {
		...carried,
		dry_run: true,
		model,
		...(family !== undefined && { family }),
		request: mapTexts(request, withoutBytes) as IDataObject,
		...(forAgent && { message: FOR_AGENT }),
	};
	return { json };
}

/** Of a file as base64, its beginning and how many bytes it has; any other text as it is. */
function withoutBytes(text: string): string {
	const isUri = /^data:[^,]{0,200};base64,/.test(text);
	const isBare = text.length > MAX_BARE_CHARS && isBase64(text);
	if (!isUri && !isBare) return text;
	const base64 = text.slice(isUri ? text.indexOf(',') + 1 : 0);
	return `${text.slice(0, SHOWN_CHARS)}... (${Buffer.byteLength(base64, 'base64')} bytes)`;
}
