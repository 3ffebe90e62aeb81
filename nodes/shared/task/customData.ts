import type { Run } from '../item/run';

/** n8n keeps ten entries per execution; one is for the note below, one for the workflow's owner. */
const MAX_ENTRIES = 8;
/**
 * n8n stores 512 characters of a value, and complains in its log above 255. The longer limit is
 * used only once all entries have reached the shorter one. Together they hold about 100 IDs.
 */
const MAX_VALUE_CHARS = [255, 512];
const KEY = 'video_task_ids';

/** Milliseconds after Stop in which a submit under way may still tell its task ID. */
export const SUBMIT_GRACE_MS = 700;

const STOP_NOTE =
	'Stopped. Renders in progress continue and are billed: follow their task IDs with Video Status.';

interface CustomData {
	get: (key: string) => string | undefined;
	set: (key: string, value: string) => void;
}

/**
 * Saves a task ID where it outlives the run: in n8n's log, and in the execution's custom data, by
 * which the executions list can be searched. n8n stores nothing else of a stopped run: neither the
 * node's output nor its context.
 */
export function saveTaskId(run: Run, itemIndex: number, task_id: string): void {
	run.taskIds.set(itemIndex, task_id);
	run.report.info(`item ${itemIndex} is video task ${task_id}`);
	const shown = run.redaction.redact(task_id);
	inCustomData(run, 'the task ID', (data) => addTaskId(data, shown));
}

/**
 * Adds a note about the renders to the IDs of a stopped run. The note must be written during the
 * stop event itself: n8n stores the run right after it, and shows no hint of a stopped node.
 * @returns a function that removes the listener
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
			// An ID is never cut: one that fits nowhere is only in the log and in the item.
			if (joined.length <= maxChars) return customData.set(key, joined);
		}
	}
}

/**
 * Writes to the custom data; only warns if that fails. The IDs are in the log and in the ledger as
 * well, and a paid run must not end over this.
 */
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
