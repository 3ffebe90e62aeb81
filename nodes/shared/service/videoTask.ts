import type { IDataObject } from 'n8n-workflow';

import { toObject, toObjects, toText, withoutGaps } from '../lib/json';
import { startOf } from '../lib/text';
import {
	findAddress,
	findAnyAddress,
	findOwnAddress,
	findStatus,
	hasStatus,
	holdsVideo,
	isOfRequest,
	isSameTask,
	objectsAround,
	objectsIn,
	openTexts,
	statusOf,
} from './answerReader';
import {
	DONE_FIELD,
	ENVELOPES,
	FILTER_SIGNS,
	LIKE_ID,
	MESSAGE_FIELDS,
	OPERATION,
	OPERATION_FIELD,
	OTHER_ID_FIELDS,
	REASON_FIELDS,
	REQUEST_ID_FIELDS,
	TASK_ID_FIELDS,
	TASK_STATUSES,
	TEXT_ID_FIELDS,
	type TaskStatus,
} from './answerTable';
import { readCharge, type Charge, type Cost } from './cost';
import { toHttpUrl } from './credential';
import type { RouteName } from './routes';
import {
	findError,
	saysAnything,
	isOfFilter,
	meansSuccess,
	readReasonIn,
	type Statement,
	toReason,
} from './serviceWords';

/** Returns the state that a word means; a word that is not known to be final is not final. */
export const readStatus = (word: string): TaskStatus => findStatus(word) ?? 'IN_PROGRESS';

/** Returns whether a value is one of the contract's words, in their exact spelling. */
export const isStatus = (value: unknown): value is TaskStatus =>
	TASK_STATUSES.some((status) => status === value);

export const isFinal = (status: TaskStatus) => status === 'SUCCESS' || status === 'FAILURE';

/** Matches what programs write if they have no ID, and dots, which would change an address's path. */
const NO_ID = /^(0|nan|none|null|undefined|\.{1,2})$/i;

/** Returns an ID as text, also one that is a number; `undefined` for 0 and others that mean none. */
export function toId(value: unknown): string | undefined {
	const text = Number.isSafeInteger(value) && Number(value) > 0 ? String(value) : toText(value);
	return text === undefined || NO_ID.test(text) ? undefined : text;
}

/** Returns the IDs that an object has under some names, in whatever case these are written. */
function idsOf(object: IDataObject, names: string[]): string[] {
	const fields = new Map(Object.entries(object).map(([name, id]) => [name.toLowerCase(), id]));
	return names
		.map((name) => toId(object[name] ?? fields.get(name.toLowerCase())))
		.filter((id) => id !== undefined);
}

/**
 * Returns the IDs of tasks in the answer to a submit, the submitted one first. The names `task_id`
 * and `taskId` win. Without them, the IDs are the `id` of records, or else of objects with the name
 * `task`, or else of those inside an envelope, whose own `id` may be that of the request. Without
 * any, they have other names.
 */
export function readTaskIds(received: unknown): string[] {
	const answer = openTexts(received);
	const objects = objectsIn(answer);
	const own = objects.flatMap((object) => idsOf(object, TASK_ID_FIELDS).slice(0, 1));
	if (own.length > 0) return [...new Set(own)];
	const possible = objects.filter(mayBeTask);
	const named = possible.filter((object) => idsOf(object, ['id']).length > 0);
	const tasks = tasksIn(objects);
	const kinds = [
		named.filter(isRecord),
		named.filter((object) => tasks.has(object)),
		named.filter((object) => object !== answer),
		named,
	];
	const found = kinds.find(({ length }) => length > 0) ?? [];
	const ids = found.flatMap((object) => idsOf(object, ['id']));
	if (ids.length > 0) return [...new Set(ids)];
	const others = possible.flatMap((one) => otherIdOf(one, answer));
	return [...new Set(others.length > 0 ? others : textIdsOf(answer))];
}

/** Returns IDs that stand in an answer as its data, and not in a field of their own. */
function textIdsOf(answer: unknown): string[] {
	const envelope = toObject(answer);
	if (!mayBeTask(envelope)) return [];
	const texts = TEXT_ID_FIELDS.flatMap((name) => envelope[name]).filter(
		(one) => typeof one === 'string' && LIKE_ID.test(one),
	);
	return texts.map(toId).filter((id) => id !== undefined);
}

