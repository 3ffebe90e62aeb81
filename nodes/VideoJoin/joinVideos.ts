import type {
	IDataObject,
	IBinaryData,
	IExecuteFunctions,
	INodeExecutionData,
	IPairedItemData,
} from 'n8n-workflow';

import { toLinkFields } from '../shared/download/link';
import { isOfTask, isOwnError } from '../shared/service/next';
import { storeFile, toFileName } from '../shared/download/storeVideo';
import { mergeCarried, readCarriedAround, refuseOwnField, toPlace } from '../shared/item/carried';
import { readLinkHours } from '../shared/item/downloadOptions';
import { type Done, type ItemResult, type Results, toList, toOutput } from '../shared/item/output';
import {
	findInputField,
	findInputValue,
	isSet,
	type Reader,
	refuseWithoutField,
	toPlainText,
} from '../shared/item/reader';
import { createRun, type Run } from '../shared/item/run';
import { toItemName } from '../shared/item/words';
import { slowDownIdleLoop, readAll } from '../shared/item/runItems';
import { isObject, toObjects } from '../shared/lib/json';
import { type ClipFile, type MediaFile, refuseClip } from '../shared/mp4/clipFile';
import { type Film, planFilm, TIMESCALE } from '../shared/mp4/planFilm';
import { type Clip, readClip } from '../shared/mp4/readClip';
import { MAX_SAMPLES } from '../shared/mp4/samples';
import { layOut } from '../shared/mp4/writeFilm';
import { type Failure, toReadFailure, isFailure } from '../shared/service/failure';
import { videoJoinFields } from './fields';

/** What Sort By finds in an item. */
export type SortValue = number | string;

/** An item with a clip. */
interface ClipItem {
	itemIndex: number;
	read: Reader;
	/** The value of the field that Group By names. */
	group?: string;
	/** That of the field that Sort By names, once it is read. */
	sortValue: SortValue;
}

/** A film whose clips have been read and fit. */
interface Plan {
	/** In the order of the film. */
	items: ClipItem[];
	binaries: IBinaryData[];
	film: Film;
	file: MediaFile;
	settings: ReturnType<typeof readSettings>;
}

const MIME_TYPE = 'video/mp4';

export async function joinVideos(context: IExecuteFunctions): Promise<INodeExecutionData[]> {
	const run = createRun(context, NO_CREDENTIAL, videoJoinFields);
	const results: Results = run.items.map(() => undefined);
	const groups = toGroups(await readAll(run, readItem, results));
	hintAtLostClips(run, results);
	const plans: Plan[] = [];
	const end = (itemIndex: number, result: ItemResult) => {
		// A film that was stopped half-way has no item.
		if (isFailure(result) && run.signal.aborted) return;
		results[itemIndex] = result;
		if (isFailure(result)) run.onFailure();
	};
	// All clips are read before a film is stored: in the default mode, a bad one ends the node.
	for (const group of groups) {
		if (run.signal.aborted) break;
		const plan = await planGroup(run, group);
		if ('failure' in plan) end(plan.itemIndex, plan.failure);
		else plans.push(plan);
	}
	for (const plan of plans) {
		if (run.signal.aborted) break;
		end(plan.items[0].itemIndex, await storeFilm(run, plan));
	}
	await slowDownIdleLoop(run, results);
	return toOutput(run, results).map((output) => {
		const { item } = output.pairedItem as IPairedItemData;
		const group = groups.find((items) => items.some(({ itemIndex }) => itemIndex === item));
		const items = group?.map(({ itemIndex }) => itemIndex).sort((a, b) => a - b) ?? [item];
		return { ...output, pairedItem: items.map((one) => ({ item: one })) };
	});
}

const NO_CREDENTIAL = '';

/** A failing item tells no group, so its film would lack a clip in silence. */
function hintAtLostClips(run: Run, results: Results): void {
	const { items, report } = run;
	const lost = [...items.keys()].filter((i) => isSet(items[i].json.error) && results[i]);
	if (lost.length === 0 && !items.some(({ json }) => isSet(json.error))) hintAtFailures(run);
	if (lost.length === 0) return;
	const names = toList(lost.map(toItemName));
	const message = `Failed before this node and joined to no video, which may lack a shot: ${names}`;
	report.hint(message, 'warning');
}

