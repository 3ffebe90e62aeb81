import { lowerFirst, sentences, toCode } from '../lib/text';
import type { Clock } from '../lib/time';
import { isFinal } from '../service/videoTask';
import type { Render } from './render';

/** Tells in few lines how far the videos of a run are, to somebody who can only be told more. */
export interface VideoTeller {
	/** An item that will have no task; its end is told like any other, or in the sum of all. */
	onRefused: (itemIndex: number) => void;
	/** A task is known: submitted, or picked up from an earlier try. */
	onTask: (itemIndex: number, render: Render) => void;
	/** After each answer about a task. */
	onProgress: (itemIndex: number, render: Render) => void;
	/** An item has ended, in words, with a task or without one; only the first end is told. */
	onEnd: (itemIndex: number, words: string) => void;
	/**
	 * Something is always said: n8n's chats complain of a workflow that says nothing.
	 * @param sum of all of them; missing where no work began
	 */
	close: (sum?: string) => void;
}

interface Telling {
	say: (line: string) => void;
	clock: Pick<Clock, 'now'>;
	/** Items of the run. */
	total: number;
	/** Nothing but the ends. */
	onlyEnds?: boolean;
}

/** A line comes after each quarter of the work, */
const QUARTER = 25;
/** or when nothing was said for so long, which doubles each time. */
const FIRST_SILENCE_MS = 60_000;
/** A message with more ends than that is read by nobody. */
const MAX_ENDS = 20;
const MORE = 'The output of the node has all.';

export function createVideoTeller({
	say: sayNow,
	clock,
	total,
	onlyEnds = false,
}: Telling): VideoTeller {
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
	/** Of several videos, once it is known of each whether it has a task. */
	const sayIfAllSubmitted = () => {
		if (saidSubmitted || tasks.size === 0 || progress.size < total) return;
		saidSubmitted = true;
		say(`Submitted: ${tasks.size} of ${total} videos`);
	};

	return {
		onRefused: (itemIndex) => void progress.set(itemIndex, 100),
		onTask(itemIndex, { task, reused }) {
			if (tasks.has(itemIndex)) return;
			tasks.add(itemIndex);
			progress.set(itemIndex, 0);
			sayIfAllSubmitted();
			if (onlyEnds || total > 1) return;
			const id = toCode(task.task_id);
			say(reused ? `Picked up, as it is paid for already: ${id}` : `Submitted: ${id}`);
		},
		onProgress(itemIndex, { task }) {
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
		onEnd(itemIndex, words) {
			if (ended.has(itemIndex)) return;
			ended.add(itemIndex);
			progress.set(itemIndex, 100);
			sayIfAllSubmitted();
			if (ended.size > MAX_ENDS) return;
			say(total > 1 ? `Video ${itemIndex + 1}: ${lowerFirst(words)}` : words);
		},
		close(sum) {
			const isTold = total === 1 && ended.size > 0;
			const words = sentences(isTold ? '' : sum, ended.size > MAX_ENDS ? MORE : '');
			if (words) say(words);
		},
	};
}