/** Returns a task's ID under a name that few services use, in a list that is empty without one. */
function otherIdOf(object: IDataObject, answer: unknown): string[] {
	// Those who number their requests do so in their envelopes, which have a code.
	const isTasks = isRecord(object) || (object === answer && !('code' in object));
	const names = [...OTHER_ID_FIELDS, ...(isTasks ? REQUEST_ID_FIELDS : [])];
	return idsOf(object, names).slice(0, 1);
}

/** Returns what stands under the name `task` or `tasks`. */
const tasksIn = (objects: IDataObject[]) =>
	new Set<unknown>(objects.flatMap(({ task, tasks }) => [task, tasks].flat()));

/** Returns the ID of a task in an answer that says no: the task exists all the same. */
export function findRecordId(answer: unknown): string | undefined {
	const objects = objectsIn(openTexts(answer));
	const tasks = tasksIn(objects);
	const records = objects.filter((one) => isRecord(one) || tasks.has(one));
	return records.flatMap((one) => idsOf(one, ['id', ...OTHER_ID_FIELDS]))[0];
}

/** Returns whether an object says how far its task is; an envelope says how the request went. */
function isRecord(object: IDataObject): boolean {
	const word = statusOf(object);
	const saysHowFar = word !== undefined && !isOfRequest(word);
	return saysHowFar || object.progress !== undefined || object.object === 'video';
}

/** Returns whether the ID may be a task's, and not that of a refusal, for example. */
function mayBeTask(object: IDataObject): boolean {
	const { code } = object;
	const error = findError(object);
	const words = error ? !meansSuccess(error.code) && error.message : object.error;
	const isCoded = code !== undefined && code !== null && code !== '';
	const saysNo = toText(words) !== undefined || (isCoded && !meansSuccess(code));
	const isOther =
		typeof object.object === 'string' &&
		!/video|task|job|generation|prediction/i.test(object.object);
	return !isOther && (!saysNo || isRecord(object));
}

/** A task as the contract describes it, whatever the deployment said. */
export interface VideoTask {
	task_id: string;
	status: TaskStatus;
	/** 0 to 100. */
	progress: number;
	/** Only if it parses as an http(s) URL. */
	result_url?: string;
	/** What looks like its address, in a record that has none in the places that are known. */
	likely_url?: string;
	/** `result_url` only looks like the video's: no place that is known has one. */
	isUrlGuessed?: boolean;
	/** `result_url` is the documented address, which does not give the file yet. */
	isFileUnsure?: boolean;
	/** A picture of the last frame, if it was asked for; only if it parses as an http(s) URL. */
	last_frame_url?: string;
	fail_reason?: string;
	/** The last word for its state, if nobody knows that word; it counts as IN_PROGRESS. */
	unknownStatus?: string;
	/** Why a task that has ended has no video, as far as its record says it. */
	noVideo?: NoVideo;
	model?: string;
	/**
	 * The gateway asks the vendor at each fetch of the record, so `createFetch` fetches it seldom. A
	 * FAILURE in it may be mere trouble with asking, and a SUCCESS that of a video which the vendor's
	 * filter has removed.
	 */
	hasLiveRecord?: boolean;
	/** Nothing in the record says that it is this task's, so it may be about another one, or a request. */
	isUnnamed?: boolean;
	/** The route on which the service told of it. */
	route?: RouteName;
	charge?: Charge;
	cost?: Cost;
}

/** `inRecord`: the video is in the record itself, as base64. `filtered`: a filter kept it back. */
interface NoVideo {
	why: 'inRecord' | 'filtered';
	/** The service's own words. */
	words?: string;
	/** Only words say so, of a task that is done: its file may still come. */
	isUnsure?: boolean;
}

