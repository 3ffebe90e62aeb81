import type { IDataObject } from 'n8n-workflow';

import { type ChatMessage, openChatMessage, toFailureWords } from '../shared/item/chat';
import { isFailed, type Results } from '../shared/item/output';
import type { Run } from '../shared/item/run';
import { toLink } from '../shared/lib/text';
import { createVideoTeller, type VideoTeller } from '../shared/task/tellVideos';

/** What a chat or webhook in streaming mode hears of a run: one message for all its videos. */
export interface Talk extends VideoTeller, Pick<ChatMessage, 'end'> {
	/** The wait goes on without this node; some items may have failed already. */
	onSleep: (results: Results) => void;
	/** Items that have ended before their work began, and what became of all. */
	sumUp: (results: Results, sum?: string) => void;
}

/**
 * `undefined` where nobody listens, or wants to. The last node says how it ended all the same: chats
 * complain of one that says nothing.
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

/** Where a person who may sign in finds it. */
function toExecution({ context }: Run): string {
	const id = context.getExecutionId();
	const { id: workflowId } = context.getWorkflow();
	const url = `${context.getInstanceBaseUrl()}workflow/${workflowId}/executions/${id}`;
	return toLink(`execution ${id}`, url);
}
