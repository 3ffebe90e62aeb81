import type { IDataObject } from 'n8n-workflow';

import { isFailed, type ItemResult, type Results } from '../shared/item/output';
import type { Run } from '../shared/item/run';
import { countBytes } from '../shared/lib/json';
import { isWhole } from '../shared/text/reasons';
import { isSameWish, type Owner, ownerOf } from './answerOwner';
import type { TextJob } from './readJob';

/** In memory, for the next try of the same execution. */
const MAX_KEPT_BYTES = 32 * 1024 * 1024;
/** In what n8n stores of an execution that has failed. */
const MAX_STORED_BYTES = 512 * 1024;

type GoodResult = Exclude<ItemResult, { failure: unknown }>;

type StoredAnswer = Owner & { json: IDataObject };

interface KeptAnswer {
	toOwner: () => Owner;
	result: GoodResult;
}

/** What n8n stores of the node with the execution, by run and item. */
interface Stored {
	answers?: Record<string, StoredAnswer>;
}

/** Of each execution, as long as n8n has it in memory: by the object that n8n gives the node in it. */
const ofExecutions = new WeakMap<object, Map<string, KeptAnswer>>();

/** Answers that are paid for, for the tries of an execution. */
export interface Answers {
	/** What an earlier try has brought for the same item. */
	find: (job: TextJob) => ItemResult | undefined;
	/** Keeps what a try brings, if it is a whole answer. */
	keep: (job: TextJob, result: ItemResult) => void;
	/** At the end of a try, leaves to a further one what there is; nothing where all went well. */
	leave: (results: Results) => void;
	countReused: () => number;
}

/**
 * Retry On Fail finds answers in memory, files included; "Retry execution" finds what n8n has stored:
 * texts, up to a size. An agent asks for what it wants to have anew.
 */
export function openAnswers(run: Run, baseUrl: string): Answers {
	const { context, forAgent, stopsOnFailure } = run;
	if (forAgent) return NO_ANSWERS;
	const store = context.getContext('node') as Stored;
	const runIndex = context.getWorkflowDataProxy(0).$runIndex as number;
	const executionId = context.getExecutionId();
	const kept = new Map([
		...Object.entries(store.answers ?? {}).map(([key, one]) => [key, fromStored(one)] as const),
		...(ofExecutions.get(store) ?? []),
	]);
	const keyOf = ({ itemIndex }: TextJob) => `${runIndex}.${itemIndex}`;
	let reused = 0;

	const isOwner = (job: TextJob, { toOwner }: KeptAnswer) => {
		const owner = toOwner();
		return owner.executionId === executionId || isSameWish(owner, ownerOf(run, baseUrl, job));
	};

	return {
		find(job) {
			const answer = job.reuseAnswers ? kept.get(keyOf(job)) : undefined;
			if (!answer || !isOwner(job, answer)) return undefined;
			reused++;
			return answer.result;
		},
		keep(job, result) {
			if (!job.reuseAnswers || isFailed(result)) return;
			if (!isWhole(String(result.json.finishReason))) return;
			kept.set(keyOf(job), { toOwner: () => ownerOf(run, baseUrl, job), result });
		},
		leave(results) {
			delete store.answers;
			ofExecutions.delete(store);
			const hasFailed = results.some((result) => result && isFailed(result));
			if (!hasFailed || run.stop.aborted) return;
			// Of another run of this node nothing is tried again.
			const own = [...kept].filter(([key]) => key.startsWith(`${runIndex}.`));
			if (context.getNode().retryOnFail) ofExecutions.set(store, within(own, MAX_KEPT_BYTES));
			if (!stopsOnFailure) return;
			const texts = within(
				own.filter(([, { result }]) => !result.binary),
				MAX_STORED_BYTES,
			);
			if (texts.size > 0) store.answers = toStored(run, texts);
		},
		countReused: () => reused,
	};
}

const NO_ANSWERS: Answers = {
	find: () => undefined,
	keep: () => {},
	leave: () => {},
	countReused: () => 0,
};

/** As many as there is room for, the first ones first. */
function within(answers: Array<[string, KeptAnswer]>, maxBytes: number): Map<string, KeptAnswer> {
	let room = maxBytes;
	return new Map(
		answers.filter(([, { result }]) => {
			const bytes = countBytes(result);
			if (bytes > room) return false;
			room -= bytes;
			return true;
		}),
	);
}

const toStored = ({ show }: Run, answers: Map<string, KeptAnswer>): Record<string, StoredAnswer> =>
	Object.fromEntries(
		[...answers].map(([key, { toOwner, result }]) => [
			key,
			{ ...toOwner(), json: show(result.json) },
		]),
	);

const fromStored = ({ json, ...owner }: StoredAnswer): KeptAnswer => ({
	toOwner: () => owner,
	result: { json },
});
