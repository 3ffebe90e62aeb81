import { NOT_SUBMITTED } from '../shared/failure/failure';
import type { Reason } from '../shared/failure/reason';
import { type HeldFile, toReference } from '../shared/lib/heldFile';
import { toBase64 } from '../shared/lib/image';
import { isObject } from '../shared/lib/json';
import type { MediaKind } from '../shared/lib/mediaType';
import { hasBotToken, toHttpUrl } from '../shared/lib/url';
import { toPlainName } from '../shared/models/names';
import { type Pictures, type ReferenceKind, ROLES } from '../shared/models/settings';
import type { Takes } from '../shared/models/takes';
import { findInputFile } from '../shared/n8n/inputFile';
import type { Reader } from '../shared/n8n/reader';
import type { Run } from '../shared/n8n/run';
import type { Service } from '../shared/services/contract';
import { isUploaded, MAX_UPLOAD_BYTES } from '../shared/services/writeBody';
import type { HeldPictures } from './heldPictures';
import { findShare } from './imageAddress';
import { readPictureAt, type WhyNot } from './loadPicture';

interface Picture {
	role: string;
	data: { url: string } | HeldFile;
	/** The reader of the picture's fields; that of a row of Input Files names it in refusals. */
	read: Reader;
}

/** What a file may be, by its kind. */
const FORMATS: Record<MediaKind, string> = {
	image: 'PNG, JPEG, GIF, WebP or AVIF file',
	video: 'MP4, MOV, WebM or MKV file',
	sound: 'MP3, WAV, M4A, AAC, OGG, FLAC or AIFF file',
};
const CHECK_ADDRESS =
	'Check the address, or use Binary Field. For this model, the node loads the image itself.';

/** Refuses an item before anything is sent for it. */
export const refuseUnsent = (read: Reader, message: string, advice: string, reason?: Reason) =>
	read.refuse(message, `${advice} ${NOT_SUBMITTED}`, reason);

/** What the pictures of a run are read with. */
type Reading = Pick<Run, 'connect' | 'context' | 'signal'> & { held: HeldPictures };

/**
 * Reads the first frame and Input Files; refuses what is no image and no web address.
 *
 * @param url stands for the first frame of a later shot. Its own is not read, nor its references: they are
 * the same on all items, and count for the first shot.
 */
export async function readPictures(
	first: Reader,
	reading: Reading,
	url?: string,
): Promise<Picture[]> {
	const pictures: Picture[] = [];
	for (const read of [first, ...first.options.rows('images')]) {
		const role = read === first ? 'firstFrame' : read.choice('role');
		const kind = KINDS_OF_REFERENCES[role];
		if (kind && url !== undefined) continue;
		const goesByAddress = isOther(kind) && !(await reading.connect()).service.upload;
		if (goesByAddress && read.choice('imageSource') !== 'url') {
			const advice =
				'Set File Source to URL: with this service, a video or a sound goes by its address alone.';
			refuseUnsent(read, 'A reference video or sound needs an address', advice);
		}
		const data =
			read === first && url !== undefined ? { url } : await readPicture(read, role, reading);
		if (data && 'url' in data && goesByAddress && hasBotToken(data.url)) {
			refuseUnsent(read, `${fieldsOf(role).url} has the token of a Telegram bot`, BOT_TOKEN);
		}
		if (data) pictures.push({ role, data, read });
	}
	return pictures;
}

const BOT_TOKEN =
	'A video or a sound goes by its address alone, and the service would get the token. Store the file where an address without it opens.';

const isOther = (kind?: ReferenceKind) => kind !== undefined && kind !== 'image';

/** The kinds of references by their roles. */
const KINDS_OF_REFERENCES: Record<string, ReferenceKind | undefined> = {
	reference: 'image',
	referenceVideo: 'video',
	referenceSound: 'sound',
};

/** What `{{ $('Form').item.binary.data.data }}` begins with unless n8n keeps files in memory. */
const STORAGES = ['filesystem', 'filesystem-v2', 'database', 's3', 'azure'];

