import { oneLine, sentences, toPlain } from '../lib/text';
import { createTimeLimit } from '../lib/time';
import { type Failure, shortReason } from './failure';
import { isFailed, type ItemResult, type Results } from './output';
import type { Run } from './run';

type Done = Exclude<ItemResult, { failure: Failure }>;

/**
 * One message to whoever waits at a Chat Trigger or a Webhook in streaming mode, written line by line:
 * n8n's chats can only append.
 */
export interface ChatMessage {
	/** Adds a line of Markdown. Never waits and never fails: who has left must not cost a video. */
	say: (line: string) => void;
	/** Ends the message, once all is sent; does nothing where nothing was said. */
	end: () => Promise<void>;
}

/** Words a failing item for a chat. Where it stops the node, n8n adds the description itself. */
export function toFailureWords(failure: Failure, { stopsOnFailure }: Pick<Run, 'stopsOnFailure'>) {
	const { message, fail_reason, description } = failure;
	const told = stopsOnFailure ? message : sentences(message, shortReason(fail_reason), description);
	return toPlain(told ?? message);
}

/** More lines at once are read by nobody. */
const MAX_LINES = 20;

/**
 * Says one line for each item, from a node that has them all at once, and none for an item without
 * words.
 *
 * @param toWords gives Markdown
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

/** In queue mode chunks go over Redis, which may be away. */
const MAX_SENDING_MS = 5_000;

/**
 * Returns `undefined` where nobody listens. A tool's words are for its agent, and would get between
 * what that says itself.
 */
export function openChatMessage({ context, forAgent, redaction }: Run): ChatMessage | undefined {
	if (forAgent || !('isStreaming' in context) || !context.isStreaming()) return undefined;
	let sent: Promise<void> | undefined;
	const send = (type: 'begin' | 'item' | 'end', content?: string) => {
		const before = sent ?? Promise.resolve();
		sent = before
			// A promise, though n8n's types say nothing of it.
			.then(async () => await context.sendChunk(type, 0, content))
			.catch(() => {});
	};
	return {
		say(line) {
			if (!sent) send('begin');
			// A single line break is a space there.
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
