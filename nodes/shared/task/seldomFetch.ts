import type { Clock } from '../lib/clock';
import type { ContentState, FetchResult } from '../service/videoApi';

/** What asking seldom asks of the world. */
export interface SeldomFetching {
	fetchTask: (task_id: string, limitMs?: number) => Promise<FetchResult>;
	askForContent: (task_id: string) => Promise<ContentState>;
	contentUrl: (task_id: string) => string;
	clock: Clock;
}

/**
 * Time between two fetches of a task's record, in milliseconds. The gateway looks at its tasks itself
 * every 15 to 30 seconds, and gives the money for a failed one back only where it was the first to
 * see it.
 */
const RECORD_EVERY_MS = 180_000;

/**
 * Follows a task whose record is the vendor's answer of this moment (Veo), where each fetch is a
 * question to the vendor. In between, the content endpoint tells whether the film is ready: the
 * gateway answers that from what it knows.
 */
export function createSeldomFetch({
	fetchTask,
	askForContent,
	contentUrl,
	clock,
}: SeldomFetching): SeldomFetching['fetchTask'] {
	let fetchedAtMs = clock.now();
	return async (task_id, limitMs) => {
		if (clock.now() - fetchedAtMs < RECORD_EVERY_MS) {
			const content = await askForContent(task_id);
			const result_url = contentUrl(task_id);
			if (content === 'ready') {
				const task = { task_id, status: 'SUCCESS' as const, progress: 100, result_url };
				return { kind: 'task', task, answer: undefined };
			}
			if (content === 'none') {
				const task = { task_id, status: 'IN_PROGRESS' as const, progress: 0 };
				return { kind: 'task', task, answer: undefined };
			}
		}
		fetchedAtMs = clock.now();
		return await fetchTask(task_id, limitMs);
	};
}
