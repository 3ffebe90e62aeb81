import { openVideo } from '../shared/download/openVideo';
import type { Family, PictureRules, WrittenPictures } from '../shared/family/family';
import type { Reader } from '../shared/item/reader';
import type { Run } from '../shared/item/run';
import { lowerFirst } from '../shared/lib/text';
import { createTimeLimit } from '../shared/lib/time';
import type { Connection } from '../shared/service/connection';
import { toHttpUrl } from '../shared/service/credential';
import { sniffImage, toBase64 } from '../shared/service/image';
import type { Trouble } from '../shared/service/trouble';

type Role = 'firstFrame' | 'lastFrame' | 'reference';

interface PictureData {
	mimeType: string;
	/** In the standard alphabet, with padding. */
	base64: string;
	/**
	 * As the person gave it, with or without the head of a data URI; a data URI if nobody typed it.
	 */
	typed: string;
}

export interface GivenPicture {
	role: Role;
	picture: { url: string } | PictureData;
	/** Reads the picture's row, so that a refusal names the row. */
	read: Reader;
}

type LoadedPicture = PictureData | { whyNot: string; advice?: string };

/** The rules if the family is unknown: only the documented image, as the person gave it. */
const DOCUMENTED: Omit<PictureRules, 'write'> = {
	opensUrls: true,
	form: 'typed',
	lastFrame: false,
	references: 0,
};

/** Vendors accept at most this many bytes. */
const MAX_BYTES = 20 * 1024 ** 2;
/** An image must arrive completely within this time. */
const TIMEOUT_MS = 60_000;
const NO_IMAGE = 'there is no image at this address';
const KINDS = 'PNG, JPEG, GIF, WebP, AVIF or HEIC file';
const NOTHING_SENT = 'Nothing was submitted.';
const CHECK_ADDRESS =
	'Check the address. The model opens none, so the node loads the image; a Binary Field works as well.';

/** Reads the image and the further images, and checks each on its own. */
export async function readPictures(read: Reader): Promise<GivenPicture[]> {
	const given: GivenPicture[] = [];
	const add = async (row: Reader, roleOf: () => string) => {
		const picture = await readPicture(row);
		if (picture) given.push({ role: roleOf() as Role, picture, read: row });
	};
	await add(read, () => 'firstFrame');
	for (const row of read.rows('furtherImages')) await add(row, () => row.choice('role'));
	return given;
}

async function readPicture(read: Reader): Promise<GivenPicture['picture'] | undefined> {
	switch (read.choice('imageSource')) {
		case 'url': {
			const url = read.text('image', 'Image URL');
			if (toHttpUrl(url)) return { url };
			return read.refuse(
				'Image URL is not an http or https address',
				`For image data, set Image Source to Base64 or Data URI. ${NOTHING_SENT}`,
			);
		}
		case 'base64': {
			const typed = read.text('image', 'Image Data');
			const picture = toPictureData(Buffer.from(toBase64(typed) ?? '', 'base64'));
			if (picture) return { ...picture, typed };
			return read.refuse(
				'Image Data is not a base64-encoded image',
				`It must be the base64 text or data URI of a ${KINDS}. ${NOTHING_SENT}`,
			);
		}
		case 'binary': {
			const property = read.text('imageBinaryProperty');
			const picture = toPictureData(await read.bytes(property, 'Input Binary Field'));
			if (picture) return picture;
			return read.refuse(
				`The binary field "${property}" (Input Binary Field) does not contain an image`,
				`It must be a ${KINDS}. ${NOTHING_SENT}`,
			);
		}
	}
	return undefined;
}

/** Returns `undefined` if the bytes are no image. */
function toPictureData(bytes: Buffer): PictureData | undefined {
	const mimeType = sniffImage(bytes);
	if (!mimeType) return undefined;
	// Gateways read only standard base64, and silently drop any other.
	const base64 = bytes.toString('base64');
	// A data URI if the form is open: it carries the type, and every deployment accepts it.
	return { mimeType, base64, typed: `data:${mimeType};base64,${base64}` };
}

/** Resolves to the pictures as the family reads them; refuses those that it has no place for. */
export async function writePictures(
	given: GivenPicture[],
	family: Family | undefined,
	load: (url: string) => Promise<LoadedPicture>,
): Promise<WrittenPictures> {
	const { opensUrls, form, ...room }: Omit<PictureRules, 'write'> = family?.pictures ?? DOCUMENTED;
	checkRoles(given, family, room);
	const written: WrittenPictures = { references: [] };
	for (const { role, picture, read } of given) {
		const data = 'url' in picture && !opensUrls ? await load(picture.url) : picture;
		if ('whyNot' in data) {
			return read.refuse(
				`Image URL cannot be loaded: ${data.whyNot}`,
				`${data.advice ?? CHECK_ADDRESS} ${NOTHING_SENT}`,
			);
		}
		const dataUri = 'url' in data ? data.url : `data:${data.mimeType};base64,${data.base64}`;
		const text = 'url' in data || !form ? dataUri : data[form];
		if (role === 'reference') written.references.push(text);
		else if (role === 'lastFrame') written.last = text;
		else written.first = text;
	}
	return written;
}

function checkRoles(
	given: GivenPicture[],
	family: Family | undefined,
	{ lastFrame, references: max = 0 }: Pick<PictureRules, 'lastFrame' | 'references'>,
): void {
	const who = family ? `${family.label} models` : 'Models of an unknown family';
	const remove = `${family ? 'Remove' : 'Set Model Family, or remove'} this row.`;
	const refuse = (picture: GivenPicture | undefined, message: string, advice: string) =>
		picture?.read.refuse(message, `${advice} ${NOTHING_SENT}`);
	const [first, last, references] = (['firstFrame', 'lastFrame', 'reference'] as const).map(
		(wanted) => given.filter(({ role }) => role === wanted),
	);
	if (lastFrame) refuse(last[1], 'There can be only one last frame', remove);
	else refuse(last[0], `${who} take no last frame`, remove);
	const tooMany =
		max === 0 ? 'no reference images' : `at most ${max} reference image${max === 1 ? '' : 's'}`;
	refuse(references[max], `${who} take ${tooMany}`, remove);
	if (first.length === 0) {
		const advice = 'Set Image Source to the image that the video starts from.';
		refuse(last[0], 'A last frame needs a first one', advice);
	}
	if (first.length + last.length > 0) {
		refuse(
			references[0],
			'Reference images and frames exclude each other',
			'Set Image Source to None and remove the last frame, or remove this row.',
		);
	}
}

/** Loads a picture from its address, for a model that does not open addresses. */
export async function loadPicture(
	url: string,
	allowPrivate = false,
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
		if ('trouble' in opened) return describeTrouble(opened.trouble);
		const chunks: Buffer[] = [];
		let size = 0;
		for await (const chunk of opened.stream) {
			size += (chunk as Buffer).length;
			if (size > MAX_BYTES) return { whyNot: `it has more than ${MAX_BYTES / 1024 ** 2} MB` };
			chunks.push(chunk as Buffer);
		}
		return toPictureData(Buffer.concat(chunks)) ?? { whyNot: NO_IMAGE };
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

/** Returns the trouble in words about a picture: its address is no API, and no key is involved. */
function describeTrouble({ httpCode, code, message, description }: Trouble) {
	if (httpCode !== undefined) {
		return { whyNot: httpCode < 300 ? NO_IMAGE : `its address answers with HTTP ${httpCode}` };
	}
	if (code) return { whyNot: `its address does not answer (${code})` };
	// No request was sent: the rule for addresses says what to do.
	return { whyNot: lowerFirst(message), advice: description };
}
