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

/** A picture's bytes, in each form that a family may want. */
interface PictureData {
	dataUri: string;
	/** In the standard alphabet, with padding: gateways silently drop any other. */
	base64: string;
	/** As the person gave it, with or without the head of a data URI. */
	typed: string;
}

interface Picture {
	role: string;
	data: { url: string } | PictureData;
	/** Reads the picture's row, so that a refusal names the row. */
	read: Reader;
}

/** The rules if the family is unknown: only the documented image, as the person gave it. */
const DOCUMENTED: Omit<PictureRules, 'write'> = {
	opensUrls: true,
	form: 'typed',
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
export async function readPictures(read: Reader): Promise<Picture[]> {
	const pictures: Picture[] = [];
	for (const row of [read, ...read.rows('furtherImages')]) {
		const data = await readPicture(row);
		if (data)
			pictures.push({ role: row === read ? 'firstFrame' : row.choice('role'), data, read: row });
	}
	return pictures;
}

async function readPicture(read: Reader): Promise<Picture['data'] | undefined> {
	const refuse = (message: string, advice: string) =>
		read.refuse(message, `${advice} ${NOTHING_SENT}`);
	switch (read.choice('imageSource')) {
		case 'url': {
			const url = read.text('image', 'Image URL');
			if (toHttpUrl(url)) return { url };
			const advice = 'For image data, set Image Source to Base64 or Data URI.';
			return refuse('Image URL is not an http or https address', advice);
		}
		case 'base64': {
			const typed = read.text('image', 'Image Data');
			const picture = toPictureData(Buffer.from(toBase64(typed) ?? '', 'base64'));
			if (picture) return { ...picture, typed };
			const advice = `It must be the base64 text or data URI of a ${KINDS}.`;
			return refuse('Image Data is not a base64-encoded image', advice);
		}
		case 'binary': {
			const property = read.text('imageBinaryProperty');
			const picture = toPictureData(await read.bytes(property, 'Input Binary Field'));
			if (picture) return picture;
			const message = `The binary field "${property}" (Input Binary Field) does not contain an image`;
			return refuse(message, `It must be a ${KINDS}.`);
		}
	}
	return undefined;
}

/** Returns `undefined` if the bytes are no image. */
function toPictureData(bytes: Buffer): PictureData | undefined {
	const mimeType = sniffImage(bytes);
	if (!mimeType) return undefined;
	const base64 = bytes.toString('base64');
	const dataUri = `data:${mimeType};base64,${base64}`;
	// If nobody typed it, a data URI: it carries the type, and every deployment accepts it.
	return { dataUri, base64, typed: dataUri };
}

/** Resolves to the pictures as the family reads them; refuses those that it has no place for. */
export async function writePictures(
	pictures: Picture[],
	family: Family | undefined,
	load: (url: string) => ReturnType<typeof loadPicture>,
): Promise<WrittenPictures> {
	const rules: Omit<PictureRules, 'write'> = family?.pictures ?? DOCUMENTED;
	checkRoles(pictures, family, rules);
	const written: WrittenPictures = { references: [] };
	for (const { role, data: given, read } of pictures) {
		const data = 'url' in given && !rules.opensUrls ? await load(given.url) : given;
		if ('whyNot' in data) {
			const advice = `${data.advice ?? CHECK_ADDRESS} ${NOTHING_SENT}`;
			return read.refuse(`Image URL cannot be loaded: ${data.whyNot}`, advice);
		}
		const text = 'url' in data ? data.url : data[rules.form ?? 'dataUri'];
		if (role === 'reference') written.references.push(text);
		else written[role === 'lastFrame' ? 'last' : 'first'] = text;
	}
	return written;
}

function checkRoles(
	pictures: Picture[],
	family: Family | undefined,
	{ lastFrame, references: max = 0 }: Omit<PictureRules, 'write'>,
): void {
	const who = family ? `${family.label} models` : 'Models of an unknown family';
	const remove = `${family ? 'Remove' : 'Set Model Family, or remove'} this row.`;
	const tooMany =
		max === 0 ? 'no reference images' : `at most ${max} reference image${max === 1 ? '' : 's'}`;
	const [[first], last, references] = ['firstFrame', 'lastFrame', 'reference'].map((wanted) =>
		pictures.filter(({ role }) => role === wanted),
	);
	const objections: Array<[Picture | undefined, message: string, advice: string]> = [
		lastFrame
			? [last[1], 'There can be only one last frame', remove]
			: [last[0], `${who} take no last frame`, remove],
		[references[max], `${who} take ${tooMany}`, remove],
		[
			first ? undefined : last[0],
			'A last frame needs a first one',
			'Set Image Source to the image that the video starts from.',
		],
		[
			first ? references[0] : undefined,
			'Reference images and frames exclude each other',
			'Set Image Source to None and remove the last frame, or remove this row.',
		],
	];
	for (const [picture, message, advice] of objections) {
		picture?.read.refuse(message, `${advice} ${NOTHING_SENT}`);
	}
}

/**
 * Loads a picture from its address, for a model that does not open addresses. Resolves to words on
 * why there is none.
 */
export async function loadPicture(
	url: string,
	allowPrivate = false,
	run: Run,
	connection: Connection,
): Promise<PictureData | { whyNot: string; advice?: string }> {
	const end = new AbortController();
	const limit = createTimeLimit(TIMEOUT_MS, () => end.abort());
	const signal = AbortSignal.any([run.signal, end.signal]);
	const options = { what: 'The address', allowPrivate, timeoutMs: TIMEOUT_MS, signal };
	const load = async () => {
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