const MAKES_VIDEOS = /\.video(Generate|Download|Status)$/;
/** Of Video Status, which has most: three and its error output. */
const OUTPUTS = [0, 1, 2, 3];
/** More runs of a node are not looked at. */
const MAX_RUNS = 1_000;

/** Clips that are no chained shots tell no place, so only the nodes before this one know what failed. */
function hintAtFailures({ context, name, items, report }: Run): void {
	const parents = context.getParentNodes(name).filter(({ type }) => MAKES_VIDEOS.test(type));
	const failures = parents.flatMap((parent) =>
		OUTPUTS.flatMap((output) => readErrors(context, parent.name, output)),
	);
	// One that was sent back may have come all the same, and one that passed two nodes is one failure.
	const come = new Set(items.map(({ json }) => json.task_id));
	const lost = failures.filter(({ task_id }) => !isSet(task_id) || !come.has(task_id));
	const count = new Set(lost.map((error) => error.task_id ?? JSON.stringify(error))).size;
	if (count === 0) return;
	const failed = count === 1 ? '1 item' : `${count} items`;
	report.hint(`${failed} failed before this node, so a film may lack a clip.`, 'warning');
}

/** Returns the failures, or failed tasks, of all runs of a node at one of its outputs; none if it has no such output. */
function readErrors(context: IExecuteFunctions, node: string, output: number): IDataObject[] {
	const errors: IDataObject[] = [];
	try {
		const { all } = context.getWorkflowDataProxy(0).$(node) as {
			all: (...at: number[]) => unknown;
		};
		for (let run = 0; run < MAX_RUNS; run++) {
			// In one of n8n's settings for files, it gives the JSON of items alone.
			const found = toObjects(all(output, run)).map((item) =>
				isObject(item.json) ? item.json : item,
			);
			for (const { error, status, task_id } of found) {
				if (isOwnError(error)) errors.push(error);
				// Video Status sends a task that has failed on without an error.
				else if (status === 'FAILURE' && isSet(task_id)) errors.push({ task_id });
			}
		}
	} catch {
		// There are no more runs.
	}
	return errors;
}

/** Reads no more than the film, so that all else that is wrong with an item ends its own film. */
function readItem(read: Reader): ClipItem | Done {
	const { itemIndex, input, options } = read;
	if (hasFailed(read) && options.boolean('allowMissingShots')) {
		return { json: { error: input.json.error } };
	}
	refuseOwnField(options);
	return { itemIndex, read, group: readField(read, 'groupBy'), sortValue: '' };
}

function readField(read: Reader, name: string): string | undefined {
	const { options } = read;
	const text = findInputField(options, name);
	if (text !== undefined || !options.isSet(name)) return text;
	refuseFailedItem(read);
	return refuseWithoutField(options, name);
}

/** An item that failed in one of these nodes may still have the file that it came with. */
const hasFailed = ({ input: { json, binary } }: Reader) =>
	isSet(json.error) && (!binary || isOfTask(json.error));

function refuseFailedItem(read: Reader) {
	if (!hasFailed(read)) return;
	const { input, refuse } = read;
	const { error } = input.json;
	const earlier = toPlainText(isObject(error) ? error.message : error);
	refuse('The item has no clip, because it failed before this node', earlier);
}

/** Returns the items of each film, in the order of their first ones. */
function toGroups(items: ClipItem[]): ClipItem[][] {
	const groups = new Map<string | undefined, ClipItem[]>();
	for (const item of items) groups.set(item.group, [...(groups.get(item.group) ?? []), item]);
	return [...groups.values()];
}

function readSortValue(read: Reader): SortValue {
	const text = readField(read, 'sortBy') ?? '';
	const value = findInputValue(read.options, 'sortBy');
	return typeof value === 'number' ? value : text.trim();
}

const { compare } = new Intl.Collator('en', { numeric: true });

/** Larger whole numbers may be equal to JavaScript. */
const WHOLE = /^-?\d{1,15}$/;

/**
 * Returns the one comparison for all clips of a film: of numbers, if all are numbers or texts that are
 * whole ones ("-10" before "-1"), and otherwise of texts, in which each row of digits counts as a number
 * ("shot 10" after "shot 9", "1.10" after "1.9").
 * Clips come in the same order in whatever order the items come, except those with the same value.
 */
export function orderOf(values: SortValue[]): (a: SortValue, b: SortValue) => number {
	const areNumbers = values.every((value) => typeof value === 'number' || WHOLE.test(value));
	const order = areNumbers ? (a: string, b: string) => Number(a) - Number(b) : compare;
	return (a, b) => order(`${a}`, `${b}`) || byCharacters(`${a}`, `${b}`);
}

