import { toFilmWords, toResultWords } from '../shared/download/link';
import type { Connection } from '../shared/service/connection';
import { toFailureWords } from '../shared/item/chat';
import { isFailed, type ItemResult } from '../shared/item/output';
import type { Run } from '../shared/item/run';
import { toCode } from '../shared/lib/text';
import type { Outcome } from '../shared/task/render';
import type { VideoJob } from './readJob';

interface Ending {
	job: VideoJob;
	outcome: Outcome;
	result: ItemResult | undefined;
}

const GOES_ON = 'The render continues and is billed';

/** How an item has ended, in a line for a chat; `undefined` where it is not over, or never began. */
export function toEndWords(
	{ job, outcome, result }: Ending,
	run: Run,
	connection: Connection,
): string | undefined {
	if (!result) return undefined;
	if (isFailed(result)) return toFailureWords(result.failure, run);
	if (!('render' in outcome)) return undefined;
	const { task } = outcome.render;
	const id = toCode(task.task_id);
	switch (outcome.state) {
		case 'done': {
			const binary = result.binary?.[job.binaryProperty];
			if (!binary) return `Ready: ${toResultWords(task, connection)}`;
			const { message } = result.json;
			return `Ready: ${toFilmWords({ binary, message }, job.linkHours, run)}`;
		}
		case 'submitted':
			return `Submitted, and not waited for: ${id}`;
		case 'stopped':
			return `Stopped. ${GOES_ON}: ${id}`;
		case 'timedOut':
			return `Not ready within Max Wait. ${GOES_ON}: ${id}`;
		default:
			return undefined;
	}
}
