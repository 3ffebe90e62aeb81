import type { IDataObject } from 'n8n-workflow';

import type { Family } from '../shared/family/family';
import { WITHOUT_LAST_FRAME } from '../shared/family/toRequest';
import { refuseOwnField, toPlace } from '../shared/item/carried';
import { toList } from '../shared/item/output';
import {
	createReader,
	findInputField,
	type Reader,
	refuseNothing,
	refuseWithoutField,
} from '../shared/item/reader';
import type { Run } from '../shared/item/run';
import { toItemName, wordsFor } from '../shared/item/words';
import { lowerFirst } from '../shared/lib/text';
import { isObject, mapTexts, toObject } from '../shared/lib/json';
import { giveWay } from '../shared/lib/time';
import type { SubmitRequest } from '../shared/service/submit';
import type { Ledger } from '../shared/task/ledger';
import { type Outcome, toItemResult } from '../shared/task/render';
import { refuseUnsent } from './pictures';
import type { Shot, VideoJob } from './job';
import { isFailure, type RefusedSubmit } from '../shared/service/reason';

/**
 * Returns the items that are shots of a film, each with its place and with the item of the shot before;
 * the first shot has none. Chain Shots of all items is read at once, because the shot before may be an item that
 * cannot be read otherwise.
 */
export async function findShots(run: Run): Promise<Map<number, Shot>> {
	const films = new Map<string, number[]>();
	const filmless: string[] = [];
	let reason = '';
	const { options } = run.parameters;
	// Most nodes chain nothing, and reading Options evaluates all its expressions.
	if (isObject(options) && options.film === undefined) return new Map();
	for (const itemIndex of run.items.keys()) {
		await giveWay(itemIndex);
		try {
			const group = readGroup(createReader(run, itemIndex), run);
			if (group === undefined) continue;
			const film = films.get(group) ?? [];
			film.push(itemIndex);
			films.set(group, film);
		} catch (error) {
			// It may be a shot of any film.
			filmless.push(toItemName(itemIndex));
			reason ||= (error as Error).message;
		}
	}
	const gap = reason && `the film of ${toList(filmless)} is not known: ${reason}`;
	const runId = `${run.context.getExecutionId()}.${run.runIndex}`;
	const shots = [...films].flatMap(([group, film]) =>
		film.map((itemIndex, i): [number, Shot] => {
			// No other run, as of a loop over batches, has shots of the same film.
			const shot_film = group === ALL_ITEMS ? runId : `${runId} ${group}`;
			const { error } = run.items[itemIndex].json;
			const place = (isObject(error) && toPlace(error)) || {
				...{ shot_number: i + 1, shot_count: film.length, shot_film },
			};
			return [itemIndex, { shotBefore: film[i - 1], place, gap }];
		}),
	);
	return new Map(shots);
}

/** Returns the value of Group By, which tells the film of an item; `undefined` if it is no shot. */
export function readGroup({ options }: Reader, { parameters }: Run): string | undefined {
	const read = options.group('film');
	const { film } = toObject(parameters.options);
	for (const name of ['chainShots', 'groupBy']) refuseNothing(read, name, toObject(film)[name]);
	if (!read.isSet('chainShots') && read.isSet('groupBy')) {
		const advice = 'Add Chain Shots to Film, or remove Group By.';
		refuseUnsent(read, 'Group By needs Chain Shots', advice);
	}
	if (!read.boolean('chainShots')) return undefined;
	if (!read.isSet('groupBy')) return ALL_ITEMS;
	refuseOwnField(read);
	return findInputField(read, 'groupBy') ?? refuseWithoutField(read, 'groupBy');
}

const ALL_ITEMS = '';

/** Returns the field that tells the film of a shot, so that Video Join can group by it, too. */
export function carryGroup({ options }: Reader, group?: string): IDataObject | undefined {
	return group ? { [options.group('film').text('groupBy')]: group } : undefined;
}

const IN_A_LOOP =
	'A shot can begin only when the one before it is ready. For a film that survives a restart, loop over the shots in the workflow, with Return Last Frame, and First Frame by URL: the last_frame_url of the pass before.';
/** Nobody can retry an execution that has gone on, and so succeeded. */
const NEW_EXECUTION =
	'To go on without paying for the whole film again, run the rest of it in a new execution, with First Frame by URL: the last_frame_url of its last finished shot.';

