import type { ItemResult } from '../item/output';
import { contentAddress } from '../service/videoApi';
import { type ItemLook, type Render, toRenderItem } from '../task/render';
import { toDownloadFailure } from './downloadFailure';
import { downloadVideo } from './downloadVideo';
import { toLinkFields } from './link';
import type { Downloading } from './storeVideo';

/** Of a job, what its file depends on. */
interface FileWishes extends ItemLook {
	binaryProperty: string;
	maxSizeBytes?: number;
	allowPrivate?: boolean;
	linkHours?: number;
}

/** The item of a rendered task with its file; without it, a failure that keeps the task ID. */
export async function addVideo(
	render: Render,
	{ binaryProperty, ...wishes }: FileWishes,
	downloading: Downloading,
): Promise<ItemResult> {
	const { task } = render;
	const result = await downloadVideo(
		{
			address: contentAddress(task.task_id),
			checkTask: async () => ({ state: 'done', render }),
			task_id: task.task_id,
			maxSizeBytes: wishes.maxSizeBytes,
			allowPrivate: wishes.allowPrivate,
		},
		downloading,
	);
	const json = toRenderItem(render, wishes);
	if (result.kind === 'file') {
		const { binary } = result.file;
		const link = toLinkFields(binary, wishes.linkHours, downloading);
		return { json: { ...json, ...link }, binary: { [binaryProperty]: binary } };
	}
	// A stopped download is no failure: the item keeps the task.
	if (downloading.signal.aborted) return { json };
	return { failure: toDownloadFailure(result.trouble, task) };
}