/** Tells apart what is the same to a reader, such as "shot 1" and "shot 01". */
const byCharacters = (a: string, b: string) => Number(a > b) - Number(a < b);

/** The settings of a film are those of its first item. */
const readSettings = (read: Reader) => ({
	withSound: read.options.choice('sound') === 'keep',
	// What is told of the render of one shot is not told of the film.
	carried: readCarriedAround(read),
	fileName: read.optionalText('fileName').trim(),
	binaryProperty: read.options.optionalText('binaryProperty').trim() || 'data',
	linkHours: readLinkHours(read.options),
});

function readBinary(read: Reader): IBinaryData {
	const { json, binary } = read.input;
	if (isSet(json.task_id) && !binary) {
		const advice =
			'Turn on Download Video in Video Generate, or add Video Download before this node.';
		return read.refuse('The item is a video task without its file', advice);
	}
	return read.binary(read.text('binaryPropertyName'), read.label('binaryPropertyName'));
}

/**
 * Returns the places of chained shots that are missing, such as "shot 2 of 5". If items do not tell their
 * films, then of several films in one, as many as there are have each place.
 */
function findMissingShots(items: ClipItem[]): string[] {
	const films = new Map<string, { count: number; found: number[] }>();
	for (const { read } of items) {
		const place = toPlace(read.input.json);
		if (!place) continue;
		const { shot_number, shot_count: count, shot_film = '' } = place;
		const { found } = films.get(`${count} ${shot_film}`) ?? { found: [] };
		found[shot_number] = (found[shot_number] ?? 0) + 1;
		films.set(`${count} ${shot_film}`, { count, found });
	}
	return [...films.values()].flatMap(({ count, found }) => {
		const most = Math.max(...found.filter(isSet));
		const numbers = Array.from({ length: count }, (_, i) => i + 1);
		const missing = numbers.filter((number) => (found[number] ?? 0) < most);
		if (missing.length === 0) return [];
		return `shot${missing.length > 1 ? 's' : ''} ${toList(missing.map(String))} of ${count}`;
	});
}

/** Refuses a chained shot that tells no place, which may hide a missing one, and one that is there twice. */
function checkPlaces(items: ClipItem[]): void {
	const found = new Map<string, unknown>();
	for (const { read } of items) {
		const { input, options, refuse } = read;
		const { shot_film, task_id } = input.json;
		if (!isSet(shot_film)) continue;
		const place = toPlace(input.json);
		if (place) {
			const shot = `${place.shot_number} ${place.shot_film}`;
			if (found.has(shot)) {
				refuse(
					`The film has shot ${place.shot_number} twice: ${toList([found.get(shot), task_id].map(String))}`,
					'Remove one of the two items, or look for a node that doubles items.',
				);
			}
			found.set(shot, task_id);
		} else if (!options.boolean('allowMissingShots')) {
			refuse(
				'The shot does not tell its place in the film',
				`Keep shot_number and shot_count beside shot_film. To join what is there, turn on ${options.label('allowMissingShots')}.`,
			);
		}
	}
}

/** Refuses a film without all its shots, or only says so if the person allows it. */
function checkShots({ report }: Run, items: ClipItem[]): void {
	const missing = findMissingShots(items).join(' and ');
	if (missing === '') return;
	const [{ read }] = items;
	const { options, refuse } = read;
	if (options.boolean('allowMissingShots')) {
		report.hint(`A film was joined without ${missing}.`, 'warning');
		return;
	}
	refuse(
		`The film lacks ${missing}`,
		`Look at the failing items of Video Generate. To join what is there, turn on ${options.label('allowMissingShots')}.`,
	);
}

/** Says so if nothing sorts the shots of one film and they come in another order than they were made in. */
function hintAtOrder({ report }: Run, items: ClipItem[]): void {
	const { options } = items[0].read;
	const places = items.flatMap(({ read }) => toPlace(read.input.json) ?? []);
	const films = new Set(places.map((place) => `${place.shot_count} ${place.shot_film}`));
	const numbers = places.map(({ shot_number }) => shot_number);
	const isInOrder = numbers.every((number, i) => i === 0 || number > numbers[i - 1]);
	const isOneFilm = films.size === 1 && new Set(numbers).size === numbers.length;
	if (options.isSet('sortBy') || isInOrder || !isOneFilm) return;
	report.hint(
		`A film has its shots in the order of the items: ${toList(numbers.map(String))}. To sort them, set ${options.label('sortBy')} to shot_number.`,
		'warning',
	);
}

