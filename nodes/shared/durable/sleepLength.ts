/**
 * n8n's Wait node sleeps in the database from 65 seconds up; below that it holds the process
 * (`Wait.node.js` of n8n-nodes-base 2.41). One more, because it counts them a moment later.
 */
export const MIN_SLEEP_S = 66;
const MAX_SLEEP_S = 240;
/** Of the time that has passed: a render that has taken long will take a while longer. */
const SHARE = 0.25;
/** An estimate that is a little short would cost a whole sleep. */
const MARGIN_S = 3;

interface Sleeper {
	submittedAtMs?: number;
	deadlineMs: number;
	/** Estimated time until it is ready, where there is one. */
	leftMs?: number;
}

/**
 * Whole seconds until the next check of a batch: until the first one is probably ready, and where
 * that is not known, the longer the longer it has been waited for. The last sleep ends at
 * the earliest deadline: what would be left of it is added to the sleep before where it is too
 * short to be slept on its own.
 */
export function sleepSeconds(sleepers: Sleeper[], nowMs: number): number {
	const leftS = Math.ceil(Math.min(...sleepers.map((one) => one.deadlineMs - nowMs)) / 1000);
	const wished = Math.min(growing(sleepers, nowMs), ...sleepers.map(aimed));
	const wanted = Math.round(Math.min(MAX_SLEEP_S, Math.max(MIN_SLEEP_S, wished)));
	return Math.max(MIN_SLEEP_S, leftS - wanted < MIN_SLEEP_S ? leftS : wanted);
}

/** By the oldest of those that nothing is known of. */
function growing(sleepers: Sleeper[], nowMs: number): number {
	const unknown = sleepers.filter(({ leftMs }) => leftMs === undefined);
	if (unknown.length === 0 && sleepers.length > 0) return Infinity;
	const waitedMs = Math.max(...unknown.map((one) => nowMs - (one.submittedAtMs ?? nowMs)));
	return (waitedMs / 1000) * SHARE;
}

const aimed = ({ leftMs }: Sleeper) => (leftMs === undefined ? Infinity : leftMs / 1000 + MARGIN_S);
