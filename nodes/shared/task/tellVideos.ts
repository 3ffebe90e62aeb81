import { lowerFirst, sentences, toCode } from '../lib/text';
import type { Clock } from '../lib/time';
import { isFinal } from '../service/videoTask';
import type { Render } from './render';

interface Telling {
	say: (line: string) => void;
	clock: Pick<Clock, 'now'>;
	/** The number of items of the run. */
	total: number;
	/** Whether only the ends of videos are told. */
	onlyEnds?: boolean;
}

/** A line is said after each quarter of the work, in percent. */
const QUARTER = 25;
/** A line is also said after so long a silence; the time doubles with each such line. */
const FIRST_SILENCE_MS = 60_000;
/** Nobody reads a message with more ends than this. */
const MAX_ENDS = 20;
const MORE = 'The output of the node has all.';

export type VideoTeller = ReturnType<typeof createVideoTeller>;

/**
 * Tells in few lines how far the videos of a run are, to a reader of a stream that can only be
 * appended to.
 */
export function createVideoTeller({ say: sayNow, clock, total, onlyEnds = false }: Telling) {
	/** Percent by item, for items that have a task or have ended. */
	const progress = new Map<number, number>();
	const tasks = new Set<number>();
	const ended = new Set<number>();
	const startedMs = clock.now();
	let saidMs = startedMs;
	let silenceMs = FIRST_SILENCE_MS;
	let quarters = 0;
	let saidSubmitted = onlyEnds || total === 1;
	const say = (line: string) => {
		saidMs = clock.now();
		sayNow(line);
	};
	/** Says how many of several videos are submitted, once that is known for each. */
	const sayIfAllSubmitted = () => {
		if (saidSubmitted || tasks.size === 0 || progress.size < total) return;
		saidSubmitted = true;
		say(`Submitted: ${tasks.size} of ${total} videos`);
	};

	return {
		/** Called for an item that will get no task; `onEnd` or the sum tells of it. */
		onRefused: (itemIndex: number) => void progress.set(itemIndex, 100),
		/** Called once a task is known: submitted, or picked up from an earlier try. */
		onTask(itemIndex: number, { task, reused }: Render) {
			if (tasks.has(itemIndex)) return;
			tasks.add(itemIndex);
			progress.set(itemIndex, 0);
			sayIfAllSubmitted();
			if (onlyEnds || total > 1) return;
			const id = toCode(task.task_id);
			say(reused ? `Picked up, as it is paid for already: ${id}` : `Submitted: ${id}`);
		},
		/** Called after each answer about a task. */
		onProgress(itemIndex: number, { task }: Render) {
			progress.set(itemIndex, task.progress);
			const sum = [...progress.values()].reduce((all, percent) => all + percent, 0);
			const percent = Math.floor(sum / total);
			const isSilent = clock.now() - saidMs >= silenceMs;
			const reached = Math.floor(percent / QUARTER);
			// `onEnd` tells the end. Some deployments say 100 for minutes before the end, so a progress
			// of 100 is said only after a silence.
			const isAtEnd = percent >= 100 && (isFinal(task.status) || !isSilent);
			if (onlyEnds || isAtEnd || (reached <= quarters && !isSilent)) return;
			quarters = Math.max(quarters, reached);
			if (isSilent) silenceMs *= 2;
			const over = total > 1 ? `, ${ended.size} of ${total} over` : '';
			const minutes = Math.round((clock.now() - startedMs) / 60_000);
			// A progress of 0 mostly means that the service tells none.
			const done = percent > 0 ? `: ${percent} %` : '';
			say(`Rendering${done}${over}${isSilent ? ` after ${minutes} min` : ''}`);
		},
		/** Called at the end of an item, with or without a task; only the first end is told. */
		onEnd(itemIndex: number, words: string) {
			if (ended.has(itemIndex)) return;
			ended.add(itemIndex);
			progress.set(itemIndex, 100);
			sayIfAllSubmitted();
			if (ended.size > MAX_ENDS) return;
			say(total > 1 ? `Video ${itemIndex + 1}: ${lowerFirst(words)}` : words);
		},
		/**
		 * Says the sum, unless the end of the only video was told: n8n's chats complain about a
		 * workflow that says nothing.
		 * @param sum tells of all videos; missing if no work began
		 */
		close(sum?: string) {
			const isTold = total === 1 && ended.size > 0;
			const words = sentences(isTold ? '' : sum, ended.size > MAX_ENDS ? MORE : '');
			if (words) say(words);
		},
	};
}
