import type {
	IBinaryData,
	IExecuteFunctions,
	INodeExecutionData,
	IPairedItemData,
} from 'n8n-workflow';

import { toLinkFields } from '../shared/download/link';
import { storeFile, toFileName } from '../shared/download/storeVideo';
import { mergeCarried, readCarriedAround } from '../shared/item/carried';
import { readLinkHours } from '../shared/item/downloadOptions';
import { type Done, type ItemResult, type Results, toList, toOutput } from '../shared/item/output';
import {
	findInputField,
	findInputValue,
	isSet,
	type Reader,
	refuseNothing,
	refuseWithoutField,
	toPlainText,
} from '../shared/item/reader';
import { createRun, type Run } from '../shared/item/run';
import { toItemName } from '../shared/item/words';
import { slowDownIdleLoop, readAll } from '../shared/item/runItems';
import { isObject, toObject } from '../shared/lib/json';
import { type ClipFile, type MediaFile, refuseClip } from '../shared/mp4/clipFile';
import { type Film, planFilm, TIMESCALE } from '../shared/mp4/planFilm';
import { type Clip, readClip } from '../shared/mp4/readClip';
import { MAX_SAMPLES } from '../shared/mp4/samples';
import { layOut } from '../shared/mp4/writeFilm';
import { videoJoinFields } from './fields';
import { hintAtLostClips } from './lostClips';
import { checkShots } from './shots';
import { type Failure, isOwnError, toReadFailure } from '../shared/item/failure';
import { isFailure } from '../shared/service/reason';

/** What Sort By finds in an item. */
export type SortValue = number | string;

/** An item with a clip. */
interface ClipItem {
	itemIndex: number;
	read: Reader;
	/** The value of the field that Group By names. */
	group?: string;
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

/** Reads no more than the film, so that all else that is wrong with an item ends its own film. */
function readItem(read: Reader, { parameters }: Run): ClipItem | Done {
	const { itemIndex, input, options } = read;
	if (hasFailed(read) && options.boolean('allowMissingShots')) {
		return { json: { error: input.json.error } };
	}
	refuseNothing(options, 'groupBy', toObject(parameters.options).groupBy);
	return { itemIndex, read, group: readField(read, 'groupBy') };
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
	isSet(json.error) && (!binary || isOwnError(json.error));

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
	const { json } = read.input;
	const advice = isSet(json.task_id)
		? 'Turn on Download Video in Video Generate, or add Video Download before this node.'
		: undefined;
	return read.file('binaryPropertyName', advice);
}

/** Returns whether an item has videos beside its clip, as of n8n's Aggregate, which makes one item of all. */
const hasOthers = ({ input: { binary = {} } }: Reader, clip: IBinaryData): boolean =>
	Object.values(binary).some(
		({ id, data, mimeType }) =>
			mimeType.startsWith('video/') && (id !== clip.id || data !== clip.data),
	);

/** Reads all clips of a film and plans it; of a film that has no plan, says why. */
async function planGroup(
	run: Run,
	group: ClipItem[],
): Promise<Plan | { failure: Failure; itemIndex: number }> {
	/** The item at which the film fails if anything throws. */
	let [current] = group;
	try {
		if (!group.some(({ read }) => read.options.isSet('sortBy'))) {
			refuseNothing(current.read.options, 'sortBy', toObject(run.parameters.options).sortBy);
		}
		const values = new Map<ClipItem, SortValue>();
		for (current of group) values.set(current, readSortValue(current.read));
		const compare = orderOf([...values.values()]);
		const items = group.sort((a, b) => compare(values.get(a)!, values.get(b)!));
		for (current of items) refuseFailedItem(current.read);
		[current] = items;
		checkShots(
			run,
			items.map(({ read }) => read),
		);
		const settings = readSettings(current.read);
		const binaries: IBinaryData[] = [];
		const clips: Clip[] = [];
		const withOthers: number[] = [];
		let pictures = 0;
		for (current of items) {
			// `planFilm` refuses it, before more of it is held.
			if (pictures > MAX_SAMPLES) break;
			const binary = readBinary(current.read);
			if (hasOthers(current.read, binary)) withOthers.push(current.itemIndex);
			const file = await findFile(run, binary, `Clip ${binaries.push(binary)}`);
			clips.push(await readClip(file, settings.withSound, clips));
			pictures += clips[clips.length - 1].video.samples.sizes.length;
		}
		[current] = items;
		if (withOthers.length > 0) {
			const names = toList(withOthers.map(toItemName));
			run.report.hint(
				`Of several videos in an item, one is joined: ${names}. Split Out with $binary makes an item of each; Input Binary Field is then {{ Object.keys($binary)[0] }}.`,
				'warning',
			);
		}
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
