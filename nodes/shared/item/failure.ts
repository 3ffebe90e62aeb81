import type { IDataObject } from 'n8n-workflow';

import { BY_VENDOR, isUnknownTask, type Trouble } from '../service/trouble';

/**
 * What to do about a failing item, for workflows that branch on it: run it again; follow its task
 * with Video Status or Video Download; run it again only once something about it is changed; or look
 * at the usage page of the service, since something may be paid without anybody knowing its id.
 */
export type Next = 'retry' | 'followTask' | 'changeRequest' | 'checkUsage';

/** Why an item has no result, in the words and with the facts that its owner needs. */
export interface Failure {
	message: string;
	description?: string;
	task_id?: string;
	status?: string;
	fail_reason?: string;
	http_code?: number;
	/** What a text model wrote and nobody can use as it is: it is paid for. */
	text?: string;
	/** What the service has counted for it, in its own words; it is not on the item. */
	usage?: IDataObject;
	/** Whether running the same item again may help, and pays for nothing that may be paid already. */
	retryable: boolean;
	next: Next;
	/** Who can mend it: the person who set the parameters, or nobody but the service. */
	source: 'input' | 'service';
	/** It is no matter of one item, such as a credential that cannot be read. */
	ofAllItems?: boolean;
}

/** What a failing item holds under `error`. */
export function toErrorFields(failure: Failure, itemIndex: number): IDataObject {
	const { description, task_id, status, fail_reason, http_code, text, retryable, next } = failure;
	const message = withItem(failure, itemIndex);
	const facts = { task_id, status, fail_reason, http_code, text };
	const fields = { message, description, ...facts, retryable, next };
	return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/** n8n's own way to name the item in a message. */
export const withItem = ({ message, ofAllItems }: Failure, itemIndex: number) =>
	ofAllItems ? message : `${message} [item ${itemIndex}]`;

/** Whatever was thrown for an item (a parameter, an expression, a credential) as its failure. */
export function toInputFailure(thrown: unknown): Failure {
	const { message, description } = (thrown ?? {}) as { message?: unknown; description?: unknown };
	return {
		message:
			typeof message === 'string' && message.trim() !== '' ? message : 'The item was not processed',
		description: typeof description === 'string' ? description : undefined,
		retryable: false,
		next: 'changeRequest',
		source: 'input',
	};
}

/** Trouble with the service as a failing item; the caller puts it into a sentence. */
export const toFailure = ({ message, description, httpCode, retryable }: Trouble): Failure => ({
	message,
	description,
	http_code: httpCode,
	retryable,
	next: retryable ? 'retry' : 'changeRequest',
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
export function adviceFor(trouble: Trouble): string | undefined {
	const { code, httpCode } = trouble;
	if (code === 'model_not_found') return 'Choose another Model.';
	if (isUnknownTask(trouble)) {
		return 'Check the task ID, and that the credential is the one it was submitted with.';
	}
	if (code && OUT_OF_REACH.has(code))
		return 'Check the Base URL: n8n itself must be able to reach it.';
	if (httpCode !== 401 && httpCode !== 403) return undefined;
	return code === BY_VENDOR
		? 'Your API key is fine. Tell the operator of the service, or choose another Model.'
		: 'Check the credential and the account.';
}
