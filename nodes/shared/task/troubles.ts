import type { ServiceError } from '../service/trouble';

/**
 * How many answers in a row of one kind end the wait for a task. `refused`: 401 and 403, which a
 * deployment under load gives now and then. `unknown`: the record can follow the submit by some
 * seconds. `trouble`: everything else, about ten minutes at ten seconds a poll.
 */
const MAX_IN_A_ROW = { refused: 5, unknown: 6, trouble: 60 };

export type TroubleKind = keyof typeof MAX_IN_A_ROW;

/** Requests since the last answer that was a task record, by what they met instead. */
export type Troubles = Readonly<Record<TroubleKind, number>>;

export const NO_TROUBLES: Troubles = { refused: 0, unknown: 0, trouble: 0 };

/** Sorts the trouble of a poll into the kinds above. */
export function toTroubleKind({ httpCode, code }: ServiceError): TroubleKind {
	if (httpCode === 401 || httpCode === 403) return 'refused';
	if (code === 'task_not_exist' || httpCode === 404 || httpCode === 410) return 'unknown';
	return 'trouble';
}

export const addTroubles = (some: Troubles, more: Partial<Troubles>): Troubles => ({
	refused: some.refused + (more.refused ?? 0),
	unknown: some.unknown + (more.unknown ?? 0),
	trouble: some.trouble + (more.trouble ?? 0),
});

/** Whether the task cannot be followed any more. */
export const areTooMany = ({ refused, unknown, trouble }: Troubles): boolean =>
	refused >= MAX_IN_A_ROW.refused ||
	unknown >= MAX_IN_A_ROW.unknown ||
	trouble >= MAX_IN_A_ROW.trouble;
