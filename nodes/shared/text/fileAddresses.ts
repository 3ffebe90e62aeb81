import type { IDataObject } from 'n8n-workflow';

import { isObject, toText } from '../lib/json';

/** A file of an answer that the service keeps, each as the service spells it. */
export interface FileAddress extends IDataObject {
	mimeType?: string;
	uri: string;
}

export const readFileAddresses = (parts: IDataObject[]): FileAddress[] =>
	parts.flatMap(({ fileData }) => {
		if (!isObject(fileData)) return [];
		const uri = toText(fileData.fileUri);
		const mimeType = toText(fileData.mimeType);
		return uri ? [{ ...(mimeType && { mimeType }), uri }] : [];
	});
