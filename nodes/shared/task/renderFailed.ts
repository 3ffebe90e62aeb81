import { type Failure, inBrackets, nextAfter } from '../failure/failure';
import type { Reason } from '../failure/reason';
import { lookUp } from '../failure/table';
import { withoutGaps } from '../lib/json';
import { lowerFirst, sentences, shortReason } from '../lib/text';
import { toBilled } from '../services/answerPaths';
import { nameOf, type VideoTask } from '../services/videoTask';

/** `failed`: the service says FAILURE. `timedOut`: Max Wait is over. `lost`: too many checks failed. */
export type EndWithoutVideo = 'failed' | 'timedOut' | 'lost';

/** What decides the words on a wait that has ended. */
export interface WaitLimits {
	maxWaitMs: number;
	/** The workflow's own limit ends the wait, and not Max Wait. */
	workflowEnds?: boolean;
	/** The same video has broken off so often that it is not ordered again by itself. */
	brokeTooOften?: boolean;
}

const GOES_ON = 'The render continues and is billed: follow it with Video Status and its task ID.';
const NOBODY_KNOWS =
	'Whether the render continues, and is billed, the usage page of the service shows.';
export const REFUND =
	'It may be billed: the usage page of the service shows whether it was refunded.';
export const ANEW =
	'Change the prompt or the image before you run it again: the new render is billed.';
const NO_CHARGE = 'This failed render is not billed.';
const CHARGED = 'The service has billed this failed render.';
const ORDER_AGAIN =
	'The render broke off at the service, not because of the prompt: order it again unchanged.';
const PERHAPS_FILTERED =
	'These words can mean that the render broke off, or that a filter refused it: order it again unchanged. If it fails again, change the prompt or the image.';
const BROKE_TOO_OFTEN =
	'The render broke off at the service again, not because of the prompt: choose another Model, or run it later in a new execution.';
/** ByteDance's code for a video that was kept back for its sound alone (Seedance), and its words, which New API keeps. */
const OF_SOUND = /OutputAudioSensitiveContent|output audio\b/i;
const WITHOUT_SOUND = 'Turn Generate Audio off, or change the prompt: a new task is billed.';
/** The advice on a FAILURE, for an agent that would ask for the same video again at once. */
export const NOT_AGAIN =
	'Do not ask for it again unchanged: change the request, or ask the person who wants it. Each new task is billed.';

/** The wait for a task ended without a video. */
export function renderFailed(
	state: EndWithoutVideo,
	task: VideoTask,
	limits: WaitLimits,
	because?: Reason,
): Failure {
	const { task_id, status, fail_reason } = task;
	const mayRepeat = state === 'failed' && task.broke === true && !limits.brokeTooOften;
	const { account, advice } = lookUp('render', { code: task.fail_code });
	const { message, description, then } =
		state === 'failed'
			? wordFailure(task, mayRepeat, advice)
			: state === 'lost'
				? wordLoss(because)
				: wordTimeOut(task, limits, because);
	return withoutGaps<Failure>({
		kind: 'render',
		message: message + inBrackets(task_id),
		...{ description, then },
		billed: task.billed ?? toBilled(status),
		next: mayRepeat
			? 'retry'
			: state === 'failed'
				? nextAfter({ account, passes: false })
				: 'followTask',
		retryable: mayRepeat,
		...{ task_id, status, fail_reason, http_code: because?.httpCode },
	});
}

type Words = Pick<Failure, 'message' | 'description' | 'then'>;

/** Says that a task has failed. */
export function sayFailed(task: Pick<VideoTask, 'kind' | 'makes'>): string {
	const name = nameOf(task);
	const made = { video: 'rendered', task: 'completed' }[name as string] ?? 'made';
	return `The ${name} could not be ${made}`;
}

function wordFailure(task: VideoTask, mayRepeat: boolean, ofCode?: string): Words {
	const { fail_reason = '', billed, broke, perhapsFiltered } = task;
	const message = `${sayFailed(task)}: ${shortReason(fail_reason) || 'the service gave no reason'}`;
	const charge = { no: NO_CHARGE, yes: CHARGED, unknown: REFUND }[billed ?? 'unknown'];
	if (mayRepeat) {
		const then = perhapsFiltered ? PERHAPS_FILTERED : ORDER_AGAIN;
		return { message, description: sentences(charge, then), then };
	}
	const ofPrompt = OF_SOUND.test(fail_reason) ? WITHOUT_SOUND : ANEW;
	const advice = ofCode ?? (broke && !perhapsFiltered ? BROKE_TOO_OFTEN : ofPrompt);
	return { message, description: sentences(charge, advice), then: NOT_AGAIN };
}

function wordTimeOut(
	{ unknownStatus, ...task }: VideoTask,
	{ maxWaitMs, workflowEnds }: WaitLimits,
	because?: Reason,
): Words {
	return {
		message: workflowEnds
			? `The ${nameOf(task)} was not ready before the end of the workflow (Timeout Workflow)`
			: `The ${nameOf(task)} was not ready within ${toMinutes(maxWaitMs)} (Max Wait)`,
		description: sentences(
			because && `The last check failed: ${because.message}`,
			because?.description,
			unknownStatus &&
				`The service's last word was "${unknownStatus}", which this node does not know`,
			GOES_ON,
		),
	};
}

const wordLoss = (because?: Reason): Words => ({
	message: `The task can no longer be followed: ${lowerFirst(because?.message ?? '')}`,
	description: sentences(
		because?.description,
		because?.advice,
		because?.unknownTask ? NOBODY_KNOWS : GOES_ON,
	),
});

function toMinutes(ms: number): string {
	const minutes = Number((ms / 60_000).toFixed(2));
	return `${minutes} ${minutes === 1 ? 'minute' : 'minutes'}`;
}
