import type { IDataObject } from 'n8n-workflow';

import { toObject, toObjects, toText, withoutGaps } from '../lib/json';
import {
	findAddress,
	findAnyAddress,
	findStatus,
	holdsVideo,
	isOfRequest,
	objectsAround,
	objectsIn,
	openTexts,
	statusOf,
} from './answerReader';
import {
	DONE_FIELD,
	ENVELOPES,
	FILTER_SIGNS,
	FLAG_FIELD,
	FLAG_WORDS,
	MESSAGE_FIELDS,
	OPERATION,
	OPERATION_FIELD,
	REASON_FIELDS,
	REQUEST_ID_FIELDS,
	TASK_ID_FIELDS,
	TASK_STATUSES,
	type TaskStatus,
} from './answerTable';
import { readCharge, type Charge, type Cost } from './cost';
import { toHttpUrl } from './credential';
import type { RouteName } from './routes';
import {
	errorIn,
	isOfFilter,
	meansSuccess,
	readReasonIn,
	saysAnything,
	type Statement,
	toReason,
} from './serviceWords';
import { idsOf, isRecord, isSameTask, taskIdsOf } from './taskIds';

/** Returns the state that a word means; a word that is not known to be final is not final. */
export const readStatus = (word: string): TaskStatus => findStatus(word) ?? 'IN_PROGRESS';

/** Returns whether a value is one of the contract's words, in their exact spelling. */
export const isStatus = (value: unknown): value is TaskStatus =>
	TASK_STATUSES.some((status) => status === value);

export const isFinal = (status: TaskStatus) => status === 'SUCCESS' || status === 'FAILURE';

/** A task as the contract describes it, whatever the deployment said. */
export interface VideoTask {
	task_id: string;
	status: TaskStatus;
	/** 0 to 100. */
	progress: number;
	/** Only if it parses as an http(s) URL. */
	result_url?: string;
	/** `result_url` only looks like the video's: no place that is known has one. */
	isUrlGuessed?: boolean;
	/** `result_url` is the documented address, which does not give the file yet. */
	isFileUnsure?: boolean;
	/** A picture of the last frame, if it was asked for; only if it parses as an http(s) URL. */
	last_frame_url?: string;
	fail_reason?: string;
	/** The last word for its state, if it is one and nobody knows it; it counts as IN_PROGRESS. */
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
	const record = findRecord(answer, task_id);
	if (!record) return undefined;
	const word = stateOf(record, task_id)!;
	const status = readStatus(word);
	const isDone = status === 'SUCCESS';
	const isFiltered = isDone && tellsOfFilter(record);
	const video = isDone && !isFiltered ? readVideoUrl(record, answer, task_id) : {};
	const lacksVideo = isDone && !video.result_url;
	const hasFailed = status === 'FAILURE';
	const why = hasFailed || lacksVideo ? readReason(record, answer, hasFailed) : {};
	const isState = hasFailed && isOfFilter({ words: word, code: word });
	const code = isFiltered ? FILTERED_CODE : why.code;
	const model = toText(record.model) ?? toText(toObject(record.properties).origin_model_name);
	const noVideo: NoVideo | undefined = isState
		? { why: 'filtered', words: why.words ?? word }
		: readNoVideo(record, { ...why, code }, lacksVideo);
	return withoutGaps<VideoTask>({
		task_id,
		status,
		progress: readProgress(record.progress, status),
		model,
		// New API asks Google at each poll, and only one of its forms of a record has both fields.
		hasLiveRecord:
			('format' in record && 'url' in record) ||
			/(^|[/.:])veo[-_]?\d/i.test(model ?? '') ||
			undefined,
		isUnnamed: !isNamed(record, answer, task_id) || undefined,
		unknownStatus: findStatus(word) || word.length > MAX_WORD_CHARS ? undefined : word,
		...video,
		noVideo,
		last_frame_url: isDone ? readLastFrameUrl(record, task_id) : undefined,
		charge: isDone ? readCharge(record) : undefined,
		fail_reason: hasFailed ? (why.words ?? noVideo?.words) : undefined,
	});
}

/** A longer one is no word; cut, it could show a key that is known as a whole. */
const MAX_WORD_CHARS = 60;

/**
 * Returns a state in words. An operation of Google's has `done` instead, and is known by its `name`
 * before that is there.
 */
function stateOf(object: IDataObject, task_id: string): string | undefined {
	const word = statusOf(object) ?? FLAG_WORDS[parseInt(String(object[FLAG_FIELD]), 10)];
	const { [DONE_FIELD]: done, [OPERATION_FIELD]: name } = object;
	if (word !== undefined) return word;
	if (done === true) return saysAnything(errorIn(object)) ? 'failed' : 'done';
	const isOperation = typeof name === 'string' && (name === task_id || OPERATION.test(name));
	return done === false || isOperation ? 'running' : undefined;
}

/** Whose task an object tells of, as far as its IDs say. */
type Owner = 'this' | 'other' | 'unknown';

const isNumber = (id: string) => /^\d+$/.test(id);

/**
 * Returns whose task an object tells of. The number of a row says so only in a list, or if this task has
 * a number, too; names other than `task_id` only beside a state, because files and requests have them.
 */
