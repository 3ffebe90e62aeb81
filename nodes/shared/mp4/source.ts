/** A clip's file, read from its beginning to its end as often as it is opened. */
export interface Source {
	/** Names the clip at the beginning of a message, such as `Clip 2 (b.mp4)`. */
	label: string;
	size: number;
	open: () => AsyncIterable<Uint8Array>;
}

type Labelled = Pick<Source, 'label'>;

/** Says why a clip cannot be joined, and what to do (`description`). */
const toRefusal = ({ label }: Labelled, what: string, description: string): Error =>
	Object.assign(new Error(`${label} ${what}`), { description });

/** Ends the work on a clip. */
export function refuse(source: Labelled, what: string, advice: string): never {
	throw toRefusal(source, what, advice);
}

const DOWNLOAD_AGAIN = 'Download it again, then join the clips once more.';

export const refuseCut = (source: Labelled, where: string): never =>
	refuse(source, `is incomplete: ${where}`, DOWNLOAD_AGAIN);

export const refuseBroken = (source: Labelled, why: string): never =>
	refuse(source, `has a broken index: ${why}`, DOWNLOAD_AGAIN);

/** Returns the refusal for bytes that end before what they claim to hold. */
export function toBroken(source: Labelled, error: unknown): unknown {
	const { name, message, code } = error as Partial<Record<'name' | 'message' | 'code', string>>;
	if (name !== 'RangeError') return error;
	// Node.js gives its own a code, and speaks of offsets.
	const why = code === undefined ? message : 'one of its parts is cut';
	return toRefusal(source, `has a broken index: ${why}`, DOWNLOAD_AGAIN);
}

export type Cursor = ReturnType<typeof openCursor>;

/** Returns a reader that only goes forward, because n8n's storage gives streams without ranges. */
export function openCursor(source: Source) {
	const pieces = source.open()[Symbol.asyncIterator]();
	let piece: Uint8Array = new Uint8Array(0);
	let position = 0;

	/** Yields the next bytes as they come, without copying them. */
	async function* pass(bytes: number): AsyncGenerator<Uint8Array, void> {
		for (let rest = bytes; rest > 0;) {
			if (piece.length === 0) {
				const next = await pieces.next();
				if (next.done) refuseCut(source, `its file ends after ${position} bytes`);
				piece = next.value as Uint8Array;
			}
			const part = piece.subarray(0, rest);
			piece = piece.subarray(part.length);
			position += part.length;
			rest -= part.length;
			yield part;
		}
	}

	return {
		pass,
		async skipTo(offset: number) {
			for await (const part of pass(offset - position)) void part;
		},
		async read(bytes: number): Promise<Buffer> {
			const parts: Uint8Array[] = [];
			for await (const part of pass(bytes)) parts.push(part);
			return Buffer.concat(parts);
		},
		position: () => position,
		async close() {
			await pieces.return?.();
		},
	};
}
