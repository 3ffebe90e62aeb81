import type { IDataObject } from 'n8n-workflow';

import type { Billed } from '../failure/failure';
import { isObject, isPositive, toObject, toText, valueAt, withoutGaps } from '../lib/json';
import type { Made } from '../lib/mediaType';
import { cutText } from '../lib/text';
import { toHttpUrl } from '../lib/url';
import {
	COST_PATHS,
	endOf,
	FAIL_CODE_PATHS,
	FAIL_CODE_WORDS,
	FILTER_PATHS,
	FLAG_STATUSES,
	ID_PATHS,
	LAST_FRAME_PATHS,
	OTHER_ID_PATHS,
	REASON_PATHS,
	ROOTS,
	STATES,
	STATUS_PATHS,
	type TaskStatus,
} from './answerPaths';
import type { Service } from './contract';
import { type Charge, type Cost, readCharge } from './cost';
import { findVideoUrl, readFiles, type TaskFiles } from './taskFiles';

/** A task as the contract describes it, whatever the service said, and whatever its model makes. */
export interface VideoTask extends TaskFiles {
	task_id: string;
	status: TaskStatus;
	/** 0 to 100. */
	progress: number;
	/** A picture of the last frame, if it was asked for; only if it parses as an http(s) URL. */
	last_frame_url?: string;
	/** How long the service keeps the file, if its pages say so. */
	file_kept_for?: string;
	fail_reason?: string;
	/** The last word for its state, if nobody knows it; it counts as IN_PROGRESS. */
	unknownStatus?: string;
	model?: string;
	/** What its model makes, as far as that was known at the submit. */
	makes?: Made;
	/**
	 * New API asks the vendor at each fetch of the record, so it is fetched seldom, and a FAILURE in it
	 * may be mere trouble with asking.
	 */
	hasLiveRecord?: boolean;
	/** The service's code for a failure. */
	fail_code?: string;
	/** It broke off at the vendor, and not over what was asked for. */
	broke?: true;
	/** It broke off with words that the service also has for a filter. */
	perhapsFiltered?: true;
	/** Whether a failed render is billed, if the service says so. */
	billed?: Billed;
	charge?: Charge;
	cost?: Cost;
}

/** Returns what people call what a task has made, or is to make. */
export const nameOf = ({ kind, makes }: Pick<VideoTask, 'kind' | 'makes'>): Made =>
	kind ?? makes ?? 'video';

/** A task of which at least its ID is known. */
export type KnownTask = Pick<VideoTask, 'task_id'> & Partial<VideoTask>;

/** A task as an answer tells it, and the answer itself without the files in it. */
export interface TaskAnswer<Task extends KnownTask = VideoTask> {
	task: Task;
	answer: unknown;
}

/** Returns whether a value is one of the contract's words, in their exact spelling. */
export const isStatus = (value: unknown): value is TaskStatus =>
	Object.keys(STATES).some((status) => status === value);

/** Returns the IDs of tasks in the answer to a submit; the first one is the submitted task's. */
export function readTaskIds(answer: unknown): string[] {
	const idsAt = (paths: string[]) =>
		paths.map((path) => toId(valueAt(answer, path))).filter((id) => id !== undefined);
	const ids = idsAt(ID_PATHS);
	const { code, error } = toObject(answer);
	const isRequest = (code ?? error ?? undefined) !== undefined;
	if (ids.length === 0 && !isRequest) ids.push(...idsAt(OTHER_ID_PATHS));
	if (ids.length === 0) ids.push(...findIds(answer));
	return [...new Set(ids)];
}

const MAX_LEVELS = 3;

/** Returns whether a refusal names a task, and not just its request. */
export const namesTask = (answer: unknown): boolean => findIds(answer).length > 0;

/** Returns the first ID from the top, wherever it stands: an ID that is paid for must not be lost. */
function findIds(answer: unknown): string[] {
	let level: unknown[] = [answer];
	for (let depth = 0; depth <= MAX_LEVELS; depth++) {
		const objects = level.flat().filter(isObject);
		for (const name of ['task_id', 'taskId', 'id']) {
			const id = objects.map((object) => toId(object[name])).find((one) => one !== undefined);
			if (id !== undefined) return [id];
		}
		level = objects.flatMap((object) => Object.values(object));
	}
	return [];
}

const toId = (value: unknown): string | undefined =>
	Number.isSafeInteger(value) && Number(value) > 0 ? String(value) : toText(value);

/**
 * Reads the answer to a poll. What is asked at a task's own address is that task's record, whatever ID
 * it names: LiteLLM encodes a video's ID anew in each answer.
 *
 * @param service if its models make more than videos
 * @returns `undefined` if the answer tells no state
 */
