import type { IBinaryKeyData, IDataObject } from 'n8n-workflow';

import { createChatMessage, tellResults } from '../shared/item/chat';
import { type Results, toShown } from '../shared/item/output';
import type { Run } from '../shared/item/run';
import { withItem, wordsFor } from '../shared/item/words';
import { toObjects } from '../shared/lib/json';
import { sentences, startOf, toPlain } from '../shared/lib/text';
import { textOrOutput } from '../shared/text/response';
import { isFailure } from '../shared/service/failure';

const NEW_PARAGRAPH = '\n\n';
/** Characters shown of an answer that is said in one line; the item holds all of it. */
const MAX_LINE_CHARS = 1_000;

/** Makes the chat of a run. A chat shows all words as one message, so only one item streams. */
export function createSpokenAnswer(run: Run) {
	const message = createChatMessage(run);
	const isSingle = run.items.length === 1;
	const pieces = run.redaction.redactPieces();
	let hasWords = false;
	const say = (words: string) => {
		hasWords ||= words.trim() !== '';
		message?.write(pieces.add(words));
	};
	/** Says the rest of a single item. */
	const finish = async (result: Results[number]) => {
		if (!message || !result) return;
		const hadBegun = message.hasBegun();
		if (hadBegun) message.write(pieces.end());
		const shown = toShown(run, result);
		if (!isFailure(shown)) {
			if (!hasWords) message.write(toChatWords(shown.json, shown.binary));
			await message.end();
		} else if (hadBegun || !run.stopsOnFailure) {
			message.write(hadBegun ? NEW_PARAGRAPH : '');
			const sentence = withItem(wordsFor(shown).message, shown, 0);
			await message.end(run.stopsOnFailure ? `${sentence}${NEW_PARAGRAPH}` : sentence);
		}
		// Otherwise n8n itself says the failure, when it ends the node.
	};
	return {
		/** Says an item's words as they come; `undefined` if they must wait. */
		listener: message && isSingle ? say : undefined,
		/** Says the rest of a single item, or one line for each of several. */
		async close(results: Results) {
			if (isSingle) return await finish(results[0]);
			await tellResults(run, results, ({ json, binary }) =>
				toPlain(startOf(toChatWords(json, binary), MAX_LINE_CHARS)),
			);
		},
		/** Puts an error's message into its description: of an error, n8n says only that to a chat. */
		toSpokenError(thrown: unknown) {
			if (!message || !(thrown instanceof Error) || message.hasBegun()) return thrown;
			const error = thrown as Error & { description?: string | null };
			if (isSingle || !error.description) {
				error.description = sentences(error.message, error.description ?? undefined);
			}
			return error;
		},
	};
}

/** Returns an answer's text or output, or what else it holds: a chat must show something. */
function toChatWords(json: IDataObject, binary: IBinaryKeyData = {}): string {
	const words = textOrOutput({ text: String(json.text), codeRuns: toObjects(json.codeExecution) });
	if (words.trim() !== '') return words;
	const all = [
		...Object.values(binary).map(({ fileName }) => `a file: ${fileName}`),
		...toObjects(json.files).map(({ uri }) => `a file: ${String(uri)}`),
		...toObjects(json.functionCalls).map(({ name }) => `a call of ${String(name)}`),
	];
	return `(${all.length > 0 ? all.join(', ') : 'an answer without words'})`;
}
