import type { Readable } from '../../../../../nodes/shared/service/http';

/** An answer's body as n8n hands it to a node; `isCut` ends it as a cut connection does. */
export function bodyOf(
	pieces: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
	isCut: boolean,
): Readable;
