import { NodeOperationError } from 'n8n-workflow';

import { type Failure, NOT_SUBMITTED, NOTHING_MORE, submitRefused } from '../failure/failure';
import { toVideos } from '../lib/text';
import { inTurn } from '../lib/turns';
import { claim, release } from '../n8n/claim';
import type { Run } from '../n8n/run';
import { MINUTE_MS } from '../services/common';

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
			: `If a loop comes back here by mistake, end it. Otherwise, send fewer items, or raise Options > Cost > Max Videos per Execution${paid === 0 ? '' : ': Retry execution then submits only the rest'}.`;
		const description = `${paid === 0 ? NOT_SUBMITTED : NOTHING_MORE} ${advice}`;
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

/** The most that Max Videos per Day takes: a full day is noticed after so many questions to the database. */
export const MAX_PER_DAY = 1_000;

/** How many days after one the slots of that day are removed, in the days of a week. */
const REMOVED_AFTER_DAYS = [2, 3, 4, 5, 6, 7, 8];

interface Day {
	day: string;
	/** The last slot that this process has asked for. */
	last: number;
	/** So many slots were taken, by whomever. */
	full?: number;
}

/** By workflow and node: the queue of those who want a slot, and what this process knows of today. */
const days = new Map<string, Day>();

/**
 * Claims one of the slots of Max Videos per Day, so that a submit may follow: no two submits on any
 * workers get the same one.
 *
 * @returns how to give the slot back; a failure if none is left
 */
export async function claimOfDay(
	{ context, clock, forAgent }: Run,
	max: number | undefined,
): Promise<(() => Promise<void>) | Failure> {
	if (max === undefined || context.getMode() === 'manual') return async () => {};
	const id = `${context.getWorkflow().id} ${context.getNode().id}`;
	const timeZone = context.getTimezone();
	const nowMs = clock.now();
	// The Swedish way to write a day is that of ISO 8601.
	const toDay = (ms: number) => new Date(ms).toLocaleDateString('sv', { timeZone });
	const today = toDay(nowMs);
	const known = days.get(id);
	const day: Day = known?.day === today ? known : { day: today, last: 0 };
	days.set(id, day);
	const claimOne = async (): Promise<(() => Promise<void>) | undefined> => {
		for (let tried = 0; tried < max && day.full !== max; tried++) {
			const number = (day.last % max) + 1;
			day.last = number;
			const slot = `${today} ${number}`;
			if (!(await claim(context, slot))) continue;
			// n8n itself keeps them as long as the workflow. Nobody asks for them any more, not even a worker
			// whose clock is slow.
			const old = REMOVED_AFTER_DAYS.map((ago) => toDay(nowMs - ago * 24 * 60 * MINUTE_MS));
			await Promise.allSettled(old.map(async (one) => await release(context, `${one} ${number}`)));
			return async () => {
				day.full = undefined;
				// A slot that stays claimed counts one video too many, and never one too few.
				await release(context, slot).catch(() => {});
			};
		}
		day.full = max;
		return undefined;
	};
	// In turn, so that of 1,000 items over the limit only the first asks for all slots.
	const giveBack = await inTurn(day, claimOne);
	if (giveBack) return giveBack;
	return submitRefused({
		message: `This node has submitted ${toVideos(max)} on ${today} (${timeZone}), as many as Max Videos per Day allows`,
		passes: !forAgent,
		description: forAgent
			? 'Do not ask for further videos today; tell the person that the limit is reached.'
			: 'Tomorrow, retry the execution, which pays for no video again, or run this item anew. Or raise Max Videos per Day.',
	});
}