const BINARY_FIELD = 'For a file, choose Binary Field.';

/** Returns what the editor calls the fields of a first frame, and of a row of Input Files. */
function fieldsOf(role: string) {
	const noun = role === 'firstFrame' ? 'Image' : 'File';
	return { source: `${noun} Source`, url: `${noun} URL`, data: `${noun} Data` };
}

/** Returns what messages call a picture, such as "First Frame (Image URL)". */
const toLabel = (role: string, field: string) => `${toRoleLabel(role)} (${field})`;

function toRoleLabel(role: string): string {
	const kind = KINDS_OF_REFERENCES[role];
	return ROLES[kind ?? (role === 'firstFrame' ? 'first' : 'last')].label;
}

async function readPicture(
	read: Reader,
	role: string,
	{ context, held, signal }: Reading,
): Promise<Picture['data'] | undefined> {
	const source = read.choice('imageSource');
	const kind = KINDS_OF_REFERENCES[role] ?? 'image';
	const aKind = kind === 'image' ? 'an image' : `a ${kind}`;
	const shown = fieldsOf(role);
	if ((source === 'url' || source === 'base64') && isObject(read.value('image'))) {
		refuseUnsent(read, `The ${kind} is a file or another object`, BINARY_FIELD);
	}
	switch (source) {
		case 'url': {
			const url = read.text('image', shown.url);
			const share = findShare(url);
			if (share) {
				const message = `${shown.url} is a link to a page of ${share.name}, and not to the file`;
				refuseUnsent(read, message, share.advice);
			}
			if (toHttpUrl(url) && !/[\s,]https?:/i.test(url)) return { url };
			const advice = 'For base64 text, choose Base64 or Data URI.';
			return refuseUnsent(read, `${shown.url} is not one http or https address`, advice);
		}
		case 'base64': {
			// n8n leaves the bytes out of $binary.
			if (!read.isSet('image') && String(read.typed('image')).includes('$binary')) {
				refuseUnsent(read, `${shown.data} is empty: $binary has no bytes`, BINARY_FIELD);
			}
			const typed = read.text('image', shown.data);
			if (STORAGES.includes(typed.split(':')[0])) {
				const message = `${shown.data} is "${typed}", where n8n stores the file, and not the file`;
				return refuseUnsent(read, message, BINARY_FIELD);
			}
			const image = await held.check(read.itemIndex, {
				label: toLabel(role, shown.data),
				kind,
				read: async (take) => {
					take(Buffer.from(toBase64(typed) ?? '', 'base64'));
					return undefined;
				},
			});
			if (!('whyNot' in image)) return image;
			const advice = `It must be the base64 text or data URI of a ${FORMATS[kind]}.`;
			return refuseUnsent(read, `${shown.data} is not a base64-encoded ${kind}`, advice);
		}
		case 'binary': {
			const label = toLabel(role, 'Input Binary Field');
			const inItem = read.file('imageBinaryProperty');
			const file = await findInputFile({ context, signal }, inItem, label);
			const image = await held.check(read.itemIndex, {
				...{ label, kind, mimeType: inItem.mimeType },
				read: async (take) => {
					for await (const piece of file.pieces()) take(piece);
					return undefined;
				},
			});
			if (!('whyNot' in image)) return image;
			const message = `The file of Input Binary Field is not ${aKind}`;
			const because = role === 'firstFrame' ? '' : `, because its Role is ${toRoleLabel(role)}`;
			return refuseUnsent(read, message, `It must be a ${FORMATS[kind]}${because}.`);
		}
	}
	return undefined;
}

/** What to do with an address that gives another picture each time, as picsum.photos does. */
const LOAD_ONCE =
	'Its address gives another image each time. Load it in an HTTP Request node, and choose Binary Field.';

