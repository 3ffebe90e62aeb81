import type { IDataObject } from 'n8n-workflow';

import type { Family } from '../shared/family/family';
import { adviseWithoutLastFrame } from '../shared/family/toFields';
import { toItemName } from '../shared/item/failure';
import { isFailed } from '../shared/item/output';
import { findInputField, refuseWithoutField } from '../shared/item/inputField';
import { createReader, type Reader } from '../shared/item/reader';
import type { Run } from '../shared/item/run';
import { isObject, mapTexts } from '../shared/lib/json';
import { lowerFirst } from '../shared/lib/text';
import type { SubmitRequest } from '../shared/service/videoApi';
import type { Ledger } from '../shared/task/ledger';
import type { ItemLook, NoTask, Outcome, RenderJob } from '../shared/task/render';
import { toItemResult } from '../shared/task/taskResult';
import { refuse } from './pictures';

/** An item that is a shot of a film. */
export interface Shot {
	/** The item of the shot before, whose last frame this one begins with; missing for the first. */
	before?: number;
}

/**
 * Returns the shots of a run by item. Chain Shots of all items is read at once, because the shot
 * before may be an item that cannot be read otherwise.
 */
export function findShots(run: Run): Map<number, Shot> {
	const shots = new Map<number, Shot>();
	const lastOf = new Map<string, number>();
	for (const itemIndex of run.items.keys()) {
		try {
			const film = readFilm(createReader(run, itemIndex));
			if (film === undefined) continue;
			shots.set(itemIndex, { before: lastOf.get(film) });
			lastOf.set(film, itemIndex);
		} catch {
			// The item is in no film, and its own reading says what is wrong.
		}
	}
	return shots;
}

/** Returns the film of an item by the value of Group By; `undefined` for an item that is no shot. */
export function readFilm({ options }: Reader): string | undefined {
	const read = options.group('lastFrame');
	if (!read.isSet('chainShots') && read.isSet('groupBy')) {
		refuse(
			read,
			'Group By needs Chain Shots',
			'Add Chain Shots to Last Frame, or remove Group By.',
		);
	}
	if (!read.boolean('chainShots')) return undefined;
	if (!read.isSet('groupBy')) return ALL_ITEMS;
	return findInputField(read, 'groupBy') ?? refuseWithoutField(read, 'groupBy');
}

const ALL_ITEMS = '';

/** Returns the field that tells the film of a shot, so that Video Join can group by it, too. */
export function carryFilm({ options }: Reader, film: string | undefined): IDataObject | undefined {
	return film ? { [options.group('lastFrame').text('groupBy')]: film } : undefined;
}

const IN_A_LOOP =
	'A shot can begin only when the one before it is ready. For a film that survives a restart, loop over the shots in the workflow, with Return Last Frame, and First Frame by URL: the last_frame_url of the pass before.';
/** Nodes before this one do not run again in a retry. */
export const RETRY =
	'A retry in the Executions tab goes on from there and bills no finished shot again. It takes the same input: change the prompt in this node.';
/** Nobody can retry an execution that has gone on, and so succeeded. */
const ANEW =
	'To go on without paying for the whole film again, run the rest of it in a new execution, with First Frame by URL: the last_frame_url of its last finished shot.';
const REFERENCES = 'Give reference images to the first shot of a film alone, or remove this row.';

/** Refuses what cannot be a shot of a film. */
export function checkShot(
	{ choice, input, options }: Reader,
	{ before }: Shot,
	model: string,
	family: Family | undefined,
	pictures: Array<{ role: string; read: Reader }>,
): void {
	if (choice('wait') !== 'inProcess') {
		refuse(options, 'Chain Shots works with Wait: In Process alone', IN_A_LOOP);
	}
	if (!family?.settings(model).returnLastFrame?.at) {
		const [whose, advice] = family
			? [`${family.label} models return no last frame`, adviseWithoutLastFrame(family, model)]
			: [`the family of "${model.slice(0, 200)}" is not known`, 'Or set Model Family.'];
		refuse(options, `Chain Shots is not possible: ${whose}`, `Choose a Seedance model. ${advice}`);
	}
	if (isObject(input.json.error)) {
		refuse(options, 'Chain Shots: a shot that has failed cannot come back by itself', ANEW);
	}
	const reference = pictures.find(({ role }) => role === 'reference');
	if (before !== undefined && reference) {
		const message = 'A shot that begins with a last frame takes no reference images';
		refuse(reference.read, message, REFERENCES);
	}
}

