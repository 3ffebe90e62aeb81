const MAX_QUOTE_CHARS = 500;
/** Of an answer this much is looked at, in characters. */
const MAX_BODY_CHARS = 50_000;

export const isPage = (body: string) => /^\s*</.test(body);

/** Words from outside on one line, and not the whole of a file. */
export function quote(words: string): string | undefined {
	// In two bytes for a letter, every other one is zero: a key would be told from it.
	const line = words
		.replace(/\0/g, '')
		.replace(/[\s\p{Cc}]{1,1000}/gu, ' ')
		.trim();
	if (line === '') return undefined;
	return line.length > MAX_QUOTE_CHARS ? `${line.slice(0, MAX_QUOTE_CHARS)}...` : line;
}

export const quoteTitle = (page: string) => quote(/<title>([^<]*)<\/title>/i.exec(page)?.[1] ?? '');

/** A whole answer, so that a person can find what it is about. Of a page: what a browser shows. */
export function quoteBody(body: string): string | undefined {
	// The mark tells what was cut from what ends there: half a key is not shown, either.
	const page = body.length > MAX_BODY_CHARS ? `${body.slice(0, MAX_BODY_CHARS)}...` : body;
	if (!isPage(page)) return quote(page);
	const parts = page.split(/<\/?(?:style|script)\b/i);
	const shown = parts.filter((_part, i) => i % 2 === 0).join('<');
	return quote(shown.replace(/<[^<>]*>/g, ' ')) ?? quote(page);
}
