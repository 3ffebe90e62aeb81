import type {
	IBinaryData,
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	IPairedItemData,
} from 'n8n-workflow';

import { toLinkFields } from '../shared/download/link';
import { toFileName } from '../shared/download/storeVideo';
import { readLinkHours } from '../shared/item/downloadOptions';
import { type Failure, toInputFailure, toItemName } from '../shared/item/failure';
import { isFailed, type ItemResult, type Results, toList, toOutput } from '../shared/item/output';
import { findInputField, refuseWithoutField } from '../shared/item/inputField';
import { isSet, readCarried, type Reader, toPlainText } from '../shared/item/reader';
import { openRun, type Run } from '../shared/item/run';
import { holdInVain, readAll } from '../shared/item/runItems';
import { isObject } from '../shared/lib/json';
import { type Film, planFilm, TIMESCALE } from '../shared/mp4/planFilm';
import { type Clip, readClip } from '../shared/mp4/readClip';
import { MAX_SAMPLES } from '../shared/mp4/samples';
import { type FilmFile, layOut } from '../shared/mp4/writeFilm';
import { videoJoinFields } from './fields';
import { MIME_TYPE, openSource, storeFilm } from './files';

/** An item with a clip, and the film that it belongs to. */
interface Shot {
	itemIndex: number;
	read: Reader;
	/** The value of the field that Group By names. */
	group?: string;
	/** That of the field that Sort By names, once it is read. */
	place: string;
}

/** A film whose clips have been read and fit. */
interface Plan {
	/** In the order of the film. */
	shots: Shot[];
	files: IBinaryData[];
	film: Film;
	content: FilmFile;
	settings: ReturnType<typeof readSettings>;
}

export async function joinVideos(context: IExecuteFunctions): Promise<INodeExecutionData[]> {
	const run = openRun(context, NO_CREDENTIAL, videoJoinFields);
	const results: Results = run.items.map(() => undefined);
	const groups = toGroups(await readAll(run, readShot, results));
	tellLostShots(run, results);
	const end = (itemIndex: number, result: ItemResult) => {
		// A film that was stopped half-way has no item.
		if (isFailed(result) && run.signal.aborted) return;
		results[itemIndex] = result;
		if (isFailed(result)) run.onFailure();
	};
	// All clips are read before anything is stored: in the default mode, one that does not fit ends
	// the node.
	const plans: Plan[] = [];
	for (const group of groups) {
		if (run.signal.aborted) break;
		const plan = await planFilmOf(run, group);
		if ('failure' in plan) end(plan.itemIndex, plan);
		else plans.push(plan);
	}
	for (const plan of plans) {
		if (run.signal.aborted) break;
		end(plan.shots[0].itemIndex, await storeOne(run, plan));
	}
	await holdInVain(run, results);
	return toOutput(run, results).map((output) => {
		const { item } = output.pairedItem as IPairedItemData;
		const group = groups.find((shots) => shots.some(({ itemIndex }) => itemIndex === item));
		const items = group?.map(({ itemIndex }) => itemIndex).sort((a, b) => a - b) ?? [item];
		return { ...output, pairedItem: items.map((one) => ({ item: one })) };
	});
}

const NO_CREDENTIAL = '';

/** A failing item tells no group, so its film would lack a shot in silence. */
function tellLostShots({ items, report }: Run, results: Results): void {
	const lost = [...items.keys()].filter((i) => isSet(items[i].json.error) && isFailed(results[i]));
	if (lost.length === 0) return;
	const names = toList(lost.map(toItemName));
	const message = `Failed before this node and joined to no video, which may lack a shot: ${names}`;
	report.hint(message, 'warning');
}

/** Reads no more than the film, so that all else that is wrong with an item ends its own film. */
const readShot = (read: Reader): Shot => ({
	itemIndex: read.itemIndex,
	read,
	group: readField(read, 'groupBy'),
	place: '',
});

function readField(read: Reader, name: string): string | undefined {
	const { options } = read;
	const text = findInputField(options, name);
	if (text !== undefined || !options.isSet(name)) return text;
	refuseFailed(read);
	return refuseWithoutField(options, name);
}

