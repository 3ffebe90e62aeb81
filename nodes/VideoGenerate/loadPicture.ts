import { openFile } from '../shared/download/openFile';
import { isReason } from '../shared/failure/reason';
import type { MediaKind } from '../shared/lib/mediaType';
import { lowerFirst } from '../shared/lib/text';
import { createTimeLimit } from '../shared/lib/time';
import type { Connection } from '../shared/services/connection';

/** Vendors accept at most this many bytes. */
const MAX_BYTES = 20 * 1024 ** 2;
/** A picture must arrive completely within this time. */
const TIMEOUT_MS = 60_000;
export const nothingThere = (kind: MediaKind) => `there is no ${kind} at this address`;

/** Why a picture cannot be read, and what to do if that is not plain. */
export interface WhyNot {
	whyNot: string;
	advice?: string;
	/** Another try may work. */
	passes?: boolean;
}

/** Reads a picture from its beginning to its end, piece by piece. Resolves to why it cannot. */
export type ReadPicture = (take: (piece: Uint8Array) => void) => Promise<WhyNot | undefined>;

/** Returns what reads a picture at an address that no credential names. */
export const readPictureAt =
	(
		url: string,
		stop: AbortSignal,
		connection: Connection,
		kind: MediaKind = 'image',
	): ReadPicture =>
	async (take) => {
		const limit = createTimeLimit(TIMEOUT_MS, stop);
		const { signal } = limit;
		const options = { what: 'The address', timeoutMs: TIMEOUT_MS, signal };
		const fail = (whyNot: string, advice?: string, passes = false) => ({ whyNot, advice, passes });
		const read = async (): Promise<WhyNot | 'whole'> => {
			const opened = await openFile(url, options, connection);
			if (isReason(opened)) {
				// With a code, its words are about videos and are replaced; without, about the address.
				const { httpCode, code, message, description, passes } = opened;
				if (httpCode === undefined && !code) return fail(lowerFirst(message), description);
				if (httpCode === undefined)
					return fail(`its address does not answer (${code})`, undefined, passes);
				if (httpCode < 300) return fail(nothingThere(kind));
				return fail(`its address answers with HTTP ${httpCode}`, undefined, passes);
			}
			let size = 0;
			for await (const chunk of opened.stream) {
				const piece = chunk as Uint8Array;
				size += piece.length;
				if (size > MAX_BYTES) return fail(`it has more than ${MAX_BYTES / 1024 ** 2} MB`);
				take(piece);
			}
			return 'whole';
		};
		try {
			const end =
				(await limit.within(read())) ?? fail('it did not come within a minute', undefined, true);
			return end === 'whole' ? undefined : end;
		} catch {
			return fail('the connection was cut', undefined, true);
		} finally {
			limit.close();
		}
	};
