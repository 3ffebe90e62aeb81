import { TOO_LARGE } from '../service/http';
import { isUnknownTask, type Trouble } from '../service/trouble';

/**
 * How many fetches in a row that meet trouble of one kind end the wait for a task. `denied`: 401
 * and 403, which a deployment under load gives now and then, and an answer over the limit, which
 * hardly gets smaller. `unknown`: the record can follow the submit by some seconds. `other`:
 * everything else, about ten minutes at ten seconds a poll.
 */
const MAX_IN_A_ROW = { denied: 5, unknown: 6, other: 60 };

/** Looks at a failure that may pass before it is believed, and the pause between them: a minute. */
export const LOOKS_AT_A_FAILURE = 4;
export const PAUSE_AFTER_A_FAILURE_MS = 20_000;

/** Tries of one check, by the same kinds: passing trouble is not a state of the task. */
export const MAX_TRIES_OF_A_CHECK: Record<TroubleKind, number> = {
	denied: 2,
	unknown: 3,
	other: 5,
};

export type TroubleKind = keyof typeof MAX_IN_A_ROW;

/**
 * Fetches since the last answer that was a task record, by what they met instead; `failed` are
 * records of a failure that is not believed yet.
 */
export type Troubles = Readonly<Record<TroubleKind | 'failed', number>>;

export const NO_TROUBLES: Troubles = { denied: 0, unknown: 0, other: 0, failed: 0 };

export function toTroubleKind(trouble: Trouble): TroubleKind {
	const { httpCode, code } = trouble;
	if (httpCode === 401 || httpCode === 403 || code === TOO_LARGE) return 'denied';
	if (isUnknownTask(trouble) || httpCode === 404 || httpCode === 410) return 'unknown';
	return 'other';
}

export function addTrouble(troubles: Troubles, trouble: Trouble): Troubles {
	const kind = toTroubleKind(trouble);
	return { ...troubles, [kind]: troubles[kind] + 1 };
}

/** Whether the task can no longer be followed. */
export const areTooMany = ({ denied, unknown, other }: Troubles): boolean =>
	denied >= MAX_IN_A_ROW.denied || unknown >= MAX_IN_A_ROW.unknown || other >= MAX_IN_A_ROW.other;
