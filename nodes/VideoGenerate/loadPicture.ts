import { openVideo } from '../shared/download/openVideo';
import { isReason } from '../shared/failure/reason';
import { sniffImage } from '../shared/lib/image';
import { lowerFirst } from '../shared/lib/text';
import { createTimeLimit } from '../shared/lib/time';
import type { Connection } from '../shared/services/connection';

/** Vendors accept at most this many bytes. */
const MAX_BYTES = 20 * 1024 ** 2;
/** A picture must arrive completely within this time. */
const TIMEOUT_MS = 60_000;
const NO_IMAGE = 'there is no image at this address';

/** Loads a picture from an address that no credential names. Resolves to the picture or to why not. */
export async function loadPicture(
	url: string,
	stop: AbortSignal,
	connection: Connection,
): Promise<{ bytes: Buffer; mimeType: string } | { whyNot: string; advice?: string }> {
	const limit = createTimeLimit(TIMEOUT_MS, stop);
	const { signal } = limit;
	const options = { what: 'The address', timeoutMs: TIMEOUT_MS, signal };
	const fail = (whyNot: string, advice?: string) => ({ whyNot, advice });
	const load = async () => {
		const opened = await openVideo(url, options, connection);
		if (isReason(opened)) {
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
