import type { IBinaryData, IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { typeOf } from '../shared/lib/mediaType';
import { hasBotToken } from '../shared/lib/url';
import { NOTHING_SENT } from '../shared/n8n/checkPrompt';
import type { Reader } from '../shared/n8n/reader';

type Helpers = IExecuteFunctions['helpers'];

/** Gemini takes 20 MB per request, and base64 makes the bytes a third larger. */
const MAX_FILES_BYTES = 15 * 1024 * 1024;

/** Reads which files to send. Their sizes are checked without loading them. */
export async function readInputFiles(
	read: Reader,
	{ getBinaryMetadata }: Pick<Helpers, 'getBinaryMetadata'>,
): Promise<IBinaryData[]> {
	const files = read.files('inputBinaryFields');
	let room = MAX_FILES_BYTES;
	for (const { id, data, fileName } of files) {
		room -= id ? (await getBinaryMetadata(id)).fileSize : Buffer.byteLength(data, 'base64');
		if (room < 0) {
			const last = fileName === undefined ? '' : `, up to and including ${fileName}`;
			read.refuse(
				`The files are larger than 15 MB in total${last}`,
				`Make them smaller, send fewer at once, or add a link to the file to ${read.options.label('fileUrls')}, if your service passes links on to the model. ${NOTHING_SENT}`,
			);
		}
	}
	return files;
}

/** Loads a file, and finds its type. */
export async function loadFile(
	{ getBinaryDataBuffer }: Pick<Helpers, 'getBinaryDataBuffer'>,
	itemIndex: number,
	file: IBinaryData,
): Promise<{ bytes: Buffer; mimeType: string }> {
	const bytes = await getBinaryDataBuffer(itemIndex, file);
	const found = typeOf(file, bytes);
	const type = found === file.mimeType ? found : (GEMINI_TYPES[found] ?? found);
	return { bytes, mimeType: TEXT.test(type) ? 'text/plain' : type };
}

/** What Gemini's pages and @google/genai call these (ai.google.dev/gemini-api/docs/audio, 2026-11). */
const GEMINI_TYPES: Record<string, string | undefined> = {
	'audio/mpeg': 'audio/mp3',
	'audio/mp4': 'audio/m4a',
};

/** Types of texts. Gemini refuses some of them, such as `application/json`, but takes any plain text. */
const TEXT = /^text\/|^application\/(.{1,100}\+)?(csv|json|javascript|sql|xml|yaml)$/;

/** Vertex refuses a YouTube video without a type, and takes this one for each. */
const YOUTUBE = /^https?:\/\/((www|m|music)\.)?(youtube\.com|youtu\.be)\//i;

/** Reads `[{fileData: {fileUri, mimeType?}}]`: files that the vendor fetches itself. */
export function readFileUrls({ options }: Reader): IDataObject[] {
	return options.rows('fileUrls').flatMap((row) => {
		const urls = row.texts('url').map((url) => url.trim());
		if (urls.length === 0 || urls.includes('')) {
			return row.refuse('URL is empty', `Fill in its address, or remove the row. ${NOTHING_SENT}`);
		}
		if (urls.some(hasBotToken)) {
			const advice = `The service would get it. Load the file with n8n's Telegram node (Get File), and name its field in Input Binary Fields. ${NOTHING_SENT}`;
			row.refuse('URL has the token of a Telegram bot', advice);
		}
		return urls.map((fileUri) => {
			const byDefault = YOUTUBE.test(fileUri) ? { mimeType: 'video/*' } : {};
			const type = row.isSet('mediaType') ? { mimeType: row.text('mediaType') } : byDefault;
			return { fileData: { fileUri, ...type } };
		});
	});
}
