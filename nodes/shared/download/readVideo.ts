import { type AddressFailure, addressFailure } from '../item/failure';
import type { createIdleTimeout } from '../lib/time';
import { createMp4Check } from '../mp4/mp4Check';
import { hasBoxes, sniffVideo, type VideoType } from '../mp4/videoFormat';
import type { StreamAnswer } from '../service/http';
import { isFailure } from '../service/reason';

/** A video that has begun to come. */
export interface VideoBody {
	/** By its first bytes, whatever the server calls it. */
	mimeType: VideoType;
	/** Ends only after a whole video, and throws otherwise, so that n8n's storage keeps nothing. */
	chunks: AsyncGenerator<Uint8Array, void>;
	/** Why `chunks` threw. */
	failure?: AddressFailure;
}

interface Limits {
	maxSizeBytes: number;
	/** The longest wait for a chunk, in milliseconds; `idle` counts it. */
	timeoutMs: number;
}

/** Reads the first bytes of an answer. Resolves to the video that they begin, or to why it is none. */
export async function readVideo(
	{ headers, stream }: StreamAnswer,
	idle: Pick<ReturnType<typeof createIdleTimeout>, 'during' | 'gaveUp'>,
	{ maxSizeBytes, timeoutMs }: Limits,
): Promise<VideoBody | AddressFailure> {
	/** `NaN` if the server does not tell it. */
	const length = Number(headers['content-length']);
	if (length > maxSizeBytes) return tooLarge(maxSizeBytes);
	const check = createMp4Check();
	const wire = (stream as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]();

	/** Resolves to the next chunk, to `undefined` at the end, or to why there is no more. */
	const read = async (): Promise<Uint8Array | AddressFailure | undefined> => {
		const next = await idle.during(wire.next().catch(() => undefined));
		if (!next) {
			const slow = `Nothing arrived for ${timeoutMs / 1000} seconds`;
			const why = idle.gaveUp() ? slow : 'The connection was cut';
			return endedEarly(`${why} after ${check.size()} bytes`);
		}
		if (next.done) return undefined;
		check.feed(next.value);
		return check.size() > maxSizeBytes ? tooLarge(maxSizeBytes) : next.value;
	};

	/** Returns what a video whose answer has ended lacks; `undefined` if it is whole. */
	const findGap = (type: VideoType): AddressFailure | undefined => {
		const size = check.size();
		// A body that n8n has decompressed is longer than its announced length.
		if (size < length) return endedEarly(`Only ${size} of ${length} bytes arrived`);
		if (!hasBoxes(type) || check.isWhole()) return undefined;
		return endedEarly(`The video file is not complete after ${size} bytes`);
	};

	const first: Uint8Array[] = [];
	let type: ReturnType<typeof sniffVideo> = 'more';
	while (type === 'more') {
		const chunk = await read();
		if (isFailure(chunk)) return chunk;
		if (!chunk) return NOT_A_VIDEO;
		first.push(chunk);
		type = sniffVideo(Buffer.concat(first));
	}
	if (!type) return NOT_A_VIDEO;
	const body: VideoBody = { mimeType: type, chunks: readOn() };
	async function* readOn() {
		yield* first;
		for (;;) {
			const chunk = await read();
			body.failure = isFailure(chunk) ? chunk : chunk ? undefined : findGap(body.mimeType);
			if (body.failure) throw new Error(body.failure.message);
			if (!chunk) return;
			yield chunk as Uint8Array;
		}
	}
	return body;
}

const again = (message: string, description?: string) =>
	addressFailure(message, { description, passes: true });
const endedEarly = (description: string) => again('The download ended early', description);
/** It passes: LiteLLM has sent a service's "not ready yet" as 200 and video/mp4 (pull request 32602). */
const NOT_A_VIDEO = again('The file is not a video');

function tooLarge(maxBytes: number): AddressFailure {
	const megabytes = maxBytes / 1024 ** 2;
	const shown = megabytes < 1 ? Number(megabytes.toPrecision(2)) : Math.round(megabytes);
	return addressFailure(`The video is larger than the ${shown} MB that Max Size allows`, {
		description: 'Raise Max Size in the options.',
		everywhere: true,
	});
}
