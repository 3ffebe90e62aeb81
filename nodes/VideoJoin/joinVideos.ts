import type {
	IBinaryData,
	IExecuteFunctions,
	INodeExecutionData,
	IPairedItemData,
} from 'n8n-workflow';

import { readLinkHours } from '../shared/download/downloadOptions';
import { toFileName } from '../shared/download/storeFile';
import { storeMadeFile } from '../shared/download/storeMadeFile';
import { type Failure, isFailure, isOwnError, readFailed } from '../shared/failure/failure';
import { isObject, isSet, toObject } from '../shared/lib/json';
import type { InputFile, MediaFile } from '../shared/lib/mediaFile';
import { lowerFirst, toItemName } from '../shared/lib/text';
import { mergeCarried, readCarriedAround } from '../shared/n8n/carried';
import { findInputFile } from '../shared/n8n/inputFile';
import { type Done, type ItemResult, type Results, toList, toOutput } from '../shared/n8n/output';
import {
	findInputField,
	type Reader,
	readOutputField,
	refuseNothing,
	refuseWithoutField,
	toPlainText,
} from '../shared/n8n/reader';
import { createRun, type Run } from '../shared/n8n/run';
import { slowDownIdleLoop, readAll } from '../shared/n8n/runItems';
import { videoJoinFields } from './fields';
import { checkFit } from './film/checkFit';
import { refuseClip } from './film/clipFile';
import { type Film, planFilm, TIMESCALE } from './film/planFilm';
import { type Clip, type Index, openClip, readClip, type Stream } from './film/readClip';
import { readSoundtrack, type Soundtrack } from './film/soundtrack';
import { layOut } from './film/writeFilm';
import { checkShots } from './shots';

/** An item with a clip, or with the sound of the film. */
interface FileItem {
	itemIndex: number;
	read: Reader;
	/** The value of the field that Group By names. */
	group?: string;
}

/** A film whose clips have been read and fit. */
interface Plan {
	/** Those with a clip, in the order of the film. */
	items: FileItem[];
	film: Film;
	file: MediaFile;
	settings: ReturnType<typeof readFilmSettings>;
}

const NO_CREDENTIAL = '';
const MIME_TYPE = 'video/mp4';

export async function joinVideos(context: IExecuteFunctions): Promise<INodeExecutionData[]> {
	const run = createRun(context, NO_CREDENTIAL, videoJoinFields);
	const results: Results = run.items.map(() => undefined);
	const groups = toGroups(await readAll(run, readItem, results));
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
		const items = group?.map(({ itemIndex }) => itemIndex) ?? [item];
		return { ...output, pairedItem: items.map((one) => ({ item: one })) };
	});
}

/** Reads no more than the film, so that all else that is wrong with an item ends its own film. */
function readItem(read: Reader, { parameters }: Run): FileItem | Done {
	const { itemIndex, input, options } = read;
	if (hasFailedBefore(read) && options.boolean('allowMissingShots')) {
		return { json: { error: input.json.error } };
	}
	refuseNothing(options, 'groupBy', toObject(parameters.options).groupBy);
	const group = findInputField(options, 'groupBy');
	if (group === undefined && options.isSet('groupBy')) {
		refuseFailedItem(read);
		refuseWithoutField(options, 'groupBy');
	}
	return { itemIndex, read, group };
}

/** An item that failed in one of these nodes may still have the file that it came with. */
const hasFailedBefore = ({ input: { json }, inputFiles }: Reader) =>
	isSet(json.error) && (Object.keys(inputFiles).length === 0 || isOwnError(json.error));

function refuseFailedItem(read: Reader) {
	if (!hasFailedBefore(read)) return;
	const { error } = read.input.json;
	const earlier = toPlainText(isObject(error) ? error.message : error);
	read.refuse('The item has no clip, because it failed before this node', earlier);
}

/** Returns the items of each film, in the order of their first ones. */
function toGroups(items: FileItem[]): FileItem[][] {
	const groups = new Map<string | undefined, FileItem[]>();
	for (const item of items) groups.set(item.group, [...(groups.get(item.group) ?? []), item]);
	return [...groups.values()];
}

/** The settings of a film are those of its first clip. */
const readFilmSettings = (read: Reader) => ({
	withSound: read.options.choice('sound') === 'keep',
	// What is told of the render of one shot is not told of the film.
	carried: readCarriedAround(read),
	fileName: read.optionalText('fileName').trim(),
	binaryProperty: readOutputField(read.options),
	linkHours: readLinkHours(read.options),
});

/** The files of a film, as far as they are read to tell clips from sound. */
interface Opened {
	clips: Array<{ item: FileItem; file: InputFile; index: Index }>;
	sound?: { item: FileItem; file: InputFile; index: Index | Stream };
}

