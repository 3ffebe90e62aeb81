import type { Run } from '../item/run';
import { toIso, toItemName } from '../item/words';

/** n8n keeps ten entries per execution; one is for the note below, one for the workflow's owner. */
const KEYS = Array.from({ length: 8 }, (_, i) => `video_task_ids${i === 0 ? '' : `_${i + 1}`}`);
/**
 * n8n stores 512 characters of a value, and complains in its log above 255. The longer limit is
 * used only once all entries have reached the shorter one. Together they hold about 100 IDs.
 */
const MAX_VALUE_CHARS = [255, 512];
const STOP_NOTE =
	'Stopped. Renders in progress continue and are billed: follow their task IDs with Video Status.';

/**
 * Notes an item's task, and saves its ID where it outlives the run: in n8n's log, and in the
 * execution's custom data, by which the executions list can be searched. n8n stores nothing else of a
 * stopped run: neither the node's output nor its context.
 *
 * @param otherIds are saved, too
 */
export function saveTaskId(
	run: Run,
	itemIndex: number,
	task_id: string,
	otherIds: string[] = [],
): void {
	run.taskIds.set(itemIndex, task_id);
	for (const id of [task_id, ...otherIds]) saveId(run, itemIndex, id);
}

function saveId(run: Run, itemIndex: number, task_id: string): void {
	const { context, clock } = run;
	// n8n's console shows no time.
	const where = `execution ${context.getExecutionId()} of workflow ${context.getWorkflow().id}`;
	run.report.info(
		`${toItemName(itemIndex)} is video task ${task_id} (${where}, ${toIso(clock.now())})`,
	);
	const shown = run.redaction.redact(task_id);
	inCustomData(run, 'the task ID', (data) => {
		if (KEYS.some((key) => data.get(key)?.split(',').includes(shown))) return;
		for (const maxChars of MAX_VALUE_CHARS) {
			for (const key of KEYS) {
				const ids = data.get(key);
				const joined = ids ? `${ids},${shown}` : shown;
				// An ID is never cut: one that fits nowhere is only in the log and in the item.
				if (joined.length <= maxChars) return void data.set(key, joined);
			}
		}
	});
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

/** Only warns if writing fails: a paid run must not end over this. */
function inCustomData(run: Run, what: string, write: (data: Map<string, string>) => unknown): void {
	try {
		// Of n8n's custom data, only the `get` and `set` of a map are used.
		write(run.context.getWorkflowDataProxy(0).$execution.customData as Map<string, string>);
	} catch (error) {
		const { message } = error as Error;
		run.report.warn(`could not write ${what} to the custom data of the execution: ${message}`);
	}
}
