import type { IDataObject } from 'n8n-workflow';

import type { ItemResult } from '../item/output';
import type { VideoTask } from '../service/videoTask';
import type { Render, RenderOutcome } from './render';
import { toSubmitFailure, toTaskFailure } from './taskFailure';

/** Of a job, what its item depends on. */
export interface ItemWishes {
	itemIndex: number;
	simplify: boolean;
	timeOutFails: boolean;
	maxWaitMs: number;
	/** The wait was a durable one. */
	afterSleep?: boolean;
}

/** An outcome as an item or a failure; a job that was never submitted has neither. */
export function toItemResult(outcome: RenderOutcome, wishes: ItemWishes): ItemResult | undefined {
	switch (outcome.state) {
		case 'notSubmitted':
			return undefined;
		case 'refused':
		case 'unclear':
			return { failure: toSubmitFailure(outcome, wishes.itemIndex) };
		case 'done':
		case 'stopped':
		case 'open':
			return { json: toRenderJson(outcome.render, wishes.simplify) };
		case 'timedOut':
			if (!wishes.timeOutFails) return { json: toRenderJson(outcome.render, wishes.simplify) };
	}
	return { failure: toTaskFailure(outcome, wishes.itemIndex, wishes.maxWaitMs, wishes.afterSleep) };
}

/** The item of a render: the contract's fields, whatever the deployment said. */
export function toRenderJson(render: Render, simplify: boolean): IDataObject {
	const { task, submittedAtMs, finishedAtMs, pollCount, reused, answer } = render;
	const finished_at = finishedAtMs === undefined ? {} : { finished_at: toIso(finishedAtMs) };
	return {
		...toTaskJson(task),
		submitted_at: toIso(submittedAtMs),
		...finished_at,
		poll_count: pollCount,
		reused,
		...(simplify ? {} : { response: answer as IDataObject }),
	};
}

/** The fields of a task; those that it does not have are left out. */
export function toTaskJson({ task_id, status, progress, model, ...rest }: VideoTask): IDataObject {
	const { result_url, fail_reason } = rest;
	const fields = { task_id, status, progress, model, result_url, fail_reason };
	return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

const toIso = (ms: number) => new Date(ms).toISOString();
