import { lowerFirst, sentences, toCode } from '../lib/text';
import type { Clock } from '../lib/time';
import { isFinal } from '../service/videoTask';
import type { Render } from './render';

interface Telling {
	say: (line: string) => void;
	clock: Pick<Clock, 'now'>;
	/** Items of the run. */
	total: number;
	/** Nothing but the ends is told. */
	onlyEnds?: boolean;
}

/** A line comes after each quarter of the work, in percent, */
const QUARTER = 25;
/** or when nothing was said for so long, which doubles each time. */
const FIRST_SILENCE_MS = 60_000;
/** A message with more ends than that is read by nobody. */
const MAX_ENDS = 20;
const MORE = 'The output of the node has all.';

export type VideoTeller = ReturnType<typeof createVideoTeller>;

/** Tells in few lines how far the videos of a run are, to somebody who can only be told more. */
export function createVideoTeller({ say: sayNow, clock, total, onlyEnds = false }: Telling) {
	/** Percent by item, of what has a task or has ended. */
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
	/** Says of several videos that they are submitted, once it is known of each whether it is. */
	const sayIfAllSubmitted = () => {
		if (saidSubmitted || tasks.size === 0 || progress.size < total) return;
		saidSubmitted = true;
		say(`Submitted: ${tasks.size} of ${total} videos`);
	};

	return {
		/** Is called for an item that will have no task; its end is told, or the sum of all has it. */
		onRefused: (itemIndex: number) => void progress.set(itemIndex, 100),
		/** Is called once a task is known: submitted, or picked up from an earlier try. */
		onTask(itemIndex: number, { task, reused }: Render) {
			if (tasks.has(itemIndex)) return;
			tasks.add(itemIndex);
			progress.set(itemIndex, 0);
			sayIfAllSubmitted();
			if (onlyEnds || total > 1) return;
			const id = toCode(task.task_id);
			say(reused ? `Picked up, as it is paid for already: ${id}` : `Submitted: ${id}`);
		},
		/** Is called after each answer about a task. */
		onProgress(itemIndex: number, { task }: Render) {
			progress.set(itemIndex, task.progress);
			const sum = [...progress.values()].reduce((all, percent) => all + percent, 0);
			const percent = Math.floor(sum / total);
			const isSilent = clock.now() - saidMs >= silenceMs;
			const reached = Math.floor(percent / QUARTER);
			// At its end it has words of its own. Some deployments say 100 for minutes before.
			const isAtEnd = percent >= 100 && (isFinal(task.status) || !isSilent);
			if (onlyEnds || isAtEnd || (reached <= quarters && !isSilent)) return;
			quarters = Math.max(quarters, reached);
			if (isSilent) silenceMs *= 2;
			const over = total > 1 ? `, ${ended.size} of ${total} over` : '';
			const minutes = Math.round((clock.now() - startedMs) / 60_000);
			// A progress of nothing is most often one that the service does not tell.
			const done = percent > 0 ? `: ${percent} %` : '';
			say(`Rendering${done}${over}${isSilent ? ` after ${minutes} min` : ''}`);
		},
		/** Is called at the end of an item, with a task or without one; only the first end is told. */
		onEnd(itemIndex: number, words: string) {
			if (ended.has(itemIndex)) return;
			ended.add(itemIndex);
			progress.set(itemIndex, 100);
			sayIfAllSubmitted();
			if (ended.size > MAX_ENDS) return;
			say(total > 1 ? `Video ${itemIndex + 1}: ${lowerFirst(words)}` : words);
		},
		/**
		 * Something is always said: n8n's chats complain of a workflow that says nothing.
		 * @param sum tells of all videos; missing where no work began
		 */
		close(sum?: string) {
			const isTold = total === 1 && ended.size > 0;
			const words = sentences(isTold ? '' : sum, ended.size > MAX_ENDS ? MORE : '');
			if (words) say(words);
		},
	};
}
