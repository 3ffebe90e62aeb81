import type { IDataObject } from 'n8n-workflow';

import { toFilmWords, toResultWords } from '../shared/download/link';
import { type ChatMessage, openChatMessage, toFailureWords } from '../shared/item/chat';
import { isFailed, type ItemResult, type Results } from '../shared/item/output';
import type { Run } from '../shared/item/run';
import { toCode, toLink } from '../shared/lib/text';
import type { Connection } from '../shared/service/connection';
import type { Outcome } from '../shared/task/render';
import { createVideoTeller, type VideoTeller } from '../shared/task/tellVideos';
import type { VideoJob } from './readJob';

/** Tells a chat or webhook in streaming mode about a run, in one message for all its videos. */
export interface Talk extends VideoTeller, Pick<ChatMessage, 'end'> {
	/** Called when the wait goes on without this node; some items may have failed already. */
	onSleep: (results: Results) => void;
	/** Tells of the items that failed before their work began, and sums up all. */
	sumUp: (results: Results, sum?: string) => void;
}

/**
 * Returns `undefined` if nobody listens, or Stream Progress is off. Even with it off, the last node
 * says how it ended: chats complain about a last node that says nothing.
 */
export function openTalk(run: Run): Talk | undefined {
	const { context, clock, items, name, parameters } = run;
	const message = openChatMessage(run);
	const isOn = (parameters.options as IDataObject | undefined)?.streamProgress !== false;
	if (!message || (!isOn && context.getChildNodes(name).length > 0)) return undefined;
	const { say, end } = message;
	const teller = createVideoTeller({ say, clock, total: items.length, onlyEnds: !isOn });
	const tellFailures = (results: Results) => {
		let ofAllItems: string | undefined;
		for (const [itemIndex, result] of results.entries()) {
			if (!result || !isFailed(result)) continue;
			const words = toFailureWords(result.failure, run);
			if (result.failure.ofAllItems) ofAllItems = words;
			else teller.onEnd(itemIndex, words);
		}
		if (ofAllItems !== undefined) say(ofAllItems);
	};
	return {
		...teller,
		end,
		onSleep(results) {
			tellFailures(results);
			say(
				`It goes on by itself while this execution sleeps, which ends this message. The result will be in ${toExecution(run)}.`,
			);
		},
		sumUp(results, sum) {
			tellFailures(results);
			teller.close(sum);
		},
	};
}

/** Returns a link to the execution, for people who can sign in. */
function toExecution({ context }: Run): string {
	const id = context.getExecutionId();
	const { id: workflowId } = context.getWorkflow();
	const url = `${context.getInstanceBaseUrl()}workflow/${workflowId}/executions/${id}`;
	return toLink(`execution ${id}`, url);
}

/** Returns a line for a chat about how an item ended; `undefined` if its work never began. */
export function toEndWords(
	run: Run,
	connection: Connection,
	job: VideoJob,
	outcome: Outcome,
	result: ItemResult | undefined,
): string | undefined {
	if (!result) return undefined;
	if (isFailed(result)) return toFailureWords(result.failure, run);
	if (!('render' in outcome)) return undefined;
	const { task } = outcome.render;
	const id = toCode(task.task_id);
	const goesOn = `The render continues and is billed: ${id}`;
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
			return `Stopped. ${goesOn}`;
		case 'timedOut':
			return `Not ready within Max Wait. ${goesOn}`;
		default:
			return undefined;
	}
}