function ownerOf(object: IDataObject, task_id: string, isListed = true): Owner {
	const ids = taskIdsOf(object);
	const isThis = (id: string) => isSameTask(id, task_id);
	const { [OPERATION_FIELD]: operation } = object;
	if (operation === task_id || ids.some(isThis)) return 'this';
	if ([operation, task_id].every((one) => OPERATION.test(String(one)))) return 'other';
	if (idsOf(object, TASK_ID_FIELDS).length > 0) return 'other';
	const isRow = (id: string) => isNumber(id) && !isNumber(task_id) && !isListed;
	const requests = !isListed && isTasks(object) ? idsOf(object, REQUEST_ID_FIELDS) : [];
	const word = stateOf(object, task_id);
	const hasState =
		word !== undefined && !(isOfRequest(word) && objectsWithState(object, task_id).length > 1);
	const others = ids.filter((id) => !isRow(id) && !requests.includes(id));
	return hasState && others.length > 0 ? 'other' : 'unknown';
}

/** Returns whether the state of an object is a task's by its name, beside the number of a request (Zhipu). */
const isTasks = (object: IDataObject): boolean => 'task_status' in object;

/** Returns whether a record, or an envelope around it, names this task. */
const isNamed = (record: IDataObject, answer: unknown, task_id: string): boolean =>
	[record, ...objectsAround(answer, record)].some((one) => ownerOf(one, task_id) === 'this');

/** Returns the objects with a state, the outer ones first. */
const objectsWithState = (answer: unknown, task_id: string): IDataObject[] =>
	objectsIn(answer).filter((one) => stateOf(one, task_id) !== undefined);

/** Returns whether an object tells of a render, and not of a request alone. */
const tellsOfRender = (object: IDataObject, task_id: string): boolean =>
	isRecord(object) ||
	isTasks(object) ||
	!isOfRequest(stateOf(object, task_id) ?? 'ok') ||
	object.done === true ||
	findAddress(object, (one) => stateOf(one, task_id) === undefined) !== undefined;

/**
 * Returns the object with the task's state. Some envelopes have a state of their own, and some records
 * contain the vendor's, so one with the task's ID wins. Without that ID, a word that may be about the
 * request says nothing.
 */
function findRecord(answer: unknown, task_id: string): IDataObject | undefined {
	const own = objectsWithState(answer, task_id).filter((one) => ownerOf(one, task_id) === 'this');
	const exact = own.find((one) => taskIdsOf(one).includes(task_id));
	const found = exact ?? own[0] ?? findUnnamed(answer, task_id);
	const record = found && innerOf(found, task_id);
	const isBelieved =
		record &&
		(tellsOfRender(record, task_id) ||
			holdsVideo(record) ||
			tellsOfFilter(record) ||
			isNamed(record, answer, task_id) ||
			readVideoUrl(record, answer, task_id).result_url !== undefined);
	return isBelieved ? record : undefined;
}

/**
 * Returns an object with a state that is believed without the task's ID, as nothing says that it is of
 * another task, or one of many: one with a row's number, one that tells of a render, or an inner one.
 * An ID in a foreign form is another task's: a video could be somebody else's.
 */
function findUnnamed(answer: unknown, task_id: string): IDataObject | undefined {
	const objects = objectsIn(answer);
	const lists = [answer, ...objects.flatMap((one) => ENVELOPES.map((name) => one[name]))];
	const listed = new Set(lists.flatMap(toObjects));
	const isOthers = (one: IDataObject) => ownerOf(one, task_id, listed.has(one)) === 'other';
	const free = objectsWithState(answer, task_id).filter((one) => !isOthers(one));
	if (free.filter((one) => listed.has(one)).length > 1) return undefined;
	const telling = free.find((one) => tellsOfRender(one, task_id));
	if (objects.some(isOthers)) {
		// The vendor's own record, inside of one that tells of itself.
		return telling && objectsIn(telling).some(isOthers) ? telling : undefined;
	}
	const numbered = free.find((one) => taskIdsOf(one).length > 0);
	return numbered ?? telling ?? free.find((one) => one !== answer) ?? free[0];
}

/** Returns the state inside of an object whose own tells of a request alone; one that goes on wins. */
function innerOf(object: IDataObject, task_id: string): IDataObject {
	if (tellsOfRender(object, task_id)) return object;
	const isOwn = ownTest(object, task_id);
	const all = objectsWithState(object, task_id).filter((one) => one !== object && isOwn(one));
	const named = all.filter((one) => ownerOf(one, task_id) === 'this');
	const inner = named.length > 0 ? named : all;
	const goesOn = inner.find((one) => !isFinal(readStatus(stateOf(one, task_id)!)));
	const ended = inner.filter((one) => tellsOfRender(one, task_id));
	const isDone = (one: IDataObject) => readStatus(stateOf(one, task_id)!) === 'SUCCESS';
	return goesOn ?? ended.find(isDone) ?? ended[0] ?? object;
}

/** Returns what tells whether an address is the one of the task's record, or its page. */
const isRecordAddress = (task_id: string) => (url: string) =>
	toHttpUrl(url)?.pathname.endsWith(`/${encodeURIComponent(task_id)}`) ?? false;