/** Reads the answer to a poll, in any envelope; returns `undefined` if it holds no task record. */
export function readTask(received: unknown, task_id: string): VideoTask | undefined {
	const answer = openTexts(received);
	const record = findRecord(answer, task_id) ?? findStateless(answer, task_id);
	if (!record) return undefined;
	const word = stateOf(record, task_id) ?? 'done';
	const status = readStatus(word);
	const isDone = status === 'SUCCESS';
	const isFiltered = isDone && objectsIn(record).some(tellsOfFilter);
	const mayHaveUrl = isDone && !isFiltered;
	const known = mayHaveUrl ? readVideoUrl(record, answer, task_id) : undefined;
	const result_url = known ?? (mayHaveUrl ? guessVideoUrl(record, task_id) : undefined);
	const hasFailed = status === 'FAILURE';
	const why = hasFailed || (isDone && !result_url) ? readReason(record, answer, hasFailed) : {};
	const isState = hasFailed && isOfFilter({ words: word, code: word });
	const code = isFiltered ? FILTERED_CODE : why.code;
	const noVideo: NoVideo | undefined = isState
		? { why: 'filtered', words: why.words ?? word }
		: readNoVideo(record, { ...why, code }, isDone && !result_url);
	return withoutGaps<VideoTask>({
		task_id,
		status,
		progress: readProgress(record.progress, status),
		model: toText(record.model) ?? toText(toObject(record.properties).origin_model_name),
		// Only the records for which a deployment asks the vendor at each poll (Veo) have both fields.
		hasLiveRecord: ('format' in record && 'url' in record) || undefined,
		isUnnamed:
			![record, ...objectsAround(answer, record)].some((one) => isOf(one, task_id)) || undefined,
		unknownStatus: findStatus(word) ? undefined : startOf(word, MAX_WORD_CHARS),
		result_url,
		isUrlGuessed: (result_url !== undefined && known === undefined) || undefined,
		noVideo,
		last_frame_url: isDone ? readLastFrameUrl(record) : undefined,
		charge: isDone ? readCharge(record) : undefined,
		fail_reason: hasFailed ? (why.words ?? noVideo?.words) : undefined,
	});
}

const MAX_WORD_CHARS = 60;

/**
 * Returns a state in words. An operation of Google's has `done` instead, and is known by its `name`
 * before that is there.
 */
function stateOf(object: IDataObject, task_id: string): string | undefined {
	const word = statusOf(object);
	const { [DONE_FIELD]: done, [OPERATION_FIELD]: name, error } = object;
	if (word !== undefined) return word;
	if (done === true) return saysAnything(error) ? 'failed' : 'done';
	const isOperation = typeof name === 'string' && (name === task_id || OPERATION.test(name));
	return done === false || isOperation ? 'running' : undefined;
}

/**
 * Returns the object with a state. Some envelopes have one of their own, and some records contain the
 * vendor's. So one with the task's ID wins. Another is believed only if nothing says that it is of
 * another task, or one of many: then one with a row's number, one that tells of a render, or an inner
 * one. An ID in a foreign form is another task's: a video could be somebody else's. Without the task's
 * ID, a word that may be about the request says nothing.
 */
function findRecord(answer: unknown, task_id: string): IDataObject | undefined {
	const found = findState(answer, task_id);
	if (!found) return undefined;
	const record = innerOf(found, task_id);
	const isOurs = [record, ...objectsAround(answer, record)].some((one) => isOf(one, task_id));
	const tells = isTelling(record, task_id) || holdsVideo(record);
	const hasUrl = () => readVideoUrl(record, answer, task_id) ?? guessVideoUrl(record, task_id);
	return isOurs || tells || hasUrl() ? record : undefined;
}

/** Returns the object of a task that has its video and names no state at all: it is done. */
function findStateless(answer: unknown, task_id: string): IDataObject | undefined {
	const objects = objectsIn(answer);
	const isOpen = ({ progress = 100, ...one }: IDataObject) =>
		hasStatus(one) ||
		DONE_FIELD in one ||
		!mayBeTask(one) ||
		readProgress(progress, 'queued') < 100;
	if (objects.some(isOpen)) return undefined;
	const isAsked = toAsked(task_id);
	return objects.find((one) => {
		const url = isOf(one, task_id) ? findAddress(one, undefined, isAsked) : undefined;
		return url !== undefined && !isAsked(url);
	});
}

/** Returns a function that tells whether an address is the one of the task's record, or its page. */
const toAsked = (task_id: string) => (url: string) =>
	toHttpUrl(url)?.pathname.endsWith(`/${encodeURIComponent(task_id)}`) ?? false;

