import type { IBinaryKeyData } from 'n8n-workflow';

import type { DownloadOptions } from '../item/downloadOptions';
import { toList } from '../item/output';
import type { Run } from '../item/run';
import { toItemName } from '../item/words';
import { lowerFirst, sentences } from '../lib/text';
import { createTimeLimit } from '../lib/time';
import type { Connection } from '../service/connection';
import { sniffImage } from '../service/image';
import type { VideoTask } from '../service/videoTask';
import { openVideo } from './openVideo';
import { isFailure } from '../service/reason';

/** Vendors accept at most this many bytes. */
const MAX_BYTES = 20 * 1024 ** 2;
/** A picture must arrive completely within this time. */
const TIMEOUT_MS = 60_000;
const NO_IMAGE = 'there is no image at this address';

/** Loads a picture from an address that no credential names. Resolves to the picture or to why not. */
export async function loadPicture(
	url: string,
	run: Run,
	connection: Connection,
): Promise<{ bytes: Buffer; mimeType: string } | { whyNot: string; advice?: string }> {
	const limit = createTimeLimit(TIMEOUT_MS, run.signal);
	const { signal } = limit;
	const options = { what: 'The address', timeoutMs: TIMEOUT_MS, signal };
	const fail = (whyNot: string, advice?: string) => ({ whyNot, advice });
	const load = async () => {
		const opened = await openVideo(url, options, run, connection);
		if (isFailure(opened)) {
			// With a code, its words are about videos and are replaced; without, about the address.
			const { httpCode, code, message, description } = opened;
			if (httpCode === undefined && !code) return fail(lowerFirst(message), description);
			if (httpCode === undefined) return fail(`its address does not answer (${code})`);
			return fail(httpCode < 300 ? NO_IMAGE : `its address answers with HTTP ${httpCode}`);
		}
		const chunks: Buffer[] = [];
		let size = 0;
		for await (const chunk of opened.stream) {
			size += (chunk as Buffer).length;
			if (size > MAX_BYTES) return fail(`it has more than ${MAX_BYTES / 1024 ** 2} MB`);
			chunks.push(chunk as Buffer);
		}
		const bytes = Buffer.concat(chunks);
		const mimeType = sniffImage(bytes);
		return mimeType ? { bytes, mimeType } : fail(NO_IMAGE);
	};
	try {
		return (await limit.within(load())) ?? fail('it did not come within a minute');
	} catch {
		return fail('the connection was cut');
	} finally {
		limit.close();
	}
}

/** The binary field with the picture of a video's last frame. */
const LAST_FRAME = 'last_frame';

/** Resolves to the picture of a video's last frame as a binary field, or to none and notes why. */
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
	const extension = mimeType === 'image/jpeg' ? 'jpg' : mimeType.slice('image/'.length);
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
