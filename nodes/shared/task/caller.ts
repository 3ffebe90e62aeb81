import type { IRunExecutionData, RelatedExecution } from 'n8n-workflow';

import type { Run } from '../item/run';
import { callerTasks, retriesTasks, type CallerTasks } from './callerTasks';

/** Callers of callers, at most. */
const MAX_DEPTH = 20;

/** The execution that a sub-execution works for in the end. */
interface Caller {
	executionId: string;
	/** The same in all retries of it: n8n stores when it began, and a token, with its data. */
	identity: unknown[];
}

/**
 * Of a sub-execution, what earlier tries of its caller have paid for: n8n's "Retry execution" of the
 * caller starts it anew, with an empty context. Of a retry, what other retries of the same execution
 * have paid for. `undefined` in any other execution, and where the caller does not wait for it: then
 * it has ended well whatever becomes of this one.
 */
export async function findCallerTasks(run: Run): Promise<CallerTasks | undefined> {
	const { context, name } = run;
	if (context.getMode() === 'retry') return await findRetriesTasks(run);
	if (context.getMode() !== 'integrated') return undefined;
	const look = async (id: string) => await context.getExecutionDataById(id).catch(() => undefined);
	const caller = await findCaller(await look(context.getExecutionId()), look);
	const startedMs = context.getExecutionContext()?.establishedAt;
	if (!caller || startedMs === undefined) return undefined;
	const { executionId, identity } = caller;
	const place = JSON.stringify([...identity, context.getWorkflow().id, name]);
	const tasks = callerTasks({ place, executionId, startedMs });
	const repeatedFrom = new Map<string, number>();
	for (const earlier of tasks.earlierCallers()) {
		const fromMs = findRepeat(await look(earlier));
		if (fromMs !== undefined) repeatedFrom.set(earlier, fromMs);
	}
	return tasks.open(repeatedFrom);
}

/** Of a retry, what others of the same execution have paid for. */
async function findRetriesTasks({ context, name }: Run): Promise<CallerTasks | undefined> {
	const executionId = context.getExecutionId();
	const data = await context.getExecutionDataById(executionId).catch(() => undefined);
	const startedMs = context.getExecutionContext()?.establishedAt;
	if (startedMs === undefined) return undefined;
	const { resumeToken } = (data ?? {}) as { resumeToken?: unknown };
	const place = JSON.stringify(['retry', startedMs, resumeToken, context.getWorkflow().id, name]);
	return retriesTasks({ place, executionId, startedMs });
}

async function findCaller(
	own: IRunExecutionData | undefined,
	look: (executionId: string) => Promise<IRunExecutionData | undefined>,
): Promise<Caller | undefined> {
	let data = own;
	let found: Caller | undefined;
	for (let depth = 0; data?.parentExecution; depth++) {
		if (data.parentExecution.shouldResume === false || depth > MAX_DEPTH) return undefined;
		const { executionId, workflowId, executionContext }: RelatedExecution = data.parentExecution;
		data = await look(executionId);
		const establishedAt = executionContext?.establishedAt;
		if (establishedAt === undefined || !data) return undefined;
		const { resumeToken } = data as { resumeToken?: unknown };
		found = { executionId, identity: [establishedAt, workflowId, resumeToken] };
	}
	return found;
}

/**
 * When that part of a failed execution began that its retry does again: after the last run that has
 * ended well. `undefined` for one that has not failed.
 */
function findRepeat(failed: IRunExecutionData | undefined): number | undefined {
	if (!failed?.resultData.error) return undefined;
	const ended = Object.values(failed.resultData.runData ?? {})
		.flat()
		.filter(({ error }) => error === undefined)
		.map(({ startTime, executionTime }) => startTime + executionTime);
	return Math.max(0, ...ended);
}
