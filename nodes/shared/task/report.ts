import type { IExecuteFunctions } from 'n8n-workflow';

import type { Render, RenderOutcome } from './render';

/** Tells people what a batch is doing: log, browser console of a manual run, hint on the output. */
export interface BatchReport {
	/** After each answer about a task; says something only when its state changed. */
	onProgress: (itemIndex: number, render: Render) => void;
	onOutcome: (outcome: RenderOutcome) => void;
	/** At the end of the node, whichever end it is. */
	sumUp: (stopped: boolean) => void;
}

type Count = 'done' | 'failed' | 'rendering' | 'unclear' | 'reused';

const COUNT_OF: Record<RenderOutcome['state'], Exclude<Count, 'reused'> | undefined> = {
	done: 'done',
	failed: 'failed',
	refused: 'failed',
	lost: 'rendering',
	open: undefined,
	stopped: 'rendering',
	timedOut: 'rendering',
	unclear: 'unclear',
	notSubmitted: undefined,
};

export function createBatchReport(context: IExecuteFunctions, now: () => number): BatchReport {
	const startedMs = now();
	const counts: Record<Count, number> = { done: 0, failed: 0, rendering: 0, unclear: 0, reused: 0 };
	const lastSaid = new Map<number, string>();
	const name = context.getNode().name;

	return {
		onProgress(itemIndex, { task }) {
			const state = `${task.status} ${task.progress}%`;
			if (lastSaid.get(itemIndex) === state) return;
			lastSaid.set(itemIndex, state);
			context.logger.debug(`${name}: task ${task.task_id} is ${state}`);
			// n8n shows it in the browser's console during a manual run, and only there.
			context.sendMessageToUI(`${name}: item ${itemIndex}, task ${task.task_id}: ${state}`);
		},
		onOutcome(outcome) {
			const count = COUNT_OF[outcome.state];
			if (count) counts[count]++;
			if ('render' in outcome && outcome.render.reused) counts.reused++;
			if (outcome.state === 'lost' || outcome.state === 'unclear') {
				const { message } = outcome.error;
				const id = outcome.state === 'lost' ? outcome.render.task.task_id : 'without a known ID';
				context.logger.warn(`${name}: task ${id}: ${message}`);
			}
		},
		sumUp(stopped) {
			const message = describe(counts, now() - startedMs, stopped);
			context.logger.debug(`${name}: ${message}`);
			const type = stopped || counts.unclear > 0 ? 'warning' : 'info';
			context.addExecutionHints({ message, type, location: 'outputPane' });
		},
	};
}

function describe(counts: Record<Count, number>, tookMs: number, stopped: boolean): string {
	const kinds = [
		[counts.done, 'done'],
		[counts.failed, 'failed'],
		[counts.rendering, 'still rendering'],
		[counts.unclear, 'unclear'],
	] as const;
	const said = kinds.filter(([count]) => count > 0);
	const reused = counts.reused > 0 ? ` ${counts.reused} picked up from an earlier try.` : '';
	const billed =
		stopped && counts.rendering > 0
			? ' The service cannot cancel: these renders go on and are billed. Follow their task IDs with Video Status.'
			: '';
	return `${stopped ? 'Stopped. ' : ''}${toSentence(said)} ${toDuration(tookMs)}.${reused}${billed}`;
}

/** "1 video done in", "3 videos: 2 done, 1 failed, in". */
function toSentence(said: Array<readonly [number, string]>): string {
	const total = said.reduce((sum, [count]) => sum + count, 0);
	const videos = `${total === 0 ? 'No' : total} ${total === 1 ? 'video' : 'videos'}`;
	if (said.length < 2) return `${videos} ${said[0]?.[1] ?? 'submitted'} in`;
	return `${videos}: ${said.map((kind) => kind.join(' ')).join(', ')}, in`;
}

function toDuration(ms: number): string {
	const seconds = Math.round(ms / 1000);
	return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
