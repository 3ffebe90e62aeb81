import type { IDataObject } from 'n8n-workflow';

import type { Family } from '../shared/family/family';
import { adviseWithoutLastFrame } from '../shared/family/toFields';
import { toItemName } from '../shared/item/failure';
import { findInputField, refuseWithoutField } from '../shared/item/inputField';
import { createReader, type Reader } from '../shared/item/reader';
import type { Run } from '../shared/item/run';
import { isObject } from '../shared/lib/json';
import { giveWay } from '../shared/lib/time';
import { refuse } from './pictures';

/** An item that is a shot of a film. */
export interface Shot {
	/** The item of the shot before, whose last frame this one begins with; missing for the first. */
	before?: number;
}

/**
 * Returns the shots of a run by item. Chain Shots of all items is read at once, because the shot
 * before may be an item that cannot be read otherwise.
 */
export async function findShots(run: Run): Promise<Map<number, Shot>> {
	const shots = new Map<number, Shot>();
	const { options } = run.parameters;
	// Most nodes chain nothing, and reading Options evaluates all its expressions.
	if (isObject(options) && options.lastFrame === undefined) return shots;
	const lastOf = new Map<string, number>();
	for (const itemIndex of run.items.keys()) {
		await giveWay(itemIndex);
		try {
			const film = readFilm(createReader(run, itemIndex));
			if (film === undefined) continue;
			shots.set(itemIndex, { before: lastOf.get(film) });
			lastOf.set(film, itemIndex);
		} catch {
			// The item is in no film, and its own reading says what is wrong.
		}
	}
	return shots;
}

/** Returns the film of an item by the value of Group By; `undefined` for an item that is no shot. */
export function readFilm({ options }: Reader): string | undefined {
	const read = options.group('lastFrame');
	if (!read.isSet('chainShots') && read.isSet('groupBy')) {
		refuse(
			read,
			'Group By needs Chain Shots',
			'Add Chain Shots to Last Frame, or remove Group By.',
		);
	}
	if (!read.boolean('chainShots')) return undefined;
	if (!read.isSet('groupBy')) return ALL_ITEMS;
	return findInputField(read, 'groupBy') ?? refuseWithoutField(read, 'groupBy');
}

const ALL_ITEMS = '';

/** Returns the field that tells the film of a shot, so that Video Join can group by it, too. */
export function carryFilm({ options }: Reader, film: string | undefined): IDataObject | undefined {
	return film ? { [options.group('lastFrame').text('groupBy')]: film } : undefined;
}

const IN_A_LOOP =
	'A shot can begin only when the one before it is ready. For a film that survives a restart, loop over the shots in the workflow, with Return Last Frame, and First Frame by URL: the last_frame_url of the pass before.';
/** Nodes before this one do not run again in a retry. */
export const RETRY =
	'A retry in the Executions tab goes on from there and bills no finished shot again. It takes the same input: change the prompt in this node.';
/** Nobody can retry an execution that has gone on, and so succeeded. */
export const ANEW =
	'To go on without paying for the whole film again, run the rest of it in a new execution, with First Frame by URL: the last_frame_url of its last finished shot.';
const REFERENCES = 'Give reference images to the first shot of a film alone, or remove this row.';

/** Refuses what cannot be a shot of a film. */
export function checkShot(
	{ choice, input, options }: Reader,
	{ before }: Shot,
	model: string,
	family: Family | undefined,
	pictures: Array<{ role: string; read: Reader }>,
): void {
	if (choice('wait') !== 'inProcess') {
		refuse(options, 'Chain Shots works with Wait: In Process alone', IN_A_LOOP);
	}
	if (!family?.settings(model).returnLastFrame?.at) {
		const [whose, advice] = family
			? [`${family.label} models return no last frame`, adviseWithoutLastFrame(family, model)]
			: [`the family of "${model.slice(0, 200)}" is not known`, 'Or set Model Family.'];
		refuse(options, `Chain Shots is not possible: ${whose}`, `Choose a Seedance model. ${advice}`);
	}
	if (isObject(input.json.error)) {
		refuse(options, 'Chain Shots: a shot that has failed cannot come back by itself', ANEW);
	}
	const reference = pictures.find(({ role }) => role === 'reference');
	if (before !== undefined && reference) {
		const message = 'A shot that begins with a last frame takes no reference images';
		refuse(reference.read, message, REFERENCES);
	}
}

/** Returns what stands for the first frame until its address is known. */
export const toPlaceholder = (before: number) => `last frame of ${toItemName(before)}`;
