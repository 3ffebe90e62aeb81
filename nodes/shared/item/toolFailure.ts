import type { IDataObject } from 'n8n-workflow';

import type { Failure } from './failure';
import { sentences } from './serviceFailure';

/** Of the service's own words; the rest of what an agent hears is ours, and short. */
const MAX_REASON_CHARS = 500;

/** The service's words on one line, and not the whole of a page or of a file. */
export function shortReason(words = ''): string {
	const line = words.replace(/\s+/g, ' ').trim();
	return line.length > MAX_REASON_CHARS ? `${line.slice(0, MAX_REASON_CHARS)}...` : line;
}

/**
 * The same failure with all that an agent needs in its message: of an error that a tool throws, n8n
 * hands on the message and nothing else.
 */
export function toToolFailure(failure: Failure): Failure {
	const { message, description, fail_reason } = failure;
	// A tool has one item, and an agent knows nothing of items.
	const what = message.replace(/ \[item \d+\]$/, '');
	const text = sentences(what, shortReason(fail_reason), description);
	return { ...failure, message: text ?? message, description: undefined, fail_reason: undefined };
}

/** What a failing item of a tool is in the mode "Continue". */
export function toToolErrorJson(failure: Failure): IDataObject {
	const { message, task_id, status, retryable } = toToolFailure(failure);
	return {
		error: message,
		...(task_id !== undefined && { task_id }),
		...(status !== undefined && { status }),
		retryable,
	};
}
