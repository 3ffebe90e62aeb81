import type { IDataObject } from 'n8n-workflow';

import { submitRefused } from '../shared/failure/failure';
import { DATA_URI } from '../shared/http/form';
import { beforeBase64, readReference } from '../shared/lib/heldFile';
import { isBase64, mapTexts } from '../shared/lib/json';
import { mergeCarried, toBinary, withoutFiles } from '../shared/n8n/carried';
import type { ItemResult } from '../shared/n8n/output';
import type { Connection } from '../shared/services/connection';
import type { Service } from '../shared/services/contract';
import { toBetterAdvice } from '../shared/services/probe';
import { sendsForm } from '../shared/services/submit';
import { isUploaded } from '../shared/services/writeBody';
import type { VideoJob } from './job';
import { createJobPrices } from './price';

const FOR_AGENT =
	'Dry Run is on: the request was checked and not submitted. There is no video and no task, and nothing is billed. Tell the person so.';

/**
 * Returns what makes an item of a job without submitting it: its request as it would be sent, and its list
 * price. What depends on the service is asked once for all jobs.
 */
export function createDryRuns(connection: Connection, forAgent: boolean) {
	const priceOf = createJobPrices(connection);
	return async (job: VideoJob): Promise<ItemResult> => {
		const { model, family: label, notes, carried } = job;
		const { better, missing } = await connection.look();
		if (better && missing) {
			return submitRefused({ ...missing, passes: false, advice: toBetterAdvice(better) });
		}
		const { video } = job.request!;
		const { path, body: request } = connection.service.toSubmit(video);
		const list_price = await priceOf(job);
		const json: IDataObject = {
			dry_run: true,
			billed: 'no',
			model,
			...(label !== undefined && { family: label }),
			route: path,
			body: sendsForm(connection, video) ? 'form' : 'json',
			request: mapTexts(request, (text) => shortenFile(text, connection.service)) as IDataObject,
			...(list_price && { list_price: { ...list_price } }),
			...(notes.length > 0 && { notes }),
			...(forAgent && { message: FOR_AGENT }),
		};
		const files = withoutFiles(job.carriedFiles, job.binaryProperty);
		return { json: mergeCarried(carried, json), ...toBinary(files) };
	};
}

/** A longer text in the alphabet of base64 counts as a file. */
const MAX_BARE_CHARS = 1_000;
/** The beginning of a file shows its type. */
const SHOWN_FILE_CHARS = 40;

/** Returns the beginning and the size of a file in base64; any other text unchanged. */
function shortenFile(text: string, service: Service): string {
	const held = readReference(text);
	if (held && isUploaded(service, held)) {
		return `address of an uploaded file, ${held.mimeType} (${held.sizeBytes} bytes)`;
	}
	if (held) return `${beforeBase64(held.mimeType, held.bare)}... (${held.sizeBytes} bytes)`;
	const isUri = DATA_URI.test(text);
	if (!isUri && (text.length <= MAX_BARE_CHARS || !isBase64(text))) return text;
	const base64 = text.slice(isUri ? text.indexOf(',') + 1 : 0);
	return `${text.slice(0, SHOWN_FILE_CHARS)}... (${Buffer.byteLength(base64, 'base64')} bytes)`;
}