/** Returns what stands for the first frame until its address is known. */
export const toPlaceholder = (before: number) => `last frame of ${toItemName(before)}`;

/** A job that may be a shot. */
export interface ShotJob extends RenderJob, ItemLook {
	/** Set if the item is a shot of a film. */
	shot?: Shot;
}

/**
 * Returns jobs, in the order of the items, with the shot before as the ledger knows it. What follows a
 * shot that is still to be submitted is another video than any before.
 */
export function followLedger<Job extends ShotJob>(ledger: Ledger, jobs: Job[]): Job[] {
	const tasks = new Map<number, string>();
	return jobs.map((job) => {
		if (!job.shot) return job;
		const { before } = job.shot;
		const placed = before === undefined ? job : { ...job, after: tasks.get(before) ?? '' };
		const known = ledger.find(placed);
		if (known && 'task' in known) tasks.set(job.itemIndex, known.task.task_id);
		return placed;
	});
}

/** How a job ended, and the job as it was rendered. */
interface End<Job> {
	job: Job;
	outcome: Outcome;
	/** Why it was not submitted, if a shot before it has no last frame. */
	refusal?: NoTask;
}

/**
 * Returns what renders jobs, each shot of a film once the one before is ready. It must be called in
 * the order of the items.
 */
export function openFilms<Job extends ShotJob>(
	{ signal, stopsOnFailure, redaction }: Run,
	ledger: Ledger,
	render: (job: Job) => Promise<Outcome>,
) {
	const ends = new Map<number, Promise<End<Job>>>();
	const renderAfter = async (wanted: Job, before: number): Promise<End<Job>> => {
		const earlier = await ends.get(before)?.catch(() => undefined);
		const task = earlier && 'render' in earlier.outcome ? earlier.outcome.render.task : undefined;
		const address = earlier?.outcome.state === 'done' ? task?.last_frame_url : undefined;
		// The service passes it on to the vendor, who must not learn the API key.
		const url =
			address === undefined || redaction.redact(address) === address ? address : undefined;
		// Without a task there is none that an earlier execution could have gone on from.
		const job = { ...wanted, after: task?.task_id ?? '' };
		if (url !== undefined) {
			const placeholder = toPlaceholder(before);
			const insert = (text: string) => (text === placeholder ? url : text);
			const sent = mapTexts(job.request, insert) as SubmitRequest;
			return { job, outcome: await render({ ...job, sent }) };
		}
		// What is paid for is followed, whatever became of the shot before.
		if (ledger.find(job)) return { job, outcome: await render(job) };
		if (signal.aborted) return { job, outcome: { state: 'notSubmitted' } };
		const advice = stopsOnFailure ? RETRY : ANEW;
		const refusal = earlier?.refusal ?? toRefusal(before, earlier, advice);
		return { job, outcome: refusal, refusal };
	};
	return async (job: Job): Promise<End<Job>> => {
		const renderNow = async () => ({ job, outcome: await render(job) });
		const { before } = job.shot ?? {};
		const end = before === undefined ? renderNow() : renderAfter(job, before);
		if (job.shot) ends.set(job.itemIndex, end);
		return await end;
	};
}

/** Returns why the shots behind an item are not submitted. */
function toRefusal(itemIndex: number, end: End<ShotJob> | undefined, description: string): NoTask {
	const result = end && toItemResult(end.outcome, { ...end.job, timeOutFails: true });
	const isDone = end?.outcome.state === 'done';
	const why = isFailed(result)
		? lowerFirst(result.failure.message)
		: isDone
			? 'the service returned no last frame that can be used'
			: 'the item was not rendered';
	return {
		state: 'refused',
		trouble: {
			message: `its film stops at ${toItemName(itemIndex)}, because ${why}`,
			description,
			retryable: true,
		},
	};
}
