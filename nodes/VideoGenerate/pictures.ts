import type { loadPicture } from '../shared/download/loadPicture';
import {
	DOCUMENTED,
	type Family,
	type PictureRules,
	REFERENCES,
	type WrittenPictures,
} from '../shared/family/family';
import {
	isResold,
	nameOf,
	namesPictures,
	referencesOf,
	toPlainName,
	versionOf,
} from '../shared/family/versions';
import type { Reader } from '../shared/item/reader';
import { isObject } from '../shared/lib/json';
import { toHttpUrl } from '../shared/service/credential';
import { sniffImage, toBase64 } from '../shared/service/image';

interface Image {
	bytes: Buffer;
	mimeType: string;
	/** The text that a person typed, with or without a data URI's head. */
	typed?: string;
}

interface Picture {
	role: string;
	data: { url: string } | Image;
	/** The reader of the picture's fields; that of a row of Images names it in refusals. */
	read: Reader;
}

const KINDS = 'PNG, JPEG, GIF, WebP, AVIF or HEIC file';
const TYPED_KINDS: Record<string, string> = { 'image/jpeg': 'JPEG', 'image/png': 'PNG' };
const CHECK_ADDRESS =
	'Check the address, or use Binary Field. For this model, the node loads the image itself.';

/** Refuses an item before anything is sent for it. */
export const refuseUnsent = (read: Reader, message: string, advice: string) =>
	read.refuse(message, `${advice} Nothing was submitted.`);

/**
 * Reads the first frame and Images; refuses what is no image and no web address.
 *
 * @param url stands for the first frame of a shot, which is not read
 */
export async function readPictures(first: Reader, url?: string): Promise<Picture[]> {
	const pictures: Picture[] = [];
	for (const read of [first, ...first.options.rows('images')]) {
		const role = read === first ? 'firstFrame' : read.choice('role');
		const kind = kindOf(role);
		// No vendor takes the other kinds as files.
		if (kind && kind !== 'references' && read.choice('imageSource') !== 'url') {
			const advice = 'Set Image Source to URL: a video or a sound goes by its address alone.';
			refuseUnsent(read, 'A reference video or sound needs an address', advice);
		}
		const data = read === first && url !== undefined ? { url } : await readPicture(read);
		if (data) pictures.push({ role, data, read });
	}
	return pictures;
}

/** The kinds of references by their roles. */
const KIND_OF = {
	reference: 'references',
	referenceVideo: 'videos',
	referenceSound: 'sounds',
} as const;

const kindOf = (role: string) => KIND_OF[role as keyof typeof KIND_OF] as keyof typeof REFERENCES;

/** What `{{ $('Form').item.binary.data.data }}` gives unless n8n keeps files in memory, as n8n 1 does by default. */
const STORAGES = ['filesystem', 'filesystem-v2', 'database', 's3', 'azure'];

const BINARY_FIELD = 'For a file, choose Binary Field.';

async function readPicture(read: Reader): Promise<Picture['data'] | undefined> {
	const source = read.choice('imageSource');
	if ((source === 'url' || source === 'base64') && isObject(read.value('image'))) {
		refuseUnsent(read, 'The image is a file or another object', BINARY_FIELD);
	}
	switch (source) {
		case 'url': {
			const url = read.text('image', 'Image URL');
			if (toHttpUrl(url) && !/[\s,]https?:/i.test(url)) return { url };
			const advice = 'For image data, choose Base64 or Data URI.';
			return refuseUnsent(read, 'Image URL is not one http or https address', advice);
		}
		case 'base64': {
			// n8n 2 leaves the bytes out of $binary.
			if (!read.isSet('image') && String(read.typed('image')).includes('$binary')) {
				refuseUnsent(read, 'Image Data is empty: $binary has no bytes', BINARY_FIELD);
			}
			const typed = read.text('image', 'Image Data');
			if (STORAGES.includes(typed.split(':')[0])) {
				const message = `Image Data is "${typed}", where n8n stores the file, and not the file`;
				return refuseUnsent(read, message, BINARY_FIELD);
			}
			const image = toImage(Buffer.from(toBase64(typed) ?? '', 'base64'), typed);
			if (image) return image;
			const advice = `It must be the base64 text or data URI of a ${KINDS}.`;
			return refuseUnsent(read, 'Image Data is not a base64-encoded image', advice);
		}
		case 'binary': {
			const image = toImage(await read.bytes(read.file('imageBinaryProperty')));
			if (image) return image;
			const message = 'The file of Input Binary Field is not an image';
			return refuseUnsent(read, message, `It must be a ${KINDS}.`);
		}
	}
	return undefined;
}

function toImage(bytes: Buffer, typed?: string): Image | undefined {
	const mimeType = sniffImage(bytes);
	return mimeType === undefined ? undefined : { bytes, mimeType, typed };
}

