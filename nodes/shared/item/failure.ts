import type { IDataObject } from 'n8n-workflow';

import { sentences } from '../lib/text';
import { BY_VENDOR, isUnknownTask, type Trouble } from '../service/trouble';

/**
 * The next step for a failing item, for workflows that branch on it: run it again; follow its task
 * with Video Status or Video Download; run it again only once something about it is changed; or look
 * at the usage page of the service, since something may be paid without anybody knowing its ID.
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
	/** When it was submitted, as ISO 8601, where nobody knows whether it was accepted. */
	submitted_at?: string;
	/** A text that a model wrote, which is paid for though nobody can use it as it is. */
	text?: string;
	/** The tokens that the service has counted, in its own words; they are not on the item. */
	usage?: IDataObject;
	/** Whether running the same item again may help, and pays for nothing that may be paid already. */
	retryable: boolean;
	next: Next;
	/** Who can mend it: the person who set the parameters, or nobody but the service. */
	source: 'input' | 'service';
	/** It is no matter of one item, such as a credential that cannot be read. */
	ofAllItems?: boolean;
}

/** Returns a failure for whatever was thrown: by a parameter, an expression or a credential. */
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

/** Returns trouble with the service as a failure; the caller puts it into a sentence. */
export const toFailure = ({ message, description, httpCode, retryable }: Trouble): Failure => ({
	message,
	description,
	http_code: httpCode,
	retryable,
	next: retryable ? 'retry' : 'changeRequest',
	source: 'service',
});

/** Codes of requests that were not sent, most often for a typo in the credential. */
const OUT_OF_REACH = ['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND', 'EPROTO'];

/** Says what the owner of an item can do about trouble; `undefined` where nothing. */
export function adviceFor(trouble: Trouble): string | undefined {
	const { code = '', httpCode } = trouble;
	if (code === 'model_not_found') return 'Choose another Model.';
	if (isUnknownTask(trouble)) {
		return 'Check the task ID, and that the credential is the one it was submitted with.';
	}
	if (OUT_OF_REACH.includes(code))
		return 'Check the Base URL: n8n itself must be able to reach it.';
	if (httpCode !== 401 && httpCode !== 403) return undefined;
	return code === BY_VENDOR
		? 'Your API key is fine. Tell the operator of the service, or choose another Model.'
		: 'Check the credential and the account.';
}

/** Returns the fields that a failing item holds under `error`. */
export function toErrorFields(failure: Failure, itemIndex: number): IDataObject {
	const { description, task_id, status, fail_reason, http_code, submitted_at, text } = failure;
	const { retryable, next } = failure;
	const message = withItem(failure, itemIndex);
	const facts = { task_id, status, fail_reason, http_code, submitted_at, text };
	return withoutGaps({ message, description, ...facts, retryable, next });
}

/** Names the item in a message, as n8n itself does. */
export const withItem = ({ message, ofAllItems }: Failure, itemIndex: number) =>
	ofAllItems ? message : `${message} [item ${itemIndex}]`;

/** Characters of the service's own words; the rest of what an agent hears is ours, and short. */
const MAX_REASON_CHARS = 500;

/** Returns the service's words on one line, and not the whole of a page or of a file. */
export function shortReason(words = ''): string {
	const line = words.replace(/\s{1,1000}/g, ' ').trim();
	return line.length > MAX_REASON_CHARS ? `${line.slice(0, MAX_REASON_CHARS)}...` : line;
}

/**
 * Returns the same failure with all that an agent needs in its message: of an error that a tool
 * throws, n8n hands on the message and nothing else.
 */
export function toAgentFailure(failure: Failure): Failure {
	const { message, description, fail_reason } = failure;
	const text = sentences(message, shortReason(fail_reason), description);
	return { ...failure, message: text ?? message, description: undefined, fail_reason: undefined };
}

/** Returns a failing item of a tool in the mode "Continue". */
export function toAgentErrorJson(failure: Failure): IDataObject {
	const { message, task_id, status, text, retryable } = toAgentFailure(failure);
	return withoutGaps({ error: message, text, task_id, status, retryable });
}

const withoutGaps = (fields: IDataObject): IDataObject =>
	Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