/** Reads all files of a film and plans it; of a film that has no plan, says why. */
async function planGroup(
	run: Run,
	group: FileItem[],
): Promise<Plan | { failure: Failure; itemIndex: number }> {
	/** The item at which the film fails if anything throws. */
	let [current] = group;
	try {
		for (current of group) refuseFailedItem(current.read);
		const opened: Opened = { clips: [] };
		for (current of group) await openFile(run, current, opened);
		const { sound } = opened;
		const items = opened.clips.map(({ item }) => item);
		const [first = group[0]] = items;
		current = first;
		if (items.length === 0) refuseClip(`${sound!.file.label} has no clip`, ADD_CLIP);
		checkShots(
			run,
			items.map(({ read }) => read),
		);
		const settings = readFilmSettings(first.read);
		const clips: Clip[] = [];
		for (const { item, file, index } of opened.clips) {
			current = item;
			const clip = readClip(file, index, settings.withSound && !sound);
			checkFit(clip, clips);
			clips.push(clip);
		}
		current = first;
		const film = planFilm(clips);
		if (sound) current = sound.item;
		const filmSeconds = toSeconds(film.starts.at(-1)!);
		const soundtrack = sound && (await readSoundtrack(sound.file, sound.index, filmSeconds));
		addHints(run, group, soundtrack);
		return { items, settings, film, file: layOut(film, soundtrack) };
	} catch (error) {
		return { itemIndex: current.itemIndex, failure: readFailed(error) };
	}
}

const ADD_CLIP =
	'Connect the nodes of the clips and of the sound to a Merge node in mode Append, and that to this node. With Group By, both need the same value.';

/** Opens the file of an item: a clip, or the sound of the film. */
async function openFile(run: Run, item: FileItem, opened: Opened): Promise<void> {
	const { read } = item;
	const { clips, sound } = opened;
	const file = await findInputFile(
		run,
		readBinary(read),
		`Clip ${clips.length + 1}`,
		hasTask(read),
	);
	const index = await openClip(file);
	if (index.kind === 'clip') {
		clips.push({ item, file, index });
		return;
	}
	const label = file.name ? `Sound (${file.name})` : 'The sound';
	if (sound) {
		const words = `${label} cannot be added: its film already has ${lowerFirst(sound.file.label)}`;
		refuseClip(words, 'A film takes one file of sound. Group By makes a film of each.');
	}
	opened.sound = { item, file: { ...file, label }, index };
}

function addHints({ report }: Run, group: FileItem[], soundtrack?: Soundtrack): void {
	const withOthers = group.filter(({ read }) => hasOthers(read, readBinary(read)));
	if (withOthers.length > 0) {
		const names = toList(withOthers.map(({ itemIndex }) => toItemName(itemIndex)));
		report.hint(
			`Of several videos and sounds in an item, one is taken: ${names}. Split Out with $binary makes an item of each; Input Binary Field is then {{ Object.keys($binary)[0] }}.`,
			'warning',
		);
	}
	if (soundtrack?.isCut) {
		report.hint(`${soundtrack.file.label} is longer than its film, and ends with it.`, 'warning');
	}
}

const toSeconds = (time: number) => time / TIMESCALE;

const hasTask = ({ input: { json } }: Reader): boolean => isSet(json.task_id);

const readBinary = (read: Reader): IBinaryData =>
	read.file(
		'binaryPropertyName',
		hasTask(read)
			? 'Turn on Download Video in Video Generate, or add Video Download before this node.'
			: undefined,
	);

/** Returns whether an item has more videos or sounds: n8n's Aggregate makes one item of all. */
const hasOthers = ({ inputFiles }: Reader, clip: IBinaryData): boolean =>
	Object.values(inputFiles).some(
		({ id, data, mimeType }) =>
			/^(video|audio)\//.test(mimeType) && (id !== clip.id || data !== clip.data),
	);

async function storeFilm(run: Run, { items, film, file, settings }: Plan): Promise<ItemResult> {
	const { fileName, binaryProperty, linkHours, carried } = settings;
	const stored = await storeMadeFile(run, {
		file_name: toFileName(fileName, items[0].group ?? 'film', MIME_TYPE),
		mime_type: MIME_TYPE,
		...{ file, linkHours, shown: 'the film' },
	});
	if (isFailure(stored)) return stored;
	const { file_name, ...others } = stored.fields;
	const { clips, starts } = film;
	const seconds = (time: number) => Math.round(toSeconds(time) * 1000) / 1000;
	const json = mergeCarried(carried, {
		file_name,
		duration_seconds: seconds(starts[items.length]),
		width: clips[0].video.format.width,
		height: clips[0].video.format.height,
		...others,
		clips: items.map(({ itemIndex }, i) => ({
			...(clips[i].file.name !== undefined && { file_name: clips[i].file.name }),
			start_seconds: seconds(starts[i]),
			duration_seconds: seconds(starts[i + 1] - starts[i]),
			item: itemIndex,
		})),
	});
	return { json, binary: { [binaryProperty]: stored.binary } };
}
