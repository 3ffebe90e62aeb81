import { toFaultError, toServiceError, type ServiceError } from './trouble';
import { isNetworkFault } from './http';
import type { NetworkFault } from './noAnswer';
import { readRetryAfter, saysNo } from './retry';
import type { ServiceAnswer } from './connection';

/**
 * A request that costs money, without what was asked for. `refused`: the service said no before it
 * did any work, and nothing is charged. `unclear`: the work may be done, and charged.
 */
export interface Unanswered {
	kind: 'refused' | 'unclear';
	error: ServiceError;
	retryAfterMs?: number;
}

/** What it means that no answer came: nothing was done, or nobody knows. */
export function toUnanswered(answer: ServiceAnswer | NetworkFault): Unanswered {
	if (isNetworkFault(answer)) {
		const kind = answer.network === 'notSent' ? 'refused' : 'unclear';
		return { kind, error: toFaultError(answer) };
	}
	const error = toServiceError(answer);
	const kind = saysNo(answer, error.code) ? 'refused' : 'unclear';
	return { kind, error, retryAfterMs: readRetryAfter(answer) };
}
