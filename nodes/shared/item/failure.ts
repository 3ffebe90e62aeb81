import type { IDataObject } from 'n8n-workflow';

/** Why an item has no result, in the words and with the facts that its owner needs. */
export interface Failure {
	message: string;
	description?: string;
	task_id?: string;
	status?: string;
	fail_reason?: string;
	http_code?: number;
	/** Whether running the same item again may help and costs nothing extra. */
	retryable: boolean;
	/** Who can mend it: the person who set the parameters, or nobody but the service. */
	source: 'input' | 'service';
}

/** What a failing item holds under `error`. */
export function toErrorFields(failure: Failure): IDataObject {
	const { message, description, task_id, status, fail_reason, http_code, retryable } = failure;
	const fields = { message, description, task_id, status, fail_reason, http_code, retryable };
	return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