/** Reads all clips of a film and plans it; of a film that has no plan, says why. */
async function planGroup(
	run: Run,
	group: ClipItem[],
): Promise<Plan | { failure: Failure; itemIndex: number }> {
	/** The item at which the film fails if anything throws. */
	let [current] = group;
	try {
		for (current of group) current.sortValue = readSortValue(current.read);
		const compare = orderOf(group.map(({ sortValue }) => sortValue));
		const items = group.sort((a, b) => compare(a.sortValue, b.sortValue));
		for (current of items) refuseFailedItem(current.read);
		[current] = items;
		checkPlaces(items);
		checkShots(run, items);
		hintAtOrder(run, items);
		const settings = readSettings(current.read);
		const binaries: IBinaryData[] = [];
		const clips: Clip[] = [];
		let pictures = 0;
		for (current of items) {
			// `planFilm` refuses it, before more of it is held.
			if (pictures > MAX_SAMPLES) break;
			const binary = readBinary(current.read);
			const file = await findFile(run, binary, `Clip ${binaries.push(binary)}`);
			clips.push(await readClip(file, settings.withSound, clips));
			pictures += clips[clips.length - 1].video.samples.sizes.length;
		}
		[current] = items;
		const film = planFilm(clips);
		return { items, binaries, settings, film, file: layOut(film) };
	} catch (error) {
		return { itemIndex: current.itemIndex, failure: toReadFailure(error) };
	}
}

/** Larger ones would be no faster; until they are collected, they take memory. */
const CHUNK_BYTES = 128 * 1024;

/** Finds a clip where n8n keeps it. A file that is inside the item itself has no ID, and no stream. */
export async function findFile(
	{ context: { helpers }, signal }: Run,
	{ id, data, fileName }: IBinaryData,
	name: string,
): Promise<ClipFile> {
	const label = fileName ? `${name} (${fileName})` : name;
	async function* pieces() {
		const stream =
			id === undefined
				? [Buffer.from(data, 'base64')]
				: await helpers.getBinaryStream(id, CHUNK_BYTES);
		for await (const piece of stream) {
			signal.throwIfAborted();
			yield piece as Uint8Array;
		}
	}
	if (id === undefined) return { label, sizeBytes: Buffer.byteLength(data, 'base64'), pieces };
	try {
		return { label, sizeBytes: (await helpers.getBinaryMetadata(id)).fileSize, pieces };
	} catch (error) {
		const message = `${label} cannot be read from n8n's storage: ${(error as Error).message}`;
		return refuseClip(message, 'Run the node that made it once more.');
	}
}

async function storeFilm(
	run: Run,
	{ items, binaries, film, file, settings }: Plan,
): Promise<ItemResult> {
	const { fileName, binaryProperty, linkHours, carried } = settings;
	const file_name = toFileName(fileName, items[0].group ?? 'film', MIME_TYPE);
	let binary: IBinaryData;
	try {
		const names = { file_name, mime_type: MIME_TYPE };
		({ binary } = await storeFile(run, file.pieces(), () => names));
	} catch (error) {
		const failure = toReadFailure(error);
		// What is wrong with a clip comes with an advice.
		if (failure.description !== undefined) return failure;
		const { message: description } = failure;
		return toReadFailure({ message: 'n8n could not store the film', description });
	}
	const { clips, starts } = film;
	const seconds = (time: number) => Math.round((time / TIMESCALE) * 1000) / 1000;
	const json = mergeCarried(carried, {
		file_name,
		duration_seconds: seconds(starts[items.length]),
		width: clips[0].video.format.width,
		height: clips[0].video.format.height,
		mime_type: MIME_TYPE,
		size_bytes: file.sizeBytes,
		...toLinkFields(binary, linkHours, run),
		clips: items.map(({ itemIndex }, i) => ({
			...(binaries[i].fileName !== undefined && { file_name: binaries[i].fileName }),
			start_seconds: seconds(starts[i]),
			duration_seconds: seconds(starts[i + 1] - starts[i]),
			item: itemIndex,
		})),
	});
	return { json, binary: { [binaryProperty]: binary } };
}
