import type { IDataObject } from 'n8n-workflow';

import { toSteps } from './expression';
import { isSet, type Reader, toPlainText } from './reader';
import type { Place } from './run';
import { isOwnError } from './failure';

/** Longer films do not exist; a number from outside must not take our memory. */
const MAX_SHOTS = 10_000;

/** Returns the place that an item or an error tells; `undefined` if it tells none. */
export function toPlace(item: IDataObject): Place | undefined {
	const place = { shot_number: Number(item.shot_number), shot_count: Number(item.shot_count) };
	const isWhole = Object.values(place).every(Number.isInteger);
	const isInside = place.shot_number >= 1 && place.shot_number <= place.shot_count;
	if (!isWhole || !isInside || place.shot_count > MAX_SHOTS) return undefined;
	return place;
}

/** Fields that are not carried on, because those of an earlier render would pass for news. */
export const RENDER_STATE = [
	...['task_id', 'status', 'progress', 'result_url', 'last_frame_url', 'fail_reason'],
	...['submitted_at', 'finished_at', 'poll_count', 'reused', 'billed', 'dry_run'],
];
/** Further fields of a render and its file. Without a task beside them, they are the person's own. */
export const RENDER_FACTS = [
	...['model', 'cost', 'response', 'family', 'route', 'body', 'request'],
	...['shot_number', 'shot_count', 'file_name', 'mime_type', 'size_bytes'],
	...['link', 'link_expires_at', 'message', 'list_price', 'notes'],
];

/**
 * Refuses to group by a field that Video Generate or Video Download has written: all clips of all films
 * would be one film.
 */
export function refuseOwnField({ input: { json }, label, optionalText, refuse }: Reader): void {
	const path = optionalText('groupBy').trim();
	const field = path in json ? path : toSteps(path)[0];
	if (!isSet(json.task_id) || ![...RENDER_STATE, ...RENDER_FACTS].includes(field)) return;
	refuse(
		`${label('groupBy')} is "${field}", which Video Generate writes itself: it tells no film`,
		'Name a field of yours that tells the film, such as film. If a node before drops it, turn Leave Out Input Fields off there.',
	);
}

/**
 * Returns the fields of the incoming item that its result passes on; `undefined` if Leave Out Input
 * Fields is on.
 */
export function readCarried({ input, options }: Reader): IDataObject | undefined {
	if (options.boolean('leaveOutInputFields')) return undefined;
	// n8n takes an item with `error` for one that failed.
	return without(input.json, ['error']);
}

/**
 * Returns the fields of the incoming item that a result passes on (`readCarried`): none about another
 * render than the result's. The place of a shot goes on with its task in any case.
 *
 * @param task_id the task that the result is about; missing for a new one
 * @param state fields of the same task to leave out, because newer ones may lack them
 */
export function readCarriedAround(
	read: Reader,
	task_id?: string,
	state?: readonly string[],
): IDataObject | undefined {
	const carried = readCarried(read);
	const place = readPlace(read.input.json, task_id);
	if (!carried && !place) return undefined;
	return { ...(carried && withoutOtherRender(carried, task_id, state)), ...place };
}

export function withoutOtherRender(
	json: IDataObject,
	task_id?: string,
	state: readonly string[] = RENDER_STATE,
): IDataObject {
	const isRender = isSet(json.task_id) || json.dry_run === true;
	const isOther = isRender && !isAbout(json, task_id);
	return without(json, isOther ? [...RENDER_STATE, ...RENDER_FACTS] : state);
}

/** Returns a result's own fields behind those that it passes on. Its own ones win, in their own order. */
export const mergeCarried = (carried: IDataObject | undefined, own: IDataObject): IDataObject => ({
	...without(carried ?? {}, Object.keys(own)),
	...own,
});

export const without = (json: IDataObject, names: readonly string[]): IDataObject =>
	Object.fromEntries(Object.entries(json).filter(([name]) => !names.includes(name)));

const isAbout = ({ task_id }: IDataObject, wanted: string | undefined) =>
	wanted !== undefined && toPlainText(task_id)?.trim() === wanted;

/** Returns the place of a shot that the item, or its failure, tells of a task. */
function readPlace(json: IDataObject, task_id?: string): Place | undefined {
	const { error } = json;
	const about = [isOwnError(error) ? error : {}, json].find((facts) => isAbout(facts, task_id));
	return about && toPlace(about);
}