/** Checks a picture by its address. */
async function checkAt(
	url: string,
	{ role, read: { itemIndex } }: Picture,
	{ connect, held, signal }: Reading,
): Promise<HeldFile | WhyNot> {
	const kind = KINDS_OF_REFERENCES[role] ?? 'image';
	const read = readPictureAt(url, signal, await connect(), kind);
	const label = toLabel(role, fieldsOf(role).url);
	return await held.check(itemIndex, { label, kind, read, ifChanged: LOAD_ONCE });
}

/** As phones store photos, and as Telegram and iCloud hand them on as files. */
const HEIC = /^image\/hei[cf]$/;
// n8n's Edit Image node may not help: its GraphicsMagick reads HEIC only where it was built with libheif.
const USE_JPEG =
	'Use a JPEG or PNG. On an iPhone, set Settings > Camera > Formats to Most Compatible. Telegram makes a JPEG of a picture that is sent as a photo, and not as a file.';

/** Refuses a photo of a phone that no page says the model takes. */
function checkFormat(
	{ read, role }: Picture,
	{ mimeType }: HeldFile,
	{ pictures }: Takes,
	model: string,
): void {
	if (!HEIC.test(mimeType) || pictures.heic?.test(toPlainName(model))) return;
	const message = `${nameSource(read, role)} is a HEIC photo, which "${model}" is not known to take`;
	refuseUnsent(read, message, USE_JPEG);
}

const MB = 1024 ** 2;

/** Refuses a file that is too large for an upload, before anything is paid. */
function checkSize({ read, role }: Picture, file: HeldFile, service: Service): void {
	const most = service.maxUploadBytes ?? MAX_UPLOAD_BYTES;
	if (file.sizeBytes <= most || !isUploaded(service, file)) return;
	const size = Math.ceil(file.sizeBytes / MB);
	const message = `${nameSource(read, role)} has ${size} MB, and can be uploaded to ${service.label} up to ${most / MB} MB`;
	refuseUnsent(
		read,
		message,
		`Set ${fieldsOf(role).source} to URL, and enter an address of the file.`,
	);
}

/** Returns where a file is from, at the beginning of a sentence. */
function nameSource(read: Reader, role: string): string {
	const { url, data } = fieldsOf(role);
	const source = read.choice('imageSource');
	if (source === 'base64') return data;
	return source === 'url' ? `The file at ${url}` : 'The file of Input Binary Field';
}

/** Resolves to the pictures as a row reads them. Refuses those that cannot be loaded, or that the model does not take. */
export async function writePictures(
	pictures: Picture[],
	takes: Takes,
	model: string,
	reading: Reading,
	service: Service,
): Promise<Pictures> {
	const sendsForm = service.form === 'withPicture';
	const written: Pictures = { references: [] };
	for (const picture of pictures) {
		const { role, data: typed, read } = picture;
		const kind = KINDS_OF_REFERENCES[role];
		const isPicture = kind === undefined || kind === 'image';
		// A form holds pictures as files; the frame of the shot before is not there yet.
		const isFile = 'url' in typed && sendsForm && isPicture && toHttpUrl(typed.url) !== undefined;
		const isLoaded =
			'url' in typed && ((isPicture && (isFile || takes.loads)) || hasBotToken(typed.url));
		const data = isLoaded ? await checkAt(typed.url, picture, reading) : typed;
		if ('whyNot' in data) {
			const { whyNot, advice = CHECK_ADDRESS } = data;
			return refuseUnsent(read, `${fieldsOf(role).url} cannot be loaded: ${whyNot}`, advice);
		}
		if ('mimeType' in data) {
			checkFormat(picture, data, takes, model);
			checkSize(picture, data, service);
		}
		const text = 'url' in data ? data.url : toReference(data, takes.bare);
		const frame = role === 'lastFrame' ? 'last' : 'first';
		if (kind) {
			written.references.push({ kind, url: text });
		} else if (written[frame] === undefined) {
			written[frame] = text;
		} else {
			refuseUnsent(read, 'There can be only one last frame', 'Remove this row.');
		}
	}
	return written;
}
