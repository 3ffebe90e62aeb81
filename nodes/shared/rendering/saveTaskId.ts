import type { IExecuteFunctions } from 'n8n-workflow';

/** n8n keeps ten entries an execution; half of them are left to the workflow's owner. */
const MAX_ENTRIES = 5;
/** n8n complains in its log above this length. */
const MAX_VALUE_CHARS = 255;
const KEY = 'video_task_ids';

interface CustomData {
	get: (key: string) => string | undefined;
	set: (key: string, value: string) => void;
}

/**
 * Adds a task id to the execution's custom data, by which the executions list can be searched. It
 * survives a failed run. As many ids are kept as fit; the ledger and the items hold them all.
 */
export function saveTaskId(context: IExecuteFunctions, task_id: string): void {
	const { customData } = context.getWorkflowDataProxy(0).$execution as { customData: CustomData };
	for (let entry = 1; entry <= MAX_ENTRIES; entry++) {
		const key = entry === 1 ? KEY : `${KEY}_${entry}`;
		const ids = customData.get(key);
		const joined = ids ? `${ids},${task_id}` : task_id;
		if (ids && joined.length > MAX_VALUE_CHARS) continue;
		customData.set(key, joined);
		return;
	}
}
