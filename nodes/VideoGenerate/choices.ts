import type { ILoadOptionsFunctions, INodePropertyOptions } from 'n8n-workflow';

import { familyNamed, findRow } from '../shared/family/families';
import { toPlainName } from '../shared/family/names';
import { type Choice, insteadOf, type Row, type Value } from '../shared/family/row';
import { versionOf } from '../shared/family/versions';
import { isExpression } from '../shared/item/values';
import { toText } from '../shared/lib/json';
import { askService, writesByModel } from '../shared/service/askService';
import { openConnection } from '../shared/service/connection';

const SHAPES: Record<string, string> = {
	'16:9': 'Landscape',
	'9:16': 'Portrait',
	'1:1': 'Square',
	'21:9': 'Ultrawide',
	adaptive: 'As the Image',
};

/** What every list begins with: nothing is sent. */
const DEFAULT = { name: 'Model Default', value: '' };
const NO_MODEL = 'Choose a model first';
const NO_FAMILY =
	'The node does not know what this model takes. Set Model Family in Options, or use Additional Fields (JSON).';

const NOT_KNOWN = 'Not known for this model. The node sends it anyway and shows a hint.';

/**
 * Resolves to what is known of the chosen model, the default of the model first. The service is asked for the
 * model's owner, as in a run.
 */
export async function loadChoices(
	context: ILoadOptionsFunctions,
	choice: Choice,
): Promise<INodePropertyOptions[]> {
	const parameter = (path: string) => context.getCurrentNodeParameter(path, { extractValue: true });
	const model = toText(parameter('model')) ?? '';
	const chosen = toText(parameter('options.modelFamily'));
	const owner = familyNamed(chosen) ? undefined : await askForOwner(context, model);
	const row = findRow(model, owner, chosen);
	if (!row) {
		const description = model === '' ? NO_MODEL : NO_FAMILY;
		const chosenBefore = parameter(choice);
		const isValue = typeof chosenBefore === 'number' || toText(chosenBefore) !== undefined;
		// The editor marks a value red that is not in the list, although it may be right.
		const kept = isValue && !isExpression(chosenBefore) ? [chosenBefore as Value] : [];
		return [
			{ ...DEFAULT, description },
			...kept.map((value) => ({ name: toName(choice, value), value, description })),
		];
	}
	const { label, fields } = row;
	const name = toPlainName(model);
	if (!fields[choice] || fields[choice].not?.test(name)) {
		return [{ ...DEFAULT, description: insteadOf(row, choice) ?? `${label} has no such setting` }];
	}
	const version = versionOf(row, name);
	const byDefault = version?.byDefault?.[choice];
	const shown = byDefault === undefined ? '' : ` (${toWords(choice, byDefault)})`;
	return [
		{ ...DEFAULT, name: DEFAULT.name + shown },
		...listFor(row, choice, version?.[choice]).map((value) => ({
			name: value === -1 ? 'Automatic' : toName(choice, value),
			...(!version && { description: NOT_KNOWN }),
			// The same in all families, so that a choice outlives a change of the model.
			value,
		})),
	];
}

/** Returns the values of a version, or of the newest one that has any, if it has none. */
const listFor = ({ versions = [] }: Row, choice: Choice, list?: readonly Value[]) =>
	list ?? versions.find((one) => one[choice])?.[choice] ?? [];

function toWords(choice: Choice, value: Value): string {
	if (choice === 'duration') return `${value} Second${value === 1 ? '' : 's'}`;
	return String(value).toLowerCase().replace('k', 'K');
}

function toName(choice: Choice, value: Value): string {
	const words = toWords(choice, value);
	return SHAPES[words] ? `${words} (${SHAPES[words]})` : words;
}

/** A service that cannot be asked has said nothing; the node's run says what is wrong with it. */
async function askForOwner(context: ILoadOptionsFunctions, model: string) {
	if (model === '') return undefined;
	try {
		const connection = await openConnection(context, 'videoGenerationApi');
		const facts = await askService(connection);
		return writesByModel(connection, facts) ? facts.owners?.get(model) : undefined;
	} catch {
		return undefined;
	}
}
