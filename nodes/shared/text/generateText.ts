import type { Limiter } from '../lib/limiter';
import type { Wait } from '../lib/pause';
import { paidRetryDelayMs } from '../service/retry';
import type { GenerateResult } from '../service/textApi';

export interface GenerateTools {
	limiter: Limiter;
	wait: Wait;
	signal: AbortSignal;
	random: () => number;
	maxPauseMs?: number;
}

/**
 * Asks for one text through `ask`; a clear refusal is tried again, anything unclear never is. Gives
 * `undefined` where the run was stopped before an answer came. While it waits for another try it
 * leaves its place to others, and what `ask` holds (files in base64) is given up.
 */
export async function generateText(
	ask: () => Promise<GenerateResult>,
	{ limiter, wait, signal, random, maxPauseMs }: GenerateTools,
): Promise<GenerateResult | undefined> {
	for (let attempt = 1; ; attempt++) {
		const result = await limiter(async () => (signal.aborted ? undefined : await ask()));
		if (result === undefined || result.kind === 'answered') return result;
		const delay = paidRetryDelayMs(result, attempt, random(), maxPauseMs);
		if (delay === undefined) return result;
		await wait(delay);
	}
}
