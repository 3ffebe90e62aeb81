import type { IDataObject } from 'n8n-workflow';

import { isReason, type Reason } from '../failure/reason';
import { type Body, type FileInJson, toJsonBody } from '../http/body';
import { DATA_URI, toForm, urlsIn } from '../http/form';
import { beforeBase64, type HeldFile, readReference, referencesIn } from '../lib/heldFile';
import { mapTexts } from '../lib/json';
import { lowerFirst, sentences } from '../lib/text';
import { kindOf } from '../lib/mediaType';
import type { Ask, Put, Service, UploadedFile, WrittenVideo } from './contract';

/** Loads a picture of a request: by its reference, or for a form by its address. Resolves to why it cannot. */
export type LoadFile = (text: string) => Promise<Buffer | Reason>;

type Files = ReadonlyMap<string, Buffer>;
type Refused = { refusal: Reason };

/** The most bytes of a file that is uploaded: in a form, it is in memory twice. */
export const MAX_UPLOAD_BYTES = 100 * 1024 ** 2;

/** Returns whether a service gets a file by its address. */
export const isUploaded = (
	{ upload, uploads }: Service,
	file: Pick<HeldFile, 'mimeType' | 'sizeBytes'>,
): boolean => upload !== undefined && (uploads?.(file) ?? true);

/**
 * Loads the files of a video, uploads those that go by their addresses, and resolves to the submit, and to the fields
 * in it with those addresses.
 */
export async function writeBody(
	service: Service,
	{ video, isForm }: { video: WrittenVideo; isForm: boolean },
	loadFile: LoadFile,
	...requests: [Ask, Put]
): Promise<{ path: string; body: IDataObject | Body; fields: IDataObject } | Refused> {
	const files = new Map<string, Buffer>();
	const uploaded = new Map<string, string>();
	const addresses = isForm ? urlsIn(video.fields) : [];
	for (const text of [...referencesIn(video.fields), ...addresses]) {
		const bytes = await loadFile(text);
		if (isReason(bytes)) return { refusal: bytes };
		const held = readReference(text);
		if (!held || !isUploaded(service, held)) {
			files.set(text, bytes);
			continue;
		}
		// The next one is loaded once this has gone, so that not all are in memory.
		const url = await uploadFile(service, { bytes, mimeType: held.mimeType }, requests);
		if (isReason(url)) return { refusal: url };
		uploaded.set(text, url);
	}
	for (const text of dataUrisIn(service, video.fields)) {
		const url = await uploadFile(service, toUploaded(text), requests);
		if (isReason(url)) return { refusal: url };
		uploaded.set(text, url);
	}
	const toSent = (text: string) => uploaded.get(text) ?? text;
	const fields = mapTexts(video.fields, toSent) as IDataObject;
	const { path, body } = service.toSubmit({ ...video, fields });
	if (isForm) return { path, body: toForm(body, files), fields };
	return { path, fields, body: files.size === 0 ? body : toJsonBody(body, toFilesInJson(files)) };
}

const toFilesInJson = (files: Files): Map<string, FileInJson> =>
	new Map(
		[...files].map(([text, bytes]) => {
			const { mimeType, bare } = readReference(text)!;
			return [text, { bytes, before: beforeBase64(mimeType, bare) }];
		}),
	);

/**
 * Resolves to the address of a file, or to why it has none. An upload is free. If one fails, nothing is submitted,
 * so nothing is unclear.
 */
async function uploadFile(
	{ upload }: Service,
	file: UploadedFile,
	requests: [Ask, Put],
): Promise<string | Reason> {
	const uploaded = await upload!(file, ...requests);
	if (typeof uploaded === 'string') return uploaded;
	const { message, description, ...reason } = uploaded;
	const words = sentences(lowerFirst(message), description);
	const what = kindOf(file.mimeType) ?? 'file';
	return { ...reason, message: `The ${what} could not be uploaded: ${words}` };
}

/** Returns the data URIs of a request, each once, if its service takes none. */
function dataUrisIn({ upload, uploads }: Service, fields: IDataObject): Set<string> {
	const texts = new Set<string>();
	if (!upload || uploads) return texts;
	mapTexts(fields, (text) => {
		if (DATA_URI.test(text)) texts.add(text);
		return text;
	});
	return texts;
}

function toUploaded(text: string): UploadedFile {
	const [, mimeType, base64] = /^data:([^;,]*)[^,]*,([^]*)$/.exec(text)!;
	return { bytes: Buffer.from(base64, 'base64'), mimeType };
}
