import { toResultWords } from '../shared/download/resultUrl';
import { shortReason } from '../shared/item/failure';
import type { Run } from '../shared/item/run';
import { toCode, toPlain } from '../shared/lib/markdown';
import type { Connection } from '../shared/service/connection';
import { isFinal } from '../shared/service/videoTask';
import type { Step } from '../shared/task/step';
import { NO_VIDEO } from '../shared/task/taskFailure';

const QUARTER = 25;

/**
 * What a chat is told of a checked task: nothing where this node has told about the same in this
 * execution, because in a loop each run of it is a message of its own.
 */
export function createNews({ context }: Pick<Run, 'context'>) {
	return ({ state, render }: Step, connection: Pick<Connection, 'baseUrl'>): string | undefined => {
		const { task } = render;
		const { task_id, status, progress, fail_reason = 'the service gave no reason' } = task;
		const news = `${state} ${isFinal(status) ? '' : Math.floor(progress / QUARTER)}`;
		const store = context.getContext('node') as { told?: Record<string, string> };
		const told = new Map(Object.entries(store.told ?? {}));
		if (told.get(task_id) === news) return undefined;
		told.set(task_id, news);
		store.told = Object.fromEntries(told);
		if (state === 'noVideo') return NO_VIDEO.message;
		if (status === 'SUCCESS') return `Ready: ${toResultWords(task, connection)}`;
		if (status === 'FAILURE')
			return `The video could not be rendered: ${toPlain(shortReason(fail_reason))}`;
		return `Rendering: ${progress} %: ${toCode(task_id)}`;
	};
}
