import { fileError, type InputFile, type MediaFile } from '../../shared/lib/mediaFile';

/** @param message while a clip is read, it goes on after the clip's label */
export function refuseClip(message: string, description: string): never {
	throw fileError(message, description);
}

/** Names the clip in what was thrown while it was read. A `RangeError` means that bytes are missing. */
export function withLabel({ label }: InputFile, thrown: unknown): unknown {
	const { name, code, message, description } = thrown as Error & Record<string, unknown>;
	if (name === 'RangeError') {
		// Node.js gives its own a code, and speaks of offsets.
		const why = code === undefined ? message : 'one of its parts is cut';
		const advice = 'Download it again, then join the clips once more.';
		return fileError(`${label} is incomplete or damaged: ${why}`, advice);
	}
	return typeof description === 'string' ? fileError(`${label} ${message}`, description) : thrown;
}

export type Cursor = ReturnType<typeof createCursor>;

/** Returns a reader that only goes forward, because n8n's storage gives streams without ranges. */
export function createCursor(file: MediaFile) {
	const pieces = file.pieces();
	let piece: Uint8Array = new Uint8Array(0);
	let position = 0;

	/** Yields the bytes up to an offset as they come, without copying them. */
	async function* passTo(end: number): AsyncGenerator<Uint8Array, void> {
		while (position < end) {
			if (piece.length === 0) {
				const next = await pieces.next();
				if (next.done) throw new RangeError(`its file ends after ${position} bytes`);
				piece = next.value;
			}
			const part = piece.subarray(0, end - position);
			piece = piece.subarray(part.length);
			position += part.length;
			yield part;
		}
	}

	return {
		passTo,
		async skipTo(offset: number) {
			for await (const part of passTo(offset)) void part;
		},
		async read(bytes: number): Promise<Buffer> {
			const parts: Uint8Array[] = [];
			for await (const part of passTo(position + bytes)) parts.push(part);
			return Buffer.concat(parts);
		},
		position: () => position,
		close: async () => await pieces.return(),
	};
}
