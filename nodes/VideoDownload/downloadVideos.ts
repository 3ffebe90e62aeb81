import type { IBinaryData, IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { toFileAgentJson } from '../shared/agent/answer';
import { toDownloadFailure } from '../shared/download/downloadFailure';
import { CONCURRENT_DOWNLOADS, downloadVideo, toDownloading } from '../shared/download/downloadVideo';
import { toFilmWords, toLinkFields } from '../shared/download/link';
import { tellResults } from '../shared/item/chat';
import { toOutput } from '../shared/item/output';
import { openRun, type Run } from '../shared/item/run';
import { runItems } from '../shared/item/runItems';
import { createLimiter } from '../shared/lib/turns';
import type { Connection } from '../shared/service/connection';
import { toHttpUrl } from '../shared/service/credential';
import type { Trouble } from '../shared/service/trouble';
import { contentAddress } from '../shared/service/videoApi';
import { checkTask, toChecking } from '../shared/task/checkTask';
import { toRender } from '../shared/task/render';
import { videoDownloadFields } from './fields';
import { type DownloadJob, readJob } from './readJob';

const NOT_FOR_AGENTS: Trouble = {
	message: 'A tool only downloads from the service, or from the result_url of a task',
	description: 'Use the task_id of the video instead of a URL.',
	retryable: false,
};

export async function downloadVideos(context: IExecuteFunctions): Promise<INodeExecutionData[]> {
	const run = openRun(context, 'videoGenerationApi', videoDownloadFields);
	const { results, opened } = await runItems(run, readJob, openDownloads);
	await tellResults(run, results, (result) => opened?.toWords(result));
	return toOutput(run, results);
}

function openDownloads(run: Run, connection: Connection) {
	const downloading = toDownloading(run, connection);
	const checking = toChecking(run, connection);
	/** Timeout is for each answer, that of the record, too. */
	const check = async (task_id: string, timeoutMs?: number) =>
		await checkTask(toRender({ task_id }), {
			...checking,
			fetchTask: async (id) => await checking.fetchTask(id, timeoutMs),
		});
	/** The task's own address, and its record once that gives nothing. */
	const ofTask = (task_id: string, timeoutMs?: number) => ({
		address: contentAddress(task_id),
		checkTask: async () => await check(task_id, timeoutMs),
		checkFirst: run.forAgent,
	});
	/** An agent may have its URL from anybody whose words it has read. */
	const isAgentsOwn = async (url: string, { task_id, timeoutMs }: DownloadJob) => {
		if (!run.forAgent || new URL(url).origin === new URL(connection.baseUrl).origin) return false;
		if (task_id === undefined) return true;
		const { render } = await check(task_id, timeoutMs);
		return toHttpUrl(render.task.result_url)?.href !== new URL(url).href;
	};
	const files = new Map<IDataObject, { binary: IBinaryData; linkHours?: number }>();
	/** For a chat. */
	const toWords = ({ json }: { json: IDataObject }) => {
		const file = files.get(json);
		if (!file) return undefined;
		const { binary, linkHours } = file;
		return `Ready: ${toFilmWords({ binary, message: json.message }, linkHours, downloading)}`;
	};
	const work = async (wanted: DownloadJob) => {
		const { url, binaryProperty, carried, linkHours, ...job } = wanted;
		const { task_id, timeoutMs } = job;
		if (url !== undefined && (await isAgentsOwn(url, wanted))) {
			return { failure: toDownloadFailure(NOT_FOR_AGENTS, { task_id }) };
		}
		const source = url === undefined ? ofTask(task_id ?? '', timeoutMs) : { address: url };
		const result = await downloadVideo({ ...job, ...source }, downloading);
		if (result.kind === 'failed') {
			return { failure: toDownloadFailure(result.trouble, { task_id, ...result.task }) };
		}
		const { binary, ...facts } = result.file;
		const json: IDataObject = {
			...(!run.forAgent && carried),
			...(task_id !== undefined && { task_id }),
			...facts,
			...toLinkFields(binary, linkHours, downloading),
		};
		files.set(json, { binary, linkHours });
		const told = run.forAgent ? toFileAgentJson(json) : json;
		return { json: told, binary: { [binaryProperty]: binary } };
	};
	return { work, toWords, limiter: createLimiter(CONCURRENT_DOWNLOADS, run.signal) };
}
