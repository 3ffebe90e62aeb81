import { findStatus } from './taskStatus';

/** What deployments, and those who resell them, say where all is well; or they name a task's state. */
const SUCCESS_WORDS = /^(accepted|created|done|ok|successful|true)$/i;

/** Parts of what others say instead, such as `task_submitted`; a no may hold them, too. */
const SOUNDS_GOOD = /accept|creat|pending|queue|receiv|submit|succe|\bok\b|成功/i;
const SOUNDS_BAD =
	/bad|block|deni|err|exceed|fail|forbid|(\b|_)full|inval|limit|missing|not?(\b|_)|refus|reject|un(acc|auth|avail|succ)|失败|错误/i;

/** Somebody waited in vain, as below. */
const TIMED_OUT = /time[_ -]?(d[_ -]?)?out|deadline/i;

/** Who waited in vain had handed the request on. 460 is a load balancer's word, 499 a proxy's. */
export const GAVE_UP_WAITING = new Set([408, 460, 499]);

/** States that pass by themselves; some say them by the number that HTTP has for them. */
const PASSING = /overload|rate_?limit|too_?many|throttl|busy|^(service_)?unavailable$|^(429|503)$/i;

const toWord = (code: unknown): string =>
	['string', 'number', 'boolean'].includes(typeof code) ? String(code).trim() : '';

const toNumber = (word: string): number | undefined =>
	/^-?\d/.test(word) && !/\D/.test(word.slice(1)) ? Number(word) : undefined;

const isSuccessWord = (word: string) =>
	SUCCESS_WORDS.test(word) ||
	(SOUNDS_GOOD.test(word) && !SOUNDS_BAD.test(word)) ||
	(word !== '' && (findStatus(word) ?? 'FAILURE') !== 'FAILURE');

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
	if (number === undefined) return word !== '' && !isSuccessWord(word) && !TIMED_OUT.test(word);
	return number >= 400 && number < 500 && !GAVE_UP_WAITING.has(number);
}

export const meansPassing = (code: string | undefined) => PASSING.test(code ?? '');
