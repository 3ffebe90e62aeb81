import type { IDataObject } from 'n8n-workflow';

import { isReason, type Reason } from '../failure/reason';
import { type Body, type FileInJson, toJsonBody } from '../http/body';
import { DATA_URI, toForm, urlsIn } from '../http/form';
import { beforeBase64, readReference, referencesIn } from '../lib/heldFile';
import { mapTexts } from '../lib/json';
import { lowerFirst, sentences } from '../lib/text';
import type { Ask, Service, UploadedFile, WrittenVideo } from './contract';

/** Loads a picture of a request: by its reference, or for a form by its address. Resolves to why it cannot. */
export type LoadFile = (text: string) => Promise<Buffer | Reason>;

type Files = ReadonlyMap<string, Buffer>;
type Refused = { refusal: Reason };

/** Loads the files of a video, uploads those that go by their addresses, and resolves to the submit. */
export async function writeBody(
	service: Service,
	{ video, isForm }: { video: WrittenVideo; isForm: boolean },
	loadFile: LoadFile,
	ask: Ask,
): Promise<{ path: string; body: IDataObject | Body } | Refused> {
	const files = new Map<string, Buffer>();
	const addresses = isForm ? urlsIn(video.fields) : [];
	for (const text of [...referencesIn(video.fields), ...addresses]) {
		const loaded = await loadFile(text);
		if (isReason(loaded)) return { refusal: loaded };
		files.set(text, loaded);
	}
	const uploaded = await uploadFiles(service, video.fields, files, ask);
	if ('refusal' in uploaded) return uploaded;
	const { path, body } = service.toSubmit({ ...video, ...uploaded });
	if (isForm) return { path, body: toForm(body, files) };
	return { path, body: files.size === 0 ? body : toJsonBody(body, toFilesInJson(files)) };
}

const toFilesInJson = (files: Files): Map<string, FileInJson> =>
	new Map(
		[...files].map(([text, bytes]) => {
			const { mimeType, bare } = readReference(text)!;
			return [text, { bytes, before: beforeBase64(mimeType, bare) }];
		}),
	);

/**
 * Resolves to fields with the addresses of their files, if the service takes images by address alone. An
 * upload is free. If one fails, nothing is submitted, so nothing is unclear.
 */
async function uploadFiles(
	{ upload }: Service,
	fields: IDataObject,
	files: Files,
	ask: Ask,
): Promise<{ fields: IDataObject } | Refused> {
	if (!upload) return { fields };
	const urls = new Map<string, string>();
	for (const text of fileTextsIn(fields)) {
		const uploaded = await upload(toUploaded(text, files), ask);
		if (typeof uploaded !== 'string') {
			const { message, description, ...reason } = uploaded;
			const words = sentences(lowerFirst(message), description);
			const said = `The image could not be uploaded: ${words}`;
			return { refusal: { ...reason, message: said } };
		}
		urls.set(text, uploaded);
	}
	return { fields: mapTexts(fields, (text) => urls.get(text) ?? text) as IDataObject };
}

/** Returns the references and the data URIs of a request, each once. */
function fileTextsIn(fields: IDataObject): Set<string> {
	const texts = new Set(referencesIn(fields));
	mapTexts(fields, (text) => {
		if (DATA_URI.test(text)) texts.add(text);
		return text;
	});
	return texts;
}

function toUploaded(text: string, files: Files): UploadedFile {
	const [, mimeType, base64] = /^data:([^;,]*)[^,]*,([^]*)$/.exec(text) ?? [];
	if (base64 !== undefined) return { bytes: Buffer.from(base64, 'base64'), mimeType };
	return { bytes: files.get(text)!, mimeType: readReference(text)!.mimeType };
}
