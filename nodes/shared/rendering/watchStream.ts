import type { Readable } from '../service/http';
import { createWait } from './wait';

export interface StreamLimits {
	/** Milliseconds without a byte after which the stream is given up. */
	idleTimeoutMs: number;
	/** Bytes; more than that ends the stream. */
	maxBytes: number;
	/** Ends the request behind the stream: n8n 2 wraps it so that destroying it ends nothing. */
	end: () => void;
}

/**
 * A stream that hands `source` on chunk by chunk and shows each to `see`; it fails when a limit is
 * reached. Nodes may not import built-ins, but every stream's class inherits `from` of Node's
 * `Readable`.
 */
export function watchStream(
	source: Readable,
	see: (chunk: Uint8Array) => void,
	limits: StreamLimits,
): Readable {
	const { from } = source.constructor as unknown as {
		from: (chunks: AsyncIterable<Uint8Array>) => Readable;
	};
	return from(watch(source, see, limits));
}

async function* watch(
	source: Readable,
	see: (chunk: Uint8Array) => void,
	{ idleTimeoutMs, maxBytes, end }: StreamLimits,
) {
	let size = 0;
	const over = new AbortController();
	void endWhenIdle(() => size, idleTimeoutMs, over.signal, end);
	try {
		for await (const chunk of source as AsyncIterable<Uint8Array>) {
			size += chunk.length;
			see(chunk);
			if (size > maxBytes) throw new Error('larger than allowed');
			yield chunk;
		}
	} finally {
		over.abort();
	}
}

/** One timer for the whole stream: a look at the size once in every time-out. */
async function endWhenIdle(
	size: () => number,
	idleTimeoutMs: number,
	over: AbortSignal,
	end: () => void,
): Promise<void> {
	const wait = createWait(over);
	for (let before = -1; !over.aborted && size() !== before;) {
		before = size();
		await wait(idleTimeoutMs);
	}
	if (!over.aborted) end();
}
