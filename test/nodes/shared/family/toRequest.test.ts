import type { IDataObject } from 'n8n-workflow';

import { valueAt } from '../../../../nodes/shared/family/body';
import { FAMILIES } from '../../../../nodes/shared/family/families';
import { type SettingName, SETTINGS, type Value } from '../../../../nodes/shared/family/family';
import { toRequest, type VideoSpec } from '../../../../nodes/shared/family/toRequest';
import { settingsOf } from '../../../../nodes/shared/family/versions';
import { merge } from '../../../../nodes/shared/lib/json';

// One of each kind. What becomes of each value of each setting is compared with what was recorded
// (test/engine/arrivals).

/** A family stands for its newest version, unless it has a row here. */
const MODELS: Record<string, string> = {
	...Object.fromEntries(FAMILIES.map(({ label, versions }) => [label, versions[0].model])),
	'Grok Imagine': 'grok-imagine-video-1.5',
	Hailuo: 'MiniMax-Hailuo-2.3',
	'Hailuo 02': 'MiniMax-Hailuo-02',
	'Hailuo I2V': 'I2V-01',
	'Hailuo S2V': 'S2V-01',
	Jimeng: 'jimeng_v30',
	'Jimeng 4': 'jimeng_v40',
	Kling: 'kling-v1-6',
	'Kling 3': 'kling-3.0',
	'Kling 4': 'kling-4.0',
	'MiniMax H3': 'MiniMax-H3',
	Seedance: 'doubao-seedance-1-5-pro-251215',
	'Seedance 2': 'doubao-seedance-2-0-260128',
	Veo: 'veo-3.1-fast-generate-001',
	Vidu: 'viduq2',
	'Vidu q1': 'viduq1',
	'Vidu q4': 'viduq4',
	Wan: 'wan2.5-t2v-preview',
	'Wan 2.1': 'wanx2.1-t2v-turbo',
	'Wan i2v': 'wan2.5-i2v-preview',
	'Wan kf2v': 'wan2.2-kf2v-flash',
};

/** The request besides its model, or why there is none; a setting's label is `<name>`. */
function ask(label: string, asked: Partial<VideoSpec>, notes: string[] = []): unknown {
	const { [label]: model = 'house-model' } = MODELS;
	const nothing = { settings: {}, pictures: { references: [] }, byHand: {} };
	const refuse = (message: string, advice: string) => {
		throw new Error(`${message}. ${advice}`);
	};
	try {
		const note = (words: string) => void notes.push(words);
		const editor = { label: (name: string) => `<${name}>`, refuse, note };
		const video = { ...nothing, model, prompt: 'A boat', ...asked };
		const request = toRequest(familyOf(label), video, editor);
		delete request.model;
		return request;
	} catch (error) {
		return (error as Error).message;
	}
}

const familyOf = (name: string) =>
	FAMILIES.find(({ label }) => name === label || name.startsWith(`${label} `));

const PROMPT = { prompt: 'A boat' };
const DATA = 'data:image/png;base64,AAAA';
const FIRST = { first: DATA, references: [] };
const NONE = { references: [] };
const ofMetadata = (metadata: object) => ({ metadata });
const atPath = (path: string, value: unknown) =>
	path.split('.').reduceRight<unknown>((inner, name) => ({ [name]: inner }), value) as IDataObject;

describe('a setting arrives, or is refused', () => {
	const seconds = { duration: 8, seconds: '8', metadata: { durationSeconds: 8 } };
	it.each<[string, SettingName, Value, object | RegExp]>([
		['Veo', 'duration', 8, seconds],
		['Veo', 'seed', -1, /<seed> must be from 0 to 4294967295 for Veo/],
		['Kling', 'resolution', '720p', /no field for: <resolution>.*"mode"/],
		['Kling 3', 'duration', 2, /<duration> must be from 3 to 15 for Kling 3.0/],
		['Seedance 2', 'resolution', '4K', ofMetadata({ resolution: '4k' })],
		['Vidu q1', 'duration', 8, /<duration> must be 5 for Vidu/],
		[
			'Unknown',
			'seed',
			1,
			/^"house-model" is of no family .*: set Model Family in Options to send <seed>\./,
		],
	])('%s: %s %p', (label, name, value, expected) => {
		const request = ask(label, { settings: { [name]: value } });
		if (expected instanceof RegExp) expect(request).toMatch(expected);
		else expect(request).toEqual({ ...PROMPT, ...expected });
	});

	it('all that are wrong are named at once', () => {
		const settings = { duration: 5, seed: -1, resolution: '480p' };
		expect(ask('Veo', { settings })).toMatch(
			/<duration> must be .* for Veo 3.1; <seed> must be .* for Veo models; <resolution> must be .*<duration> is "5"\. .*<resolution> is "480p"/,
		);
	});
});

