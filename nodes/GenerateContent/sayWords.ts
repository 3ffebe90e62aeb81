import { withItem, type Failure } from '../shared/item/failure';
import { isFailed, toShown, type ItemResult } from '../shared/item/output';
import type { Run } from '../shared/item/run';
import { toChatWords } from './chatWords';
import type { Voice } from './takeTurns';

/** A paragraph of a chat, and nothing elsewhere. */
const NEW_PARAGRAPH = '\n\n';
/** Between what was said of an answer that was blocked then, and another one. */
const ANOTHER = '\n\n(The above was blocked. Another answer:)\n\n';

type ChunkType = 'begin' | 'item' | 'end' | 'error';

type Done = Exclude<ItemResult, { failure: unknown }>;

/** How an item ended; `undefined` has nothing to say, because nothing is new or the run was stopped. */
export type Ending = ItemResult | undefined;

/** What the voices of a run know of each other. */
export interface Told {
	/** Of n8n: whatever happens now is not tried again. */
	isLastTry: boolean;
	/** n8n looks at this one alone where the node goes on. */
	hasFirstFailed: boolean;
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
	let said = '';
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
	/** All of the answer that its words have not said. */
	const sayRest = async ({ json }: Done, shown: Done) => {
		if (said === json.text && said.trim() !== '') return;
		// A further candidate is the answer where the first one was blocked.
		if (said.trim() !== '') await say(ANOTHER);
		await say(toChatWords(shown.json, shown.binary));
	};
	const sayFailure = async (failure: Failure) => {
		// Whoever has heard nothing of it hears how the last try ends.
		if (!hasBegun && isTriedAgain(run, told)) return;
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
		say: async (words) => {
			said += words;
			await say(pieces.add(words));
		},
		end: async (ending) => {
			if (!ending) return;
			const result = toShown(run, ending);
			if (hasBegun) await say(pieces.end());
			if (isFailed(result)) return await sayFailure(result.failure);
			if (!isFailed(ending)) await sayRest(ending, result);
			await send('end');
		},
	};
}

/** Whether n8n begins the node anew, now that an item has failed. */
const isTriedAgain = ({ stopsOnFailure }: Run, { isLastTry, hasFirstFailed }: Told) =>
	!isLastTry && (stopsOnFailure || hasFirstFailed);
