import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { toDownloadFailure } from '../shared/download/downloadFailure';
import {
	CONCURRENT_DOWNLOADS,
	downloadVideo,
	toDownloading,
} from '../shared/download/downloadVideo';
import type { StoreRequest } from '../shared/download/storeVideo';
import { toOutput } from '../shared/item/output';
import type { Reader } from '../shared/item/reader';
import { openRun, type Run } from '../shared/item/run';
import { runItems } from '../shared/item/runItems';
import { createLimiter } from '../shared/lib/limiter';
import { toHttpUrl } from '../shared/service/baseUrl';
import type { Connection } from '../shared/service/connection';
import { contentUrl } from '../shared/service/videoApi';
import { checkTask, toChecking } from '../shared/task/checkTask';
import { toRender } from '../shared/task/render';
import { videoDownloadFields } from './fields';

/** An agent hears text only, and would promise the file to its person. */
const FILE_STAYS =
	'The video was downloaded completely, and its file is stored with this n8n execution. A tool cannot return files: pass on the task_id or the link instead.';

const MIB = 1024 * 1024;

interface DownloadJob extends StoreRequest {
	itemIndex: number;
	/** An address in the place of the task's own. */
	url?: string;
	binaryProperty: string;
}

export async function downloadVideos(context: IExecuteFunctions): Promise<INodeExecutionData[]> {
	const run = openRun(context, 'videoGenerationApi', videoDownloadFields);
	const { results } = await runItems(run, readJob, openDownloads);
	return toOutput(run, results);
}

function readJob(read: Reader, { taskIds }: Run): DownloadJob {
	const { itemIndex, options } = read;
	const source = readSource(read);
	if (source.task_id !== undefined) taskIds.set(itemIndex, source.task_id);
	const maxSizeMb = options.number('maxSize', { above: 0 });
	return {
		...source,
		itemIndex,
		binaryProperty: read.text('binaryProperty'),
		fileName: options.optionalText('fileName').trim() || undefined,
		maxSizeBytes: maxSizeMb === undefined ? undefined : maxSizeMb * MIB,
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

function openDownloads(run: Run, connection: Connection) {
	const downloading = toDownloading(run, connection);
	const checking = toChecking(run, connection);
	/** The task's own address, and its record once that gives nothing. */
	const ofTask = (task_id: string) => ({
		address: contentUrl(connection, task_id),
		checkTask: async () => await checkTask(toRender({ task_id }), checking),
		checkFirst: run.forAgent,
	});
	const work = async ({ url, binaryProperty, ...job }: DownloadJob) => {
		const { task_id } = job;
		const source = url === undefined ? ofTask(task_id ?? '') : { address: url };
		const result = await downloadVideo({ ...job, ...source }, downloading);
		if (result.kind === 'failed') {
			return { failure: toDownloadFailure(result.trouble, { task_id, ...result.task }) };
		}
		const { binary, ...facts } = result.file;
		const json: IDataObject = {
			...(task_id !== undefined && { task_id }),
			...facts,
			...(run.forAgent && { message: FILE_STAYS }),
		};
		return { json, binary: { [binaryProperty]: binary } };
	};
	return { work, limiter: createLimiter(CONCURRENT_DOWNLOADS, run.signal) };
}
