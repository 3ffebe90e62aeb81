import type { IDataObject } from 'n8n-workflow';

import type { Reason } from '../failure/reason';
import { DATA_URI } from '../http/form';
import { mapTexts } from '../lib/json';
import { lowerFirst, sentences } from '../lib/text';
import type { Ask, Service } from './contract';

/**
 * Resolves to fields with the addresses of their files, if the service takes images by address alone. An
 * upload is free. If one fails, nothing is submitted, so nothing is unclear.
 */
export async function uploadImages(
	{ upload }: Service,
	fields: IDataObject,
	ask: Ask,
): Promise<{ fields: IDataObject } | { refusal: Reason }> {
	if (!upload) return { fields };
	const files = new Set<string>();
	mapTexts(fields, (text) => {
		if (DATA_URI.test(text)) files.add(text);
		return text;
	});
	const urls = new Map<string, string>();
	for (const file of files) {
		const uploaded = await upload(file, ask);
		if (typeof uploaded !== 'string') {
			const { message, description, ...reason } = uploaded;
			const words = sentences(lowerFirst(message), description);
			const said = `The image could not be uploaded: ${words}`;
			return { refusal: { ...reason, message: said } };
		}
		urls.set(file, uploaded);
	}
	return { fields: mapTexts(fields, (text) => urls.get(text) ?? text) as IDataObject };
}
