import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { type Results, toList } from '../shared/item/output';
import { isSet } from '../shared/item/reader';
import type { Run } from '../shared/item/run';
import { toItemName } from '../shared/item/words';
import { isObject, toObjects } from '../shared/lib/json';
import { endOf } from '../shared/service/answerPaths';
import { isOwnError } from '../shared/item/failure';

/** Says that a film may lack a clip: a failing item tells no group, so it would be missing in silence. */
export function hintAtLostClips(run: Run, results: Results): void {
	const { items, report, runIndex } = run;
	if (runIndex > 0) {
		report.hint(
			'This node has run before in this execution, so a film may be in pieces. For one film of all passes of a loop, connect this node to the output done of Loop Over Items.',
			'warning',
		);
	}
	const failing = [...items.keys()].filter((i) => isSet(items[i].json.error));
	const lost = failing.filter((i) => results[i]);
	if (lost.length > 0) {
		const names = toList(lost.map(toItemName));
		const message = `Failed before this node and joined to no video, which may lack a shot: ${names}`;
		report.hint(message, 'warning');
	}
	if (failing.length === 0) hintAtAbsent(run);
}

/** Clips that are no chained shots tell no place, so only the nodes before this one know what did not come. */
function hintAtAbsent({ context, name, items, report }: Run): void {
	const parents = context.getParentNodes(name).filter(({ type }) => MAKES_VIDEOS.test(type));
	const sent = parents.flatMap((parent) =>
		OUTPUTS.flatMap((output) => findSent(context, parent.name, output)),
	);
	const failures = sent.flatMap(findFailure);
	// One that was sent back may have arrived all the same, and one that passed two nodes is one failure.
	const arrived = new Set(items.map(({ json }) => json.task_id));
	const missing = failures.filter(({ task_id }) => !isSet(task_id) || !arrived.has(task_id));
	const failed = new Set(missing.map((error) => error.task_id ?? JSON.stringify(error)));
	const ended = sent.filter(({ status }) => endOf(status));
	const known = new Set([...arrived, ...failed, ...ended.map(({ task_id }) => task_id)]);
	const open = sent.filter(({ task_id }) => isSet(task_id) && !known.has(task_id));
	const rendering = new Set(open.map(({ task_id }) => task_id));
	const say = (count: number, one: string, many: string) =>
		count > 0 &&
		report.hint(`${count === 1 ? one : `${count} ${many}`}, so a film may lack a clip.`, 'warning');
	say(failed.size, '1 item failed before this node', 'items failed before this node');
	say(rendering.size, '1 video is not ready yet', 'videos are not ready yet');
}

const MAKES_VIDEOS = /\.video(Generate|Download|Status)$/;
/** Of Video Status, which has most: three and its error output. */
const OUTPUTS = [0, 1, 2, 3];
/** More runs of a node are not looked at. */
const MAX_RUNS = 1_000;

/** Returns what all runs of a node have sent to one of its outputs. */
function findSent(context: IExecuteFunctions, node: string, output: number): IDataObject[] {
	const items: IDataObject[] = [];
	try {
		const { all } = context.getWorkflowDataProxy(0).$(node) as {
			all: (...at: number[]) => unknown;
		};
		for (let run = 0; run < MAX_RUNS; run++) items.push(...toObjects(all(output, run)));
	} catch {
		// There are no more runs, or there is no such output.
	}
	// In one of n8n's settings for files, it gives the JSON of items alone.
	return items.map((item) => (isObject(item.json) ? item.json : item));
}

/** Returns an item's failure, or its failed task, which Video Status sends on without an error. */
function findFailure({ error, status, task_id }: IDataObject): IDataObject[] {
	if (isOwnError(error)) return [error];
	return endOf(status) === 'failed' && isSet(task_id) ? [{ task_id }] : [];
}
