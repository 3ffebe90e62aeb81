import type { IDataObject } from 'n8n-workflow';

import { toBytes } from '../shared/download/defaults';
import { readLinkHours } from '../shared/download/link';
import type { StoreRequest } from '../shared/download/storeVideo';
import { readCarried, type Reader } from '../shared/item/reader';
import type { Run } from '../shared/item/run';
import { toHttpUrl } from '../shared/service/credential';

export interface DownloadJob extends StoreRequest {
	itemIndex: number;
	/** An address in the place of the task's own. */
	url?: string;
	binaryProperty: string;
	carried?: IDataObject;
	/** 0 for no link; nobody has set it where it is missing. */
	linkHours?: number;
}

export function readJob(read: Reader, { taskIds, forAgent }: Run): DownloadJob {
	const { itemIndex, options } = read;
	const source = readSource(read);
	if (source.task_id !== undefined) taskIds.set(itemIndex, source.task_id);
	return {
		...source,
		itemIndex,
		binaryProperty: read.text('binaryProperty'),
		carried: readCarried(read),
		fileName: options.optionalText('fileName').trim() || undefined,
		maxSizeBytes: toBytes(options.number('maxSize', { above: 0 })),
		linkHours: readLinkHours(options, forAgent),
		allowPrivate: options.boolean('allowPrivateAddresses'),
		timeoutMs: options.numberOrDefault('timeout', { above: 0 }) * 1000,
		retries: Math.floor(options.numberOrDefault('retries', { min: 0 })),
	};
}

function readSource(read: Reader): Pick<DownloadJob, 'task_id' | 'url'> {
	if (read.choice('source') === 'task') return { task_id: read.text('taskId') };
	const url = read.text('resultUrl');
	if (!toHttpUrl(url)) read.refuse('Result URL is not an http or https address');
	const { task_id } = read.input.json;
	return { url, task_id: typeof task_id === 'string' ? task_id : undefined };
}
