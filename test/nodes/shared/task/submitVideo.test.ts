import { createLimiter } from '../../../../nodes/shared/lib/turns';
import type { SubmitResult } from '../../../../nodes/shared/service/videoApi';
import type { NoTask, RenderJob } from '../../../../nodes/shared/task/render';
import { submitVideo } from '../../../../nodes/shared/task/submitVideo';
import { createVirtualTime } from '../../../support/virtualTime';

const job = (itemIndex: number) =>
	({ itemIndex, request: { model: 'veo', prompt: 'p' } }) as RenderJob;

const no = (kind: 'refused' | 'unclear', httpCode: number): SubmitResult => ({
	kind,
	trouble: { message: 'No', httpCode, retryable: true },
});
const accepted: SubmitResult = { kind: 'accepted', task_id: 'task_1', answer: { id: 1 } };

/** Submits jobs one at a time; the last answer is given again and again. */
async function play(
	answers: SubmitResult[],
	{ jobs = 1, endsOnNoTask = false, maxPauseMs = Infinity, throws = false } = {},
) {
	const end = new AbortController();
	const time = createVirtualTime(end.signal);
	const log: string[] = [];
	let submitted = 0;
	const submitting = {
		submit: async () => {
			log.push(`submit at ${time.now()}`);
			if (throws) throw new Error('nobody has thought of it');
			return await Promise.resolve(answers[Math.min(submitted++, answers.length - 1)]);
		},
		keep: (_job: RenderJob, { task }: { task: { task_id: string } }) =>
			log.push(`keep ${task.task_id}`),
		onNoTask: (_job: RenderJob, { state }: NoTask) => {
			log.push(state);
			if (endsOnNoTask) end.abort();
		},
		limiter: createLimiter(1, end.signal),
		clock: time.clock(),
		maxPauseMs,
	};
	const all = Array.from({ length: jobs }, async (_, i) => await submitVideo(job(i), submitting));
	const ends = await time.run(Promise.all(all));
	return { ends, log, submitted };
}

it('keeps a task in the tick in which its id is known, and gives its render', async () => {
	const { ends, log } = await play([accepted]);
	expect(log).toEqual(['submit at 0', 'keep task_1']);
	expect(ends[0]).toMatchObject({
		task: { task_id: 'task_1', status: 'queued', model: 'veo' },
		answer: { id: 1 },
		submittedAtMs: 0,
		pollCount: 0,
		reused: false,
	});
});

it('never repeats an unclear answer', async () => {
	const { ends, log } = await play([no('unclear', 504), accepted]);
	expect(log).toEqual(['submit at 0', 'unclear']);
	expect(ends[0]).toMatchObject({ state: 'unclear', trouble: { httpCode: 504 } });
});

it('repeats a refusal that may pass, and says nothing of it meanwhile', async () => {
	const { ends, log } = await play([no('refused', 429), no('refused', 429), accepted]);
	expect(log).toEqual(['submit at 0', 'submit at 1000', 'submit at 3000', 'keep task_1']);
	expect(ends[0]).toHaveProperty('task');
});

it('gives up a refusal that lasts after eight further tries', async () => {
	const { ends, log, submitted } = await play([no('refused', 429)]);
	expect(submitted).toBe(9);
	expect(log.filter((entry) => entry === 'refused')).toHaveLength(1);
	expect(ends[0]).toMatchObject({ state: 'refused' });
});

it('makes nobody wait longer than they would', async () => {
	const { submitted } = await play([no('refused', 429)], { maxPauseMs: 2_000 });
	expect(submitted).toBe(3);
});

it.each([400, 401, 403])('does not repeat a refusal for good (%i)', async (httpCode) => {
	expect((await play([no('refused', httpCode)])).submitted).toBe(1);
});

it('leaves the next one unsubmitted where the first ends the run', async () => {
	const options = { jobs: 3, endsOnNoTask: true };
	const { ends, submitted } = await play([accepted, no('unclear', 504), accepted], options);
	expect(submitted).toBe(2);
	expect(ends).toMatchObject([{ task: {} }, { state: 'unclear' }, { state: 'notSubmitted' }]);
});

it('takes whatever is thrown once it is on its way for unclear, and never repeats it', async () => {
	const { ends, log } = await play([accepted], { throws: true });
	expect(log).toEqual(['submit at 0', 'unclear']);
	expect(ends[0]).toMatchObject({ state: 'unclear' });
});
