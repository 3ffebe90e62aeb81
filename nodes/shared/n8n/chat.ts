import type { ChunkType } from 'n8n-workflow';

import { type Failure, isFailure } from '../failure/failure';
import { oneLine, toPlain } from '../lib/text';
import { unlessAborted } from '../lib/time';
import { type Done, type Results, sayFailure } from './output';
import { isHeard, type Run } from './run';

/** Words a failing item for a chat. If the item stops the node, n8n adds the description itself. */
export function toFailureWords(failure: Failure, { stopsOnFailure }: Pick<Run, 'stopsOnFailure'>) {
	return toPlain(stopsOnFailure ? oneLine(failure.message) : sayFailure(failure));
}

/**
 * Says one line per item, for a node that has all results at once; no line for an item without
 * words.
 *
 * @param toWords returns Markdown
 */
export async function tellResults(
	run: Run,
	results: Results,
	toWords: (result: Done, itemIndex: number) => string | undefined,
): Promise<void> {
	const message = createChatMessage(run);
	if (!message) return;
	for (const [itemIndex, result] of results.entries()) {
		const words = isFailure(result)
			? toFailureWords(result, run)
			: result && toWords(result, itemIndex);
		if (words !== undefined) message.say(words);
	}
	await message.end();
}

/**
 * Opens a message to people who wait at a Chat Trigger or a Webhook in streaming mode; returns
 * `undefined` if nobody listens. How it ends, a tool tells its agent alone, which answers the person.
 * Nothing fails for a reader who has left: that must not cost a video.
 */
export function createChatMessage(run: Run, isOpen = isHeard(run)) {
	const { redaction, sendChunk, stop } = run;
	if (!isOpen || !sendChunk) return undefined;
	let sent: Promise<void> | undefined;
	const queue = (type: ChunkType, content?: string) => {
		const sendNow = async () => {
			if (!stop.aborted) await sendChunk(type, content);
		};
		sent = (sent ?? Promise.resolve()).then(sendNow).catch(() => {});
	};
	const write = (words: string) => {
		if (!sent) queue('begin');
		if (words !== '') queue('item', words);
	};
	return {
		/** Adds words as they are; they must hold no key. */
		write,
		/** Adds a line of Markdown. Chats can only append, and show a single line break as a space. */
		say: (line: string) => write(`${oneLine(redaction.redact(line))}\n\n`),
		hasBegun: () => sent !== undefined,
		/** Ends the message, perhaps with words of failure; does nothing if nothing was said. */
		async end(failure?: string) {
			if (!sent) return;
			queue(failure === undefined ? 'end' : 'error', failure);
			await unlessAborted(sent, stop);
		},
	};
}
