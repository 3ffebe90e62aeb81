import type { ServiceError } from '../service/trouble';
import type { SubmitRequest } from '../service/videoApi';
import type { VideoTask } from '../service/videoTask';

/** What one input item asks for. */
export interface RenderJob {
	itemIndex: number;
	request: SubmitRequest;
	/** First delay between polls; grows to `maxPollIntervalMs`. */
	pollIntervalMs: number;
	maxPollIntervalMs: number;
	/** Time from the first wait to giving up. */
	maxWaitMs: number;
	/** False: done as soon as the task is accepted. */
	waitForCompletion: boolean;
	/** How long to poll before the wait goes on elsewhere (`open`); without, until the end. */
	headStartMs?: number;
}

/** A paid task and what is known of it. Times are milliseconds since 1970. */
export interface Render {
	task: VideoTask;
	submittedAtMs: number;
	finishedAtMs?: number;
	pollCount: number;
	/** The task was submitted by an earlier try of the same run. */
	reused: boolean;
	/** The last answer of the service, as it came. */
	answer: unknown;
}

/** How a job ended. Once a task exists, `render` is there: the id is never lost. */
export type RenderOutcome =
	| { state: 'done'; render: Render }
	| { state: 'stopped'; render: Render }
	| { state: 'open'; render: Render; deadlineMs: number }
	| { state: 'failed'; render: Render; error?: ServiceError }
	| { state: 'timedOut'; render: Render; error?: ServiceError }
	| { state: 'lost'; render: Render; error: ServiceError }
	| { state: 'refused'; error: ServiceError }
	| { state: 'unclear'; error: ServiceError }
	| { state: 'notSubmitted' };
