import { isFailed, type Results } from '../shared/item/output';
import { createReader } from '../shared/item/reader';
import type { Run } from '../shared/item/run';
import { sentences } from '../shared/lib/text';
import type { TextJob } from './readJob';
import { createVoice, type Ending, sendChunk, type Told } from './sayWords';
import { takeTurns } from './takeTurns';
import { beginTry } from './tries';

/** Hears words of an answer as they come. */
export type Listener = (words: string) => Promise<void>;

/** What the items of a run say to whoever listens, one after the other in their order. */
export interface Speaking {
	/** Hears the words of an item as they come; `undefined` where nobody listens to it. */
	listenerOf: (job: TextJob) => Listener | undefined;
	/** An item has ended: says so, and passes the turn on. */
	end: (itemIndex: number, ending: Ending) => Promise<void>;
	/** Ends all items that have not ended. */
	close: (results: Results) => Promise<void>;
	/** n8n tells whoever listens nothing of an error but its description. */
	toToldError: (error: unknown) => unknown;
}

const NOBODY_LISTENS: Speaking = {
	listenerOf: () => undefined,
	end: async () => {},
	close: async () => {},
	toToldError: (error) => error,
};

/**
 * Whether words that come early reach somebody. Only then is the streaming endpoint asked: an
 * answer that comes whole is either there or not, while a stream can also break off half-way, paid
 * for. A tool's words are for its agent, who would find them mixed into what it says itself; n8n 1
 * gives a tool no `isStreaming`, either.
 */
const canSpeak = ({ forAgent, context }: Run) => !forAgent && context.isStreaming();

/**
 * Items are worked at once, and a chat takes what a node says as one message until it begins anew:
 * so one item speaks at a time.
 */
export function openSpeaking(run: Run): Speaking {
	if (!canSpeak(run)) return NOBODY_LISTENS;
	const told: Told = {
		isLastTry: beginTry(run),
		hasFirstFailed: false,
		hasFailed: false,
		ofAllItems: false,
		leftToN8n: false,
	};
	/** By item, of those that could be read. */
	const heard = new Map<number, boolean>();
	const turns = takeTurns(run.items.map((_item, itemIndex) => createVoice(run, itemIndex, told)));
	const end = async (itemIndex: number, ending: Ending) => {
		if (itemIndex === 0 && ending && isFailed(ending)) told.hasFirstFailed = true;
		const isHeard = heard.get(itemIndex) ?? mayBeHeard(run, itemIndex);
		await turns[itemIndex].end(isHeard ? ending : undefined);
	};
	return {
		listenerOf({ itemIndex, streamResponse }) {
			heard.set(itemIndex, streamResponse);
			return streamResponse ? turns[itemIndex].say : undefined;
		},
		end,
		close: async (results) => {
			for (const itemIndex of run.items.keys()) await end(itemIndex, results[itemIndex]);
			// n8n adds the error that ends a node to what was said last, as that of the first item,
			// unless something begins anew. Before a further try nothing may begin that does not end.
			if (told.hasFailed && run.stopsOnFailure && told.isLastTry) await sendChunk(run, 0, 'begin');
		},
		toToldError(error) {
			if (!(error instanceof Error)) return error;
			const toldError = error as Error & { description?: string | null };
			const description = toldError.description ?? undefined;
			const isUntold = told.leftToN8n || description === undefined;
			if (isUntold) toldError.description = sentences(error.message, description);
			return toldError;
		},
	};
}

/** Of an item that could not be read, most often this can be. */
function mayBeHeard(run: Run, itemIndex: number): boolean {
	try {
		return createReader(run, itemIndex).boolean('streamResponse');
	} catch {
		return true;
	}
}
