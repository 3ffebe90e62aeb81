import type { IDataObject } from 'n8n-workflow';

import { parseExactJson, toObject, toText } from '../lib/json';
import { isOfRequest, objectsIn, openTexts, statusOf } from './answerReader';
import {
	ID_WORDS,
	LIKE_ID,
	OTHER_ID_FIELDS,
	REQUEST_ID_FIELDS,
	TASK_ID_FIELDS,
	TEXT_ID_FIELDS,
} from './answerTable';
import { errorIn, findError, meansSuccess } from './serviceWords';

/** Matches what programs write if they have no ID, and dots, which would change an address's path. */
const NO_ID = /^(0|nan|none|null|undefined|\.{1,2})$/i;

/** Returns an ID as text, also one that is a number; `undefined` for 0 and others that mean none. */
export function toId(value: unknown): string | undefined {
	const text = Number.isSafeInteger(value) && Number(value) > 0 ? String(value) : toText(value);
	return text === undefined || NO_ID.test(text) ? undefined : text;
}

const toIds = (values: unknown[]): string[] => values.map(toId).filter((id) => id !== undefined);

/** Returns the IDs that an object has under some names, in whatever case these are written. */
export function idsOf(object: IDataObject, names: string[]): string[] {
	const fields = new Map(Object.entries(object).map(([name, id]) => [name.toLowerCase(), id]));
	return toIds(names.map((name) => object[name] ?? fields.get(name.toLowerCase())));
}

/** Returns the IDs of an object's task. Of an answer with a code, `request_id` is of the request. */
export const taskIdsOf = (object: IDataObject): string[] =>
	idsOf(object, [
		...[...TASK_ID_FIELDS, 'id', ...OTHER_ID_FIELDS],
		...('code' in object ? [] : REQUEST_ID_FIELDS),
	]);

/** The fewest characters by which an ID is known in another form: fewer are alike by chance. */
const MIN_CORE_CHARS = 6;
const MAX_ID_CHARS = 200;

/** Returns whether two IDs are one task's: equal, or the same between what is put around them. */
export function isSameTask(one: string, other: string): boolean {
	if (one === other) return true;
	// Of two that both name a model, that part would be the same for all tasks.
	if (one.includes(':') && other.includes(':')) return false;
	return toCores(one).some((core) => toCores(other).includes(core));
}

/** Returns the parts of an ID (`sora-2:task_1a2b3c`), each without the words around it. */
function toCores(id: string): string[] {
	if (id.length > MAX_ID_CHARS) return [];
	const toCore = (part: string): string => {
		const core = part.replace(ID_WORDS, '');
		return core === part ? core : toCore(core);
	};
	const cores = id.split(':').map(toCore);
	return cores.filter((core) => core.length >= MIN_CORE_CHARS && /\d/.test(core));
}

/**
 * Returns the IDs of tasks in the answer to a submit, the submitted one first. The names `task_id`
 * and `taskId` win. Without them, the IDs are the `id` of records, or else of objects with the name
 * `task`, or else of those inside an envelope, whose own `id` may be that of the request. Without
 * any, they have other names, or stand in the answer as its data.
 */
export function readTaskIds(received: unknown): string[] {
	const answer = openTexts(received);
	const objects = objectsIn(answer);
	const possible = objects.filter(mayBeTask);
	const isTask = taskTest(objects);
	const idsIn = (some: IDataObject[]) => some.flatMap((one) => idsOf(one, ['id']));
	const kinds = [
		objects.flatMap((one) => idsOf(one, TASK_ID_FIELDS).slice(0, 1)),
		idsIn(possible.filter(isRecord)),
		idsIn(possible.filter(isTask)),
		// The last one may be the request's, or the task's around a vendor's: it is kept, too.
		idsIn([...possible.filter((one) => one !== answer), ...possible]),
		possible.flatMap((one) => idsOf(one, otherIdFields(one, answer)).slice(0, 1)),
		textIdsOf(answer),
	];
	return [...new Set(kinds.find(({ length }) => length > 0))];
}

/** Returns the names under which few services have a task's ID. */
function otherIdFields(object: IDataObject, answer: unknown): string[] {
	// Those who number their requests do so in their envelopes, which have a code.
	const isTasks = isRecord(object) || (object === answer && !('code' in object));
	return [...OTHER_ID_FIELDS, ...(isTasks ? REQUEST_ID_FIELDS : [])];
}

/** Returns IDs that stand in an answer as its data, and not in a field of their own. */
function textIdsOf(answer: unknown): string[] {
	const envelope = toObject(answer);
	const texts = mayBeTask(envelope) ? TEXT_ID_FIELDS.flatMap((name) => envelope[name]) : [];
	return toIds(texts.filter((one) => typeof one === 'string' && LIKE_ID.test(one)));
}

