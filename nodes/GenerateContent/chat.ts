import type { IBinaryKeyData, IDataObject } from 'n8n-workflow';

import { tellResults } from '../shared/item/chat';
import { withItem } from '../shared/item/failure';
import { isFailed, type Results, toShown } from '../shared/item/output';
import type { Run } from '../shared/item/run';
import { toObjects } from '../shared/lib/json';
import { sentences, toPlain } from '../shared/lib/text';
import { lastOutput } from '../shared/text/response';

const NEW_PARAGRAPH = '\n\n';
/** Stands between the words of an answer that was blocked then, and another answer. */
const ANOTHER = '\n\n(The above was blocked. Another answer:)\n\n';
/** Characters of an answer that is told in one line; the whole of it is in the item. */
const MAX_LINE_CHARS = 1_000;

/** Hears words of an answer as they come. */
export type Listener = (words: string) => Promise<void>;

/** Tells whoever waits at a Chat Trigger or a Webhook in streaming mode. */
export interface Chat {
	/** Returns a listener where the words of an item are heard before its answer is whole. */
	listenerOf: (itemIndex: number) => Listener | undefined;
	/** Stream Response is off for an item: nothing of it is told. */
	hush: (itemIndex: number) => void;
	/** Tells what the words have not told: the rest of the only item, or each of several in a line. */
	close: (results: Results) => Promise<void>;
	/** n8n tells of an error that ends a node nothing but its description. */
	toToldError: (error: unknown) => unknown;
}

/**
 * A chat takes what a node says as one message, so only a single item can speak word by word. A
 * tool's words are for its agent; n8n 1 gives a tool no `isStreaming`, either.
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
			// Nothing is said behind a Stop.
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

/** Says one answer word by word. It never throws. */
function openSpeech(run: Run) {
	const pieces = run.redaction.redactPieces();
	let hasBegun = false;
	let said = '';
	const send = async (type: 'begin' | 'item' | 'end' | 'error', content?: string) => {
		if (run.stop.aborted) return;
		try {
			// A promise, though n8n's types say nothing of it.
			await run.context.sendChunk(type, 0, content);
		} catch {
			// Who has left must not cost what is paid for.
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
				// n8n says it where it ends the node.
				if (!hadBegun && run.stopsOnFailure) return;
				await say(hadBegun ? NEW_PARAGRAPH : '');
				const sentence = withItem(shown.failure, 0);
				await send('error', run.stopsOnFailure ? `${sentence}${NEW_PARAGRAPH}` : sentence);
				return;
			}
			const hasWords = said.trim() !== '';
			if (isFailed(result) || !hasWords || said !== result.json.text) {
				// A further candidate is the answer where the first one was blocked.
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
 * Returns the text of an answer, else what its code has printed, else what the answer is. A chat that
 * is told nothing guesses that the workflow is set up wrongly.
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
