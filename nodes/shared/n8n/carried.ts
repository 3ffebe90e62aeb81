import type { IBinaryKeyData, IDataObject } from 'n8n-workflow';

import { isOwnError } from '../failure/failure';
import { isSet } from '../lib/json';
import type { Reader } from './reader';
import type { Place } from './run';
import { toPlainText } from './values';

/** Fields of one render and its state: a result without them has none of an earlier one. */
export const RENDER_STATE = [
	...['task_id', 'status', 'progress', 'result_url', 'result_urls', 'last_frame_url'],
	...['file_kept_for', 'fail_reason'],
	...['submitted_at', 'finished_at', 'poll_count', 'reused', 'billed', 'dry_run'],
];
/** Further fields of a render and its file. Without a task beside them, they are the person's own. */
export const RENDER_FACTS = [
	...['model', 'cost', 'response', 'family', 'route', 'body', 'request'],
	...['shot_number', 'shot_count', 'file_name', 'mime_type', 'size_bytes'],
	...['link', 'links', 'link_expires_at', 'message', 'list_price', 'notes', 'text', 'output'],
];

/**
 * Returns the fields of the incoming item that its result passes on; `undefined` if Leave Out Input
 * Fields is on.
 */
export function readCarried({ input, options }: Reader): IDataObject | undefined {
	if (options.boolean('leaveOutInputFields')) return undefined;
	// n8n takes an item with `error` for one that failed. Files are no fields (`Reader.inputFiles`).
	return without(input.json, ['error', '_files']);
}

/** Returns the files of the incoming item that its result passes on, as it does the fields. */
export const readCarriedFiles = ({ inputFiles, options }: Reader): IBinaryKeyData | undefined =>
	options.boolean('leaveOutInputFields') ? undefined : inputFiles;

/**
 * Returns the files of an item: a result's own, and behind them those that it passes on, but for all that an
 * earlier one has left in their fields (`data`, `data_1`).
 */
export function toBinary(carried: IBinaryKeyData = {}, own: IBinaryKeyData = {}) {
	const [field] = Object.keys(own);
	// The editor shows the first ones first.
	const binary = { ...own, ...(field === undefined ? carried : withoutFiles(carried, field)) };
	return Object.keys(binary).length > 0 ? { binary } : {};
}

/** Returns the files that an item passes on but those in the fields of a result's own. */
export const withoutFiles = (carried: IBinaryKeyData = {}, field: string): IBinaryKeyData =>
	Object.fromEntries(
		Object.entries(carried).filter(
			([name]) => name !== field && name.replace(/_\d+$/, '') !== field,
		),
	);

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
	const { json } = read.input;
	const told = [isOwnError(json.error) ? json.error : {}, json];
	const place = told.filter((facts) => isAbout(facts, task_id)).map(toPlace)[0];
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

const isAbout = (json: IDataObject, task_id: string | undefined) =>
	task_id !== undefined && toPlainText(json.task_id) === task_id;

/** Returns a result's own fields behind those that it passes on. Its own ones win, in their own order. */
export const mergeCarried = (carried: IDataObject | undefined, own: IDataObject): IDataObject => ({
	...without(carried ?? {}, Object.keys(own)),
	...own,
});

export const without = (json: IDataObject, names: readonly string[]): IDataObject =>
	Object.fromEntries(Object.entries(json).filter(([name]) => !names.includes(name)));

/** Returns the place of a shot that an item or an error tells; `undefined` if it tells none. */
export function toPlace(item: IDataObject): Place | undefined {
	const shot_number = Number(item.shot_number);
	const shot_count = Number(item.shot_count);
	if (!Number.isInteger(shot_number) || !Number.isInteger(shot_count)) return undefined;
	if (shot_number < 1 || shot_number > shot_count) return undefined;
	return { shot_number, shot_count };
}
