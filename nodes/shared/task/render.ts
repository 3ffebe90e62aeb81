import type { PaidTrouble } from '../service/paid';
import type { Trouble } from '../service/trouble';
import type { SubmitRequest } from '../service/videoApi';
import type { VideoTask } from '../service/videoTask';
import { NO_TROUBLES, type Troubles } from './troubles';

/** What one input item asks for. */
export interface RenderJob {
	itemIndex: number;
	request: SubmitRequest;
	/** A fingerprint of what the person wrote for it and of the incoming item (`toWish`). */
	wish: string;
	/** The task that the incoming item has failed with, where it comes back from the error output. */
	failedTaskId?: string;
	/** The incoming item has failed because nobody knows whether it was accepted, and comes back. */
	wasUnclear?: boolean;
	/** `none`: done as soon as the task is accepted. */
	wait: 'inProcess' | 'durable' | 'none';
	/** First pause between polls; grows to `maxPollIntervalMs`. */
	pollIntervalMs: number;
	maxPollIntervalMs: number;
	/** Each fetch of the record is a question to the vendor, and nobody asked for many. */
	asksSeldom?: boolean;
	/** Time from the first pause to giving up. */
	maxWaitMs: number;
	/** On Timeout is Fail. */
	timeOutFails: boolean;
	/** Durable only: how long to poll before the wait goes on in a sub-execution (`open`). */
	headStartMs: number;
	/** Whether a task that an earlier try has paid for is picked up. */
	reuseTask: boolean;
}

/** A paid task and what is known of it. Times are milliseconds since 1970. */
export interface Render {
	task: VideoTask;
	/** The last answer of the service, as it came. */
	answer: unknown;
	/** Missing where somebody else submitted it. */
	submittedAtMs?: number;
	finishedAtMs?: number;
	/** When waiting ends and On Timeout applies; missing where nobody waits. */
	deadlineMs?: number;
	pollCount: number;
	/** Fetches in a row that met trouble, by kind. */
	troubles: Troubles;
	/** The task was submitted by an earlier try of the same run. */
	reused: boolean;
}

/** How the wait for a task ended. */
export type Ended =
	| { state: 'done'; render: Render }
	/** The service says FAILURE. */
	| { state: 'failed'; render: Render }
	/** The service says SUCCESS and gives no link to the video. */
	| { state: 'noVideo'; render: Render }
	/** Max Wait is over; the last fetch may have met trouble. */
	| { state: 'timedOut'; render: Render; trouble?: Trouble }
	/** Too many fetches in a row met trouble: the task cannot be followed. */
	| { state: 'trouble'; render: Render; trouble: Trouble };

/** How a job ended. Once a task exists, `render` is there: the id is never lost. */
export type Outcome =
	| Ended
	| { state: 'submitted'; render: Render }
	| { state: 'stopped'; render: Render }
	/** It still renders, and is waited for elsewhere. */
	| { state: 'open'; render: Render }
	| NoTask
	| { state: 'notSubmitted' };

/** No task id is known: the service said no, or nobody knows whether a task exists. */
export type NoTask = { state: PaidTrouble['kind']; trouble: Trouble };

/** A task of which no more is known than its id. */
export const toRender = (
	task: Pick<VideoTask, 'task_id' | 'model'>,
	more: Partial<Render> = {},
): Render => ({
	task: { status: 'queued', progress: 0, ...task },
	answer: undefined,
	pollCount: 0,
	troubles: NO_TROUBLES,
	reused: false,
	...more,
});

/** The last fetch brought no record that is believed. */
export const meetsTrouble = ({ troubles }: Render): boolean =>
	Object.values(troubles).some((count) => count > 0);
