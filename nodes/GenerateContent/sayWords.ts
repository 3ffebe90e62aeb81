import { withItem } from '../shared/item/failure';
import { isFailed, type ItemResult } from '../shared/item/output';
import type { Run } from '../shared/item/run';
import type { TextJob } from './readJob';

/** Tells whoever waits at a Chat Trigger or a Webhook what an item says. */
export interface Speaker {
	say: (words: string) => Promise<void>;
	/** Says that the item is over. */
	finish: (result: ItemResult | undefined) => Promise<void>;
}

/**
 * Whether words that come early reach somebody. Only then is the streaming endpoint asked: an
 * answer that comes whole is either there or not, while a stream can also break off half-way, paid
 * for. A tool's words are for its agent, who would find them mixed into what it says itself; n8n 1
 * gives a tool no `isStreaming`, either.
 */
const canSpeak = ({ forAgent, context }: Run) => !forAgent && context.isStreaming();

/** A speaker for one item; `undefined` where nobody listens. */
export function createSpeaker(
	run: Run,
	{ itemIndex, streamResponse }: TextJob,
): Speaker | undefined {
	if (!streamResponse || !canSpeak(run)) return undefined;
	const pieces = run.redaction.redactPieces();
	let hasBegun = false;
	const send = async (type: 'begin' | 'item' | 'end' | 'error', content?: string) => {
		try {
			// A promise, though n8n's types say nothing of it.
			await run.context.sendChunk(type, itemIndex, content);
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
		else if (result && !run.stopsOnFailure) {
			await send('error', withItem(run.show(result.failure), itemIndex));
		}
	};
	return { say: async (words) => await say(pieces.add(words)), finish };
}
