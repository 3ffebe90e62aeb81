import type { IDataObject } from 'n8n-workflow';

import { type Reason, readReason } from '../failure/reason';
import { isNoAnswer, type NoAnswer, type ServiceAnswer } from '../http/answer';
import { DATA_URI, type Form, toForm } from '../http/form';
import { mapTexts, parseJson, toText, valueAt } from '../lib/json';
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
): Promise<IDataObject | Reason> {
	if (!upload) return fields;
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
			return { ...reason, message: `The image could not be uploaded: ${words}` };
		}
		urls.set(file, uploaded);
	}
	return mapTexts(fields, (text) => urls.get(text) ?? text) as IDataObject;
}

/** Returns a name for a file that no other has. */
export const fileNameOf = (file: string) =>
	`${crypto.randomUUID()}.${/^data:image\/(\w+)/.exec(file)?.[1] ?? 'png'}`;

/**
 * Uploads the fields of a form, whose `file` is a data URI.
 *
 * @param at where the answer has the address of the file
 */
export async function uploadAsForm(
	fields: IDataObject & { file: string },
	send: (form: Form) => Promise<ServiceAnswer | NoAnswer>,
	at: string,
): Promise<string | Reason> {
	const answer = await send(await toForm(fields, undefined, ['file']));
	const isDone = !isNoAnswer(answer) && answer.status < 300;
	const url = isDone ? toText(valueAt(parseJson(answer.body), at)) : undefined;
	return url ?? readReason('list', answer);
}