function refuseFailed({ input: { json, binary }, refuse }: Reader) {
	if (!isSet(json.error) || binary) return;
	const { error } = json;
	const earlier = toPlainText(isObject(error) ? error.message : error);
	refuse('The item has no clip, because it failed before this node', earlier);
}

/** Returns the shots of each film, in the order of their first items. */
function toGroups(shots: Shot[]): Shot[][] {
	const groups = new Map<string | undefined, Shot[]>();
	for (const shot of shots) groups.set(shot.group, [...(groups.get(shot.group) ?? []), shot]);
	return [...groups.values()];
}

const { compare } = new Intl.Collator('en', { numeric: true });
/** Puts shots in order: numbers by their value, also inside of a text ("shot 10" after "shot 9"). */
const byPlace = ({ place: a }: Shot, { place: b }: Shot) => Number(a) - Number(b) || compare(a, b);

/** The settings of a film are those of its first item. */
const readSettings = (read: Reader) => ({
	withSound: read.options.choice('sound') === 'keep',
	carried: readCarried(read),
	fileName: read.optionalText('fileName').trim(),
	binaryProperty: read.options.optionalText('binaryProperty').trim() || 'data',
	linkHours: readLinkHours(read.options),
});

function readFile(read: Reader): IBinaryData {
	refuseFailed(read);
	const { json, binary } = read.input;
	if (isSet(json.task_id) && !binary) {
		const advice =
			'Turn on Download Video in Video Generate, or add Video Download before this node.';
		return read.refuse('The item is a video task without its file', advice);
	}
	return read.binary(read.text('binaryPropertyName'), read.label('binaryPropertyName'));
}

/** Reads all clips of a film and plans it; of a film that has no plan, says why. */
async function planFilmOf(
	run: Run,
	group: Shot[],
): Promise<Plan | { failure: Failure; itemIndex: number }> {
	let [{ itemIndex }] = group;
	try {
		for (const shot of group) {
			({ itemIndex } = shot);
			shot.place = readField(shot.read, 'sortBy') ?? '';
		}
		const shots = group.sort(byPlace);
		({ itemIndex } = shots[0]);
		const settings = readSettings(shots[0].read);
		const files: IBinaryData[] = [];
		const clips: Clip[] = [];
		let pictures = 0;
		for (const { read } of shots) {
			// It is refused below, before more of it is held.
			if (pictures > MAX_SAMPLES) break;
			({ itemIndex } = read);
			const file = readFile(read);
			const source = await openSource(run, file, `Clip ${files.push(file)}`);
			clips.push(await readClip(source, settings.withSound, clips));
			pictures += clips[clips.length - 1].video.samples.sizes.length;
		}
		({ itemIndex } = shots[0]);
		const film = planFilm(clips);
		return { shots, files, settings, film, content: layOut(film) };
	} catch (error) {
		return { itemIndex, failure: toInputFailure(error) };
	}
}

async function storeOne(
	run: Run,
	{ shots, files, film, content, settings }: Plan,
): Promise<ItemResult> {
	const { fileName, binaryProperty, linkHours, carried } = settings;
	const file_name = toFileName(fileName, shots[0].group ?? 'film', MIME_TYPE);
	const stored = await storeFilm(run, content, file_name);
	if ('failure' in stored) return stored;
	const { clips, starts } = film;
	const seconds = (time: number) => Math.round((time / TIMESCALE) * 1000) / 1000;
	const json: IDataObject = {
		...carried,
		clips: shots.map(({ itemIndex }, i) => ({
			...(files[i].fileName !== undefined && { file_name: files[i].fileName }),
			start_seconds: seconds(starts[i]),
			duration_seconds: seconds(starts[i + 1] - starts[i]),
			item: itemIndex,
		})),
		duration_seconds: seconds(starts[shots.length]),
		width: clips[0].video.format.width,
		height: clips[0].video.format.height,
		file_name,
		mime_type: MIME_TYPE,
		size_bytes: content.sizeBytes,
		...toLinkFields(stored.binary, linkHours, run),
	};
	return { json, binary: { [binaryProperty]: stored.binary } };
}
