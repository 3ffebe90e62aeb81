const hexOf = (sign: string) => sign.charCodeAt(0).toString(16).padStart(2, '0');
const each = (write: (sign: string) => string) => (key: string) => [...key].map(write).join('');
const percent = (sign: string) => `%${hexOf(sign)}`;
const base64 = (text: string) => Buffer.from(text).toString('base64');

/** The ways in which a service, a proxy or a page may write a key. */
export const FORMS: Record<string, (key: string) => string> = {
	'as it is': (key) => key,
	'in capital letters': (key) => key.toUpperCase(),
	'in small letters': (key) => key.toLowerCase(),
	'in an address': encodeURIComponent,
	'percent-encoded in lower case': each(percent),
	'percent-encoded in upper case': each((sign) => percent(sign).toUpperCase()),
	'percent-encoded twice': (key) => encodeURIComponent(each(percent)(key)),
	'with escaped slashes': (key) => key.replaceAll('/', '\\/'),
	'as JSON escapes': each((sign) => `\\u00${hexOf(sign)}`),
	'as JSON escapes in JSON': each((sign) => `\\\\u00${hexOf(sign)}`),
	'as entities of a page': each((sign) => `&#x${hexOf(sign)};`),
	'as numbers of a page': each((sign) => `&#${sign.charCodeAt(0)};`),
	'in base64': base64,
	'in base64 behind a name': (key) => base64(`u:${key}`),
	'in base64 behind a scheme': (key) => base64(`Bearer: ${key}`),
	'in base64 for addresses': (key) => Buffer.from(key).toString('base64url'),
	'in hexadecimal digits': (key) => Buffer.from(key).toString('hex'),
	'without its kind': (key) => key.replace(/^sk-/, ''),
};
