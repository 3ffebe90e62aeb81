import type {
	IBinaryKeyData,
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
} from 'n8n-workflow';

import { toFileAgentJson } from '../shared/agent/videoAgent';
import {
	type DownloadOptions,
	readDownloadOptions,
	readTransferOptions,
} from '../shared/download/downloadOptions';
import { CONCURRENT_DOWNLOADS, downloadFiles, toBinaries } from '../shared/download/downloadFiles';
import { toFileWords, toLinkFields } from '../shared/download/link';
import { isFailure, isOwnError, readFailed } from '../shared/failure/failure';
import { isSet, withoutGaps } from '../shared/lib/json';
import { sentences, toPlain } from '../shared/lib/text';
import { createLimiter } from '../shared/lib/turns';
import { toHttpUrl } from '../shared/lib/url';
import { mergeCarried, readCarriedAround, readCarriedFiles, toBinary } from '../shared/n8n/carried';
import { tellResults } from '../shared/n8n/chat';
import { type Done, type ItemResult, toOutput } from '../shared/n8n/output';
import type { Reader } from '../shared/n8n/reader';
import { createRun, type Run } from '../shared/n8n/run';
import { readTaskId, runItems } from '../shared/n8n/runItems';
import { endOf } from '../shared/services/answerPaths';
import type { Connection } from '../shared/services/connection';
import { createCheck } from '../shared/task/poll';
import { toRender } from '../shared/task/render';
import { videoDownloadFields } from './fields';

interface DownloadJob extends DownloadOptions {
	itemIndex: number;
	task_id?: string;
	/** The address to download from instead of the task's at the service. */
	url?: string;
	/** That address is one that the task's record named: which one. */
	ofTask?: number;
	/** Fields of the incoming item that the result passes on. */
	carried?: IDataObject;
	/** Its files that are passed on. */
	carriedFiles?: IBinaryKeyData;
}

type FileSource = Pick<DownloadJob, 'task_id' | 'url' | 'ofTask'>;

const NOT_FOR_AGENTS = {
	message: 'A tool only downloads from the service',
	description: 'Use the task_id of the video instead of a URL.',
};
/** For a chat, of what is no text either. */
const NO_FILE = 'It is in the output of the node.';
const CHECK_URL = 'Check Result URL: it has to lead to the file itself.';

export async function downloadVideos(context: IExecuteFunctions): Promise<INodeExecutionData[]> {
	const run = createRun(context, 'videoGenerationApi', videoDownloadFields);
	const { results, worker } = await runItems(run, readDownload, (connection) =>
		createDownloads(run, connection),
	);
	await tellResults(run, results, (_result, itemIndex) => worker?.words.get(itemIndex));
	return toOutput(run, results);
}

export function readDownload(read: Reader, run: Run): DownloadJob | Done {
	const { itemIndex, options } = read;
	const { taskIds, forAgent } = run;
	const source = read.choice('source') === 'task' ? readTaskId(read, run) : readUrl(read);
	if (typeof source !== 'string' && 'json' in source) return source;
	const from: FileSource = typeof source === 'string' ? { task_id: source } : source;
	const { task_id } = from;
	if (task_id !== undefined) taskIds.set(itemIndex, task_id);
	return {
		itemIndex,
		...from,
		carried: forAgent ? undefined : readCarriedAround(read, task_id, olderThanFile(read)),
		carriedFiles: forAgent ? undefined : readCarriedFiles(read),
		...readDownloadOptions(options, read.text('binaryProperty'), forAgent),
		...readTransferOptions(options),
	};
}

/** A state in which there was no file yet is older than the file. */
const olderThanFile = ({ input: { json } }: Reader) =>
	endOf(json.status) === 'done' || !isSet(json.task_id)
		? []
		: ['status', 'progress', 'fail_reason', 'finished_at'];

/** Returns the address to download from, with the task that the incoming item is about. */
function readUrl(read: Reader): FileSource | Done {
	const { json } = read.input;
	const { error } = json;
	// Of a failure of another task, the item has an earlier address.
	if (isOwnError(error) && error.task_id !== json.task_id) return { json: { error } };
	const url = read.text('resultUrl');
	if (!toHttpUrl(url)) read.refuse('Result URL is not an http or https address');
	const task_id = typeof json.task_id === 'string' ? json.task_id : undefined;
	const ofTask = [json.result_urls ?? json.result_url].flat().indexOf(url);
	return { task_id, url, ...(task_id !== undefined && ofTask >= 0 && { ofTask }) };
}

function createDownloads(run: Run, connection: Connection) {
	const { baseUrl, contentUrl } = connection;
	const check = createCheck(run, connection);
	/** A chat's words on the file of each item. */
	const words = new Map<number, string>();
	const work = async (job: DownloadJob): Promise<ItemResult> => {
		const { itemIndex, task_id, url, ofTask, linkHours, carried, carriedFiles, binaryProperty } =
			job;
		// An agent's URL may come from any text that it has read.
		if (run.forAgent && url && new URL(url).origin !== new URL(baseUrl).origin) {
			return readFailed(NOT_FOR_AGENTS, { task_id });
		}
		const result = await downloadFiles(
			{
				address: url ?? contentUrl(task_id!),
				task: { task_id },
				// A link that has expired may have a fresh one.
				checkTask:
					url && ofTask === undefined
						? undefined
						: async () => await check(toRender({ task_id: task_id! })),
				index: ofTask,
			},
			job,
			run,
			connection,
		);
		if (isFailure(result)) {
			const isNoFile = url && (result.http_code ?? Infinity) < 300;
			const description = sentences(result.description, isNoFile && CHECK_URL);
			return { ...result, description };
		}
		const binary = toBinaries(result.files, binaryProperty);
		const { text, output, result_url, result_urls } = result.task;
		const [file] = result.files;
		const facts = file
			? { file_name: file.file_name, mime_type: file.mime_type, size_bytes: file.size_bytes }
			: { text, output, result_url, result_urls };
		const files = Object.values(binary);
		const link = toLinkFields(files, linkHours, run);
		const own = withoutGaps({ ...facts, ...link, task_id }) as IDataObject;
		const json = mergeCarried(carried, own);
		if (run.sendChunk) {
			const ready = file ? toFileWords(files, linkHours, run) : toPlain(text ?? NO_FILE);
			words.set(itemIndex, `Ready: ${ready}`);
		}
		return {
			json: run.forAgent ? toFileAgentJson(json) : json,
			...toBinary(carriedFiles, binary),
		};
	};
	return { work, words, limiter: createLimiter(CONCURRENT_DOWNLOADS, run.signal) };
}
