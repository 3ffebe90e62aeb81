import type { ILoadOptionsFunctions, INodePropertyOptions } from 'n8n-workflow';

import { familyNamed, findFamily, PASS_ON } from '../shared/family/families';
import type { Choice, Setting, Value } from '../shared/family/family';
import { isResold, settingsOf } from '../shared/family/versions';
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
const DEFAULT = { name: 'Default of the Model', value: '' };
const NO_MODEL = 'Choose a model first';
const NO_FAMILY =
	'What this model takes is unknown. Set Model Family in Options, or use Additional Fields (JSON).';

const NOT_KNOWN = 'Not known for this model. It is sent as given, and a hint says so.';

/** Of a list that is not all that the model may take. An entry of its own would need a value of its own. */
const IS_OPEN = 'The model may take values that are not in this list. Give one by an expression.';

/**
 * Resolves to what the chosen model takes, the default of the model first. The service is asked for the
 * model's owner, as in a run: with Model Family, too, it decides whether other values are taken.
 */
export async function loadChoices(
	context: ILoadOptionsFunctions,
	choice: Choice,
): Promise<INodePropertyOptions[]> {
	const parameter = (path: string) => context.getCurrentNodeParameter(path, { extractValue: true });
	const model = toText(parameter('model')) ?? '';
	const chosen = toText(parameter('options.modelFamily'));
	const family = findFamily(model, await askForOwner(context, model, chosen), chosen);
	if (!family) {
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
	const { [choice]: setting = {} } = settingsOf(family, model);
	const { at, byDefault, byDefaultBefore, isUnknown, isOpen, instead } = setting;
	if (!at) {
		return [{ ...DEFAULT, description: instead ?? `${family.label} has no such setting` }];
	}
	const isDefaultKnown = byDefault !== undefined && !isUnknown && !isResold(family, model);
	const defaults = isDefaultKnown ? [byDefaultBefore, byDefault] : [];
	const shownDefault = defaults
		.flatMap((value) => (value === undefined ? [] : toWords(choice, value)))
		.join(' or ');
	return [
		{
			...DEFAULT,
			name: DEFAULT.name + (shownDefault && ` (${shownDefault})`),
			...(isOpen && { description: IS_OPEN }),
		},
		...(setting.auto ? [{ name: 'Automatic', value: -1 }] : []),
		...valuesOf(setting).map((value) => ({
			name: toName(choice, value),
			...(isUnknown && { description: NOT_KNOWN }),
			// The same in all families, so that a choice outlives a change of the model.
			value: typeof value === 'string' ? value.toLowerCase() : value,
		})),
	];
}

const valuesOf = ({ values, min = 1, max = 0 }: Setting): readonly Value[] =>
	values ?? Array.from({ length: max - min + 1 }, (_one, i) => min + i);

function toWords(choice: Choice, value: Value): string {
	if (choice === 'duration') return `${value} Second${value === 1 ? '' : 's'}`;
	return String(value).toLowerCase().replace('k', 'K');
}

function toName(choice: Choice, value: Value): string {
	const words = toWords(choice, value);
	return SHAPES[words] ? `${words} (${SHAPES[words]})` : words;
}

/** A service that cannot be asked has said nothing; the node's run says what is wrong with it. */
async function askForOwner(context: ILoadOptionsFunctions, model: string, chosen?: string) {
	if (model === '') return undefined;
	try {
		const connection = await openConnection(context, 'videoGenerationApi');
		const facts = await askService(connection);
		const { owners } = facts;
		// Lists are no limits at a service that is not New API, as at a channel that passes a model on.
		const isLimited = writesByModel(connection, facts) || !owners || familyNamed(chosen);
		return isLimited ? owners?.get(model) : PASS_ON[0];
	} catch {
		return undefined;
	}
}
