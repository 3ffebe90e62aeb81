import type { IExecuteFunctions, INodeExecutionData, IPairedItemData } from 'n8n-workflow';

import { toFileName } from '../shared/download/storeFile';
import { storeMadeFile } from '../shared/download/storeMadeFile';
import { isFailure } from '../shared/failure/failure';
import { toObject } from '../shared/lib/json';
import { mergeCarried } from '../shared/n8n/carried';
import { type Done, type ItemResult, type Results, toOutput } from '../shared/n8n/output';
import {
	findInputField,
	type Reader,
	refuseNothing,
	refuseWithoutField,
} from '../shared/n8n/reader';
import { createRun, type Run } from '../shared/n8n/run';
import { slowDownIdleLoop, readAll } from '../shared/n8n/runItems';
import { videoJoinFields } from './fields';
import { toSeconds } from './film/planFilm';
import {
	type FileItem,
	isBlamed,
	hasFailedBefore,
	type Plan,
	planGroup,
	refuseFailedItem,
} from './planGroup';

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
		const plan = await planGroup(run, group, plans.at(-1)?.frames ?? 0);
		if (isBlamed(plan)) end(plan.itemIndex, plan.failure);
		else plans.push(plan);
	}
	for (const plan of plans) {
		if (run.signal.aborted) break;
		end(plan.items[0].itemIndex, await storeFilm(run, plan));
	}
	await slowDownIdleLoop(run, results);
	const groupOf = new Map(groups.flatMap((group) => group.map((one) => [one.itemIndex, group])));
	return toOutput(run, results).map((output) => {
		const { item } = output.pairedItem as IPairedItemData;
		const items = groupOf.get(item)?.map(({ itemIndex }) => itemIndex) ?? [item];
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

/** Returns the items of each film, in the order of their first ones. */
function toGroups(items: FileItem[]): FileItem[][] {
	const groups = new Map<string | undefined, FileItem[]>();
	for (const item of items) {
		const same = groups.get(item.group);
		if (same) same.push(item);
		else groups.set(item.group, [item]);
	}
	return [...groups.values()];
}

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