/** Refuses what cannot be a shot of a film. */
export function checkShot(
	{ choice, input, options }: Reader,
	{ shotBefore }: Shot,
	model: string,
	family: Family | undefined,
	pictures: Array<{ role: string; read: Reader }>,
): void {
	const refuse = (message: string, advice: string) => refuseUnsent(options, message, advice);
	if (choice('wait') !== 'inProcess') {
		refuse('Chain Shots works with Wait: In Process alone', IN_A_LOOP);
	}
	if (!family?.settings(model).returnLastFrame?.at) {
		const [whose, advice] = family
			? [`${family.label} models return no last frame`, WITHOUT_LAST_FRAME]
			: [`the family of "${model.slice(0, 200)}" is not known`, 'Or set Model Family.'];
		refuse(`Chain Shots is not possible: ${whose}`, `Choose a Seedance model. ${advice}`);
	}
	if (isObject(input.json.error)) {
		refuse('Chain Shots: a shot that has failed cannot come back by itself', NEW_EXECUTION);
	}
	const reference = pictures.find(({ role }) => role === 'reference');
	if (shotBefore !== undefined && reference) {
		const message = 'A shot that begins with a last frame takes no reference images';
		const advice = 'Give reference images to the first shot of a film alone, or remove this row.';
		refuseUnsent(reference.read, message, advice);
	}
}

/** Returns what stands for the first frame until its address is known. */
export const toPlaceholder = (shotBefore: number) => `last frame of ${toItemName(shotBefore)}`;

/**
 * Returns jobs, in the order of the items, with the shot before as the ledger knows it. What follows a
 * shot that is still to be submitted is another video than any before.
 */
export function followLedger(ledger: Ledger, jobs: VideoJob[]): VideoJob[] {
	const taskIds = new Map<number, string>();
	return jobs.map((job) => {
		if (!job.shot) return job;
		const { shotBefore } = job.shot;
		const placed = shotBefore === undefined ? job : placeAfter(job, taskIds.get(shotBefore));
		const task = ledger.find(placed)?.task;
		if (task) taskIds.set(job.itemIndex, task.task_id);
		return placed;
	});
}

/** Returns a shot as the one that follows the task of the shot before, if that has one. */
const placeAfter = (job: VideoJob, task_id = ''): VideoJob => ({ ...job, after: task_id });

/** How a job ended, and the job as it was rendered. */
interface JobEnd {
	job: VideoJob;
	outcome: Outcome;
	/** Why it was not submitted, if a shot before it has no last frame. */
	refusal?: RefusedSubmit;
}

/**
 * Returns what renders the shots of films, each once the one before is ready. It must be called in the
 * order of the items.
 */
export function createChain(
	{ signal, redaction, stopsOnFailure }: Run,
	ledger: Ledger,
	render: (job: VideoJob) => Promise<Outcome>,
) {
	const ends = new Map<number, Promise<JobEnd>>();
	const renderShot = async (wanted: VideoJob): Promise<JobEnd> => {
		const shotBefore = wanted.shot?.shotBefore;
		if (shotBefore === undefined) return { job: wanted, outcome: await render(wanted) };
		const earlier = await ends.get(shotBefore)?.catch(() => undefined);
		const outcome = earlier?.outcome;
		const ended = outcome && !isFailure(outcome) ? outcome : undefined;
		const task = ended?.render.task;
		const url = ended?.state === 'done' ? task?.last_frame_url : undefined;
		// Without a task there is none that an earlier execution could have gone on from.
		const job = placeAfter(wanted, task?.task_id);
		// The service passes the address on to the vendor, who must not learn the API key.
		if (url !== undefined && redaction.redact(url) === url) {
			const placeholder = toPlaceholder(shotBefore);
			const insert = (text: string) => (text === placeholder ? url : text);
			const begin = <Rest extends Pick<VideoJob, 'requestFor'>>(rest: Rest): Rest => ({
				...rest,
				requestFor: (...args) => mapTexts(rest.requestFor(...args), insert) as SubmitRequest,
			});
			const { readRest } = job;
			const later = readRest && { readRest: async () => begin(await readRest()) };
			return { job, outcome: await render({ ...begin(job), ...later }) };
		}
		// What is paid for is followed, whatever became of the shot before.
		if (ledger.find(job)) return { job, outcome: await render(job) };
		if (signal.aborted) return { job, outcome: undefined };
		const refusal = earlier?.refusal ?? refuseBehind(shotBefore, earlier, stopsOnFailure);
		return { job, outcome: refusal, refusal };
	};
	return async (job: VideoJob): Promise<JobEnd> => {
		const end = renderShot(job);
		ends.set(job.itemIndex, end);
		return await end;
	};
}

/** Returns why the shots behind an item are not submitted. */
function refuseBehind(
	itemIndex: number,
	end: JobEnd | undefined,
	mayRetry: boolean,
): RefusedSubmit {
	const result = end && toItemResult(end.outcome, { ...end.job, timeOutFails: true });
	const behind = isFailure(result) ? result : undefined;
	const reason = result
		? 'the service returned no last frame that can be used'
		: 'the item was not rendered';
	return {
		kind: 'refused',
		message: `its film stops at ${toItemName(itemIndex)}, because ${behind ? lowerFirst(wordsFor(behind).message) : reason}`,
		passes: true,
		description: mayRetry ? undefined : NEW_EXECUTION,
	};
}
