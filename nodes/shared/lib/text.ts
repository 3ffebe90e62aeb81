/** Signs that end a line, move the cursor or turn the writing around. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Returns a text that stays on its line, so that words from outside cannot write lines of their own. */
export const oneLine = (text: string): string =>
	text.replace(UNSEEN, (sign) => `\\u{${sign.codePointAt(0)!.toString(16)}}`);

/** Joins the parts that say something, each closed with a full stop. */
export function sentences(...parts: Array<string | undefined>): string | undefined {
	const said = parts.filter((part): part is string => part !== undefined && part !== '');
	return said.map((part) => (/[.!?]$/.test(part) ? part : `${part}.`)).join(' ') || undefined;
}

export const lowerFirst = (text: string) => text.charAt(0).toLowerCase() + text.slice(1);

/** Signs that begin something in Markdown in the middle of a line; a backslash makes one plain. */
const SIGNS = /[\\`*[\]<!]/g;

/** Returns words from outside as Markdown that shows them as they are: no link and no picture. */
export const toPlain = (text: string): string => text.replace(SIGNS, '\\$&');

/** Returns an ID as Markdown to copy. */
export const toCode = (text: string): string => `\`${text.replaceAll('`', "'")}\``;

/** Returns a link. Some chats show a bare address as text, and brackets would end it. */
export const toLink = (text: string, url: string): string =>
	`[${toPlain(text)}](${url.replaceAll('(', '%28').replaceAll(')', '%29').replaceAll(' ', '%20')})`;
