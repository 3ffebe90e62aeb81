import type { IDataObject } from 'n8n-workflow';

import { toText } from '../lib/json';
import { sentences, startOf } from '../lib/text';
import { BY_VENDOR, isUnknownTask, type Trouble } from '../service/trouble';

/**
 * The next step for a failing item, for workflows that branch on it. `retry`: run it again.
 * `followTask`: follow its task with Video Status or Video Download. `changeRequest`: change
 * something, then run it again. `checkUsage`: look at the service's usage page, because something
 * may be paid for whose ID nobody knows.
 */
export type Next = 'retry' | 'followTask' | 'changeRequest' | 'checkUsage';

/** Whether the service charges for an item, as far as is known. */
export type Billed = 'yes' | 'no' | 'unknown';

/** What an item asks for, in few words, so that people recognise it. */
export interface Asked {
	model?: string;
	/** The beginning of the prompt. */
	prompt?: string;
}

/** Why an item has no result, with the words and facts that its owner needs. */
export interface Failure extends Asked {
	message: string;
	description?: string;
	task_id?: string;
	status?: string;
	fail_reason?: string;
	http_code?: number;
	/** The time of the submission (ISO 8601), if nobody knows whether it was accepted. */
	submitted_at?: string;
	/** A text written by a model: paid for, but not usable as it is. */
	text?: string;
	/** The tokens counted by the service, in its own words; not shown on the item. */
	usage?: IDataObject;
	/** Only in failures of videos. */
	billed?: Billed;
	/** Whether running the item again may help, without paying again for what may already be paid. */
	retryable: boolean;
	next: Next;
	/** A parameter, an expression or a credential caused it, and not the service. */
	fromInput?: true;
	/** It concerns all items, for example a credential that cannot be read. */
	ofAllItems?: boolean;
}

/** Returns a failure for anything thrown by a parameter, an expression or a credential. */
export function toInputFailure(thrown: unknown): Failure {
	const { message, description } = (thrown ?? {}) as { message?: unknown; description?: unknown };
	return {
		message: toText(message) ?? 'The item was not processed',
		description: toText(description),
		retryable: false,
		next: 'changeRequest',
		fromInput: true,
	};
}

/** Returns trouble with the service as a failure; the caller completes the sentence. */
export const toFailure = ({ message, description, httpCode, retryable }: Trouble): Failure => ({
	message,
	description,
	http_code: httpCode,
	retryable,
	next: retryable ? 'retry' : 'changeRequest',
});

/** Codes of requests that were not sent, most often because of a typo in the credential. */
const OUT_OF_REACH = ['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND', 'EPROTO'];

/** Returns what an item's owner can do about trouble; `undefined` if nothing. */
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

/** Returns the fields under `error` in a failing item. */
export function toErrorFields(failure: Failure, itemIndex: number): IDataObject {
	const { description, model, prompt, task_id, status, fail_reason, http_code } = failure;
	const { submitted_at, text, billed, retryable, next } = failure;
	return withoutGaps({
		...{ message: withItem(failure, itemIndex), description },
		...{ item_index: itemIndex, model, prompt },
		...{ task_id, status, fail_reason, http_code, submitted_at, text, billed, retryable, next },
	});
}

/** Returns how all our words name an item: as n8n itself does, which counts from 0. */
export const toItemName = (itemIndex: number) => `[item ${itemIndex}]`;

/** Adds the item to a message, unless it concerns all items. */
export const withItem = ({ message, ofAllItems }: Failure, itemIndex: number) =>
	ofAllItems ? message : `${message} ${toItemName(itemIndex)}`;

/** The most characters of the service's own words that an agent or a chat gets. */
const MAX_REASON_CHARS = 500;

/** Returns the service's words on one line, cut so that a whole page or file does not appear. */
export const shortReason = (words = ''): string => startOf(words, MAX_REASON_CHARS);

/**
 * Returns the same failure with everything an agent needs in its message: n8n passes on only the
 * message of an error that a tool throws.
 */
export function toAgentFailure(failure: Failure): Failure {
	const { message, description, fail_reason } = failure;
	const text = sentences(message, shortReason(fail_reason), description);
	return { ...failure, message: text ?? message, description: undefined, fail_reason: undefined };
}

/** Returns the JSON of a failing item of a tool in the mode "Continue". */
export function toAgentErrorJson(failure: Failure): IDataObject {
	const { message, task_id, status, text, retryable } = toAgentFailure(failure);
	return withoutGaps({ error: message, text, task_id, status, retryable });
}

const withoutGaps = (fields: IDataObject): IDataObject =>
	Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
