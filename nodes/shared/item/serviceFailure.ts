import type { Failure } from './failure';
import type { ServiceError } from '../service/trouble';

/** What the service said no to, as a failing item; the caller puts it into a sentence. */
export const toFailure = ({
	message,
	description,
	httpCode,
	retryable,
}: ServiceError): Failure => ({
	message,
	description,
	http_code: httpCode,
	retryable,
	source: 'service',
});

/** Nothing was sent, and most often for a typo in the credential. */
const OUT_OF_REACH = new Set([
	'ECONNREFUSED',
	'EHOSTUNREACH',
	'ENETUNREACH',
	'ENOTFOUND',
	'EPROTO',
]);

/** What its owner can do about it, where anything. */
export function adviceFor({ code, httpCode }: ServiceError): string | undefined {
	if (code === 'model_not_found') return 'Choose another Model.';
	if (code === 'task_not_exist') {
		return 'Check the task ID, and that the credential is the one that submitted it.';
	}
	if (code && OUT_OF_REACH.has(code)) return 'Check the Base URL: n8n itself has to reach it.';
	if (httpCode === 401 || httpCode === 403) return 'Check the credential and the account.';
	return undefined;
}

export const lowerFirst = (text: string) => text.charAt(0).toLowerCase() + text.slice(1);

/** The parts that say something, each closed with a full stop. */
export function sentences(...parts: Array<string | undefined>): string | undefined {
	const said = parts.filter((part): part is string => part !== undefined && part !== '');
	return said.map((part) => (/[.!?]$/.test(part) ? part : `${part}.`)).join(' ') || undefined;
}
