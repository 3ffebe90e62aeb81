import { toItemName } from '../shared/lib/text';
import { toIso } from '../shared/lib/time';
import type { Run } from '../shared/n8n/run';

/** Of the ten entries that n8n keeps of an execution (KV_LIMIT), two are left for others and the note. */
const KEYS = Array.from({ length: 8 }, (_, i) => `video_task_ids${i === 0 ? '' : `_${i + 1}`}`);
/** n8n complains in its log about a value of more than 255 characters, and cuts it at 512. */
const MAX_LIST_CHARS = 255;
const MAX_ID_CHARS = 512;
const STOP_NOTE =
	'Stopped. Renders in progress continue and are billed: follow their task IDs with Video Status.';

/**
 * Saves an ID where it outlives the run: in n8n's log and, if there is room, in the execution's custom
 * data, by which the executions list can be searched. n8n stores nothing else of a stopped run.
 */
export function saveTaskId(run: Run, itemIndex: number, task_id: string): void {
	const { context, clock, redaction, report } = run;
	// n8n's console shows no time.
	const where = `execution ${context.getExecutionId()} of workflow ${context.getWorkflow().id}`;
	report.info(
		`${toItemName(itemIndex)} is video task ${task_id} (${where}, ${toIso(clock.now())})`,
	);
	const id = redaction.redact(task_id);
	writeCustomData(run, (data) => {
		const idsAt = (key: string) => data.get(key)?.split(',') ?? [];
		if (KEYS.some((key) => idsAt(key).includes(id))) return;
		const free = KEYS.find((key) => {
			const ids = data.get(key);
			return ids ? ids.length + id.length < MAX_LIST_CHARS : id.length <= MAX_ID_CHARS;
		});
		if (free) data.set(free, [...idsAt(free), id].join(','));
	});
}

/**
 * Adds a note about the renders to the IDs of a stopped run, within the stop event: n8n stores the run
 * right after it, and shows no hint of a stopped node.
 * @returns a function that removes the listener
 */
export function noteStop(run: Run): () => void {
	const note = () => writeCustomData(run, (data) => data.set('video_note', STOP_NOTE));
	run.stop.addEventListener('abort', note, { once: true });
	return () => run.stop.removeEventListener('abort', note);
}

/** Only warns if n8n refuses: a paid run must not end over this, nor n8n over an error in its stop event. */
function writeCustomData({ context, report }: Run, write: (data: Map<string, string>) => unknown) {
	try {
		// Of n8n's custom data, only the `get` and `set` of a map are used.
		write(context.getWorkflowDataProxy(0).$execution.customData as Map<string, string>);
	} catch (error) {
		report.warn(`could not write the custom data of the execution: ${(error as Error).message}`);
	}
}