function encode({ bytes, mimeType, typed }: Image, form: PictureRules['form']): string {
	if (form === 'typed' && typed !== undefined) return typed;
	// In the standard alphabet and with padding: gateways silently drop any other base64.
	const base64 = bytes.toString('base64');
	return form === 'base64' ? base64 : `data:${mimeType};base64,${base64}`;
}

/**
 * Resolves to the pictures as the family reads them. Refuses those that it has no place for,
 * and those that cannot be loaded.
 */
export async function writePictures(
	pictures: Picture[],
	model: string,
	{ family, isByService }: { family?: Family; isByService?: true },
	load: (url: string) => ReturnType<typeof loadPicture>,
	sendsForm: boolean,
): Promise<WrittenPictures> {
	checkRoles(pictures, model, family, isByService);
	const { opensUrls, form, types } = family?.pictures ?? DOCUMENTED;
	const written: WrittenPictures = { references: [] };
	for (const { role, data: typed, read } of pictures) {
		const kind = kindOf(role);
		const isPicture = kind === undefined || kind === 'references';
		// A form holds pictures as files; the frame of the shot before is not there yet.
		const isFile = 'url' in typed && sendsForm && isPicture && toHttpUrl(typed.url) !== undefined;
		const data = 'url' in typed && (isFile || !opensUrls) ? await load(typed.url) : typed;
		if ('whyNot' in data) {
			const { whyNot, advice = CHECK_ADDRESS } = data;
			return refuseUnsent(read, `Image URL cannot be loaded: ${whyNot}`, advice);
		}
		if (types && 'mimeType' in data && !types.includes(data.mimeType)) {
			const kinds = types.map((type) => TYPED_KINDS[type]).join(' and ');
			const message = `${family!.label} models take ${kinds} images, and not ${data.mimeType}`;
			return refuseUnsent(read, message, 'Convert the image, such as with the node Edit Image.');
		}
		const text = 'url' in data ? data.url : encode(data, form);
		if (!kind) {
			written[role === 'lastFrame' ? 'last' : 'first'] = text;
			continue;
		}
		(written[kind] ??= []).push(text);
		if (kind !== 'sounds') (written.inOrder ??= []).push(text);
	}
	return written;
}

function checkRoles(
	pictures: Picture[],
	model: string,
	family: Family | undefined,
	isByService = false,
): void {
	const { lastFrame, references } = family?.pictures ?? DOCUMENTED;
	const max = family ? referencesOf(family, model) : {};
	const who = family
		? `${nameOf(family, model)} models`
		: isByService
			? 'this service'
			: 'models of an unknown family';
	// Many a vendor would take them, and a reseller's channel passes on what is written by hand.
	const isPassedOn = !family || isResold(family, model) || !versionOf(family, model);
	const passes = (what: string) =>
		isPassedOn
			? `This node sends ${what} to ${family ? 'this model' : who}`
			: `New API passes ${what} to ${who}`;
	const otherwise = isPassedOn ? ', or write it into Additional Fields (JSON)' : '';
	const remove = `${family || isByService ? 'Remove' : 'Set Model Family, or remove'} this row${otherwise}.`;
	const refuse = (picture: Picture | undefined, message: string, advice = remove) =>
		picture && refuseUnsent(picture.read, message, advice);
	const isFixed = family && namesPictures(family, model);
	const inRole = (role: string) => pictures.filter((picture) => picture.role === role);
	const last = inRole('lastFrame');
	if (!lastFrame && !isFixed) refuse(last[0], passes('no last frame'));
	refuse(last[1], 'There can be only one last frame');
	for (const [role, kind] of Object.entries(KIND_OF)) {
		if (isFixed && kind === 'references') continue;
		const { [kind]: most = 0 } = max;
		const word = `reference ${REFERENCES[kind]}${most === 1 ? '' : 's'}`;
		const amount = most === 0 ? `no ${word}` : `at most ${most} ${word}`;
		const soundAt = kind === 'sounds' && family?.pictures.ownSoundAt?.(toPlainName(model));
		const toSound = `Remove this row, or write the sound's address into Additional Fields (JSON) as ${soundAt}.`;
		const message = references?.[kind] ? `${who} take ${amount}` : passes(amount);
		refuse(inRole(role)[most], message, soundAt ? toSound : remove);
	}
	const first = inRole('firstFrame');
	// A model that takes none is refused for that.
	const takesNone = family?.models?.some(
		([name, limit]) => /^no(Image|LastFrame)/.test(limit) && name.test(toPlainName(model)),
	);
	if (first.length === 0 && lastFrame !== 'alone' && !takesNone) {
		const advice = 'Set First Frame to the image that the video starts from.';
		refuse(last[0], 'A last frame needs a first one', advice);
	}
	const mixed = family && versionOf(family, model)?.mixesFrame;
	if ((mixed ? [] : first).length + (mixed === 'both' ? [] : last).length > 0) {
		const advice = 'Set First Frame to None and remove the last frame, or remove this row.';
		refuse(
			pictures.find(({ role }) => kindOf(role)),
			'References and frames exclude each other',
			advice,
		);
	}
}
