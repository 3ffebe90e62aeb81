/**
 * Characters that end a line, move the cursor or reverse the direction of writing; not the two that join the
 * letters of Persian and the parts of an emoji.
 */
const UNSEEN = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Returns a text that stays on its line, so that words from outside cannot add lines of their own. */
export const oneLine = (text: string): string =>
	text.replace(UNSEEN, (sign) => `\\u{${sign.codePointAt(0)!.toString(16)}}`);

/** Joins the parts that are not empty, and ends each with a full stop if it has no end mark. */
export function sentences(...parts: Array<string | false | undefined>): string | undefined {
	const filled = parts.filter((part) => typeof part === 'string' && part !== '') as string[];
	return filled.map((part) => (/[.!?]$/.test(part) ? part : `${part}.`)).join(' ') || undefined;
}

/** Returns the start of a text on one line, without reading all of a long one. */
export function startOf(text: string, maxChars: number): string {
	const line = text
		.trim()
		.slice(0, 2 * maxChars)
		.replace(/\s+/g, ' ');
	return cutText(line, maxChars);
}

/**
 * Cuts a text to so many characters, before the word that does not fit: that may be a key, of which
 * the redaction would not recognize a part.
 */
export function cutText(text: string, maxChars: number): string {
	if (text.length <= maxChars) return text;
	const start = text.slice(0, maxChars);
	const end = Math.max(...[' ', '\n', '"', "'"].map((sign) => start.lastIndexOf(sign)));
	return `${end > maxChars / 2 ? start.slice(0, end) : start}...`;
}

/** Longer names are no model's; patterns of families look through a name more than once. */
export const MAX_MODEL_CHARS = 200;

/**
 * Encodes a name as one segment of a path. Half a character (a lone surrogate) has no encoding, nor have `.` and
 * `..`: also as %2E, they lead elsewhere (WHATWG URL), as to what else is behind a proxy.
 */
export const toPathSegment = (name: string): string =>
	encodeURIComponent(name.replace(/^\.{1,2}$|\p{Surrogate}/gu, '\uFFFD'));

export const lowerFirst = (text: string) => text.charAt(0).toLowerCase() + text.slice(1);
export const upperFirst = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** Characters with a meaning in the middle of a line of Markdown; a backslash makes each one plain. */
const MARKUP = /[\\`*[\]<!]/g;

/** Returns words from outside as Markdown that shows them as they are, with no link and no picture. */
export const toPlain = (text: string): string => text.replace(MARKUP, '\\$&');

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** Returns words from outside as HTML that shows them as they are. */
export const toHtml = (text: string): string => text.replace(/[&<>]/g, (sign) => ENTITIES[sign]);

/**
 * Returns words that begin no HTML tag. n8n's editor shows the message of an error as text in the panel of the
 * node and as HTML in the notice above it, and its description as HTML, each with links (n8n PRs 10329 and
 * 10733): no way to escape a bracket is right in both.
 */
export const withoutTags = (text: string): string => text.replaceAll('<', '‹');

/** Returns an ID as Markdown code, which is easy to copy. */
export const toCode = (text: string): string => `\`${text.replaceAll('`', "'")}\``;

/** Returns a Markdown link, because some chats show a bare address as text. Brackets would end it. */
export const toLink = (text: string, url: string): string =>
	`[${toPlain(text)}](${url.replaceAll('(', '%28').replaceAll(')', '%29').replaceAll(' ', '%20')})`;

/** Returns how all our words name an item: as n8n itself does, which counts from 0. */
export const toItemName = (itemIndex: number) => `[item ${itemIndex}]`;

const ORDINALS = new Intl.PluralRules('en', { type: 'ordinal' });
const ORDINAL_ENDS: Record<string, string> = { one: 'st', two: 'nd', few: 'rd' };

/** Returns words such as "3rd". */
export const toOrdinal = (count: number) =>
	`${count}${ORDINAL_ENDS[ORDINALS.select(count)] ?? 'th'}`;

export const toCount = (count: number, what: string) => `${count} ${what}${count === 1 ? '' : 's'}`;

export const toVideos = (count: number) => toCount(count, 'video');

/** The most characters of the service's own words in a message. */
const MAX_REASON_CHARS = 500;

/** Returns the service's words on one line, cut so that a whole page or file does not appear. */
export const shortReason = (words = ''): string => startOf(words, MAX_REASON_CHARS);

/** Returns words such as "12 s" or "2 min 5 s". */
export function toDuration(ms: number): string {
	const seconds = Math.round(ms / 1000);
	return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
