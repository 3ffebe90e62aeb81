import type { IBinaryKeyData, IDataObject } from 'n8n-workflow';

import { isFailure } from '../shared/failure/failure';
import { toObjects } from '../shared/lib/json';
import { sentences, toPlain } from '../shared/lib/text';
import { createChatMessage } from '../shared/n8n/chat';
import { type Results, toShown, withItem } from '../shared/n8n/output';
import type { Run } from '../shared/n8n/run';

const NEW_PARAGRAPH = '\n\n';

/** Makes the chat of a run. A chat shows all words as one message, so only the first item speaks. */
export function createSpokenAnswer(run: Run) {
	const message = createChatMessage(run);
	const pieces = run.redaction.redactPieces();
	let hasWords = false;
	const say = (words: string) => {
		hasWords ||= words.trim() !== '';
		message?.write(pieces.add(words));
	};
	return {
		/** Says an item's words as they come; `undefined` if nobody hears them. */
		listenerFor: (itemIndex: number) => (message && itemIndex === 0 ? say : undefined),
		/** Says the rest. */
		async close([result]: Results) {
			if (!message || !result) return;
			const hadBegun = message.hasBegun();
			if (hadBegun) message.write(pieces.end());
			const shown = toShown(run, result);
			if (!isFailure(shown)) {
				if (!hasWords) message.write(toChatWords(shown.json, shown.binary));
				await message.end();
			} else if (hadBegun || !run.stopsOnFailure) {
				message.write(hadBegun ? NEW_PARAGRAPH : '');
				const sentence = withItem(shown, 0);
				await message.end(run.stopsOnFailure ? `${sentence}${NEW_PARAGRAPH}` : sentence);
			}
			// Otherwise n8n itself says the failure, when it ends the node.
		},
		/** Puts an error's message into its description: of an error, n8n says only that to a chat. */
		toSpokenError(thrown: unknown) {
			if (!message || !(thrown instanceof Error) || message.hasBegun()) return thrown;
			const error = thrown as Error & { description?: string | null };
			error.description = sentences(error.message, error.description ?? undefined);
			return error;
		},
	};
}

/** Says what an answer without text holds: a chat that hears nothing tells of a wrong set-up. */
function toChatWords(json: IDataObject, binary: IBinaryKeyData = {}): string {
	const output = toObjects(json.codeExecution).at(-1)?.output;
	if (output) return String(output);
	const all = [
		...Object.values(binary).map(({ fileName }) => `a file: ${toPlain(fileName ?? '')}`),
		...toObjects(json.files).map(({ uri }) => `a file: ${toPlain(String(uri))}`),
		...toObjects(json.functionCalls).map(({ name }) => `a call of ${toPlain(String(name))}`),
	];
	return `(${all.join(', ')})`;
}