/** Returns the ID of a task in an answer that says no: the task exists all the same. */
function findRecordId(answer: unknown): string | undefined {
	const objects = objectsIn(openTexts(answer));
	const isTask = taskTest(objects);
	const records = objects.filter((one) => isRecord(one) || isTask(one));
	return records.flatMap((one) => idsOf(one, ['id', ...OTHER_ID_FIELDS]))[0];
}

/** Words before `task`, by which a service names one that there is already. */
const EARLIER = '(?:active|conflicting|duplicate|existing|original|pending|previous|running)_?';
const ID = '(?:\\\\{0,9}"([^"\\\\]{1,200})(?:\\\\{0,9}("))?|([1-9]\\d{0,30})([^\\d])?)';
/**
 * Matches an answer that names a task, also in JSON within JSON; `0` and an empty text name none. The
 * groups are the ID, if its end is there, too.
 */
const NAMES_TASK = new RegExp(
	[
		`\\\\{0,9}"(?:\\w{0,30}task_?id|${EARLIER}tasks?(?:_?ids?)?)\\\\{0,9}"\\s{0,9}:\\s{0,9}\\[?\\s{0,9}`,
		// An object, in which the ID comes sooner or later.
		'(?:\\{[^{}]{0,1000}?"(?:task_?)?id\\\\{0,9}"\\s{0,9}:\\s{0,9})?',
		ID,
	].join(''),
	'i',
);

/** Matches any ID, of which nobody knows whether it is a task's. The ID of a request is none. */
const HAS_ID = new RegExp(
	`\\\\{0,9}"(?:${['id', 'id_str', 'order_?id', 'submission_?id', ...OTHER_ID_FIELDS].join('|')})\\\\{0,9}"\\s{0,9}:\\s{0,9}${ID}`,
	'i',
);

/** Matches what an answer has in place of an ID: the task's address, an operation's name, or a text alone. */
const HAS_PLACE = new RegExp(
	[
		'"(?:(?:status|polling|poll|query|fetch|task|get|response)_?url|self|get)"\\s{0,9}:\\s{0,9}"[^"]{6,200}"',
		'"name"\\s{0,9}:\\s{0,9}"[^"]{0,150}\\boperations/[^"]{1,200}"',
		// New API's own IDs, also in a sentence.
		'\\btask_(?=[a-z]*\\d)[a-z0-9]{6,}\\b',
		`"(?:${TEXT_ID_FIELDS.join('|')}|jobs?|generations?|orders?)"\\s{0,9}:\\s{0,9}\\[?\\s{0,9}"(?=[^"]{0,200}\\d)[\\w:.-]{8,200}"`,
	].join('|'),
	'i',
);

/** What of an answer's words names a task, and its ID if the end of that is there, too. */
interface Trace {
	words: string;
	id?: string;
}

/** Returns what in an answer tells of a task, also an earlier one: what names it as a task first. */
export function findTraces(body: string): Trace[] {
	const [named, ...others] = [NAMES_TASK, HAS_ID, HAS_PLACE].map((pattern): Trace[] => {
		const [words, text, textEnd, number, numberEnd] = pattern.exec(body) ?? [];
		return words ? [{ words, id: (textEnd && text) ?? (numberEnd && number) }] : [];
	});
	const id = findRecordId(parseExactJson(body));
	return [...named, ...(id === undefined ? [] : [{ words: id, id }]), ...others.flat()];
}

/** Returns what tells whether one of these objects stands under the name `task` or `tasks`. */
function taskTest(objects: IDataObject[]): (object: IDataObject) => boolean {
	const named = new Set<unknown>(objects.flatMap(({ task, tasks }) => [task, tasks].flat()));
	return (object) => named.has(object);
}

/** Returns whether an object says how far its task is; an envelope says how the request went. */
export function isRecord(object: IDataObject): boolean {
	const word = statusOf(object);
	const saysHowFar = word !== undefined && !isOfRequest(word);
	return saysHowFar || object.progress !== undefined || object.object === 'video';
}

/** Returns whether the ID may be a task's, and not that of a refusal, for example. */
export function mayBeTask(object: IDataObject): boolean {
	const { code } = object;
	const error = findError(object);
	const words = error ? !meansSuccess(error.code) && error.message : errorIn(object);
	const isCoded = code !== undefined && code !== null && code !== '';
	const saysNo = toText(words) !== undefined || (isCoded && !meansSuccess(code));
	const isOther =
		typeof object.object === 'string' &&
		!/video|task|job|generation|prediction/i.test(object.object);
	return !isOther && (!saysNo || isRecord(object));
}
