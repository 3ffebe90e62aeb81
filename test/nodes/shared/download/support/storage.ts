import type { IBinaryData, IHttpRequestOptions } from 'n8n-workflow';

import type { DownloadOptions } from '../../../../../nodes/shared/download/downloadOptions';
import { isFailure } from '../../../../../nodes/shared/failure/failure';
import { downloadFiles } from '../../../../../nodes/shared/download/downloadFiles';
import type { Readable } from '../../../../../nodes/shared/http/answer';
import type { MediaKind } from '../../../../../nodes/shared/lib/mediaType';
import { makeRun } from '../../../../support/makeRun';

export interface Answer {
	statusCode: number;
	headers: Record<string, string>;
	body: Readable;
}

/** A service, and n8n's storage, in memory. */
export interface World {
	address?: string;
	/** Answers a request, or throws as n8n does. */
	answer: (options: IHttpRequestOptions) => Answer;
	/** Stands in for a storage that reads what it is given to the end. */
	store?: (content: Readable) => Promise<Buffer>;
	options?: Partial<DownloadOptions>;
	/** What the task's record says that the file is. */
	kind?: MediaKind;
}

/** Downloads one video; tells what was requested and stored, and how many of n8n's files were begun. */
export async function play({
	address = 'https://api.example.com/video',
	answer,
	store = readAll,
	options,
	kind,
}: World) {
	const requests: IHttpRequestOptions[] = [];
	const stored: Buffer[] = [];
	let begun = 0;
	const httpRequest = async (options: IHttpRequestOptions) => {
		requests.push(options);
		return answer(options);
	};
	const helpers = {
		httpRequest,
		// As the credential does it.
		httpRequestWithAuthentication: async (_credential: string, options: IHttpRequestOptions) =>
			await httpRequest({
				...options,
				headers: { ...options.headers, Authorization: 'Bearer key' },
			}),
		async prepareBinaryData(stream: Readable, fileName: string, mimeType: string) {
			begun++;
			const file = await store(stream);
			stored.push(file);
			return { data: '', fileName, mimeType, bytes: file.length } as IBinaryData;
		},
	};
	const clock = { now: () => 0, random: () => 0, pause: async () => {} };
	const run = { ...makeRun({ more: { helpers } }), clock };
	const connection = await run.connect();
	const wanted = { address, task: { task_id: 'task_1', kind } };
	const set = { binaryProperty: 'data', timeoutMs: 60_000, ...options };
	const end = await downloadFiles(wanted, set, run, connection);
	const result = isFailure(end) ? end : end.files[0];
	return { result, requests, stored, begun };
}

async function readAll(stream: Readable): Promise<Buffer> {
	const chunks: Uint8Array[] = [];
	for await (const chunk of stream) chunks.push(Uint8Array.from(chunk as Uint8Array));
	return Buffer.concat(chunks);
}
