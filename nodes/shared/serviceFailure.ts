import type { Failure } from './failure';
import type { ServiceError } from './service/errors';

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

/** What its owner can do about it, where anything. */
export function adviceFor({ code, httpCode }: ServiceError): string | undefined {
	if (code === 'model_not_found') return 'Choose another Model.';
	if (httpCode === 401 || httpCode === 403) return 'Check the credential and the account.';
	return undefined;
}

export const lowerFirst = (text: string) => text.charAt(0).toLowerCase() + text.slice(1);

/** The parts that say something, each closed with a full stop. */
export function sentences(...parts: Array<string | undefined>): string | undefined {
	const said = parts.filter((part): part is string => part !== undefined && part !== '');
	return said.map((part) => (/[.!?]$/.test(part) ? part : `${part}.`)).join(' ') || undefined;
}
