import type { ILoadOptionsFunctions, INodePropertyOptions } from 'n8n-workflow';

import { familyNamed, findFamily } from '../shared/family/families';
import type { Setting, Value } from '../shared/family/family';
import { askForModels, readModels } from '../shared/fields/searchModels';
import { toText } from '../shared/lib/json';
import { openConnection } from '../shared/service/connection';

/** The three settings whose values the editor lists by model. */
type Choice = 'duration' | 'aspectRatio' | 'resolution';

const SHAPES: Record<string, string> = {
	'16:9': 'Landscape',
	'9:16': 'Portrait',
	'1:1': 'Square',
	'21:9': 'Ultrawide',
	adaptive: 'From the Image',
};

/** Vendors that name no longest video are offered up to this many seconds. */
const MAX_SECONDS = 15;

/**
 * Resolves to what the chosen model takes, the default of the model first. Where the model's name
 * tells its family, nothing is asked.
 */
export async function loadChoices(
	context: ILoadOptionsFunctions,
	choice: Choice,
): Promise<INodePropertyOptions[]> {
	const given = (path: string) => context.getCurrentNodeParameter(path, { extractValue: true });
	const model = toText(given('model')) ?? '';
	const chosen = familyNamed(toText(given('options.modelFamily')) ?? '');
	const family =
		chosen ?? findFamily(model) ?? findFamily(model, await askForOwner(context, model));
	if (!family) {
		const description =
			model === ''
				? 'Choose a model first'
				: 'For more, set Model Family in Options. Its own fields can be sent as Additional Fields (JSON).';
		return [{ name: 'Default of the Model', value: '', description }];
	}
	const { [choice]: setting = {} } = family.settings(model);
	const { byDefault, instead } = setting;
	const [told] = byDefault === undefined ? [''] : toName(choice, byDefault).split(' (');
	const none = setting.at ? undefined : (instead ?? `${family.label} has no such setting`);
	return [
		{
			name: `Default of the Model${told && ` (${told})`}`,
			value: '',
			...(none && { description: none }),
		},
		...valuesOf(setting).map((value) => ({
			name: toName(choice, value),
			// The same in all families, so that a choice outlives a change of the model.
			value: typeof value === 'string' ? value.toLowerCase() : value,
		})),
	];
}

function valuesOf({ at, values, min = 1, max = MAX_SECONDS }: Setting): readonly Value[] {
	if (!at) return [];
	return values ?? Array.from({ length: max - min + 1 }, (_one, i) => min + i);
}

function toName(choice: Choice, value: Value): string {
	if (choice === 'duration') return `${value} Seconds`;
	const name = String(value).toLowerCase();
	if (choice === 'resolution') return name.replace('k', 'K');
	return SHAPES[name] ? `${name} (${SHAPES[name]})` : name;
}

/** A service that cannot be asked has said nothing; the node's run says what is wrong with it. */
async function askForOwner(context: ILoadOptionsFunctions, model: string) {
	if (model === '') return undefined;
	try {
		const connection = await openConnection(context, 'videoGenerationApi');
		const models = readModels(await askForModels(connection, '/v1/models'));
		return models.find(({ id }) => id === model)?.owned_by;
	} catch {
		return undefined;
	}
}
