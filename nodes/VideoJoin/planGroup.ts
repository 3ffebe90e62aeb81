import type { IBinaryData, IDataObject } from 'n8n-workflow';

import { readLinkHours } from '../shared/download/downloadOptions';
import { type Failure, isOwnError, readFailed } from '../shared/failure/failure';
import { isObject, isSet } from '../shared/lib/json';
import type { InputFile, MediaFile } from '../shared/lib/mediaFile';
import { lowerFirst, toItemName } from '../shared/lib/text';
import { giveWay } from '../shared/lib/time';
import { readCarriedAround } from '../shared/n8n/carried';
import { findInputFile } from '../shared/n8n/inputFile';
import { toList } from '../shared/n8n/output';
import { type Reader, readOutputField, toPlainText } from '../shared/n8n/reader';
import type { Run } from '../shared/n8n/run';
import { checkFit } from './film/checkFit';
import { refuseClip } from './film/clipFile';
import { framesOf, type Held, hold, indexBytesOf } from './film/held';
import { type Film, planFilm, toSeconds } from './film/planFilm';
import { type Clip, type Index, openClip, readClip, type Stream } from './film/readClip';
import { readSoundtrack, type Soundtrack } from './film/soundtrack';
import { secondsBeforeCut } from './film/trim';
import { layOut } from './film/writeFilm';
import { checkShots } from './shots';

/** An item with a clip, or with the sound of the film. */
export interface FileItem {
	itemIndex: number;
	read: Reader;
	/** The value of the field that Group By names. */
	group?: string;
}

/** A film whose clips have been read and fit. */
export interface Plan {
	/** Those with a clip, in the order of the film. */
	items: FileItem[];
	film: Film;
	file: MediaFile;
	settings: ReturnType<typeof readFilmSettings>;
	/** What it holds of frames, with the films before it. */
	frames: number;
}

/** An item that failed in one of these nodes may still have the file that it came with. */
export const hasFailedBefore = ({ input: { json }, inputFiles }: Reader) =>
	isSet(json.error) && (Object.keys(inputFiles).length === 0 || isOwnError(json.error));

export function refuseFailedItem(read: Reader) {
	if (!hasFailedBefore(read)) return;
	const { error } = read.input.json;
	const earlier = toPlainText(isObject(error) ? error.message : error);
	read.refuse('The item has no clip, because it failed before this node', earlier);
}

/** The settings of a film are those of its first clip. */
const readFilmSettings = (read: Reader, clips: Reader[]) => ({
	withSound: read.options.choice('sound') === 'keep',
	carried: readCarriedByAll(read, clips),
	fileName: read.optionalText('fileName').trim(),
	binaryProperty: readOutputField(read.options),
	linkHours: readLinkHours(read.options),
});

/**
 * Returns the fields that a film passes on: those of its first clip, without what is told of the render of one
 * shot, and without what differs between the clips, such as a prompt.
 */
function readCarriedByAll(first: Reader, clips: Reader[]): IDataObject | undefined {
	const carried = readCarriedAround(first);
	const isSame = ([name, value]: [string, unknown]) => {
		const its = JSON.stringify(value);
		return clips.every(({ input: { json } }) =>
			[undefined, its].includes(Object.hasOwn(json, name) ? JSON.stringify(json[name]) : undefined),
		);
	};
	return carried && (Object.fromEntries(Object.entries(carried).filter(isSame)) as IDataObject);
}

/** The files of a film, as far as they are read to tell clips from sound. */
interface Opened {
	clips: Array<{ item: FileItem; file: InputFile; index: Index }>;
	sound?: { item: FileItem; file: InputFile; index: Index | Stream };
	/** The sound that stands beside a clip. */
	beside?: IBinaryData;
	/** What they take of memory, with the films that are planned. */
	held: Held;
}

/** Why a film has no plan, and the item that is to blame. */
interface Blame {
	itemIndex: number;
	failure: Failure;
}