describe('pictures', () => {
	const both = { ...FIRST, last: 'https://x.example/last.png' };
	const reference = { references: ['r'] };

	it.each<[string, VideoSpec['pictures'], RegExp, byHand: object]>([
		['Wan i2v', NONE, /needs an image/, { images: [], metadata: { input: { img_url: ' ' } } }],
		['Hailuo', both, /takes no last frame.*MiniMax-Hailuo-02/, {}],
		['Hailuo I2V', { ...FIRST, ...reference }, /takes no references.*S2V-01/, {}],
		['Hailuo I2V', NONE, /needs an image/, { image: DATA }],
		['Jimeng', FIRST, /t2v.* takes no image/, atPath('metadata.Req_Key', 'jimeng_t2v_v30')],
		['Jimeng', both, /takes no last frame/, atPath('metadata.req_key', 'jimeng_i2v_first_v30')],
		['Veo', NONE, /opens no web/, { images: ['HTTP://x.example'] }],
		['Seedance', NONE, /replaced by Prompt/, ofMetadata({ content: [{ text: 'Another' }] })],
	])(
		'%s: what would be dropped, or is missing, is refused: %p',
		(label, pictures, says, byHand) => {
			const answer = ask(label, { pictures, byHand: byHand as IDataObject });
			expect(answer).toMatch(says);
			expect(answer).toContain('Nothing was submitted.');
		},
	);

	it.each([
		['Wan i2v', { metadata: { input: { img_url: DATA } } }],
		['Hailuo I2V', { metadata: { First_Frame_Image: DATA } }],
		['Jimeng', { ...atPath('metadata.req_key', 'jimeng_i2v_first_tail_v30'), image: DATA }],
		['Seedance', { metadata: { content: [{ text: 'A boat' }] } }],
	])('%s takes one that is given by hand: %p', (label, byHand) => {
		expect(ask(label, { byHand })).toEqual({ ...PROMPT, ...byHand });
	});
});

describe.each(FAMILIES)('$label: what is written by hand wins', (family) => {
	const { label, pictures } = family;
	const model =
		{ Wan: 'Wan i2v', Hailuo: 'Hailuo 02', Jimeng: 'Jimeng 4', Kling: 'Kling 4', Vidu: 'Vidu q4' }[
			label
		] ?? label;
	const own = settingsOf(family, MODELS[model]);
	const inForm = (Object.keys(SETTINGS) as SettingName[]).flatMap((name) => {
		const { at, or = [], values, min = 1 } = own[name] ?? {};
		return at ? [{ name, value: values?.[0] ?? min, paths: [at, or].flat() }] : [];
	});

	it('over each setting, if only by another name, and also over what would be refused', () => {
		expect(inForm.length).toBeGreaterThan(1);
		for (const { name, value, paths } of inForm) {
			const beside = { pictures: FIRST };
			const without = ask(model, beside) as IDataObject;
			for (const path of paths.flatMap((one) => [one, one.toUpperCase()])) {
				const byHand = atPath(path, 'by hand');
				for (const typed of [value, -7]) {
					const request = ask(model, { ...beside, settings: { [name]: typed }, byHand });
					expect(request).toEqual(merge(without, byHand));
				}
			}
		}
	});

	it('over the pictures, wherever the gateway takes one', () => {
		expect(pictures.at.some((path) => valueAt(pictures.write(FIRST), path))).toBe(true);
		for (const path of pictures.at) {
			const byHand = atPath(path, 'by hand');
			expect(ask(model, { pictures: FIRST, byHand })).toEqual({ ...PROMPT, ...byHand });
		}
	});

	it('and what is empty there replaces no picture, and no setting by another name', () => {
		for (const { name, value, paths } of inForm) {
			const form = { pictures: FIRST, settings: { [name]: value } };
			const [at, ...others] = paths;
			const without = ask(model, form) as IDataObject;
			for (const path of others.filter((one) => valueAt(without, one) === undefined)) {
				expect(
					valueAt(ask(model, { ...form, byHand: atPath(path, '') }) as IDataObject, at),
				).toEqual(valueAt(without, at));
			}
		}
	});
});

it.each([
	['Seedance', -2, 2 ** 32],
	['Veo', -1, 2 ** 32],
	['Vidu', 0, 2 ** 31],
	['Wan', 0, 2 ** 31],
])('%s takes seeds between %p and %p', (label, below, above) => {
	for (const seed of [below, above]) {
		expect(ask(label, { settings: { seed } })).toMatch(/<seed> must be from/);
	}
	for (const seed of [below + 1, above - 1]) {
		expect(ask(label, { settings: { seed } })).toHaveProperty('metadata');
	}
});

it('merges level by level, takes no heed of letter case, and keeps odd names as they are', () => {
	const under = JSON.parse('{"a":{"b":1,"c":1},"__proto__":{"x":1},"d":[1],"e":{"f":1}}') as never;
	expect(merge(under, { a: { ['B']: 2 }, ['D']: [2], e: null, g: {} })).toEqual(
		JSON.parse('{"a":{"b":2,"c":1},"__proto__":{"x":1},"d":[2],"e":null,"g":{}}'),
	);
});
