import type { Failure } from '../../shared/item/failure';
import { toSubmitFailure } from '../../shared/task/taskResult';

/** n8n died while a video was submitted: nobody knows whether a task exists. */
export const toInterrupted = (): Failure => {
	const message = 'n8n was interrupted while it was being submitted';
	const trouble = {
		message,
		description:
			'If the service answered, the task ID is in the log of n8n and in the sub-execution that submitted.',
		retryable: false,
	};
	return toSubmitFailure({ state: 'unclear', trouble });
};

/** Nothing was sent, and nothing will be. */
export const toNotSubmitted = (reason: string): Failure => {
	const description = 'Nothing was sent to the service. Run it again.';
	const trouble = { message: reason, description, retryable: true };
	return toSubmitFailure({ state: 'refused', trouble });
};
