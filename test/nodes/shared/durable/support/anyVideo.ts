import fc from 'fast-check';

import type {
	EndedVideo,
	SleepingVideo,
	UnsubmittedVideo,
} from '../../../../../nodes/shared/durable/sleepingVideo';

const count = fc.nat({ max: 10_000 });
const timeMs = fc.integer({ min: 0, max: Date.parse('2200-01-01') });

const wishes = fc.record({
	simplify: fc.boolean(),
	timeOutFails: fc.boolean(),
	maxWaitMs: count,
	reuseTask: fc.boolean(),
	downloadVideo: fc.boolean(),
	binaryProperty: fc.string(),
	stopsOnFailure: fc.boolean(),
});

const readings = fc.array(fc.record({ atMs: timeMs, progress: count }), { maxLength: 2 });

/** Any video that still renders. */
export const anySleeping: fc.Arbitrary<SleepingVideo> = fc
	.record(
		{
			item: count,
			callerId: fc.string(),
			render: fc.record({
				task: fc.record(
					{
						task_id: fc.string(),
						status: fc.constantFrom('queued' as const, 'IN_PROGRESS' as const),
						progress: fc.nat({ max: 100 }),
						model: fc.string(),
					},
					{ requiredKeys: ['task_id', 'status', 'progress'] },
				),
				submittedAtMs: timeMs,
				pollCount: count,
				reused: fc.boolean(),
				answer: fc.constant(undefined),
				deadlineMs: timeMs,
				troubles: fc.record({ denied: count, unknown: count, other: count, failed: fc.nat(3) }),
			}),
			wishes,
			readings,
			stretchedMs: count,
		},
		{ requiredKeys: ['item', 'callerId', 'render', 'wishes'] },
	)
	.chain((video) =>
		fc.jsonValue().map((answer) => ({
			...video,
			// What the service said is carried along only where somebody wants it.
			render: { ...video.render, ...(video.wishes.simplify ? {} : { answer }) },
		})),
	);

const id = fc.option(fc.string(), { nil: undefined });

/** Any video that is still to be submitted. */
export const anyUnsubmitted: fc.Arbitrary<UnsubmittedVideo> = fc.record({
	item: count,
	callerId: fc.string(),
	request: fc.record({ model: fc.string(), prompt: fc.string() }),
	concurrency: count,
	begun: fc.boolean(),
	keeperId: id,
	submitterId: id,
	wishes,
});

const text = fc.option(fc.string(), { nil: undefined });

/** Any video that has ended, well or not. */
export const anyEnded: fc.Arbitrary<EndedVideo> = fc.record({
	item: count,
	result: fc.oneof(
		fc.record({
			failure: fc.record({
				message: fc.string(),
				description: text,
				task_id: text,
				status: text,
				fail_reason: text,
				http_code: fc.option(count, { nil: undefined }),
				retryable: fc.boolean(),
				next: fc.constantFrom('retry' as const, 'followTask' as const),
				source: fc.constantFrom('input' as const, 'service' as const),
			}),
		}),
		fc.record({
			json: fc.record({ task_id: fc.string(), status: fc.string(), response: fc.object() }),
		}),
	) as fc.Arbitrary<EndedVideo['result']>,
});
