import type { IExecuteFunctions } from 'n8n-workflow';

import { isTool } from '../shared/item/isTool';
import { isFailed, stopsOnFailure, type ItemResult } from '../shared/item/output';
import type { PieceRedaction } from '../shared/service/redact';
import type { TextJob } from './readJobs';

/** Tells whoever waits at a Chat Trigger or a Webhook what an item says. */
export interface Speaker {
	say: (words: string) => Promise<void>;
	/** Says that the item is over. */
	finish: (result: ItemResult | undefined) => Promise<void>;
}

/**
 * Whether words that come early reach somebody. Only then is the streaming endpoint asked: an
 * answer that comes whole is either there or not, while a stream can also break off half-way, paid
 * for. A tool's words are for its agent, who would find them mixed into what it says itself.
 */
function canSpeak(context: IExecuteFunctions): boolean {
	// Older n8n has neither method.
	if (!('isStreaming' in context) || !context.isStreaming()) return false;
	return !isTool(context);
}

/** A speaker for one item; `undefined` where nobody listens. */
export function createSpeaker(
	context: IExecuteFunctions,
	{ itemIndex, streamResponse }: TextJob,
	pieces: PieceRedaction,
): Speaker | undefined {
	if (!streamResponse || !canSpeak(context)) return undefined;
	let hasBegun = false;
	const send = async (type: 'begin' | 'item' | 'end' | 'error', content?: string) => {
		try {
			// A promise, though n8n's types say nothing of it.
			await context.sendChunk(type, itemIndex, content);
		} catch {
			// Who has left must not cost the answer, which is paid for.
		}
	};
	const say = async (words: string) => {
		if (!hasBegun) await send('begin');
		hasBegun = true;
		if (words !== '') await send('item', words);
	};
	const finish = async (result: ItemResult | undefined) => {
		const isDone = result !== undefined && !isFailed(result);
		if (!isDone && !hasBegun) return;
		await say(pieces.end());
		if (isDone) await send('end');
		// In the default mode n8n says it by itself, once it has the error.
		else if (result && !stopsOnFailure(context)) await send('error', result.failure.message);
	};
	return { say: async (words) => await say(pieces.add(words)), finish };
}
