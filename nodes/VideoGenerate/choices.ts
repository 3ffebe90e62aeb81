import type { ILoadOptionsFunctions, INodePropertyOptions } from 'n8n-workflow';

import { toText } from '../shared/lib/json';
import { sentences, startOf, toHtml, upperFirst } from '../shared/lib/text';
import { FAMILIES, familyNamed, findRow } from '../shared/models/families/families';
import { versionOf } from '../shared/models/families/versions';
import { fromSchema } from '../shared/models/fromSchema';
import { describeField } from '../shared/models/modelFields';
import { toPlainName } from '../shared/models/names';
import type { Input } from '../shared/models/readSchema';
import type { Choice, Value } from '../shared/models/settings';
import { insteadOf, type Takes } from '../shared/models/takes';
import { isExpression } from '../shared/n8n/values';
import { type Connection, openConnection } from '../shared/services/connection';
import { askForModels, readListed } from '../shared/services/probe';
import { fetchModel } from './fetchModel';
import { toModelName } from './readRequest';

const SHAPES = new Map([
	['16:9', 'Landscape'],
	['9:16', 'Portrait'],
	['1:1', 'Square'],
	['21:9', 'Ultrawide'],
	['adaptive', 'As the Image'],
]);

/** What every list begins with: nothing is sent. */
const DEFAULT = { name: 'Model Default', value: '' };
/** n8n hides no field by what a service tells. */
const NO_SETTING = { ...DEFAULT, name: 'This Model Has No Such Setting' };
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
 * model's owner or schema, as in a run.
 */
export async function loadChoices(
	context: ILoadOptionsFunctions,
	choice: Choice,
): Promise<INodePropertyOptions[]> {
	const parameter = (path: string) => context.getCurrentNodeParameter(path, { extractValue: true });
	const typed = toText(parameter('model')) ?? '';
	const chosen = toText(parameter('options.modelFamily'));
	const chosenBefore = parameter(choice);
	const connection = typed === '' ? undefined : await openIfPossible(context);
	const model = connection ? toModelName(connection.service, typed) : typed;
	const found = await findTakes(connection, model, chosen);
	if ('unknown' in found) {
		const first = { ...DEFAULT, description: found.unknown };
		return found.isRefused ? [first] : withChosen(first, choice, chosenBefore);
	}
	const { takes } = found;
	const { label, fields, isExact } = takes;
	const name = toPlainName(model);
	if (!fields[choice] || fields[choice].not?.test(name)) {
		const description = insteadOf(takes, choice) ?? `${label} has no such setting`;
		return [{ ...(isExact ? NO_SETTING : DEFAULT), description }];
	}
	const version = versionOf(takes, name);
	const byDefault = version?.byDefault?.[choice];
	const shown = byDefault === undefined ? '' : ` (${toValueWords(choice, byDefault, isExact)})`;
	const first = { ...DEFAULT, name: DEFAULT.name + shown };
	const list = listFor(takes, choice, version?.[choice]);
	if (isExact && !list) return withChosen({ ...first, description: NO_LIST }, choice, chosenBefore);
	return [
		first,
		...(list ?? []).map((value) => ({
			name: toName(choice, value, isExact),
			...(!version && { description: NOT_KNOWN }),
			// The same for all models, so that a choice outlives a change of the model.
			value,
		})),
	];
}

/** Resolves to what a model takes, or to why that is not known. */
async function findTakes(
	connection: Connection | undefined,
	model: string,
	chosen?: string,
): Promise<{ takes: Takes } | { unknown: string; isRefused?: true }> {
	if (model === '') return { unknown: NO_MODEL };
	if (connection?.service.schema) {
		const fetched = await fetchModel(connection, model);
		if ('reason' in fetched) return { unknown: NO_SCHEMA };
		if (fetched.model) return { takes: fromSchema(fetched.model) };
		const unknown = `${connection.service.label} shows no fields of this model`;
		return { unknown, isRefused: true };
	}
	const owner = familyNamed(chosen) ? undefined : await askForOwner(connection, model);
	const takes = findRow(model, owner, chosen);
	if (takes) return { takes };
	const mayBeSet = !connection || connection.service.writing === 'family';
	return { unknown: mayBeSet ? SET_FAMILY : NO_FAMILY };
}

/** Returns the values of a version, or of the newest one that has any, if it has none. */
const listFor = ({ versions = [] }: Takes, choice: Choice, list?: readonly Value[]) =>
	list ?? versions.find((one) => one[choice])?.[choice];

/** @param isExact in the model's own words */
function toValueWords(choice: Choice, value: Value, isExact?: boolean): string {
	if (value === -1) return 'Automatic';
	if (choice === 'duration' && typeof value === 'number')
		return `${value} Second${value === 1 ? '' : 's'}`;
	return isExact ? String(value) : String(value).toLowerCase().replace('k', 'K');
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

function toName(choice: Choice, value: Value, isExact?: boolean): string {
	const words = toValueWords(choice, value, isExact);
	const shape = isExact ? undefined : SHAPES.get(words);
	return shape ? `${words} (${shape})` : words;
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

/** Resolves to what the chosen model takes beside the form, what it requires first. */
export async function loadModelFields(
	context: ILoadOptionsFunctions,
): Promise<INodePropertyOptions[]> {
	const typed = toText(context.getCurrentNodeParameter('model', { extractValue: true })) ?? '';
	const connection = typed === '' ? undefined : await openIfPossible(context);
	const { service } = connection ?? {};
	const nothing = (name: string, description: string) => [{ name, value: '', description }];
	if (service && !service.schema) return nothing(NO_MODEL_FIELDS, USE_JSON);
	const found = await findTakes(connection, service ? toModelName(service, typed) : typed);
	if ('unknown' in found) return nothing('No Fields', found.unknown);
	const fields = found.takes.otherFields ?? [];
	if (fields.length === 0) return nothing('No Fields', 'The form has all that this model takes');
	return [...fields]
		.sort((one, other) => Number(other.required) - Number(one.required))
		.map((input) => ({
			name: input.required ? `${input.name} (required)` : input.name,
			value: input.name,
			description: describeInOption(input),
		}));
}

const NO_MODEL_FIELDS = 'No Fields: The Service Publishes None';
const USE_JSON = 'Use Additional Fields (JSON)';

/** The editor shows the description of an option as HTML, and anybody may publish a model at Replicate. */
function describeInOption(input: Input): string {
	const { default: byDefault, description } = input;
	const shown = byDefault === undefined ? '' : `default ${startOf(JSON.stringify(byDefault), 60)}`;
	const words = [describeField(input), shown].filter(Boolean).join('; ');
	return toHtml(sentences(upperFirst(words), description)!);
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
