import type { PaidEntry } from './wish';

/** Of all callers together; the oldest are forgotten. */
const MAX_ENTRIES = 5_000;

interface Kept {
	/** The execution that paid works for this one. */
	callerId: string;
	startedMs: number;
	entry: PaidEntry;
	/** Callers that have had it since. */
	takenBy: Set<string>;
}

/** What sub-executions have paid for, by caller. */
export interface CallerTasks {
	/** What an earlier try of the caller has paid for the same wish, once for each try. */
	take: (wanted: Pick<PaidEntry, 'wish' | 'request'>, key: string) => PaidEntry | undefined;
	keep: (entry: PaidEntry, key: string) => void;
	forget: (entry: PaidEntry, key: string) => void;
}

/**
 * n8n gives a sub-execution nothing that lasts and that its successor finds: its workflow's static
 * data would overwrite what other executions of the workflow have written meanwhile. So this lasts as
 * long as n8n's process. What is lost is paid for again; nothing wrong is ever picked up.
 */
const places = new Map<string, Kept[]>();

interface Sub {
	/** Caller, workflow and node. */
	place: string;
	/** The caller. */
	executionId: string;
	/** When the sub-execution began. */
	startedMs: number;
}

export function callerTasks({ place, executionId, startedMs }: Sub) {
	const here = () => places.get(place) ?? [];
	const earlierCallers = () =>
		new Set(here().flatMap(({ callerId }) => (callerId === executionId ? [] : [callerId])));

	/** @param repeatedFrom when that part of an earlier caller began that is done again, by its id */
	const open = (repeatedFrom: Map<string, number>): CallerTasks => ({
		take({ wish, request }) {
			const found = here().find(
				({ callerId, startedMs: paidMs, entry, takenBy }) =>
					paidMs >= (repeatedFrom.get(callerId) ?? Infinity) &&
					(entry.wish === wish || entry.request === request) &&
					!takenBy.has(executionId),
			);
			found?.takenBy.add(executionId);
			return found?.entry;
		},
		keep(entry) {
			const kept = [
				...here(),
				{ callerId: executionId, startedMs, entry, takenBy: new Set<string>() },
			];
			// The newest place is the last one.
			places.delete(place);
			places.set(place, kept);
			dropOldest();
		},
		forget(entry) {
			const isSame = (other: PaidEntry) =>
				'task_id' in entry && 'task_id' in other && entry.task_id === other.task_id;
			places.set(
				place,
				here().filter((kept) => !isSame(kept.entry)),
			);
		},
	});
	return { earlierCallers, open };
}

/**
 * What other retries of the same execution have paid for: n8n stores that with each of them, and a
 * further retry begins with what the first execution had. They know an item by its place.
 */
export function retriesTasks({ place, executionId, startedMs }: Sub): CallerTasks {
	const at = (key: string) => {
		const tasks = callerTasks({ place: `${place} ${key}`, executionId, startedMs });
		return tasks.open(new Map([...tasks.earlierCallers()].map((id) => [id, 0])));
	};
	return {
		take: (wanted, key) => at(key).take(wanted, key),
		keep: (entry, key) => at(key).keep(entry, key),
		forget: (entry, key) => at(key).forget(entry, key),
	};
}

function dropOldest() {
	let tooMany = [...places.values()].reduce((sum, { length }) => sum + length, -MAX_ENTRIES);
	for (const [place, kept] of places) {
		if (tooMany <= 0) return;
		const left = kept.slice(tooMany);
		if (left.length > 0) places.set(place, left);
		else places.delete(place);
		tooMany -= kept.length - left.length;
	}
}
