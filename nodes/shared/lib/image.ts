import { isBase64 } from './json';
import { type MediaType, sniff } from './mediaType';

type ImageType = Extract<MediaType, `image/${string}`>;

/** Returns the type by the first bytes; `undefined` if they are no image. */
export function sniffImage(bytes: Uint8Array): ImageType | undefined {
	const type = sniff(bytes);
	return type?.startsWith('image/') ? (type as ImageType) : undefined;
}

/** Returns the base64 in a text or data URI, without white space; `undefined` if there is none. */
export function toBase64(text: string): string | undefined {
	const base64 = text.replace(/^\s*data:[^,]{0,1000};\s?base64\s?,/, '').replace(/\s/g, '');
	return isBase64(base64) ? base64 : undefined;
}
