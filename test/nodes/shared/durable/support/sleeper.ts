import type { SleepingVideo } from '../../../../../nodes/shared/durable/sleepingVideo';
import { NO_TROUBLES } from '../../../../../nodes/shared/task/render';

/** A render asleep since `submittedAtMs`, with half an hour to go. */
export const sleeper = (
	item: number,
	submittedAtMs: number,
	changes: Partial<SleepingVideo> = {},
): SleepingVideo => ({
	item,
	callerId: '17',
	render: {
		task: { task_id: `task_${item}`, status: 'IN_PROGRESS', progress: 40, model: 'veo-3.1' },
		submittedAtMs,
		pollCount: 2,
		reused: true,
		answer: undefined,
		deadlineMs: submittedAtMs + 1_800_000,
		troubles: NO_TROUBLES,
	},
	wishes: {
		simplify: true,
		timeOutFails: true,
		maxWaitMs: 1_800_000,
		reuseTask: true,
		downloadVideo: false,
		binaryProperty: 'data',
		stopsOnFailure: true,
	},
	...changes,
});