/** Resolves to what a step for an item returns, or to the failure of whatever it throws. */
async function blaming<Result>(
	{ itemIndex }: FileItem,
	step: () => Result | Promise<Result>,
): Promise<Result | Blame> {
	try {
		return await step();
	} catch (error) {
		return { itemIndex, failure: readFailed(error) };
	}
}

export const isBlamed = (result: unknown): result is Blame =>
	isObject(result) && 'failure' in result;

/** @param frames those of the films that are planned */
async function openFiles(run: Run, group: FileItem[], frames: number): Promise<Opened | Blame> {
	for (const item of group) {
		const failed = await blaming(item, () => refuseFailedItem(item.read));
		if (isBlamed(failed)) return failed;
	}
	const opened: Opened = { clips: [], held: { frames, indexBytes: 0 } };
	for (const item of group) {
		// A file in n8n's memory comes without a wait.
		await giveWay();
		const failed = await blaming(item, async () => await openItem(run, item, opened));
		if (isBlamed(failed)) return failed;
	}
	return opened;
}

/**
 * Reads all files of a film and plans it; of a film that has no plan, says why.
 *
 * @param frames those of the films that are planned
 */
export async function planGroup(
	run: Run,
	group: FileItem[],
	frames: number,
): Promise<Plan | Blame> {
	const opened = await openFiles(run, group, frames);
	if (isBlamed(opened)) return opened;
	const { sound, held } = opened;
	const items = opened.clips.map(({ item }) => item);
	const [first = group[0]] = items;
	const settings = await blaming(first, () => {
		refuseWithoutSound(first.read, sound !== undefined);
		if (items.length === 0) refuseClip(`${sound!.file.label} has no clip`, ADD_CLIP);
		const clips = items.map(({ read }) => read);
		checkShots(run, clips);
		return readFilmSettings(first.read, clips);
	});
	if (isBlamed(settings)) return settings;
	const clips: Clip[] = [];
	for (const { item, file, index } of opened.clips) {
		await giveWay();
		const failed = await blaming(item, () => {
			const clip = readClip(file, index, settings.withSound && !sound);
			hold(held, file.label, { frames: framesOf(clip) });
			checkFit(clip, clips);
			clips.push(clip);
		});
		if (isBlamed(failed)) return failed;
	}
	const film = await blaming(first, () => {
		const planned = planFilm(clips);
		hold(held, 'The film', { frames: planned.sound?.frames.flat().length });
		return planned;
	});
	if (isBlamed(film)) return film;
	return await blaming(sound?.item ?? first, async () => {
		const filmSeconds = toSeconds(film.starts.at(-1)!);
		const soundtrack = sound && (await readSoundtrack(sound.file, sound.index, filmSeconds));
		if (soundtrack) {
			const { sizes, indexed = 0 } = soundtrack;
			hold(held, soundtrack.file.label, { frames: sizes.length + indexed });
		}
		addHints(run, group, clips, soundtrack);
		const file = layOut(film, soundtrack);
		return { items, settings, film, file, frames: held.frames };
	});
}

/** Refuses a film whose sound stands in a field that none of its items has. */
function refuseWithoutSound({ options, refuse }: Reader, hasSound: boolean): void {
	const name = options.optionalText('soundBinaryField').trim();
	if (name === '' || hasSound) return;
	refuse(
		`No item of the film has the binary field "${name}" (${SOUND_FIELD})`,
		'Enter the field that has the sound, or remove the option.',
	);
}

const ADD_CLIP =
	'Connect the nodes of the clips and of the sound to a Merge node in mode Append, and that to this node. With Group By, both need the same value.';

/** Opens the files of an item: a clip, or the sound of the film, or both. */
async function openItem(run: Run, item: FileItem, opened: Opened): Promise<void> {
	const { read } = item;
	const label = `Clip ${opened.clips.length + 1}`;
	await openFile(opened, item, await findInputFile(run, readBinary(read), label, hasTask(read)));
	const sound = findSound(read);
	// Carried on from a step before, it is the same in each item.
	if (!sound || (opened.beside && isSame(opened.beside, sound))) return;
	const file = await findInputFile(run, sound, SOUND_FIELD, false);
	if ((await openFile(opened, item, file)) === 'clip') {
		refuseClip(`The file of ${SOUND_FIELD} is a clip`, 'Enter the field of a sound.');
	}
	opened.beside = sound;
}

