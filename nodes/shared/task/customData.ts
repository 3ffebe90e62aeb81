import type { IExecuteFunctions } from 'n8n-workflow';

/** n8n keeps ten entries an execution; one is for the note below, one for the workflow's owner. */
const MAX_ENTRIES = 8;
/** n8n complains in its log above this length, so the entries hold about 50 ids. */
const MAX_VALUE_CHARS = 255;
const KEY = 'video_task_ids';

const STOP_NOTE =
	'Stopped. Renders under way go on and are billed: follow their task IDs with Video Status.';

interface CustomData {
	get: (key: string) => string | undefined;
	set: (key: string, value: string) => void;
}

/**
 * Puts a task id where it outlives the run: into n8n's log, and into the execution's custom data,
 * by which the executions list can be searched. Of a stopped run n8n stores nothing else: neither
 * what the node returns nor its context.
 */
export function saveTaskId(context: IExecuteFunctions, itemIndex: number, task_id: string): void {
	context.logger.info(`${context.getNode().name}: item ${itemIndex} is video task ${task_id}`);
	inCustomData(context, 'the task ID', (data) => addTaskId(data, task_id));
}

/**
 * Says beside the ids of a stopped run what becomes of them. It has to happen within the event of
 * the stop: n8n stores the run right after it, and shows no hint of a stopped node.
 */
export function noteStop(context: IExecuteFunctions): void {
	inCustomData(context, 'what becomes of the renders', (data) => data.set('video_note', STOP_NOTE));
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
function inCustomData(
	context: IExecuteFunctions,
	what: string,
	write: (customData: CustomData) => void,
): void {
	try {
		const { customData } = context.getWorkflowDataProxy(0).$execution as { customData: CustomData };
		write(customData);
	} catch (error) {
		context.logger.warn(`The custom data do not hold ${what}: ${(error as Error).message}`);
	}
}
