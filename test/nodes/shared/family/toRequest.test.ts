import type { IDataObject } from 'n8n-workflow';

import { valueAt } from '../../../../nodes/shared/family/body';
import { FAMILIES } from '../../../../nodes/shared/family/families';
import { type SettingName, SETTINGS } from '../../../../nodes/shared/family/family';
import { settingsOf } from '../../../../nodes/shared/family/versions';
import { merge } from '../../../../nodes/shared/lib/json';
import { ask } from './support/ask';

// What becomes of each value of each setting is compared with what was recorded (test/engine/arrivals).

/** The models that stand for families whose newest version takes less. */
const MODELS: Record<string, string> = {
	...{ Hailuo: 'MiniMax-Hailuo-02', Jimeng: 'jimeng_v40', Kling: 'kling-4.0' },
	'Grok Imagine': 'grok-imagine-video-2.0',
	...{ Seedance: 'doubao-seedance-2-0-260128', Vidu: 'viduq4', Wan: 'wan2.5-i2v-preview' },
};
const FIRST = { first: 'data:image/png;base64,AAAA', references: [] };
const atPath = (path: string, value: unknown) =>
	path.split('.').reduceRight<unknown>((inner, name) => ({ [name]: inner }), value) as IDataObject;

describe.each(FAMILIES)('$label: what is written by hand wins', (family) => {
	const { label, pictures, versions } = family;
	const { [label]: model = versions[0].model } = MODELS;
	const own = settingsOf(family, model);
	const inForm = (Object.keys(SETTINGS) as SettingName[]).flatMap((name) => {
		const { at, or = [], values, min = 1 } = own[name] ?? {};
		return at ? [{ name, value: values?.[0] ?? min, paths: [at, or].flat() }] : [];
	});

	it('over each setting, if only by another name, and also over what would be refused', () => {
		expect(inForm.length).toBeGreaterThan(1);
		for (const { name, value, paths } of inForm) {
			const beside = { pictures: FIRST };
			const without = ask(model, beside).sent!;
			for (const path of paths.flatMap((one) => [one, one.toUpperCase()])) {
				const byHand = atPath(path, 'by hand');
				for (const typed of [value, -7]) {
					const { sent } = ask(model, { ...beside, settings: { [name]: typed }, byHand });
					expect(sent).toEqual(merge(without, byHand));
				}
			}
		}
	});

	it('over the pictures, wherever the gateway takes one', () => {
		expect(pictures.at.some((path) => valueAt(pictures.write(FIRST, undefined, model), path))).toBe(
			true,
		);
		for (const path of pictures.at) {
			const byHand = atPath(path, 'by hand');
			expect(ask(model, { pictures: FIRST, byHand }).sent).toEqual(byHand);
		}
	});

	it('and what is empty there replaces no picture, and no setting by another name', () => {
		for (const { name, value, paths } of inForm) {
			const form = { pictures: FIRST, settings: { [name]: value } };
			const [at, ...others] = paths;
			const without = ask(model, form).sent!;
			for (const path of others.filter((one) => valueAt(without, one) === undefined)) {
				expect(valueAt(ask(model, { ...form, byHand: atPath(path, '') }).sent!, at)).toEqual(
					valueAt(without, at),
				);
			}
		}
	});
});

it.each([
	['doubao-seedance-2-5-260628', -2, 2 ** 32],
	['veo-3.1-generate-001', -1, 2 ** 32],
	['viduq2', 0, 2 ** 31],
	['wan2.5-t2v-preview', 0, 2 ** 31],
])('%s takes seeds between %p and %p', (model, below, above) => {
	for (const seed of [below, above]) {
		expect(ask(model, { settings: { seed } }).refused).toMatch(/seed must be from/);
	}
	for (const seed of [below + 1, above - 1]) {
		expect(ask(model, { settings: { seed } }).sent).toHaveProperty('metadata');
	}
});

it('merges level by level, and keeps odd names as they are', () => {
	const under = JSON.parse('{"a":{"b":1,"c":1},"__proto__":{"x":1},"d":[1],"e":{"f":1}}') as never;
	expect(merge(under, { a: { b: 2 }, d: [2], e: null, g: {} })).toEqual(
		JSON.parse('{"a":{"b":2,"c":1},"__proto__":{"x":1},"d":[2],"e":null,"g":{}}'),
	);
});
