import type { IBinaryKeyData, IDataObject } from 'n8n-workflow';

import { tellResults } from '../shared/item/chat';
import { withItem } from '../shared/item/failure';
import { isFailed, type Results, toShown } from '../shared/item/output';
import type { Run } from '../shared/item/run';
import { toObjects } from '../shared/lib/json';
import { sentences, toPlain } from '../shared/lib/text';
import { lastOutput } from '../shared/text/response';

const NEW_PARAGRAPH = '\n\n';
/** Separates the words of an answer that was then blocked from the next answer. */
const ANOTHER = '\n\n(The above was blocked. Another answer:)\n\n';
/** Characters shown of an answer that is told in one line; the item holds all of it. */
const MAX_LINE_CHARS = 1_000;

/** Receives words of an answer as they come. */
export type Listener = (words: string) => Promise<void>;

/** Talks to whoever waits at a Chat Trigger or a Webhook in streaming mode. */
export interface Chat {
	/** Returns a listener if the words of an item are told before its answer is whole. */
	listenerOf: (itemIndex: number) => Listener | undefined;
	/** Silences an item whose Stream Response is off: nothing of it is told. */
	hush: (itemIndex: number) => void;
	/** Tells what was not told yet: the rest of a single item, or one line for each of several. */
	close: (results: Results) => Promise<void>;
	/**
	 * Puts an error's message into its description if the chat needs it: n8n tells a chat only the
	 * description of an error that ends a node.
	 */
	toToldError: (error: unknown) => unknown;
}

/**
 * Opens the chat of a run. A chat takes everything that a node says as one message, so only a
 * single item can speak word by word. A tool's words are for its agent; n8n 1 gives a tool no
 * `isStreaming`, either.
 */
export function openChat(run: Run): Chat {
	const isHeard = !run.forAgent && run.context.isStreaming();
	const speech = isHeard && run.items.length === 1 ? openSpeech(run) : undefined;
	const silent = new Set<number>();
	return {
		listenerOf: (itemIndex) => (silent.has(itemIndex) ? undefined : speech?.hear),
		hush: (itemIndex) => void silent.add(itemIndex),
		async close(results) {
			const told = results.map((result, i) => (silent.has(i) ? undefined : result));
			// Nothing is told after a Stop.
			if (!isHeard || run.stop.aborted) return;
			if (speech) await speech.end(told[0]);
			else await tellResults(run, told, ({ json, binary }) => toLine(toChatWords(json, binary)));
		},
		toToldError(error) {
			if (!isHeard || !(error instanceof Error) || speech?.hasSpoken()) return error;
			const told = error as Error & { description?: string | null };
			if (speech || !told.description) {
				told.description = sentences(error.message, told.description ?? undefined);
			}
			return told;
		},
	};
}

/** Tells one answer word by word. Never throws. */
function openSpeech(run: Run) {
	const pieces = run.redaction.redactPieces();
	let hasBegun = false;
	let said = '';
	const send = async (type: 'begin' | 'item' | 'end' | 'error', content?: string) => {
		if (run.stop.aborted) return;
		try {
			// It returns a promise, although n8n's types do not say so.
			await run.context.sendChunk(type, 0, content);
		} catch {
			// A listener who has left must not cost an answer that is paid for.
		}
	};
	const say = async (words: string) => {
		if (!hasBegun) await send('begin');
		hasBegun = true;
		if (words !== '') await send('item', words);
	};
	return {
		hasSpoken: () => hasBegun,
		hear: async (words: string) => {
			said += words;
			await say(pieces.add(words));
		},
		async end(result: Results[number]) {
			if (!result) return;
			const hadBegun = hasBegun;
			if (hadBegun) await say(pieces.end());
			const shown = toShown(run, result);
			if (isFailed(shown)) {
				// n8n tells the failure itself when it ends the node.
				if (!hadBegun && run.stopsOnFailure) return;
				await say(hadBegun ? NEW_PARAGRAPH : '');
				const sentence = withItem(shown.failure, 0);
				await send('error', run.stopsOnFailure ? `${sentence}${NEW_PARAGRAPH}` : sentence);
				return;
			}
			const hasWords = said.trim() !== '';
			if (isFailed(result) || !hasWords || said !== result.json.text) {
				// Any words told so far are a blocked candidate's: another one is the answer.
				await say(hasWords ? ANOTHER : '');
				await say(toChatWords(shown.json, shown.binary));
			}
			await send('end');
		},
	};
}

const FILE_WORDS = new Map([
	['audio', ['a sound', 'sounds']],
	['image', ['an image', 'images']],
	['video', ['a video', 'videos']],
]);
const OTHER_FILE = ['a file', 'files'];

/**
 * Returns the text of an answer; without one, the output of its code; without either, a list of
 * what the answer holds. A chat that is told nothing guesses that the workflow is set up wrongly.
 */
function toChatWords(json: IDataObject, binary: IBinaryKeyData = {}): string {
	const text = String(json.text);
	if (text.trim() !== '') return text;
	const printed = lastOutput(toObjects(json.codeExecution)) ?? '';
	if (printed.trim() !== '') return printed;
	const counts = new Map<string[], number>();
	for (const { mimeType } of Object.values(binary)) {
		const kind = FILE_WORDS.get(mimeType.split('/')[0]) ?? OTHER_FILE;
		counts.set(kind, (counts.get(kind) ?? 0) + 1);
	}
	const all = [
		...[...counts].map(([[one, many], count]) => (count === 1 ? one : `${count} ${many}`)),
		...toObjects(json.files).map(({ uri }) => `a file: ${String(uri)}`),
		...toObjects(json.functionCalls).map(({ name }) => `a call of ${String(name)}`),
	];
	return `(${all.length > 0 ? all.join(', ') : 'an answer without words'})`;
}

function toLine(words: string): string {
	const line = words
		.trim()
		.slice(0, 2 * MAX_LINE_CHARS)
		.replace(/\s+/g, ' ');
	return toPlain(line.length > MAX_LINE_CHARS ? `${line.slice(0, MAX_LINE_CHARS)}...` : line);
}
