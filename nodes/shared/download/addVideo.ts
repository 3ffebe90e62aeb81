import type { ItemResult } from '../item/output';
import {
	DEFAULT_RETRIES,
	DEFAULT_TIMEOUT_MS,
	downloadVideo,
	type DownloadTools,
} from './downloadVideo';
import type { Render } from '../task/render';
import { toDownloadFailure } from '../task/taskFailure';
import { toRenderJson } from '../task/taskItem';
import { contentUrl } from '../service/videoApi';

/** Of a job, what its file depends on. */
export interface FileWishes {
	itemIndex: number;
	binaryProperty: string;
	simplify: boolean;
}

/** The item of a rendered task with its file; without it, a failure that keeps the task ID. */
export async function addVideo(
	render: Render,
	{ binaryProperty, itemIndex, simplify }: FileWishes,
	tools: DownloadTools,
): Promise<ItemResult> {
	const { task } = render;
	const result = await downloadVideo(
		{
			address: contentUrl(tools.connection, task.task_id),
			lookAtTask: async () => ({ kind: 'task', task, answer: render.answer }),
			task_id: task.task_id,
			timeoutMs: DEFAULT_TIMEOUT_MS,
			retries: DEFAULT_RETRIES,
		},
		tools,
	);
	const json = toRenderJson(render, simplify);
	if (result.kind === 'file') return { json, binary: { [binaryProperty]: result.file.binary } };
	// A stopped download is no failure: the item keeps the task.
	if (tools.signal.aborted) return { json };
	return { failure: toDownloadFailure(result.error, itemIndex, task) };
}