const SOUND_FIELD = 'Sound Binary Field';

/** Returns the file that stands beside the clip of an item, if its film has a field for one. */
function findSound({ inputFiles, options }: Reader): IBinaryData | undefined {
	const name = options.optionalText('soundBinaryField').trim();
	return Object.hasOwn(inputFiles, name) ? inputFiles[name] : undefined;
}

const idOf = ({ id, data }: IBinaryData): string => id ?? data;

/** n8n copies the files of items that come out of a sub-workflow, and each copy has an ID of its own. */
const isSame = (one: IBinaryData, other: IBinaryData): boolean =>
	idOf(one) === idOf(other) ||
	(one.bytes !== undefined && one.fileName === other.fileName && one.bytes === other.bytes);

/** Opens a file, and returns whether it is a clip or the sound of the film. */
async function openFile(
	opened: Opened,
	item: FileItem,
	file: InputFile,
): Promise<'clip' | 'sound'> {
	const { clips, sound } = opened;
	const index = await openClip(file);
	if ('moov' in index) hold(opened.held, file.label, { indexBytes: indexBytesOf(index) });
	if (index.kind === 'clip') {
		clips.push({ item, file, index });
		return 'clip';
	}
	const label = file.name ? `Sound (${file.name})` : 'The sound';
	if (sound) {
		const words = `${label} cannot be added: its film already has ${lowerFirst(sound.file.label)}`;
		refuseClip(
			words,
			'A film takes one file of sound. For a film with each, use Group By; for both in one film, such as a voice over music, mix them first, for example with ffmpeg.',
		);
	}
	opened.sound = { item, file: { ...file, label }, index };
	return 'sound';
}

function addHints(
	{ report }: Run,
	group: FileItem[],
	clips: Clip[],
	soundtrack?: Soundtrack,
): void {
	const withOthers = group.filter(({ read }) =>
		hasOthers(read, [readBinary(read), ...[findSound(read) ?? []].flat()]),
	);
	if (withOthers.length > 0) {
		const names = toList(withOthers.map(({ itemIndex }) => toItemName(itemIndex)));
		report.hint(
			`Of several videos and sounds in an item, one is taken: ${names}. For a sound beside a clip, set Sound Binary Field. Split Out with $binary makes an item of each; Input Binary Field is then {{ Object.keys($binary)[0] }}.`,
			'warning',
		);
	}
	const early = clips.flatMap(({ file, video }) => {
		const seconds = Math.round(100 * secondsBeforeCut(video)) / 100;
		return seconds > 0 ? [`${lowerFirst(file.label)} begins ${seconds} s early`] : [];
	});
	if (early.length > 0) {
		report.hint(
			`A clip that was trimmed without encoding begins at the key frame before its cut: ${toList(early)}.`,
			'warning',
		);
	}
	if (soundtrack?.isCut) {
		report.hint(`${soundtrack.file.label} is longer than its film, and ends with it.`, 'warning');
	}
}

const hasTask = ({ input: { json } }: Reader): boolean => isSet(json.task_id);

const readBinary = (read: Reader): IBinaryData =>
	read.file(
		'binaryPropertyName',
		hasTask(read)
			? 'Turn on Download File in Video Generate, or add Video Download before this node.'
			: undefined,
	);

/** Returns whether an item has more videos or sounds: n8n's Aggregate makes one item of all. */
const hasOthers = ({ inputFiles }: Reader, taken: IBinaryData[]): boolean =>
	Object.values(inputFiles).some(
		(file) =>
			/^(video|audio)\//.test(file.mimeType) && taken.every((one) => idOf(one) !== idOf(file)),
	);
