import type { ServiceAnswer } from './connection';

const FIRST_DELAY_MS = 1_000;
const MAX_DELAY_MS = 30_000;
const MAX_RETRY_AFTER_MS = 120_000;

/** Doubles from one second to half a minute, less up to a quarter. */
export function delayMs(attempt: number, random: number): number {
	const full = Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** (attempt - 1));
	return Math.round(full * (1 - random / 4));
}

/**
 * `Retry-After`, in seconds or as a date, within a limit: it may ask for a day. Deployments of this
 * service rarely send it.
 */
export function readRetryAfter({ headers }: ServiceAnswer): number | undefined {
	const value = headers['retry-after'];
	if (!value) return undefined;
	const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now();
	return Number.isFinite(ms) && ms >= 0 ? Math.min(ms, MAX_RETRY_AFTER_MS) : undefined;
}
