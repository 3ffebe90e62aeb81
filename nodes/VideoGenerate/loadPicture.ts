import { openVideo } from '../shared/download/openVideo';
import type { Run } from '../shared/item/run';
import { lowerFirst } from '../shared/lib/text';
import { createTimeLimit } from '../shared/lib/time';
import type { Connection } from '../shared/service/connection';
import type { Readable } from '../shared/service/http';
import type { Trouble } from '../shared/service/trouble';
import { type PictureData, toPictureData } from './readImage';

/** What vendors take at most, in bytes. */
const MAX_BYTES = 20 * 1024 ** 2;
/** For the whole of it. */
const TIMEOUT_MS = 60_000;
const NO_IMAGE = 'there is no image at this address';

export type LoadedPicture = { picture: PictureData } | { whyNot: string; advice?: string };

/** The picture at an address, for a model that does not open it itself; or why there is none. */
export async function loadPicture(
	url: string,
	allowPrivate: boolean,
	run: Run,
	connection: Connection,
): Promise<LoadedPicture> {
	const end = new AbortController();
	const limit = createTimeLimit(TIMEOUT_MS, () => end.abort());
	const options = {
		what: 'The address',
		allowPrivate,
		timeoutMs: TIMEOUT_MS,
		signal: AbortSignal.any([run.signal, end.signal]),
	};
	const load = async (): Promise<LoadedPicture> => {
		const opened = await openVideo(url, options, run, connection);
		return 'trouble' in opened
			? { whyNot: whyNot(opened.trouble), advice: adviceOf(opened.trouble) }
			: await readPicture(opened.stream);
	};
	try {
		return (await limit.within(load())) ?? { whyNot: 'it did not come within a minute' };
	} catch {
		return { whyNot: 'the connection was cut' };
	} finally {
		limit.close();
		end.abort();
	}
}

/** In the words of a picture: the address is nobody's API, and no key is at stake. */
function whyNot({ httpCode, code, message }: Trouble): string {
	if (httpCode !== undefined) {
		return httpCode < 300 ? NO_IMAGE : `its address answers with HTTP ${httpCode}`;
	}
	return code ? `its address does not answer (${code})` : lowerFirst(message);
}

/** Where nothing was asked, the rule says what to do. */
const adviceOf = ({ httpCode, code, description }: Trouble) =>
	httpCode === undefined && code === undefined ? description : undefined;

async function readPicture(stream: Readable): Promise<LoadedPicture> {
	const chunks: Buffer[] = [];
	let size = 0;
	for await (const chunk of stream) {
		size += (chunk as Buffer).length;
		if (size > MAX_BYTES) return { whyNot: `it has more than ${MAX_BYTES / 1024 ** 2} MB` };
		chunks.push(chunk as Buffer);
	}
	const picture = toPictureData(Buffer.concat(chunks));
	return picture ? { picture } : { whyNot: NO_IMAGE };
}