/** Returns 0 to 100 from a text with a percent sign, a number, or nothing. A part of 1 has a dot. */
function readProgress(progress: unknown, status: TaskStatus): number {
	if (status === 'SUCCESS') return 100;
	const text = ['string', 'number'].includes(typeof progress) ? String(progress).trim() : '';
	const number = parseFloat(text) * (/^(0?\.\d+|1\.0+)$/.test(text) ? 100 : 1);
	return Math.min(100, Math.max(0, Math.round(number))) || 0;
}

/** Returns what tells whether an object in a record may be about its video. */
function ownTest(record: IDataObject, task_id: string): (object: IDataObject) => boolean {
	if (ownerOf(record, task_id) !== 'this') return (one) => ownerOf(one, task_id) !== 'other';
	// In a record with the task's ID, all others are those of its vendor, but for those in a list.
	const listed = new Set<unknown>(
		objectsIn(record).flatMap((one) => Object.values(one).filter(Array.isArray).flat()),
	);
	const isThis = (one: IDataObject) => ownerOf(one, task_id) === 'this';
	const hasOwn = [...listed].some((one) => isThis(toObject(one)));
	const idsIn = (one: IDataObject) => (hasOwn ? taskIdsOf(one) : idsOf(one, TASK_ID_FIELDS));
	const isOther = (one: IDataObject) =>
		idsIn(one).length > 0 || taskIdsOf(one).some((id) => isLikeAnother(id, task_id));
	return (one) => !listed.has(one) || isThis(one) || !isOther(one);
}

/** Returns whether an ID begins with the word of a task's, and is another one; the ID of a file looks unlike it. */
function isLikeAnother(id: string, task_id: string): boolean {
	const [word, own] = [id, task_id].map((one) => /^[a-z]+[-_]/i.exec(one)?.[0]);
	return word !== undefined && word === own && !isSameTask(id, task_id);
}

/**
 * Returns the video's address: in the record or below it, or else beside it in an envelope, or else what
 * looks like one anywhere in the record.
 */
function readVideoUrl(
	record: IDataObject,
	answer: unknown,
	task_id: string,
): Pick<VideoTask, 'result_url' | 'isUrlGuessed'> {
	const isOwn = ownTest(record, task_id);
	const isRecord = isRecordAddress(task_id);
	const isFree = (one: IDataObject) =>
		stateOf(one, task_id) === undefined && taskIdsOf(one).length === 0;
	const around = objectsAround(answer, record).map((one) => findAddress(one, isFree, isRecord));
	const known = [findAddress(record, isOwn, isRecord), ...around].find((url) => url !== undefined);
	if (known !== undefined) return { result_url: known };
	const result_url = findAnyAddress(
		record,
		(one) => isOwn(one) && ownerOf(one, task_id) !== 'other',
	);
	return result_url === undefined ? {} : { result_url, isUrlGuessed: true };
}

/** Returns the video's address in an answer to a task's address, which may be about another task. */
export function findVideo(answer: unknown, task_id: string): string | undefined {
	const isOwn = (one: IDataObject) =>
		ownerOf(one, task_id) !== 'other' &&
		['SUCCESS', undefined].includes(findStatus(statusOf(one) ?? 'done')) &&
		!saysAnything(errorIn(one)) &&
		meansSuccess(one.code ?? 0) &&
		one.success !== false &&
		!taskIdsOf(one).some((id) => isLikeAnother(id, task_id));
	const named = objectsIn(answer).filter((one) => ownerOf(one, task_id) === 'this');
	const own = named.length > 0 ? named : toObjects([answer].flat());
	return findAddress(own.filter(isOwn), isOwn);
}

const FILTERED_CODE = 'moderation_blocked';

/** Returns whether a part of a record says that a filter kept the video back: the whole one, not one of many. */
const tellsOfFilter = (record: IDataObject): boolean =>
	objectsIn(record).some(
		(part) =>
			FILTER_SIGNS.some(([field, says]) => says(part[field])) &&
			(part.respect_moderation === false || findAddress(part) === undefined),
	);

/** Returns why there is no video; `undefined` if the record does not say it. */
function readNoVideo(
	record: IDataObject,
	{ words, code }: Statement,
	lacksVideo: boolean,
): NoVideo | undefined {
	if (isOfFilter({ words, code })) {
		const isUnsure = lacksVideo && !isOfFilter({ code });
		return { why: 'filtered', words: words ?? code, ...(isUnsure && { isUnsure }) };
	}
	return lacksVideo && holdsVideo(record) ? { why: 'inRecord' } : undefined;
}

/** Returns the last frame's URL, first where the gateway passes on the vendor's own answer (Seedance). */
function readLastFrameUrl(record: IDataObject, task_id: string): string | undefined {
	const objects = objectsIn(record).filter(ownTest(record, task_id));
	return [...objects.map(({ content }) => toObject(content)), ...objects]
		.map(({ last_frame_url }) => toText(last_frame_url))
		.find((text) => toHttpUrl(text) !== undefined);
}

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
