import type { ItemResult } from '../item/output';
import { contentAddress } from '../service/videoApi';
import type { Render } from '../task/render';
import { toRenderJson } from '../task/renderJson';
import { toDownloadFailure } from './downloadFailure';
import { downloadVideo } from './downloadVideo';
import { toLinkFields } from './link';
import type { Downloading } from './storeVideo';

/** Of a job, what its file depends on. */
interface FileWishes {
	binaryProperty: string;
	simplify: boolean;
	maxSizeBytes?: number;
	allowPrivate?: boolean;
	linkHours?: number;
}

/** The item of a rendered task with its file; without it, a failure that keeps the task ID. */
export async function addVideo(
	render: Render,
	{ binaryProperty, simplify, ...limits }: FileWishes,
	downloading: Downloading,
): Promise<ItemResult> {
	const { task } = render;
	const result = await downloadVideo(
		{
			address: contentAddress(task.task_id),
			checkTask: async () => ({ state: 'done', render }),
			task_id: task.task_id,
			maxSizeBytes: limits.maxSizeBytes,
			allowPrivate: limits.allowPrivate,
		},
		downloading,
	);
	const json = toRenderJson(render, simplify);
	if (result.kind === 'file') {
		const { binary } = result.file;
		const link = toLinkFields(binary, limits.linkHours, downloading);
		return { json: { ...json, ...link }, binary: { [binaryProperty]: binary } };
	}
	// A stopped download is no failure: the item keeps the task.
	if (downloading.signal.aborted) return { json };
	return { failure: toDownloadFailure(result.trouble, task) };
}
