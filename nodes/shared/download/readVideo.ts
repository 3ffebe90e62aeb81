import type { StreamAnswer } from '../http/answer';
import type { createIdleTimeout } from '../lib/time';
import { createMp4Check } from '../mp4/mp4Check';
import { hasBoxes, sniffVideo, type VideoType } from '../mp4/videoFormat';
import { type AddressReason, addressReason } from './fileFailed';

/** The length of the whole file in a Content-Range such as `bytes 0-99/500`. */
const TOTAL = /\/(\d+)$/;

/** What is thrown where an address gives no whole video; n8n's storage hands it on. */
export class NoVideo extends Error {
	constructor(readonly reason: AddressReason) {
		super(reason.message);
	}
}

/**
 * Reads the first bytes of an answer. They decide the type, whatever the server calls it. `chunks` ends only
 * after a whole video, and throws otherwise, so that n8n's storage keeps nothing.
 *
 * @param idle gives up after `timeoutMs` without a chunk
 * @throws NoVideo
 */
export async function readVideo(
	{ headers, stream }: StreamAnswer,
	idle: Pick<ReturnType<typeof createIdleTimeout>, 'during' | 'gaveUp'>,
	{ maxSizeBytes, timeoutMs }: { maxSizeBytes: number; timeoutMs: number },
): Promise<{ mimeType: VideoType; chunks: AsyncGenerator<Uint8Array, void> }> {
	/**
	 * `NaN` if the server does not tell it. Some answer 206 with a part that nobody asked for
	 * (ansible/ansible issue 68843, 2020); only Content-Range then has the length of the file.
	 */
	const length = Number(TOTAL.exec(headers['content-range'])?.[1] ?? headers['content-length']);
	if (length > maxSizeBytes) throw tooLarge(maxSizeBytes);
	const check = createMp4Check();

	const wire = (stream as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]();
	/** Resolves to the next chunk; to `undefined` at the end. */
	const read = async (): Promise<Uint8Array | undefined> => {
		const next = await idle.during(wire.next().catch(() => undefined));
		if (!next) {
			const slow = `Nothing arrived for ${timeoutMs / 1000} seconds`;
			const why = idle.gaveUp() ? slow : 'The connection was cut';
			throw endedEarly(`${why} after ${check.size()} bytes`);
		}
		if (next.done) return undefined;
		check.feed(next.value);
		if (check.size() > maxSizeBytes) throw tooLarge(maxSizeBytes);
		return next.value;
	};
	const first: Uint8Array[] = [];
	let type: ReturnType<typeof sniffVideo> = 'more';
	while (type === 'more') {
		const chunk = await read();
		if (!chunk) throw notAVideo();
		first.push(chunk);
		type = sniffVideo(Buffer.concat(first));
	}
	if (!type) throw notAVideo();
	const mimeType = type;
	async function* readWhole() {
		for (const chunk of first.splice(0)) yield chunk;
		for (let chunk = await read(); chunk; chunk = await read()) yield chunk;
		const size = check.size();
		// A body that n8n has decompressed is longer than its announced length.
		if (size < length) throw endedEarly(`Only ${size} of ${length} bytes arrived`);
		if (hasBoxes(mimeType) && !check.isWhole()) {
			throw endedEarly(`The video file is not complete after ${size} bytes`);
		}
	}
	return { mimeType, chunks: readWhole() };
}

const again = (message: string, description?: string) =>
	new NoVideo(addressReason(message, { description, passes: true }));
const endedEarly = (description: string) => again('The download ended early', description);
/** It passes: LiteLLM sent a service's "not ready yet" as 200 and video/mp4 (its pull request 32602, 2026). */
const notAVideo = () => again('The file is not a video');

function tooLarge(maxBytes: number): NoVideo {
	const message = `The video is larger than the ${maxBytes / 1024 ** 2} MB that Max Size allows`;
	const description = 'Raise Max Size in the options.';
	return new NoVideo(addressReason(message, { description, everywhere: true }));
}
