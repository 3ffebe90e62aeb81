import { withItem, type Failure } from '../shared/item/failure';
import { isFailed, toShown, type ItemResult } from '../shared/item/output';
import type { Run } from '../shared/item/run';
import type { Voice } from './takeTurns';

/** A paragraph of a chat, and nothing elsewhere. */
const NEW_PARAGRAPH = '\n\n';

type ChunkType = 'begin' | 'item' | 'end' | 'error';

/** How an item ended; `undefined` has nothing to say, because nothing is new or the run was stopped. */
export type Ending = ItemResult | undefined;

/** What the voices of a run know of each other. */
export interface Told {
	/** An item has failed. */
	hasFailed: boolean;
	/** All items fail for the same reason, and it has been told. */
	ofAllItems: boolean;
	/** The failure with which n8n ends the node is for n8n to tell. */
	leftToN8n: boolean;
}

/** Nothing is said behind a Stop. */
export async function sendChunk(
	{ context, stop }: Run,
	itemIndex: number,
	type: ChunkType,
	content?: string,
): Promise<void> {
	if (stop.aborted) return;
	try {
		// A promise, though n8n's types say nothing of it.
		await context.sendChunk(type, itemIndex, content);
	} catch {
		// Who has left must not cost the answer, which is paid for.
	}
}

/** Sends what one item says to whoever waits at a Chat Trigger or a Webhook. */
export function createVoice(run: Run, itemIndex: number, told: Told): Voice<Ending> {
	const pieces = run.redaction.redactPieces();
	let hasBegun = false;
	const send = async (type: ChunkType, content?: string) =>
		await sendChunk(run, itemIndex, type, content);
	/** A chat makes a message of its own of what follows, so an item begins with its first word. */
	const begin = async () => {
		if (!hasBegun) await send('begin');
		hasBegun = true;
	};
	const say = async (words: string) => {
		await begin();
		if (words !== '') await send('item', words);
	};
	const sayFailure = async (failure: Failure) => {
		const isFirst = !told.hasFailed;
		told.hasFailed = true;
		if (failure.ofAllItems && told.ofAllItems) return;
		if (failure.ofAllItems) told.ofAllItems = true;
		if (hasBegun) await say(NEW_PARAGRAPH);
		else if (run.stopsOnFailure && isFirst) {
			told.leftToN8n = true;
			return;
		}
		await begin();
		const sentence = withItem(failure, itemIndex);
		// In the default mode n8n's own words follow, in the same message.
		await send('error', run.stopsOnFailure ? `${sentence}${NEW_PARAGRAPH}` : sentence);
	};
	return {
		say: async (words) => await say(pieces.add(words)),
		end: async (ending, wasMuted) => {
			if (!ending) return;
			const result = toShown(run, ending);
			if (hasBegun && !wasMuted) await say(pieces.end());
			if (isFailed(result)) return await sayFailure(result.failure);
			if (wasMuted) await say(String(result.json.text));
			await begin();
			await send('end');
		},
	};
}
