import type { IDataObject } from 'n8n-workflow';

import { type Failure, isFailure, submitRefused } from '../shared/failure/failure';
import { isObject, mapTexts } from '../shared/lib/json';
import { lowerFirst, toItemName } from '../shared/lib/text';
import type { Family } from '../shared/models/takes';
import {
	createReader,
	findInputField,
	type Reader,
	refuseWithoutField,
} from '../shared/n8n/reader';
import type { Run } from '../shared/n8n/run';
import type { VideoRequest } from '../shared/services/submit';
import type { Ledger } from '../shared/task/ledger';
import { type Outcome, toItemResult } from '../shared/task/render';
import type { Shot, VideoJob } from './job';
import { refuseUnsent } from './pictures';

// Chain Shots: each item begins with the last frame of the one before, and the first failure ends the film.

/**
 * Returns the items that are shots, by their index. All are looked through at once, because the shot before
 * may be an item that cannot be read otherwise. One whose film cannot be read is none: it fails by itself.
 */
export function findShots(run: Run): Map<number, Shot> {
	const films = new Map<string, number[]>();
	const { options } = run.parameters;
	// Most nodes chain nothing, and reading Options evaluates all its expressions.
	const isUnset = ({ chainShots, groupBy }: IDataObject) => (chainShots ?? groupBy) === undefined;
	if (isObject(options) && isUnset(options)) return new Map();
	for (const itemIndex of run.items.keys()) {
		try {
			const film = readFilm(createReader(run, itemIndex));
			if (film === undefined) continue;
			films.set(film, films.get(film) ?? []);
			films.get(film)!.push(itemIndex);
		} catch {
			// It is thrown again when the item is read.
		}
	}
	const shots = [...films.values()].flatMap((film) =>
		film.map((itemIndex, i): [number, Shot] => {
			const place = { shot_number: i + 1, shot_count: film.length };
			return [itemIndex, { shotBefore: film[i - 1], place }];
		}),
	);
	return new Map(shots);
}

/** Returns what tells the film of an item: the value of Group By; `undefined` if it is no shot. */
export function readFilm({ options: read }: Reader): string | undefined {
	const isGrouped = read.isSet('groupBy');
	const isShot = read.isSet('chainShots') ? read.boolean('chainShots') : isGrouped;
	if (!isShot || !isGrouped) return isShot ? '' : undefined;
	return findInputField(read, 'groupBy') ?? refuseWithoutField(read, 'groupBy');
}

const IN_A_LOOP =
	'A shot can begin only when the one before it is ready. For a film that survives a restart, loop over the shots in the workflow, with Return Last Frame, and First Frame by URL: the last_frame_url of the pass before.';
/** Nobody can retry an execution that has gone on, and so succeeded. */
const NEW_EXECUTION =
	'To go on without paying for the whole film again, run the rest of it in a new execution, with First Frame by URL: the last_frame_url of its last finished shot.';

const CHOOSE_SEEDANCE =
	'Choose a Seedance model of New API. If the gateway has another name for it, set Model Family. With another service, turn Chain Shots off.';

/** Refuses what cannot be a shot of a film. */
export function checkShot(read: Reader, family: Family | undefined): void {
	const refuse = (message: string, advice: string) => refuseUnsent(read.options, message, advice);
	if (read.choice('wait') !== 'inProcess') {
		refuse('Chain Shots works with Wait: In Process alone', IN_A_LOOP);
	}
	if (!family?.fields.returnLastFrame) {
		refuse('Chain Shots is not possible: no last frame comes back', CHOOSE_SEEDANCE);
	}
	// Alone, it would be the first shot of a film of its own.
	if (isObject(read.input.json.error)) {
		refuse('Chain Shots: a shot that has failed cannot come back by itself', NEW_EXECUTION);
	}
}

/** Returns what stands for the first frame until its address is known. */
export const toPlaceholder = (shotBefore: number) => `last frame of ${toItemName(shotBefore)}`;

/**
 * Returns jobs, in the order of the items, with the task of the shot before as far as the ledger knows it.
 * What follows no task is another video than any before.
 */
export function followLedger(ledger: Ledger, jobs: VideoJob[]): VideoJob[] {
	const taskIds = new Map<number, string | undefined>();
	return jobs.map((job) => {
		const { shotBefore } = job.shot ?? {};
		const placed =
			shotBefore === undefined ? job : { ...job, after: taskIds.get(shotBefore) ?? '' };
		taskIds.set(job.itemIndex, ledger.find(placed)?.task?.task_id);
		return placed;
	});
}

/** How a shot ended. */
interface ShotEnd {
	outcome: Outcome;
	/** Why no shot behind it is submitted, if one before it has ended the film. */
	stop?: Failure;
}

/**
 * Returns what renders a job; a shot once the one before it is ready. It must be called in the order of the
 * items.
 */
export function createChain(
	{ signal, stopsOnFailure }: Pick<Run, 'signal' | 'stopsOnFailure'>,
	ledger: Ledger,
	render: (job: VideoJob) => Promise<Outcome>,
) {
	const ends = new Map<number, Promise<ShotEnd>>();
	const renderBehind = async (wanted: VideoJob, shotBefore: number): Promise<ShotEnd> => {
		const before = await ends.get(shotBefore)?.catch(() => undefined);
		const ended = before && !isFailure(before.outcome) ? before.outcome : undefined;
		const task = ended?.render.task;
		const job = { ...wanted, after: task?.task_id ?? '' };
		if (ended?.state === 'done' && task?.last_frame_url !== undefined) {
			const begun = { ...job, beginsWith: task.last_frame_url };
			const request = job.request && beginWith(begun, job.request);
			return { outcome: await render({ ...begun, request }) };
		}
		// What is paid for is followed, whatever became of the shot before.
		if (ledger.find(job)) return { outcome: await render(job) };
		if (signal.aborted) return { outcome: undefined };
		const stop = before?.stop ?? toStop(shotBefore, before?.outcome, job, stopsOnFailure);
		return { outcome: stop, stop };
	};
	return async (job: VideoJob): Promise<Outcome> => {
		const { shotBefore } = job.shot ?? {};
		const end =
			shotBefore === undefined
				? render(job).then((outcome) => ({ outcome }))
				: renderBehind(job, shotBefore);
		ends.set(job.itemIndex, end);
		return (await end).outcome;
	};
}

/** Returns a request with the address of the first frame in the place of what stands for it. */
export function beginWith(
	{ shot, beginsWith }: Pick<VideoJob, 'shot' | 'beginsWith'>,
	request: VideoRequest,
): VideoRequest {
	if (beginsWith === undefined) return request;
	const placeholder = toPlaceholder(shot!.shotBefore!);
	const fillIn = (text: string) => (text === placeholder ? beginsWith : text);
	return mapTexts(request, fillIn) as unknown as VideoRequest;
}

/** Returns why the shots behind an item are not submitted. */
function toStop(itemIndex: number, outcome: Outcome, job: VideoJob, mayRetry: boolean): Failure {
	const result = toItemResult(outcome, { ...job, timeOutFails: true });
	const reason = isFailure(result)
		? `, because ${lowerFirst(result.message)}`
		: ', which has no last frame';
	return submitRefused({
		message: `its film stops at ${toItemName(itemIndex)}${reason}`,
		description: mayRetry ? undefined : NEW_EXECUTION,
		passes: mayRetry,
	});
}
