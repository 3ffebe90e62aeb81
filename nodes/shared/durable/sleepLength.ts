/**
 * n8n's Wait node sleeps in the database from 65 seconds up; below that it holds the process
 * (`Wait.node.js` of n8n-nodes-base 2.41). One more, because it counts them a moment later.
 */
export const MIN_SLEEP_S = 66;
const MAX_SLEEP_S = 240;
/** Of the time that has passed: a render that has taken long will take a while longer. */
const SHARE = 0.25;

interface Sleeper {
	submittedAtMs?: number;
	deadlineMs: number;
}

/**
 * Whole seconds until the next check of a batch. It grows with the wait, and the last sleep ends at
 * the earliest deadline: what would be left of it is added to the sleep before where it is too
 * short to be slept on its own.
 */
export function sleepSeconds(sleepers: Sleeper[], nowMs: number): number {
	const waitedS = Math.max(...sleepers.map((one) => nowMs - (one.submittedAtMs ?? nowMs))) / 1000;
	const leftS = Math.ceil(Math.min(...sleepers.map((one) => one.deadlineMs - nowMs)) / 1000);
	const wanted = Math.round(Math.min(MAX_SLEEP_S, Math.max(MIN_SLEEP_S, waitedS * SHARE)));
	return Math.max(MIN_SLEEP_S, leftS - wanted < MIN_SLEEP_S ? leftS : wanted);
}