function findState(answer: unknown, task_id: string): IDataObject | undefined {
	const objects = objectsIn(answer);
	const records = objects.filter((object) => stateOf(object, task_id) !== undefined);
	const named =
		records.find((object) => namesOf(object).includes(task_id)) ??
		records.find((object) => isOf(object, task_id));
	if (named) return named;
	const lists = [answer, ...objects.flatMap((one) => ENVELOPES.map((name) => one[name]))];
	const listed = new Set(lists.flatMap(toObjects));
	const isForeign = (one: IDataObject) => isOthers(one, task_id, listed.has(one));
	const free = records.filter((object) => !isForeign(object));
	if (free.filter((one) => listed.has(one)).length > 1) return undefined;
	const telling = free.find((object) => isTelling(object, task_id));
	if (objects.some(isForeign)) {
		// The vendor's own record, inside of one that tells of itself.
		return telling && objectsIn(telling).some(isForeign) ? telling : undefined;
	}
	const numbered = free.find((object) => namesOf(object).length > 0);
	return numbered ?? telling ?? free.find((object) => object !== answer) ?? free[0];
}

/** Returns whether an object tells of a render, and not of a request alone. */
const isTelling = (object: IDataObject, task_id: string): boolean =>
	isRecord(object) ||
	!isOfRequest(stateOf(object, task_id) ?? 'ok') ||
	object.done === true ||
	findOwnAddress(object) !== undefined;

/** Returns the state inside of an object whose own tells of a request alone; one that goes on wins. */
function innerOf(object: IDataObject, task_id: string): IDataObject {
	if (isTelling(object, task_id)) return object;
	const all = objectsIn(object).filter(
		(one) => one !== object && stateOf(one, task_id) !== undefined,
	);
	const named = all.filter((one) => isOf(one, task_id));
	const inner = named.length > 0 ? named : all;
	const goesOn = inner.find((one) => !isFinal(readStatus(stateOf(one, task_id)!)));
	return goesOn ?? inner.find((one) => isTelling(one, task_id)) ?? object;
}

/** Returns the IDs of an object's task. Of an answer with a code, `request_id` is of the request. */
const namesOf = (object: IDataObject): string[] =>
	idsOf(object, [
		...TASK_ID_FIELDS,
		'id',
		...OTHER_ID_FIELDS,
		...('code' in object ? [] : REQUEST_ID_FIELDS),
	]);

const isNumber = (id: string) => /^\d+$/.test(id);

const isOf = (object: IDataObject, task_id: string): boolean =>
	object[OPERATION_FIELD] === task_id || namesOf(object).some((id) => isSameTask(id, task_id));

/**
 * Returns whether an object is of another task. The number of a row says so only in a list, or if this
 * task has a number, too; the other names only beside a state, because files and requests have them.
 */
function isOthers(object: IDataObject, task_id: string, isListed: boolean): boolean {
	if (isOf(object, task_id)) return false;
	const isRow = (id: string) => isNumber(id) && !isNumber(task_id) && !isListed;
	const word = stateOf(object, task_id);
	const isAround = word !== undefined && isOfRequest(word) && hasInner(object, task_id);
	const hasOwn = word !== undefined && !isAround;
	const named = idsOf(object, TASK_ID_FIELDS);
	return named.length > 0 || (hasOwn && namesOf(object).some((id) => !isRow(id)));
}

const hasInner = (object: IDataObject, task_id: string): boolean =>
	objectsIn(object).some((one) => one !== object && stateOf(one, task_id) !== undefined);

/** Returns 0 to 100 from a text with a percent sign, a number, or nothing. A part of 1 has a dot. */
function readProgress(progress: unknown, status: TaskStatus): number {
	if (status === 'SUCCESS') return 100;
	const text = ['string', 'number'].includes(typeof progress) ? String(progress).trim() : '';
	const number = parseFloat(text) * (/^(0?\.\d+|1\.0+)$/.test(text) ? 100 : 1);
	return Math.min(100, Math.max(0, Math.round(number))) || 0;
}

