/** Signs that begin something in Markdown in the middle of a line; a backslash makes one plain. */
const SIGNS = /[\\`*[\]<!]/g;

/** Words from outside, as Markdown that shows them as they are: no link and no picture. */
export const toPlain = (text: string): string => text.replace(SIGNS, '\\$&');

/** An ID, as it is to be copied. */
export const toCode = (text: string): string => `\`${text.replaceAll('`', "'")}\``;

/** A link. Some chats show a bare address as text, and brackets would end it. */
export const toLink = (text: string, url: string): string =>
	`[${toPlain(text)}](${url.replaceAll('(', '%28').replaceAll(')', '%29').replaceAll(' ', '%20')})`;
