import { createLimiter } from '../lib/turns';
import { type Checking, checkTask } from '../task/checkTask';
import { pollTask } from '../task/pollTask';
import { meetsTrouble, type Render } from '../task/render';
import type { Step } from '../task/step';
import type { AgentPace } from './pace';

const POLL_PACE = { pollIntervalMs: 5_000, maxPollIntervalMs: 10_000, startAtOnce: true };

/**
 * Checks a task for an agent. One of which it has heard a moment ago is polled for a while first:
 * agents ask again at once, and each turn of a model costs time, money and one of the turns that n8n
 * gives it.
 */
export async function checkForAgent(
	before: Render,
	pace: AgentPace,
	checking: Checking,
): Promise<Step> {
	const { clock, signal } = checking;
	const untilMs = clock.now() + pace.untilNewsMs(before.task.task_id);
	if (untilMs <= clock.now()) return await checkTask(before, checking);
	const limiter = createLimiter(1, signal);
	const polled = await pollTask(before, { ...POLL_PACE, untilMs }, { ...checking, limiter });
	const { render } = polled;
	if (polled.state === 'stopped') return { state: 'rendering', render };
	if (polled.state !== 'open') return polled;
	return meetsTrouble(render) ? await checkTask(render, checking) : { state: 'rendering', render };
}
