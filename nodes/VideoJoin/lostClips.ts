import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { type Results, toList } from '../shared/item/output';
import { isSet } from '../shared/item/reader';
import type { Run } from '../shared/item/run';
import { toItemName } from '../shared/item/words';
import { isObject, toObjects } from '../shared/lib/json';
import { isOwnError } from '../shared/service/next';

/** Says that a film may lack a clip: a failing item tells no group, so it would be missing in silence. */
export function hintAtLostClips({ context, name, items, report }: Run, results: Results): void {
	const failing = [...items.keys()].filter((i) => isSet(items[i].json.error));
	const lost = failing.filter((i) => results[i]);
	if (lost.length > 0) {
		const names = toList(lost.map(toItemName));
		const message = `Failed before this node and joined to no video, which may lack a shot: ${names}`;
		report.hint(message, 'warning');
	}
	if (failing.length > 0) return;
	// Clips that are no chained shots tell no place, so only the nodes before this one know what failed.
	const parents = context.getParentNodes(name).filter(({ type }) => MAKES_VIDEOS.test(type));
	const failures = parents.flatMap((parent) =>
		OUTPUTS.flatMap((output) => findFailures(context, parent.name, output)),
	);
	// One that was sent back may have arrived all the same, and one that passed two nodes is one failure.
	const arrived = new Set(items.map(({ json }) => json.task_id));
	const missing = failures.filter(({ task_id }) => !isSet(task_id) || !arrived.has(task_id));
	const count = new Set(missing.map((error) => error.task_id ?? JSON.stringify(error))).size;
	if (count === 0) return;
	const failed = count === 1 ? '1 item' : `${count} items`;
	report.hint(`${failed} failed before this node, so a film may lack a clip.`, 'warning');
}

const MAKES_VIDEOS = /\.video(Generate|Download|Status)$/;
/** Of Video Status, which has most: three and its error output. */
const OUTPUTS = [0, 1, 2, 3];
/** More runs of a node are not looked at. */
const MAX_RUNS = 1_000;

/** Returns the failures, and the failed tasks, that all runs of a node have sent to one of its outputs. */
function findFailures(context: IExecuteFunctions, node: string, output: number): IDataObject[] {
	const items: IDataObject[] = [];
	try {
		const { all } = context.getWorkflowDataProxy(0).$(node) as {
			all: (...at: number[]) => unknown;
		};
		for (let run = 0; run < MAX_RUNS; run++) items.push(...toObjects(all(output, run)));
	} catch {
		// There are no more runs, or there is no such output.
	}
	return items.flatMap((item) => {
		// In one of n8n's settings for files, it gives the JSON of items alone.
		const { error, status, task_id } = isObject(item.json) ? item.json : item;
		if (isOwnError(error)) return [error];
		// Video Status sends a task that has failed on without an error.
		return status === 'FAILURE' && isSet(task_id) ? [{ task_id }] : [];
	});
}
