import { NodeOperationError } from 'n8n-workflow';

import { type Failure, submitRefused } from '../failure/failure';
import { toVideos } from '../lib/text';
import { inTurn } from '../lib/turns';
import type { Run } from '../n8n/run';

/** What the ledger has. */
type PaidTasks = ReadonlyArray<{ executionId: string; place: string }>;

/** The jobs being submitted, by the object that all runs of the node in this execution share. */
const submittingIn = new WeakMap<PaidTasks, Set<object>>();

/** Returns the count of Max Videos per Execution. */
export function createExecutionLimit({ context, forAgent, runIndex }: Run, paidTasks: PaidTasks) {
	const executionId = context.getExecutionId();
	const submitting = submittingIn.get(paidTasks) ?? new Set();
	submittingIn.set(paidTasks, submitting);
	let max = Infinity;
	/** Counts what this execution has paid for, in all runs or in others than this one. */
	const countPaid = (inOthers = false) =>
		paidTasks.filter(
			({ place, ...entry }) =>
				entry.executionId === executionId && !(inOthers && place.startsWith(`${runIndex}.`)),
		).length;
	const check = (wanted: number, paid: number): void => {
		if (wanted === 0 || paid + wanted <= max) return;
		const message =
			paid === 0
				? `This run would submit ${toVideos(wanted)}, and Max Videos per Execution is ${max}`
				: `This execution may submit ${toVideos(max)} (Max Videos per Execution), and ${paid} of them ${paid === 1 ? 'is' : 'are'} submitted already`;
		const advice = forAgent
			? 'Do not ask for further videos; tell the person that the limit is reached.'
			: 'Send fewer items, or raise Max Videos per Execution.';
		const description = `Nothing${paid === 0 ? '' : ' more'} was submitted. ${advice}`;
		throw new NodeOperationError(context.getNode(), message, { description });
	};
	return {
		/** @param wanted how many submits this run needs; throws if they are too many */
		set(newMax: number, wanted: number): void {
			max = newMax;
			// Another try of this run takes what is left, and refuses the rest one by one.
			check(wanted, countPaid(true));
		},
		begin(job: object): void {
			if (max < Infinity) check(1, countPaid() + submitting.size);
			submitting.add(job);
		},
		end: (job: object) => void submitting.delete(job),
	};
}

/** The most that Max Videos per Day takes. n8n keeps as many slots of a node: all of today, whatever its limit was. */
export const MAX_PER_DAY = 1_000;
const SLOTS = { mode: 'entries', maxEntries: MAX_PER_DAY } as const;

/** By workflow and node: the queue of those who want a slot, and the last slot that was given. */
const days = new Map<string, { last: number }>();

/**
 * Claims one of the slots of Max Videos per Day, so that a submit may follow. n8n writes it into its
 * database at once, where neither Stop nor a kill undoes it; what a node keeps elsewhere, n8n saves at
 * the end only. In queue mode, two workers may get the same slot.
 *
 * @returns how to give the slot back; a failure if none is left
 */
export async function claimOfDay(
	{ context, clock, forAgent }: Run,
	max: number | undefined,
): Promise<(() => Promise<void>) | Failure> {
	if (max === undefined || context.getMode() === 'manual') return async () => {};
	const { helpers } = context;
	const id = `${context.getWorkflow().id} ${context.getNode().id}`;
	const day = days.get(id) ?? { last: 0 };
	days.set(id, day);
	const timeZone = context.getTimezone();
	// The Swedish way to write a day is that of ISO 8601.
	const today = new Date(clock.now()).toLocaleDateString('sv', { timeZone });
	return await inTurn(day, async () => {
		for (let tried = 0; tried < max; tried++) {
			const number = ((day.last + tried) % max) + 1;
			const slot = [`${today} ${number}`];
			const { new: claimed } = await helpers.checkProcessedAndRecord(slot, 'node', SLOTS);
			if (claimed.length === 0) continue;
			day.last = number;
			const remove = async () => await helpers.removeProcessed(slot, 'node', SLOTS);
			// A slot that stays claimed counts one video too many, and never one too few.
			return async () => await inTurn(day, remove).catch(() => {});
		}
		return submitRefused({
			message: `This node has submitted ${toVideos(max)} on ${today} (${timeZone}), as many as Max Videos per Day allows`,
			passes: !forAgent,
			description: forAgent
				? 'Do not ask for further videos today; tell the person that the limit is reached.'
				: 'Run it again tomorrow, or raise Max Videos per Day.',
		});
	});
}
