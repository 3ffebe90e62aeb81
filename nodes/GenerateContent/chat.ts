import type { IBinaryKeyData, IDataObject } from 'n8n-workflow';

import { openChatMessage, tellResults } from '../shared/item/chat';
import { withItem } from '../shared/item/failure';
import { isFailed, type Results, toShown } from '../shared/item/output';
import type { Run } from '../shared/item/run';
import { toObjects } from '../shared/lib/json';
import { sentences, startOf, toPlain } from '../shared/lib/text';
import { wordsOf } from '../shared/text/response';

const NEW_PARAGRAPH = '\n\n';
/** Characters shown of an answer that is told in one line; the item holds all of it. */
const MAX_LINE_CHARS = 1_000;

/**
 * Opens the chat of a run, for whoever waits at a Chat Trigger or a Webhook in streaming mode. A
 * chat takes everything that a node says as one message, so only a single item speaks word by word.
 */
export function openChat(run: Run) {
	const message = openChatMessage(run);
	const speaks = run.items.length === 1;
	const pieces = run.redaction.redactPieces();
	let hasWords = false;
	const hear = (words: string) => {
		hasWords ||= words.trim() !== '';
		message?.write(pieces.add(words));
	};
	/** Says the rest of a single item. */
	const finish = async (result: Results[number]) => {
		if (!message || !result) return;
		const hadBegun = message.hasBegun();
		if (hadBegun) message.write(pieces.end());
		const shown = toShown(run, result, 0);
		if (isFailed(shown)) {
			// n8n tells the failure itself when it ends the node.
			if (!hadBegun && run.stopsOnFailure) return;
			message.write(hadBegun ? NEW_PARAGRAPH : '');
			const sentence = withItem(shown.failure, 0);
			await message.end(run.stopsOnFailure ? `${sentence}${NEW_PARAGRAPH}` : sentence);
			return;
		}
		if (!hasWords) message.write(toChatWords(shown.json, shown.binary));
		await message.end();
	};
	return {
		/** Tells the chat an item's words as they come; `undefined` if they must wait. */
		listener: message && speaks ? hear : undefined,
		/** Tells what was not told yet: the rest of a single item, or one line for each of several. */
		async close(results: Results) {
			if (speaks) await finish(results[0]);
			else
				await tellResults(run, results, ({ json, binary }) =>
					toPlain(startOf(toChatWords(json, binary), MAX_LINE_CHARS)),
				);
		},
		/**
		 * Puts an error's message into its description if the chat needs it: n8n tells a chat only the
		 * description of an error that ends a node.
		 */
		toToldError(error: unknown) {
			if (!message || !(error instanceof Error) || message.hasBegun()) return error;
			const told = error as Error & { description?: string | null };
			if (speaks || !told.description) {
				told.description = sentences(error.message, told.description ?? undefined);
			}
			return told;
		},
	};
}

/**
 * Returns the text of an answer; without one, the output of its code; without either, a list of
 * what the answer holds. A chat that is told nothing guesses that the workflow is set up wrongly.
 */
function toChatWords(json: IDataObject, binary: IBinaryKeyData = {}): string {
	const words = wordsOf({ text: String(json.text), codeRuns: toObjects(json.codeExecution) });
	if (words.trim() !== '') return words;
	const all = [
		...Object.values(binary).map(({ fileName }) => `a file: ${fileName}`),
		...toObjects(json.files).map(({ uri }) => `a file: ${String(uri)}`),
		...toObjects(json.functionCalls).map(({ name }) => `a call of ${String(name)}`),
	];
	return `(${all.length > 0 ? all.join(', ') : 'an answer without words'})`;
}
