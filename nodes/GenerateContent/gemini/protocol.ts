import type { IDataObject } from 'n8n-workflow';

import { isFilled } from '../../shared/lib/json';

/** A turn. A part is `{text}`, `{inlineData: {mimeType, data}}` or anything else in the protocol. */
export interface Turn extends IDataObject {
	role: string;
	parts: IDataObject[];
}

/** The body of `:generateContent`. `contents` is documented; the rest is the native protocol's. */
export interface GenerateRequest extends IDataObject {
	contents: Turn[];
}

/** Returns an object without the fields that say nothing. */
export const onlyFilled = (fields: object): IDataObject => lastFilled([fields]);

/** Returns one object with the fields of several; of a field in more than one, the last that says something. */
export const lastFilled = (objects: object[]): IDataObject =>
	Object.fromEntries(
		objects.flatMap((fields) => Object.entries(fields).filter(([, value]) => isFilled(value))),
	);
