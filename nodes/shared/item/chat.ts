import { oneLine, toPlain } from '../lib/text';
import { unlessAborted } from '../lib/time';
import { type Done, type Results } from './output';
import { isHeard, type Run } from './run';
import { sayFailure, wordsFor } from './words';
import { type Failure } from './failure';
import { isFailure } from '../service/reason';

/** Words a failing item for a chat. If the item stops the node, n8n adds the description itself. */
export function toFailureWords(failure: Failure, { stopsOnFailure }: Run) {
	return toPlain(stopsOnFailure ? wordsFor(failure).message : sayFailure(failure));
}

/** Nobody reads more lines at once. */
const MAX_LINES = 20;

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
	const lines = results.flatMap((result, itemIndex) => {
		if (isFailure(result)) return [toFailureWords(result, run)];
		const words = result && toWords(result, itemIndex);
		return words === undefined ? [] : [words];
	});
	for (const line of lines.slice(0, MAX_LINES)) message.say(line);
	if (lines.length > MAX_LINES) message.say(`${lines.length - MAX_LINES} more are in the output.`);
	await message.end();
}

/** In queue mode, chunks go through Redis, which may be down. */
const MAX_SENDING_MS = 5_000;

/**
 * Opens a message to people who wait at a Chat Trigger or a Webhook in streaming mode; returns
 * `undefined` if nobody listens. How it ends, a tool tells its agent alone, which answers the person.
 * Nothing waits for a reader who has left: that must not cost a video.
 */
export function createChatMessage(run: Run, isOpen = isHeard(run)) {
	if (!isOpen) return undefined;
	const { context, redaction, stop } = run;
	let sent: Promise<void> | undefined;
	const queue = (type: 'begin' | 'item' | 'end' | 'error', content?: string) => {
		const sendNow = async () => {
			// `sendChunk` returns a promise, although n8n's types do not say so.
			if (!stop.aborted) await context.sendChunk(type, 0, content);
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
		/** Adds a line of Markdown. The message is lines, because n8n's chats can only append. */
		// Chats show a single line break as a space.
		say: (line: string) => write(`${oneLine(redaction.redact(line))}\n\n`),
		hasBegun: () => sent !== undefined,
		/** Ends the message, perhaps with words of failure; does nothing if nothing was said. */
		async end(failure?: string) {
			if (!sent) return;
			queue(failure === undefined ? 'end' : 'error', failure);
			await unlessAborted(sent, AbortSignal.any([stop, AbortSignal.timeout(MAX_SENDING_MS)]));
		},
	};
}
