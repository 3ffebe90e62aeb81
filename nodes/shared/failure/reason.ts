import { isNoAnswer, mayAnswer, type NoAnswer, type ServiceAnswer } from '../http/answer';
import { originOf } from '../lib/url';
import { isDailyQuota, readRetryAfter } from './later';
import { isPage, readStatement, type Statement } from './statement';
import { type Asking, type Facts, lookUp, REDIRECTS, type Verdict } from './table';

/** Why an answer, or none at all, is not what was asked for. */
export interface Reason extends Omit<Verdict, 'words'> {
	/** One sentence for a person, without the item and the step. */
	readonly message: string;
	/** The service's own words, or advice that belongs to the message. */
	readonly description?: string;
	readonly httpCode?: number;
	/** The service's own code, such as `task_not_exist`, or the network's, such as `ECONNREFUSED`. */
	readonly code?: string;
	readonly passes: boolean;
	/** How long the host asks to wait before the next try. */
	readonly retryAfterMs?: number;
}

export const isReason = (value: object | string | undefined): value is Reason =>
	typeof value === 'object' && 'passes' in value;

/** What the caller knows better than the answer says it. */
type Known = Partial<Statement> & Pick<Facts, 'isOfNewApi'>;

const TOMORROW =
	'Run the item again tomorrow, choose another Model, or raise the quota at the service.';

/**
 * Reads why an answer of any shape, or none at all, is not what was asked for. Whether a request that costs
 * money was `refused` never goes by words, only by statuses, codes and types: all that the table does not
 * name may hide paid work.
 *
 * @param known replaces what the answer says
 */
export function readReason(
	asking: Asking,
	answer: ServiceAnswer | NoAnswer,
	known: Known = {},
): Reason {
	if (isNoAnswer(answer)) {
		const { code, message, network, isKnownAddress } = answer;
		const refused = network === 'notSent';
		return {
			...lookUp(asking, { code, isKnownAddress }),
			message,
			code,
			refused,
			passes: mayAnswer(answer),
		};
	}
	const { status } = answer;
	const facts = factsOf(answer, known);
	const { words, passes, ...verdict } = lookUp(asking, facts);
	const isDaily = isDailyQuota(answer);
	return {
		...verdict,
		message: isDaily
			? 'The quota of the day is used up'
			: toSentence(answer, words, lookUp(asking, { ...facts, status: undefined }).words),
		description: facts.words,
		httpCode: status,
		code: facts.code,
		passes: passes === true && !isDaily,
		...(isDaily && { account: true, advice: TOMORROW }),
		retryAfterMs: readRetryAfter(answer),
	};
}

const factsOf = ({ status, body }: ServiceAnswer, known?: Known): Facts => ({
	...readStatement(body),
	...known,
	status,
	isPage: isPage(body),
});

/**
 * Returns one sentence for an answer that is not what was asked for.
 *
 * @param byCode the words of a code alone, which say more than the number of the status
 */
function toSentence(answer: ServiceAnswer, words: string | undefined, byCode?: string): string {
	const { status, headers, body } = answer;
	if (byCode !== undefined) return byCode;
	if (status >= 400) return `${words} (HTTP ${status})`;
	if (words !== undefined) return words;
	if (status >= 300) {
		// A redirect's whole address may carry keys or signatures.
		const target = originOf(headers.location);
		return target
			? `The service redirects to ${target}. Enter that address in the credential`
			: 'The service redirects to another address';
	}
	return body.trim() === ''
		? 'The service sent an empty answer'
		: 'The service sent an answer that is not in the documented form';
}

/** Returns whether an answer leads elsewhere. */
export const isRedirect = ({ status }: Pick<ServiceAnswer, 'status'>): boolean =>
	REDIRECTS.includes(status);

/**
 * Returns whether an answer says that there is no such address. One that is about a model or a task
 * comes from an address that exists (New API: 404 `model_not_found`, OpenAI: "Video ... not found").
 */
export function lacksAddress(answer: ServiceAnswer, path: string): boolean {
	const { words = '', code = '', ...facts } = factsOf(answer);
	if (!lookUp('list', { ...facts, code }).noAddress) return false;
	// Laravel quotes the path without its first slash.
	const said = facts.isPage ? '' : `${code} ${words.replaceAll(path.slice(1), '')}`;
	return !/model|task|video/i.test(said);
}
