import { openVideo } from '../shared/download/openVideo';
import type { OpenedVideo } from '../shared/download/contentAnswer';
import { lowerFirst } from '../shared/lib/sentences';
import { createIdleTimeout } from '../shared/lib/idleTimeout';
import type { Connection } from '../shared/service/connection';
import type { Trouble } from '../shared/service/trouble';
import { toPictureData, type PictureData } from './readImage';

/** What vendors take at most, in bytes. */
const MAX_BYTES = 20 * 1024 ** 2;
const TIMEOUT_MS = 30_000;
const NO_IMAGE = 'there is no image at this address';

/** The picture at an address, for a model that does not open it itself; or why there is none. */
export async function loadPicture(
	connection: Connection,
	url: string,
	stop: AbortSignal,
): Promise<{ picture: PictureData } | { whyNot: string }> {
	const giveUp = new AbortController();
	const signal = AbortSignal.any([stop, giveUp.signal]);
	const idle = createIdleTimeout(TIMEOUT_MS, () => giveUp.abort());
	try {
		const opening = openVideo(connection, url, { timeoutMs: TIMEOUT_MS, signal });
		const opened = await idle.during(opening);
		if (opened.kind === 'failed') return { whyNot: whyNot(opened.trouble) };
		const bytes = await idle.during(readBytes(opened));
		if (!bytes) return { whyNot: `it has more than ${MAX_BYTES / 1024 ** 2} MB` };
		const picture = toPictureData(bytes);
		return picture ? { picture } : { whyNot: NO_IMAGE };
	} catch (error) {
		return { whyNot: idle.gaveUp() ? 'it did not come in time' : lowerFirst(`${error}`) };
	} finally {
		idle.close();
	}
}

/** In the words of a picture: the address is nobody's API, and no key is at stake. */
function whyNot({ httpCode, code, message }: Trouble): string {
	if (httpCode !== undefined) {
		return httpCode < 300 ? NO_IMAGE : `its address answers with HTTP ${httpCode}`;
	}
	return code
		? `its address does not answer (${code})`
		: lowerFirst(message.replace('video', 'image'));
}

async function readBytes({ stream }: OpenedVideo): Promise<Buffer | undefined> {
	const chunks: Buffer[] = [];
	let size = 0;
	for await (const chunk of stream) {
		size += (chunk as Buffer).length;
		if (size > MAX_BYTES) {
			stream.destroy();
			return undefined;
		}
		chunks.push(chunk as Buffer);
	}
	return Buffer.concat(chunks);
}