/** Returns what tells whether an object in a record may be about its video. */
function toOurs(record: IDataObject, task_id: string): (object: IDataObject) => boolean {
	// In a record with the task's ID, all others are those of its vendor, but for those in a list.
	const isSure = isOf(record, task_id);
	const listed = new Set<unknown>(
		objectsIn(record).flatMap((one) => Object.values(one).filter(Array.isArray).flat()),
	);
	const hasOwn = [...listed].some((one) => isOf(toObject(one), task_id));
	const idsIn = (one: IDataObject) => (hasOwn ? namesOf(one) : idsOf(one, TASK_ID_FIELDS));
	const isOthersTask = (one: IDataObject) =>
		listed.has(one) && !isOf(one, task_id) && idsIn(one).length > 0;
	return (one) => (isSure ? !isOthersTask(one) : !isOthers(one, task_id, true));
}

/** Returns the video's address: in the record or below it, or else beside it in an envelope. */
function readVideoUrl(record: IDataObject, answer: unknown, task_id: string): string | undefined {
	const isLast = toAsked(task_id);
	const inside = findAddress(record, toOurs(record, task_id), isLast);
	const isFree = (one: IDataObject) =>
		stateOf(one, task_id) === undefined && namesOf(one).length === 0;
	const around = objectsAround(answer, record).map((one) => findAddress(one, isFree, isLast));
	return [inside, ...around].find((url) => url !== undefined);
}

const guessVideoUrl = (record: IDataObject, task_id: string): string | undefined =>
	findAnyAddress(record, toOurs(record, task_id));

/** Returns the video's address in an answer to a task's address, which may be about another task. */
export function findVideo(answer: unknown, task_id: string): string | undefined {
	const wordOf = (id: string) => /^[a-z]+[-_]/i.exec(id)?.[0];
	const isAnother = (id: string) =>
		wordOf(id) !== undefined && wordOf(id) === wordOf(task_id) && !isSameTask(id, task_id);
	// The ID of a file looks unlike a task's.
	const mayTell = (one: IDataObject) =>
		!isOthers(one, task_id, true) && !idsOf(one, ['id']).some(isAnother);
	return findAddress(toObjects([answer].flat()).filter(mayTell), mayTell);
}

const FILTERED_CODE = 'moderation_blocked';

/** Returns whether a part of a record says that a filter kept the video back: the whole one, not one of many. */
const tellsOfFilter = (object: IDataObject): boolean =>
	FILTER_SIGNS.some(([field, says]) => says(object[field])) &&
	(object.respect_moderation === false || findAddress(object) === undefined);

/** Returns why there is no video; `undefined` if the record does not say it. */
function readNoVideo(
	record: IDataObject,
	{ words, code }: Statement,
	isDone: boolean,
): NoVideo | undefined {
	if (isOfFilter({ words, code })) {
		const isUnsure = isDone && !isOfFilter({ code });
		return { why: 'filtered', words: words ?? code, ...(isUnsure && { isUnsure }) };
	}
	return isDone && holdsVideo(record) ? { why: 'inRecord' } : undefined;
}

/** Returns the last frame's URL, which the gateway passes on in the vendor's own answer (Seedance). */
const readLastFrameUrl = (record: IDataObject): string | undefined =>
	objectsIn(record)
		.flatMap(({ last_frame_url, content }) => [last_frame_url, toObject(content).last_frame_url])
		.map(toText)
		.find((text) => toHttpUrl(text) !== undefined);

/**
 * Returns why a task failed, or has no video: in its record, in what the vendor said, or around it.
 * Some deployments say it where the address would be. Messages may be about other things than a failure.
 */
function readReason(record: IDataObject, answer: unknown, hasFailed: boolean): Statement {
	const places = [...objectsIn(record), ...objectsAround(answer, record)];
	const names = hasFailed ? [...REASON_FIELDS, ...MESSAGE_FIELDS] : REASON_FIELDS;
	const statements = places.map((one) => readReasonIn(one, names));
	const { result_url, url } = hasFailed ? record : {};
	const instead = [result_url, url].map((value) => ({ words: toReason(value) }));
	const all: Statement[] = [...statements, ...instead];
	const words = all.find((one) => one.words !== undefined)?.words;
	return { words, code: all.find(({ code }) => code !== undefined)?.code };
}
