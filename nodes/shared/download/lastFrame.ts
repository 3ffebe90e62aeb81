import type { IBinaryKeyData } from 'n8n-workflow';

import type { DownloadOptions } from '../item/downloadOptions';
import { toItemName } from '../item/failure';
import { toList } from '../item/output';
import type { Run } from '../item/run';
import { sentences } from '../lib/text';
import type { Connection } from '../service/connection';
import type { VideoTask } from '../service/videoTask';
import { loadPicture } from './loadPicture';

/** The binary field with the picture of a video's last frame. */
const LAST_FRAME = 'last_frame';
const EXTENSIONS: Record<string, string> = { 'image/jpeg': 'jpg' };

/**
 * Resolves to the picture of a video's last frame as a binary field, or to none: the video is paid
 * for and stored, so it is the item's with or without the picture. `tellLastFrames` says why.
 */
export async function addLastFrame(
	{ last_frame_url: url }: VideoTask,
	videoName: string,
	{ itemIndex, binaryProperty, asksLastFrame }: DownloadOptions & { itemIndex: number },
	run: Run,
	connection: Connection,
): Promise<IBinaryKeyData> {
	if (run.forAgent || !asksLastFrame) return {};
	const fail = (whyNot: string, advice?: string) => {
		if (!run.signal.aborted) run.noLastFrame.set(itemIndex, sentences(whyNot, advice)!);
		return {};
	};
	if (!url) return fail('the service gave no address of it');
	if (binaryProperty === LAST_FRAME) return fail('Output Binary Field has its name');
	const picture = await loadPicture(url, run, connection);
	if ('whyNot' in picture) return fail(picture.whyNot, picture.advice);
	const { bytes, mimeType } = picture;
	const extension = EXTENSIONS[mimeType] ?? mimeType.slice('image/'.length);
	const name = `${videoName.replace(/\.\w+$/, '')}-last-frame.${extension}`;
	try {
		return { [LAST_FRAME]: await run.context.helpers.prepareBinaryData(bytes, name, mimeType) };
	} catch {
		return fail('n8n could not store it');
	}
}

/** Says which items have no picture of their last frame, and why: once for all with one reason. */
export function tellLastFrames({ noLastFrame, report }: Run): void {
	// Pictures come, or do not, in any order.
	const missing = [...noLastFrame].sort(([one], [other]) => one - other);
	for (const reason of new Set(noLastFrame.values())) {
		const items = missing.filter(([, why]) => why === reason);
		const names = toList(items.map(([itemIndex]) => toItemName(itemIndex)));
		const message = `The picture of the last frame is missing at ${names}: ${reason}`;
		report.warn(message);
		report.hint(message, 'warning');
	}
}
