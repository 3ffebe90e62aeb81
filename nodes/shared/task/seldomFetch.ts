import type { Clock } from '../lib/time';
import type { ContentState, FetchResult } from '../service/videoApi';
import { isFinal } from '../service/videoTask';
import type { Render } from './render';
import { LOOKS_AT_A_FAILURE, PAUSE_AFTER_A_FAILURE_MS } from './troubles';

/** What asking seldom asks of the world; `limitMs` is how long an answer may take, in milliseconds. */
export interface SeldomFetching {
	fetchTask: (task_id: string, limitMs?: number) => Promise<FetchResult>;
	askForContent: (task_id: string, limitMs?: number) => Promise<ContentState>;
	contentUrl: (task_id: string) => string;
	clock: Clock;
}

/**
 * Time between two fetches of a task's record, in milliseconds. The gateway looks at its tasks itself
 * every 15 to 30 seconds, and gives the money for a failed one back only where it was the first to
 * see it.
 */
const RECORD_EVERY_MS = 180_000;

/** It takes so long to believe a failure; the end of a shorter wait would make one look enough. */
const BELIEVED_AFTER_MS = (LOOKS_AT_A_FAILURE - 1) * PAUSE_AFTER_A_FAILURE_MS;

/**
 * Follows a task whose record is the vendor's answer of this moment (Veo), where each fetch is a
 * question to the vendor. In between, the content endpoint tells whether the film is ready: the
 * gateway answers that from what it knows. A task of an earlier try may have ended since, in whatever
 * way: its record comes first.
 */
export function createSeldomFetch(
	{ fetchTask, askForContent, contentUrl, clock }: SeldomFetching,
	{ reused, deadlineMs = Infinity }: Pick<Render, 'reused' | 'deadlineMs'>,
): SeldomFetching['fetchTask'] {
	const isFirst = reused && deadlineMs - clock.now() > BELIEVED_AFTER_MS;
	let recordAtMs = isFirst ? -Infinity : clock.now() + RECORD_EVERY_MS;
	return async (task_id, limitMs = Infinity) => {
		const startedMs = clock.now();
		if (startedMs < recordAtMs) {
			const content = await askForContent(task_id, limitMs);
			if (content === 'ready') {
				const result_url = contentUrl(task_id);
				const task = { task_id, status: 'SUCCESS' as const, progress: 100, result_url };
				return { kind: 'task', task, answer: undefined };
			}
			if (content === 'notYet') {
				const task = { task_id, status: 'IN_PROGRESS' as const, progress: 0 };
				return { kind: 'task', task, answer: undefined };
			}
		}
		const result = await fetchTask(task_id, limitMs - (clock.now() - startedMs));
		// Trouble, and a failure that may pass, are believed by how often they come in a row.
		const isRendering = result.kind === 'task' && !isFinal(result.task.status);
		recordAtMs = isRendering ? clock.now() + RECORD_EVERY_MS : -Infinity;
		return result;
	};
}
