import { isRest, readFacts, type FileFacts } from './fileParts';
import type { Readable } from '../service/http';
import type { OpenedVideo } from './contentAnswer';
import { createFingerprint, type Fingerprint } from './fingerprint';
import { createMp4Check, type Mp4Check } from './mp4';
import {
	ANOTHER_PART,
	CHANGED,
	EMPTY,
	endsInsideBox,
	NO_MP4,
	tooLarge,
	tooShort,
	type DownloadTrouble,
} from './downloadTrouble';

/** What has come so far of one file, from however many answers. */
export interface Reading {
	check: Mp4Check;
	/** Of all bytes so far: a server that knows no parts sends them again, to be compared. */
	fingerprint: Fingerprint;
	/** Bytes that are not handed on before the first box tells what they are. */
	held: Uint8Array[];
	/** Whether bytes were handed on, which nobody can take back. */
	begun: boolean;
	/** Of the newest answer that was fit. */
	known?: FileFacts;
	mimeType: string;
	/** Whether parts may still be asked for: some servers offer them and send something else. */
	parts: boolean;
	/** The last stream that was opened, for its class. */
	source?: Readable;
	/** Why the reading ended without a whole file. */
	end?: DownloadTrouble;
}

/** A box's length and type, and so what it takes to tell a video from a page. */
const FIRST_BYTES = 8;

export const startReading = (): Reading => ({
	check: createMp4Check(),
	fingerprint: createFingerprint(),
	held: [],
	begun: false,
	mimeType: 'video/mp4',
	parts: true,
});

/** Forgets what nobody has seen yet. */
export function startAnew(reading: Reading): void {
	const { parts, source } = reading;
	Object.assign(reading, startReading(), { parts, source, known: undefined });
}

/** Takes bytes that follow those before; gives what may be handed on, or what is wrong. */
export function take(
	reading: Reading,
	chunk: Uint8Array,
	maxBytes: number,
): Uint8Array[] | DownloadTrouble {
	const { check, fingerprint, held, mimeType } = reading;
	check.feed(chunk);
	fingerprint.feed(chunk);
	if (check.size() > maxBytes) return tooLarge(maxBytes);
	if (reading.begun) return [chunk];
	held.push(chunk);
	if (check.size() < FIRST_BYTES) return [];
	if (mimeType === 'video/mp4' && !check.isVideo()) return NO_MP4;
	reading.begun = true;
	return held.splice(0);
}

/** What is wrong with a file that came to its end. */
export function findTrouble({ check, known, mimeType }: Reading): DownloadTrouble | undefined {
	const size = check.size();
	if (size === 0) return EMPTY;
	// More than was announced is a body that n8n has decoded on the way.
	if (known?.total !== undefined && size < known.total) return tooShort(size, known.total);
	if (mimeType !== 'video/mp4') return undefined;
	if (!check.isVideo()) return NO_MP4;
	return check.isWhole() ? undefined : endsInsideBox(size);
}

/** Whether an answer goes on with the file, or begins it; what it tells is kept. */
export function judge(
	opened: OpenedVideo,
	reading: Reading,
	maxBytes: number,
): DownloadTrouble | undefined {
	const facts = readFacts(opened);
	const size = reading.check.size();
	const { known = facts } = reading;
	if (opened.status === 206 && !isRest(facts, known, size)) return ANOTHER_PART;
	if (reading.begun && facts.total !== undefined && facts.total !== (known.total ?? facts.total)) {
		return CHANGED;
	}
	if ((facts.total ?? 0) > maxBytes) return tooLarge(maxBytes);
	const newest = opened.status === 206 ? known : facts;
	reading.known = { ...newest, total: facts.total ?? known.total };
	reading.source = opened.stream;
	if (!reading.begun) reading.mimeType = toMimeType(opened.headers['content-type']);
	return undefined;
}

function toMimeType(contentType: string | undefined): string {
	const type = contentType?.split(';')[0].trim().toLowerCase() ?? '';
	return /^video\/[\w.+-]+$/.test(type) ? type : 'video/mp4';
}
