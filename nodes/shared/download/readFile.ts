import type { StreamAnswer } from '../http/answer';
import { kindOf, type MediaKind, typeOfKind, typeOfName } from '../lib/mediaType';
import type { createIdleTimeout } from '../lib/time';
import { pathOf } from '../lib/url';
import { createWholeCheck, sniffFile } from './fileFormat';
import { type AddressReason, addressReason } from './fileFailed';

/** The length of the whole file in a Content-Range such as `bytes 0-99/500`. */
const TOTAL = /\/(\d+)$/;

/** What is thrown where an address gives no whole file; n8n's storage hands it on. */
export class NoFile extends Error {
	constructor(readonly reason: AddressReason) {
		super(reason.message);
	}
}

interface ReadOptions {
	kind?: MediaKind;
	/** The address, whose ending tells what a container holds. */
	address?: string;
	maxSizeBytes: number;
	timeoutMs: number;
}

/**
 * Reads the first bytes of an answer. They decide the type, whatever the server calls it; of an image or a sound
 * that they do not tell, such as SVG, the server's word counts. `chunks` ends only after a whole file, and
 * throws otherwise, so that n8n's storage keeps nothing.
 *
 * @param idle gives up after `timeoutMs` without a chunk
 * @param kind what is expected, for messages
 * @throws NoFile
 */
export async function readFile(
	{ headers, stream }: StreamAnswer,
	idle: Pick<ReturnType<typeof createIdleTimeout>, 'during' | 'gaveUp'>,
	{ kind = 'video', address, maxSizeBytes, timeoutMs }: ReadOptions,
): Promise<{ mimeType: string; chunks: AsyncGenerator<Uint8Array, void> }> {
	/**
	 * `NaN` if the server does not tell it. Some answer 206 with a part that nobody asked for
	 * (ansible/ansible issue 68843, 2020); only Content-Range then has the length of the file.
	 */
	const length = Number(TOTAL.exec(headers['content-range'])?.[1] ?? headers['content-length']);
	if (length > maxSizeBytes) throw tooLarge(kind, maxSizeBytes);
	let size = 0;

	const wire = (stream as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]();
	/** Resolves to the next chunk; to `undefined` at the end. */
	const read = async (): Promise<Uint8Array | undefined> => {
		const next = await idle.during(wire.next().catch(() => undefined));
		if (!next) {
			const slow = `Nothing arrived for ${timeoutMs / 1000} seconds`;
			const why = idle.gaveUp() ? slow : 'The connection was cut';
			throw endedEarly(`${why} after ${size} bytes`);
		}
		if (next.done) return undefined;
		size += next.value.length;
		if (size > maxSizeBytes) throw tooLarge(kind, maxSizeBytes);
		return next.value;
	};
	const first: Uint8Array[] = [];
	let type: string | undefined = 'more';
	while (type === 'more') {
		const chunk = await read();
		if (!chunk) throw notThat(kind);
		first.push(chunk);
		type = sniffFile(Buffer.concat(first));
	}
	const begin = Buffer.concat(first);
	const told = [headers['content-type'], typeOfName(pathOf(address))];
	const mimeType =
		told.map((one) => typeOfKind(kind, begin, one)).find(Boolean) ??
		type ??
		(isText(begin) ? undefined : pictureOrSound(headers['content-type']));
	if (mimeType === undefined) throw notThat(kind);
	const check = createWholeCheck(mimeType);
	async function* readWhole() {
		let chunk = first.shift();
		while (chunk) {
			check.feed(chunk);
			yield chunk;
			chunk = first.shift() ?? (await read());
		}
		// A body that n8n has decompressed is longer than its announced length.
		if (size < length) throw endedEarly(`Only ${size} of ${length} bytes arrived`);
		if (!check.isWhole()) {
			throw endedEarly(`The ${kindOf(mimeType)!} file is not complete after ${size} bytes`);
		}
	}
	return { mimeType, chunks: readWhole() };
}

const again = (message: string, description?: string) =>
	new NoFile(addressReason(message, { description, passes: true }));
const endedEarly = (description: string) => again('The download ended early', description);
/** It passes: LiteLLM sent a service's "not ready yet" as 200 and video/mp4 (its pull request 32602, 2026). */
const notThat = (kind: MediaKind) => again(`The file is not ${ARTICLES[kind]} ${kind}`);
const ARTICLES = { video: 'a', image: 'an', sound: 'a' };

/** Returns whether a file is a text; an SVG is none. */
const isText = (begin: Buffer): boolean =>
	!/[^\t\n\r -~]/.test(begin.toString('latin1')) && !/^\s*<(svg|\?xml)/i.test(begin.toString());

function pictureOrSound(told = ''): string | undefined {
	const type = told.split(';')[0].trim().toLowerCase();
	return kindOf(type) === 'video' ? undefined : kindOf(type) && type;
}

function tooLarge(kind: MediaKind, maxBytes: number): NoFile {
	const message = `The ${kind} is larger than the ${maxBytes / 1024 ** 2} MB that Max Size allows`;
	const description = 'Raise Max Size in the options.';
	return new NoFile(addressReason(message, { description, everywhere: true }));
}
