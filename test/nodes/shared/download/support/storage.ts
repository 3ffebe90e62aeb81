import type { IBinaryData, IExecuteFunctions, IHttpRequestOptions } from 'n8n-workflow';

import { storeVideo } from '../../../../../nodes/shared/download/storeVideo';
import { openConnection } from '../../../../../nodes/shared/service/connection';
import type { Readable } from '../../../../../nodes/shared/service/http';

export interface Answer {
	statusCode: number;
	headers: Record<string, string>;
	body: Readable;
}

/** A service, and n8n's storage, in memory. */
export interface World {
	/** Called with what the request asks for; throws as n8n does. */
	answer: (options: IHttpRequestOptions) => Answer;
	/** In place of a storage that reads its stream to the end. */
	store?: (stream: Readable) => Promise<Buffer>;
	retries?: number;
	maxSizeBytes?: number;
	signal?: AbortSignal;
	maxPauseMs?: number;
	/** Called in place of each pause between two tries. */
	onPause?: (ms: number) => void;
}

/** Downloads one video; tells what was asked, what was stored and how the storage's streams ended. */
export async function play({ answer, store = readAll, retries = 5, ...more }: World) {
	const asked: IHttpRequestOptions[] = [];
	const stored: Buffer[] = [];
	const request = async (options: IHttpRequestOptions) => {
		asked.push(options);
		return answer(options);
	};
	const context = {
		getCredentials: async () => ({ baseUrl: 'https://api.example.com', apiKey: '' }),
		helpers: {
			httpRequest: request,
			httpRequestWithAuthentication: async (_credential: string, options: IHttpRequestOptions) =>
				await request(options),
		},
	} as unknown as IExecuteFunctions;
	const { signal = new AbortController().signal, maxSizeBytes, onPause } = more;
	const { maxPauseMs = Infinity } = more;
	const downloading = {
		connection: await openConnection(context, 'videoGenerationApi'),
		clock: { now: () => 0, random: () => 0, pause: async (ms: number) => onPause?.(ms) },
		signal,
		maxPauseMs,
		lookUp: async () => [],
		store: async (stream: Readable, fileName: string, mimeType: string) => {
			stored.push(await store(stream));
			return { data: '', fileName, mimeType } as IBinaryData;
		},
	};
	const wish = { task_id: 'task_1', timeoutMs: 60_000, retries, maxSizeBytes };
	const result = await storeVideo('https://api.example.com/video', wish, downloading);
	return { result, asked, stored };
}

async function readAll(stream: Readable): Promise<Buffer> {
	const chunks: Uint8Array[] = [];
	for await (const chunk of stream) chunks.push(chunk as Uint8Array);
	return Buffer.concat(chunks);
}
