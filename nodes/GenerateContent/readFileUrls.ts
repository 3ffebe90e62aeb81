import type { Reader } from '../shared/item/reader';
import { isObject } from '../shared/lib/json';
import type { Part } from '../shared/service/textApi';
import { BY_ADDRESS } from './mediaFields';
import { toMediaType } from './mediaType';
import { readRows, readTexts } from './readLists';

const NOT_SENT = 'Nothing was sent for this item.';
const MEDIA_TYPE = /^[a-z]{1,40}\/[\w.+*-]{1,100}$/i;

/** `[{fileData: {fileUri, mimeType?}}]`: files that the vendor fetches by itself. */
export function readFileUrls({ options }: Reader): Part[] {
	readRows(options, 'fileUrls', 'files').forEach((row, i) => {
		if (!isObject(row)) options.refuse(`File URLs, row ${i + 1} must have a url`);
	});
	return options.isSet('fileUrls') ? options.rows('fileUrls').flatMap(readRow) : [];
}

function readRow(row: Reader): Part[] {
	const urls = readTexts(row, 'url').map((url) => url.trim());
	if (urls.length === 0 || urls.includes('')) {
		return row.refuse('URL is empty', `Fill in its address, or remove the row. ${NOT_SENT}`);
	}
	return urls.map((fileUri) => {
		const mimeType = readMediaType(row, fileUri);
		return { fileData: mimeType === '' ? { fileUri } : { fileUri, mimeType } };
	});
}

function readMediaType(row: Reader, fileUri: string): string {
	const url = URL.canParse(fileUri) ? new URL(fileUri) : undefined;
	const shown = fileUri.slice(0, 200);
	if (!url || !['gs:', 'http:', 'https:'].includes(url.protocol)) {
		return row.refuse(
			`"${shown}" is no address that the model can open`,
			`It must begin with https:// or gs://. Send a file that n8n has through Input Binary Fields. ${NOT_SENT}`,
		);
	}
	const chosen = row.isSet('mediaType') ? row.text('mediaType') : BY_ADDRESS;
	if (chosen !== BY_ADDRESS) {
		const advice = `It is "${chosen.slice(0, 50)}". ${NOT_SENT}`;
		return MEDIA_TYPE.test(chosen)
			? chosen
			: row.refuse('Media Type must be a type such as video/mp4', advice);
	}
	return (
		toMediaType(url) ??
		row.refuse(
			`The address "${shown}" does not say what type of file it is`,
			`Choose its Media Type. ${NOT_SENT}`,
		)
	);
}
