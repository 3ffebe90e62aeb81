import { parseJson } from './json';

/** What can stand in JSON beside structure: an escaped character, the edge of a text, a number. */
const TOKENS = /\\[^]|"|-?\d[\d.eE+-]*/g;
const LONG_NUMBER = /\d{16}/;
/** What a number has that is not whole, or a token that is no number. */
const FRACTION = /[.eE+]|.-/;

/**
 * Parses JSON; whole numbers that JavaScript would round come as the text that was sent. Ids are
 * numbers of 64 bits here and there. `undefined` for what is not JSON.
 */
export const parseExactJson = (json: string): unknown =>
	parseJson(LONG_NUMBER.test(json) ? quoteLongNumbers(json) : json);

const isWhole = (token: string) => /^-?\d/.test(token) && !FRACTION.test(token);

function quoteLongNumbers(json: string): string {
	let isText = false;
	return json.replace(TOKENS, (token) => {
		if (token === '"') isText = !isText;
		const isRounded = isWhole(token) && !Number.isSafeInteger(Number(token));
		return isRounded && !isText ? `"${token}"` : token;
	});
}
