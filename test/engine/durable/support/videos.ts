import type { INodeExecutionData } from 'n8n-workflow';

import type { Plan } from '../../../../sandbox/service';
import type { RunResult } from '../../../support/engine';
import { planned, toInput, type Stage } from '../../../support/stage';
import type { DurableStage } from './stage';

/** Three looks: after 66, 132 and 198 s. */
export const SLOW: Plan = { renderMs: 180_000 };
export const FAILS: Plan = { outcome: 'FAILURE', failReason: 'Not allowed' };

/** An item for each plan; `null` is a prompt that somebody forgot. */
export const rows = (...plans: Array<Plan | null>) =>
	toInput(...plans.map((plan, n) => ({ prompt: plan ? planned(`video ${n}`, plan) : '', n })));

/** What was asked for where these videos came out. */
export const promptsOf = ({ sandbox }: Stage, items: INodeExecutionData[]) => {
	const prompts = new Map(sandbox.tasks().map((task) => [task.task_id, task.prompt]));
	return items.map(({ json }) => prompts.get(json.task_id as string));
};

/** Lets two sleepers end: they are done, and were paid for once. */
export async function expectVideos(stage: DurableStage, sleeping: RunResult) {
	const result = await stage.toEnd(sleeping);
	expect(result.status).toBe('success');
	const items = stage.taskIds().map((task_id, item) => ({
		json: expect.objectContaining({ task_id, status: 'SUCCESS', reused: false }),
		pairedItem: { item },
	}));
	expect(result.outputs()).toEqual([items]);
	expect(stage.sandbox.submissions()).toHaveLength(2);
}

export const statusesOf = (results: RunResult[]) => results.map(({ status }) => status);
