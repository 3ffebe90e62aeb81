import type { IDataObject } from 'n8n-workflow';

import { VideoGenerate } from '../../../nodes/VideoGenerate/VideoGenerate.node';
import { familyFields } from '../../../nodes/VideoGenerate/familyFields';
import { familyHints } from '../../../nodes/VideoGenerate/familyHints';
import { FAMILY_OPTIONS } from '../../../nodes/shared/family/family';
import { FAMILIES } from '../../../nodes/shared/family/modelFamily';
import { shownHints } from '../../support/shownHints';

const type = new VideoGenerate();

/** One name of each family, as deployments write them. */
const MODELS: Record<string, string> = {
	Hailuo: 'MiniMax-Hailuo-02',
	Jimeng: 'jimeng_v30',
	Kling: 'kling-v2',
	Seedance: 'doubao-seedance-1-5-pro-251215',
	Sora: 'openai/sora-2',
	Veo: 'google/veo-3.1-fast-generate-001',
	Vidu: 'viduq2',
	Wan: 'wan2.5-t2v-preview',
};

/** What the editor says above the output. */
const shown = (parameters: IDataObject): string[] =>
	shownHints(type, familyHints, parameters).map(({ message }) => /has no (.*):/.exec(message)![1]);

const locator = (value: string) => ({ __rl: true, mode: 'list', value });
const labels = Object.fromEntries(familyFields.map(({ name, displayName }) => [name, displayName]));
const everyOption = Object.fromEntries(FAMILY_OPTIONS.map((name) => [name, 1]));

describe.each(FAMILIES)('$label: the hint before a run', ({ label, settings, pictures }) => {
	const model = MODELS[label];
	// Wan's text and image models have each what the other has not: the run tells.
	const missing = FAMILY_OPTIONS.filter((name) => !('write' in (settings(model)[name] ?? {}))).map(
		(name) => labels[name],
	);
	const unsure = label === 'Wan' ? ['Resolution'] : [];
	const wanted = missing.filter((name) => !unsure.includes(name)).sort();

	it('names each option that it does not have', () => {
		expect(shown({ model: locator(model), options: everyOption }).sort()).toEqual(wanted);
	});

	it('goes by Model Family, if it is set', () => {
		const options = { ...everyOption, modelFamily: label };
		expect(shown({ model: locator('studio-model'), options }).sort()).toEqual(wanted);
	});

	it('names the images that it does not take', () => {
		const image = [{ role: 'lastFrame' }, { role: 'reference' }];
		expect(shown({ model: locator(model), furtherImages: { image } })).toEqual([
			...(pictures.lastFrame ? [] : ['Last Frame']),
			...(pictures.references > 0 ? [] : ['Reference Images']),
		]);
	});

	it.each([
		['not set', {}],
		['empty, as nothing is sent of it', FAMILY_OPTIONS.map((name) => [name, ''])],
		['nothing', FAMILY_OPTIONS.map((name) => [name, null])],
	])('says nothing of what is %s', (_what, set) => {
		const options = { modelFamily: 'auto', ...(Array.isArray(set) && Object.fromEntries(set)) };
		expect(shown({ model: locator(model), options })).toEqual([]);
	});

	it('goes by the name where Model Family is empty', () => {
		const options = { ...everyOption, modelFamily: '' };
		expect(shown({ model: locator(model), options }).sort()).toEqual(wanted);
	});
});

it.each([
	['of no family', locator('studio-model')],
	['given by an expression', '={{ "studio-model" }}'],
	['not chosen', locator('')],
])('a model that is %s has no hint', (_name, model) => {
	expect(shown({ model, options: everyOption })).toEqual([]);
});
