import type { Run } from '../item/run';

/** n8n keeps ten entries an execution; one is for the note below, one for the workflow's owner. */
const MAX_ENTRIES = 8;
/**
 * n8n stores 512 characters of a value, and complains in its log above 255: those are used only once
 * all entries have 255. Together about 100 IDs.
 */
const MAX_VALUE_CHARS = [255, 512];
const KEY = 'video_task_ids';

/** After Stop, a submit under way may still tell its task ID; in milliseconds. */
export const SUBMIT_GRACE_MS = 700;

const STOP_NOTE =
	'Stopped. Renders in progress continue and are billed: follow their task IDs with Video Status.';

interface CustomData {
	get: (key: string) => string | undefined;
	set: (key: string, value: string) => void;
}

/**
 * Puts a task ID where it outlives the run: into n8n's log, and into the execution's custom data,
 * by which the executions list can be searched. Of a stopped run n8n stores nothing else: neither
 * what the node returns nor its context.
 */
export function saveTaskId(run: Run, itemIndex: number, task_id: string): void {
	run.taskIds.set(itemIndex, task_id);
	run.report.info(`item ${itemIndex} is video task ${task_id}`);
	const shown = run.redaction.redact(task_id);
	inCustomData(run, 'the task ID', (data) => addTaskId(data, shown));
}

/**
 * Says beside the IDs of a stopped run what becomes of them. It has to happen within the event of
 * the stop: n8n stores the run right after it, and shows no hint of a stopped node.
 * @returns a function that ends it
 */
export function noteStop(run: Run): () => void {
	const note = () =>
		inCustomData(run, 'the note about the renders', (data) => data.set('video_note', STOP_NOTE));
	run.stop.addEventListener('abort', note, { once: true });
	return () => run.stop.removeEventListener('abort', note);
}

function addTaskId(customData: CustomData, task_id: string): void {
	const keys = Array.from({ length: MAX_ENTRIES }, (_, i) => (i === 0 ? KEY : `${KEY}_${i + 1}`));
	const known = keys.flatMap((key) => customData.get(key)?.split(',') ?? []);
	if (known.includes(task_id)) return;
	for (const maxChars of MAX_VALUE_CHARS) {
		for (const key of keys) {
			const ids = customData.get(key);
			const joined = ids ? `${ids},${task_id}` : task_id;
			// Half an id would be none: one that fits nowhere is in the log and in the item alone.
			if (joined.length <= maxChars) return customData.set(key, joined);
		}
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