export function readTask(
	answer: unknown,
	task_id: string,
	{ output, recordAt }: Pick<Service, 'output' | 'recordAt'> = {},
): VideoTask | undefined {
	const roots = recordAt === undefined ? ROOTS : [recordAt];
	const record = roots
		.map((root) => toObject(valueAt(answer, root)))
		.find((one) => stateOf(one) !== undefined);
	if (!record) return undefined;
	const { status, unknownStatus } = stateOf(record)!;
	const places = [record, answer];
	const end = endOf(status);
	const isDone = end === 'done';
	const reason = end === 'failed' ? (findReason(places) ?? reasonInState(record)) : undefined;
	const model = toText(record.model) ?? toText(toObject(record.properties).origin_model_name);
	return withoutGaps<VideoTask>({
		task_id,
		status,
		progress: isDone ? 100 : readProgress(record.progress),
		model,
		// Only the form of a record for which New API asks Google has both fields.
		hasLiveRecord: ('format' in record && 'url' in record) || isLiveModel(model) || undefined,
		unknownStatus,
		...(!isDone
			? {}
			: output
				? readFiles(places, output(record))
				: { result_url: findVideoUrl(places) }),
		last_frame_url: isDone ? findUrl(places, LAST_FRAME_PATHS) : undefined,
		charge: isDone ? readCharge(record) : undefined,
		cost: isDone ? readCost(record) : undefined,
		fail_reason: reason ?? (end === 'failed' ? undefined : readFilter(places)),
		fail_code: end === 'failed' ? findFailCode(record, reason) : undefined,
	});
}

/** Returns why a filter has kept back the video of a task that is done. */
const readFilter = (places: unknown[]): string | undefined =>
	textsAt(places, FILTER_PATHS)[0] ??
	// xAI (vercel/ai 18801).
	(places.some((place) => valueAt(place, 'video.respect_moderation') === false)
		? 'content moderation'
		: undefined);

/** Returns the code of a failure: from its words, which another service may repeat, its field, or its state. */
function findFailCode(record: IDataObject, reason = ''): string | undefined {
	const [, inWords] = FAIL_CODE_WORDS.exec(reason) ?? [];
	const code = FAIL_CODE_PATHS.map((path) => toId(valueAt(record, path))).find(Boolean);
	return inWords ?? code ?? reasonInState(record);
}

/** Returns whether New API asks the vendor, Google, at each fetch of a record of this model. */
export const isLiveModel = (model = ''): boolean => /\bveo[-_]?\d/i.test(model);

/** Returns a state such as `aborted`, if it tells more than that the render has failed. */
function reasonInState(record: IDataObject): string | undefined {
	const word = STATUS_PATHS.map((path) => toText(record[path])).find(Boolean);
	return word && !/fail|error/i.test(word) ? word : undefined;
}

/** Returns the state in a record; a word that nobody knows is not final. */
function stateOf(record: IDataObject): Pick<VideoTask, 'status' | 'unknownStatus'> | undefined {
	const word = STATUS_PATHS.map((path) => toText(record[path])).find(Boolean);
	if (word !== undefined) {
		const plain = word.toLowerCase().replace(/[-_\s]/g, '');
		const states = Object.keys(STATES) as TaskStatus[];
		const status = states.find((one) => STATES[one].words.includes(plain));
		return status ? { status } : { status: 'IN_PROGRESS', unknownStatus: cutText(word, 60) };
	}
	const { successFlag, done, error } = record;
	if (typeof successFlag === 'number')
		return { status: FLAG_STATUSES[successFlag] ?? 'IN_PROGRESS' };
	if (typeof done !== 'boolean') return undefined;
	return { status: !done ? 'IN_PROGRESS' : error ? 'FAILURE' : 'SUCCESS' };
}

/** Returns what a record says that the render has cost. */
const readCost = (record: IDataObject): Cost | undefined =>
	Object.entries(COST_PATHS).flatMap(([path, unit]): Cost[] => {
		const value = valueAt(record, path);
		return isPositive(value) ? [{ value, unit, kind: 'final' }] : [];
	})[0];

/** Returns 0 to 100 of a number, or of a text with a percent sign. */
function readProgress(progress: unknown): number {
	const number = typeof progress === 'number' ? progress : parseFloat(toText(progress) ?? '');
	return Math.min(100, Math.max(0, Math.round(number))) || 0;
}

const findUrl = (places: unknown[], paths: string[]): string | undefined =>
	textsAt(places, paths).find((text) => toHttpUrl(text) !== undefined);

/** What a message says of a request that went well, and addresses, are no reasons. */
const NO_REASON = /^(succe(ss|ed)\w*|ok|https?:\/\/\S+)$/i;
/** A reason may repeat the picture that it is about. */
const MAX_FAIL_REASON_CHARS = 2_000;

function findReason(places: unknown[]): string | undefined {
	const reason = textsAt(places, REASON_PATHS).find((text) => !NO_REASON.test(text));
	return reason && cutText(reason, MAX_FAIL_REASON_CHARS);
}

/** Returns the texts at some paths, or the first of a list, of the first place before the second. */
const textsAt = (places: unknown[], paths: string[]): string[] =>
	places.flatMap((place) =>
		paths.flatMap((path) => toText([valueAt(place, path)].flat()[0]) ?? []),
	);
