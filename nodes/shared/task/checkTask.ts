import type { Run } from '../item/run';
import type { Clock } from '../lib/time';
import type { Connection } from '../service/connection';
import { delayMs } from '../service/paid';
import type { FetchResult } from '../service/videoApi';
import { openFetch } from './openFetch';
import type { Render } from './render';
import { step, type Step } from './step';
import { addTrouble, MAX_TRIES_OF_A_CHECK, NO_TROUBLES, toTroubleKind } from './troubles';

/** Checks under way at once. */
export const CONCURRENT_CHECKS = 10;

/** What a check asks of the world. */
export interface Checking {
	fetchTask: (task_id: string, limitMs?: number) => Promise<FetchResult>;
	clock: Clock;
	signal: AbortSignal;
	/** Whoever does not wait longer than this for another try is not made to, in milliseconds. */
	maxPauseMs: number;
}

export const toChecking = (
	{ clock, signal, maxPauseMs }: Run,
	connection: Connection,
): Checking => ({
	...{ clock, signal, maxPauseMs },
	fetchTask: openFetch(connection, { clock, signal }),
});

/**
 * One fetch of a task, and a few more where it meets trouble that may pass, or a failure that may.
 */
export async function checkTask(
	before: Render,
	{ fetchTask: fetch, clock, signal, maxPauseMs }: Checking,
): Promise<Step> {
	let render = before;
	let met = NO_TROUBLES;
	for (let attempt = 1; ; attempt++) {
		const result = await fetch(render.task.task_id);
		const next = step(render, result, clock.now());
		let pauseMs = next.state === 'rendering' ? next.pauseMs : undefined;
		if (result.kind === 'trouble' && next.state !== 'trouble') {
			met = addTrouble(met, result.trouble);
			const kind = toTroubleKind(result.trouble);
			const isLast = met[kind] >= MAX_TRIES_OF_A_CHECK[kind];
			pauseMs = isLast ? undefined : (result.retryAfterMs ?? delayMs(attempt, clock.random()));
		}
		if (pauseMs === undefined || pauseMs > maxPauseMs || signal.aborted) return next;
		await clock.pause(pauseMs);
		render = next.render;
	}
}
