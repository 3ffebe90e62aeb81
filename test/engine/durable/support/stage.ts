import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import type { Plan, SandboxOptions } from '../../../../sandbox/service';
import type { EngineNode, RunRequest, RunResult } from '../../../support/engine';
import { planned, toInput, useStage, videoGenerate, type Stage } from '../../../support/stage';

/** More looks than a render of half an hour gets. */
const MAX_LOOKS = 60;

export interface DurableStage extends Stage {
	/** Runs until it ends or sleeps, with this stage's credentials. */
	begin(request: RunRequest): Promise<RunResult>;
	/** Lets the time come for which it sleeps, once. */
	lookOnce(sleeping: RunResult): Promise<RunResult>;
	/** Lets time pass until it has ended; one that has is given back as it is. */
	toEnd(sleeping: RunResult): Promise<RunResult>;
	/** `begin` and `toEnd`. */
	runThrough(request: RunRequest): Promise<RunResult>;
	/** Sub-executions of Durable, oldest first: two while one is asleep. */
	subExecutions(): RunResult[];
	/** In the order of the prompts: tasks are created in the order in which requests arrive. */
	taskIds(): string[];
}

/** As `useStage`, with a clock that is moved on for each sleep, also that of the sandbox. */
export function useDurableStage(options: SandboxOptions = {}): DurableStage {
	const stage = useStage(options) as DurableStage;
	const realNow = Date.now;
	let skippedMs = 0;
	let before = 0;
	beforeEach(() => {
		before = stage.engine.executions().length;
		jest.spyOn(Date, 'now').mockImplementation(() => realNow() + skippedMs);
	});
	afterEach(() => jest.restoreAllMocks());

	async function toEnd(sleeping: RunResult): Promise<RunResult> {
		let result = sleeping;
		for (let looks = 0; result.status === 'waiting'; looks++) {
			if (looks === MAX_LOOKS) throw new Error(`Sleeps on after ${MAX_LOOKS} looks`);
			result = await stage.lookOnce(result);
		}
		return result;
	}
	return Object.assign(stage, {
		begin: async (request: RunRequest) =>
			await stage.engine.run({ credentials: stage.credentials, ...request }),
		lookOnce: async (sleeping: RunResult) => {
			const { waitTill } = stage.engine.sleeper(sleeping);
			skippedMs += Math.max(0, waitTill!.getTime() - Date.now());
			return await stage.engine.wake(sleeping);
		},
		toEnd,
		runThrough: async (request: RunRequest) => await toEnd(await stage.begin(request)),
		subExecutions: () =>
			stage.engine
				.executions()
				.slice(before)
				.filter(({ run }) => run.mode === 'integrated')
				.sort((a, b) => Number(a.executionId) - Number(b.executionId)),
		taskIds: () =>
			[...stage.sandbox.tasks()]
				.sort((a, b) => a.prompt.localeCompare(b.prompt))
				.map(({ task_id }) => task_id),
	});
}

/** Video Generate that waits durably. */
export const durable = (
	parameters: IDataObject = {},
	settings: Partial<Omit<EngineNode, 'type' | 'parameters'>> = {},
) => videoGenerate({ wait: 'durable', ...parameters }, settings);

export const jsonOf = (items: INodeExecutionData[]) => items.map(({ json }) => json);

/** What a Continue mode puts into a failing item. */
export const errorOf = ({ json }: INodeExecutionData) => json.error as IDataObject;

/** Three looks: after 66, 132 and 198 s. */
export const SLOW: Plan = { renderMs: 180_000 };
export const FAILS: Plan = { outcome: 'FAILURE', failReason: 'Not allowed' };

/** An item for each plan; `null` is a prompt that somebody forgot. */
export const rows = (...plans: Array<Plan | null>) =>
	toInput(...plans.map((plan, n) => ({ prompt: plan ? planned(`video ${n}`, plan) : '', n })));

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
