import type { ILoadOptionsFunctions, INodePropertyOptions } from 'n8n-workflow';

import { toText } from '../shared/lib/json';
import { FAMILIES, familyNamed, findRow } from '../shared/models/families/families';
import { versionOf } from '../shared/models/families/versions';
import { toPlainName } from '../shared/models/names';
import { findSettings, listChoices } from '../shared/models/settings';
import { type Choice, insteadOf, type Row, type Value } from '../shared/models/takes';
import { isExpression } from '../shared/n8n/values';
import { type Connection, openConnection } from '../shared/services/connection';
import { askForModels, readListed } from '../shared/services/probe';
import { fetchModel } from './fetchModel';

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
const NO_FAMILY = 'The node does not know what this model takes. Enter a value as an expression.';
const SET_FAMILY =
	'The node does not know what this model takes. Set Model Family in Options, or use Additional Fields (JSON).';

const NO_SCHEMA = 'What this model takes could not be read from the service now';
/** Of a field whose schema has neither values nor both ends of a range. */
const NO_LIST = 'The service lists no values. Enter one as an expression.';
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
	const connection = model === '' ? undefined : await openIfPossible(context);
	const chosenBefore = parameter(choice);
	if (connection?.service.schema) {
		return await listBySchema(connection, model, choice, chosenBefore);
	}
	const owner = familyNamed(chosen) ? undefined : await askForOwner(connection, model);
	const row = findRow(model, owner, chosen);
	if (!row) {
		const mayBeSet = !connection || connection.service.writing === 'family';
		const noFamily = mayBeSet ? SET_FAMILY : NO_FAMILY;
		const description = model === '' ? NO_MODEL : noFamily;
		return withChosen({ ...DEFAULT, description }, choice, chosenBefore);
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
			name: toName(choice, value),
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
	if (choice === 'duration' && typeof value === 'number')
		return `${value} Second${value === 1 ? '' : 's'}`;
	return String(value).toLowerCase().replace('k', 'K');
}

/** The editor marks a value red that is not in the list, although it may be right. */
function withChosen(
	first: INodePropertyOptions,
	choice: Choice,
	chosen: unknown,
): INodePropertyOptions[] {
	const isValue = typeof chosen === 'number' || toText(chosen) !== undefined;
	if (!isValue || isExpression(chosen)) return [first];
	const value = chosen as Value;
	return [first, { name: toName(choice, value), value, description: first.description }];
}

function toName(choice: Choice, value: Value): string {
	if (value === -1) return 'Automatic';
	const words = toWords(choice, value);
	return SHAPES[words] ? `${words} (${SHAPES[words]})` : words;
}

/** A service that cannot be asked has said nothing; the node's run says what is wrong with it. */
async function openIfPossible(context: ILoadOptionsFunctions): Promise<Connection | undefined> {
	return await openConnection(context, 'videoGenerationApi').catch(() => undefined);
}

/** Only New API tells an owner by which its rules hold. */
async function askForOwner(connection: Connection | undefined, model: string) {
	if (connection?.service.writing !== 'family') return undefined;
	const { service } = connection;
	const listed = readListed(service, await askForModels(connection, service.lists[0].path));
	return listed.find(({ id }) => id === model)?.owned_by;
}

const BY_NAME = { name: 'Auto-Detect', value: 'auto' };
const NOT_FOR_OTHERS = 'Only New API needs it: the credential is for another service';

/** Resolves to the families of models, which New API alone has. */
export async function loadFamilies(
	context: ILoadOptionsFunctions,
): Promise<INodePropertyOptions[]> {
	const connection = await openIfPossible(context);
	const isForOthers = connection !== undefined && connection.service.writing !== 'family';
	const families = FAMILIES.map((label) => ({ name: label, value: label }));
	return isForOthers ? [{ ...BY_NAME, description: NOT_FOR_OTHERS }] : [BY_NAME, ...families];
}

/** Resolves to exactly what the model's schema lists, the default of the model first. */
async function listBySchema(
	connection: Connection,
	id: string,
	choice: Choice,
	chosen: unknown,
): Promise<INodePropertyOptions[]> {
	const justDefault = (description: string) => ({ ...DEFAULT, description });
	const fetched = await fetchModel(connection, id);
	if ('reason' in fetched) return withChosen(justDefault(NO_SCHEMA), choice, chosen);
	const { model } = fetched;
	if (!model) return [justDefault(`${connection.service.label} shows no fields of this model`)];
	const field = findSettings(model)[choice];
	if (!field) return [justDefault('This model has no such setting')];
	const byDefault = field.default as Value | undefined;
	const shown = byDefault === undefined ? '' : ` (${toOwnName(toChoice(choice, byDefault))})`;
	const first = { ...DEFAULT, name: DEFAULT.name + shown };
	const values = listChoices(model, choice);
	if (!values) return withChosen({ ...first, description: NO_LIST }, choice, chosen);
	const options = values.map((value) => toChoice(choice, value));
	return [first, ...options.map((value) => ({ name: toOwnName(value), value }))];
}

/** Returns a length as a number, so that a choice outlives a change of the model: "8s" is 8, "auto" -1. */
function toChoice(choice: Choice, value: Value): Value {
	if (choice !== 'duration') return value;
	if (value === 'auto') return -1;
	return /^-?\d+s?$/.test(String(value)) ? parseInt(String(value), 10) : value;
}

/** Returns a choice in the model's own words. */
function toOwnName(value: Value): string {
	if (value === -1) return 'Automatic';
	return typeof value === 'number' ? toWords('duration', value) : String(value);
}
