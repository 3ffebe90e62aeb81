import { oneLine, sentences, toPlain } from '../lib/text';
import { createTimeLimit } from '../lib/time';
import { type Failure, shortReason } from './failure';
import { isFailed, type ItemResult, type Results } from './output';
import type { Run } from './run';

type Done = Exclude<ItemResult, { failure: Failure }>;

/**
 * One message to people who wait at a Chat Trigger or a Webhook in streaming mode. It is written
 * line by line, because n8n's chats can only append.
 */
export interface ChatMessage {
	/** Adds a line of Markdown. Never waits or fails: a reader who has left must not cost a video. */
	say: (line: string) => void;
	/** Ends the message once everything is sent; does nothing if nothing was said. */
	end: () => Promise<void>;
}

/** Words a failing item for a chat. If the item stops the node, n8n adds the description itself. */
export function toFailureWords(failure: Failure, { stopsOnFailure }: Pick<Run, 'stopsOnFailure'>) {
	const { message, fail_reason, description } = failure;
	const told = stopsOnFailure ? message : sentences(message, shortReason(fail_reason), description);
	return toPlain(told ?? message);
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
	const message = openChatMessage(run);
	if (!message) return;
	const lines = results.flatMap((result, itemIndex) => {
		if (!result) return [];
		const words = isFailed(result)
			? toFailureWords(result.failure, run)
			: toWords(result, itemIndex);
		return words === undefined ? [] : [words];
	});
	for (const line of lines.slice(0, MAX_LINES)) message.say(line);
	if (lines.length > MAX_LINES) message.say(`${lines.length - MAX_LINES} more are in the output.`);
	await message.end();
}

/** In queue mode, chunks go through Redis, which may be down. */
const MAX_SENDING_MS = 5_000;

/**
 * Opens a message; returns `undefined` if nobody listens. A tool speaks only to its agent: in the
 * chat, its words would interrupt the agent's own.
 */
export function openChatMessage({ context, forAgent, redaction }: Run): ChatMessage | undefined {
	if (forAgent || !('isStreaming' in context) || !context.isStreaming()) return undefined;
	let sent: Promise<void> | undefined;
	const send = (type: 'begin' | 'item' | 'end', content?: string) => {
		const before = sent ?? Promise.resolve();
		sent = before
			// `sendChunk` returns a promise, although n8n's types do not say so.
			.then(async () => await context.sendChunk(type, 0, content))
			.catch(() => {});
	};
	return {
		say(line) {
			if (!sent) send('begin');
			// Chats show a single line break as a space.
			send('item', `${oneLine(redaction.redact(line))}\n\n`);
		},
		async end() {
			if (!sent) return;
			send('end');
			const limit = createTimeLimit(MAX_SENDING_MS, () => {});
			await limit.within(sent);
			limit.close();
		},
	};
}
