import type { IDataObject } from 'n8n-workflow';

import { isStatus, type VideoTask } from '../service/videoTask';
import { type Render, toRender } from './render';

/** Fields that tell how far a render is: those of an earlier one would pass for news. */
export const RENDER_STATE = [
	...['task_id', 'status', 'progress', 'result_url', 'fail_reason'],
	...['submitted_at', 'finished_at', 'poll_count', 'reused', 'dry_run'],
];

/** Of a job, what the item of its render looks like. */
export interface ItemLook {
	simplify: boolean;
	/** The fields of the incoming item that go along. */
	carried?: IDataObject;
}

/** The item of a render. */
export const toRenderItem = (render: Render, { simplify, carried }: ItemLook): IDataObject => ({
	...carried,
	...toRenderJson(render, simplify),
});

/** The contract's fields of a render, whatever the deployment said. */
export function toRenderJson(render: Render, simplify: boolean): IDataObject {
	const { task, submittedAtMs, finishedAtMs, pollCount, reused, answer } = render;
	return {
		...toTaskJson(task),
		...(submittedAtMs !== undefined && { submitted_at: toIso(submittedAtMs) }),
		...(finishedAtMs !== undefined && { finished_at: toIso(finishedAtMs) }),
		poll_count: pollCount,
		reused,
		...(simplify ? {} : { response: answer as IDataObject }),
	};
}

/** The fields of a task; those that it does not have are left out. */
function toTaskJson({ task_id, status, progress, model, ...rest }: VideoTask): IDataObject {
	const { result_url, fail_reason, cost } = rest;
	const fields = { task_id, status, progress, model, result_url, fail_reason, cost };
	return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/**
 * Reads the render of a task from an item that `toRenderJson` has made: in a loop of checks, and in
 * n8n's database, its times and counts live on. Anything may be in an item, so what does not fit is
 * left out; so is all of it where the item is about another task.
 */
export function readRender(task_id: string, json: IDataObject): Render {
	if (json.task_id !== task_id) return toRender({ task_id });
	const { status, progress, model, poll_count, reused, response } = json;
	const render = toRender(
		{ task_id },
		{
			answer: response,
			pollCount: typeof poll_count === 'number' ? poll_count : 0,
			reused: reused === true,
			submittedAtMs: readTime(json.submitted_at),
			finishedAtMs: readTime(json.finished_at),
		},
	);
	if (typeof model === 'string') render.task.model = model;
	if (isStatus(status)) render.task.status = status;
	if (typeof progress === 'number') render.task.progress = progress;
	return render;
}

function readTime(value: unknown): number | undefined {
	const ms = typeof value === 'string' ? Date.parse(value) : NaN;
	return Number.isFinite(ms) ? ms : undefined;
}

const toIso = (ms: number) => new Date(ms).toISOString();
