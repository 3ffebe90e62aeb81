import { findStatus } from './taskStatus';

/** What deployments, and those who resell them, say where all is well; or they name a task's state. */
const SUCCESS_WORDS = /^(accepted|created|done|ok|successful|true)$/i;

/** Who waited in vain had handed the request on. 460 is a load balancer's word, 499 a proxy's. */
export const GAVE_UP_WAITING = new Set([408, 460, 499]);

/** States that pass by themselves; some say them by the number that HTTP has for them. */
const PASSING = /overload|rate_?limit|too_?many|throttl|busy|^(service_)?unavailable$|^(429|503)$/i;

const toWord = (code: unknown): string =>
	['string', 'number', 'boolean'].includes(typeof code) ? String(code).trim() : '';

const toNumber = (word: string): number | undefined =>
	/^-?\d+$/.test(word) ? Number(word) : undefined;

const isSuccessWord = (word: string) =>
	SUCCESS_WORDS.test(word) || (word !== '' && (findStatus(word) ?? 'FAILURE') !== 'FAILURE');

/** Whether a code in an answer says that the request was carried out; in any case, number or text. */
export function meansSuccess(code: unknown): boolean {
	const word = toWord(code);
	const number = toNumber(word);
	if (number === undefined) return isSuccessWord(word);
	return number === 0 || number === 1 || (number >= 200 && number < 300);
}

/**
 * Whether a code is a clear no. A number is one only where it means what it means in HTTP: what
 * deployments mean by others, nobody knows.
 */
export function meansNo(code: unknown): boolean {
	const word = toWord(code);
	const number = toNumber(word);
	if (number === undefined) return word !== '' && !isSuccessWord(word);
	return number >= 400 && number < 500 && !GAVE_UP_WAITING.has(number);
}

export const meansPassing = (code: string | undefined) => PASSING.test(code ?? '');
