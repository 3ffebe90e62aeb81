import type { Run } from '../item/run';

/** n8n keeps ten entries an execution; one is for the note below, one for the workflow's owner. */
const MAX_ENTRIES = 8;
/** n8n complains in its log above this length, so the entries hold about 50 ids. */
const MAX_VALUE_CHARS = 255;
const KEY = 'video_task_ids';

const STOP_NOTE =
	'Stopped. Renders in progress continue and are billed: follow their task IDs with Video Status.';

interface CustomData {
	get: (key: string) => string | undefined;
	set: (key: string, value: string) => void;
}

/**
 * Puts a task id where it outlives the run: into n8n's log, and into the execution's custom data,
 * by which the executions list can be searched. Of a stopped run n8n stores nothing else: neither
 * what the node returns nor its context.
 */
export function saveTaskId(run: Run, itemIndex: number, task_id: string): void {
	run.taskIds.set(itemIndex, task_id);
	run.report.info(`item ${itemIndex} is video task ${task_id}`);
	inCustomData(run, 'the task ID', (data) => addTaskId(data, task_id));
}

/**
 * Says beside the ids of a stopped run what becomes of them. It has to happen within the event of
 * the stop: n8n stores the run right after it, and shows no hint of a stopped node.
 * @returns ends it
 */
export function noteStop(run: Run): () => void {
	const note = () =>
		inCustomData(run, 'the note about the renders', (data) => data.set('video_note', STOP_NOTE));
	run.stop.addEventListener('abort', note, { once: true });
	return () => run.stop.removeEventListener('abort', note);
}

function addTaskId(customData: CustomData, task_id: string): void {
	for (let entry = 1; entry <= MAX_ENTRIES; entry++) {
		const key = entry === 1 ? KEY : `${KEY}_${entry}`;
		const ids = customData.get(key);
		if (ids?.split(',').includes(task_id)) return;
		const joined = ids ? `${ids},${task_id}` : task_id;
		if (ids && joined.length > MAX_VALUE_CHARS) continue;
		customData.set(key, joined);
		return;
	}
}

/** IDs are in the log and in the ledger as well: a run that is paid for must not end over this. */
function inCustomData(run: Run, what: string, write: (customData: CustomData) => void): void {
	try {
		const { $execution } = run.context.getWorkflowDataProxy(0);
		write(($execution as { customData: CustomData }).customData);
	} catch (error) {
		run.report.warn(
			`could not write ${what} to the custom data of the execution: ${(error as Error).message}`,
		);
	}
}
