import type { IDataObject } from 'n8n-workflow';

import type { FamilyOption, Value, Wishes } from '../../../../nodes/shared/family/family';
import { FAMILIES, familyNamed } from '../../../../nodes/shared/family/modelFamily';
import { askFamily, MODELS as ALIKE } from './support/ask';

// Whatever is written by hand beside what was set arrives together with it, or is refused: the gateway
// reads names in any letter case, and lets `metadata` go before what stands beside it.

const MODELS: Record<string, string> = {
	...ALIKE,
	Hailuo: 'MiniMax-Hailuo-02',
	Wan: 'wan2.5-i2v-preview',
};
const PICTURE = 'data:image/png;base64,AAAA';
const FIRST = { first: PICTURE, references: [] };
const NONE = { references: [] };

const ask = (label: string, wishes: Partial<Wishes>, model = MODELS[label]) =>
	askFamily(label, model, { pictures: FIRST, prompt: 'A boat', ...wishes });

/** By hand, at a path with dots. */
function atPath(path: string, value: unknown): Pick<Wishes, 'metadata' | 'extra'> {
	const written = path
		.split('.')
		.reduceRight<unknown>((inner, name) => ({ [name]: inner }), value) as IDataObject;
	return { extra: written, metadata: (written.metadata ?? {}) as IDataObject };
}

/** All that a family can be asked for by itself: its picture, its frames, and each of its options. */
function wishesOf(label: string): Array<Partial<Wishes>> {
	const settings = Object.entries(familyNamed(label)!.settings(MODELS[label]));
	const pictures = [FIRST, { ...FIRST, last: `${PICTURE}BBBB` }, { references: [PICTURE] }];
	const options = settings.flatMap(([name, setting]) =>
		'write' in setting
			? [{ options: { [name as FamilyOption]: (setting.values?.[0] ?? 5) as Value } }]
			: [],
	);
	return [...options, ...pictures.map((one) => ({ pictures: one }))];
}

const pathsOf = (fields: IDataObject, under = ''): string[] =>
	Object.entries(fields).flatMap(([name, value]) =>
		typeof value === 'object' && value !== null && !Array.isArray(value)
			? pathsOf(value as IDataObject, `${under}${name}.`)
			: value === undefined
				? []
				: [`${under}${name}`],
	);

const valueAt = (fields: IDataObject, path: string): unknown =>
	path
		.split('.')
		.reduce<unknown>((value, name) => (value as IDataObject | undefined)?.[name], fields);

const shout = (path: string) =>
	path.startsWith('metadata.') ? `metadata.${path.slice(9).toUpperCase()}` : path.toUpperCase();

describe.each(FAMILIES)('$label', ({ label, twins }) => {
	const asked = wishesOf(label)
		.map((wishes) => ({ wishes, fields: ask(label, wishes) }))
		.filter(
			(one): one is { wishes: Partial<Wishes>; fields: IDataObject } =>
				typeof one.fields === 'object',
		);

	it('refuses a field that it writes in another letter case, whatever its value', () => {
		const seen = asked.flatMap(({ wishes, fields }) =>
			pathsOf(fields).map((path) => ask(label, { ...wishes, ...atPath(shout(path), null) })),
		);
		expect(seen.length).toBeGreaterThan(2);
		for (const answer of seen) expect(answer).toMatch(/ contradict .*Nothing was submitted/);
	});

	it('refuses another value under any name that says the same, and takes the same value', () => {
		const reached = new Set<string>();
		for (const { wishes, fields } of asked) {
			for (const [path, others] of Object.entries(twins)) {
				const ours = valueAt(fields, path);
				for (const other of ours === undefined ? [] : others) {
					for (const value of ['another', null, []]) {
						const answer = ask(label, { ...wishes, ...atPath(other, value) });
						expect(`${other}: ${JSON.stringify(answer)}`).toMatch(/ contradict /);
					}
					const same = ask(label, { ...wishes, ...atPath(other, ours) });
					expect(`${other}: ${JSON.stringify(same)}`).toBe(`${other}: ${JSON.stringify(fields)}`);
					reached.add(path);
				}
			}
		}
		const known = Object.keys(twins).filter((path) => path !== 'prompt');
		expect(
			[...known].filter((path) => !reached.has(path) && !NOT_ASKED.has(`${label} ${path}`)),
		).toEqual([]);
	});

	it.each([
		['metadata.prompt', 'Another', /^Prompt and "metadata.prompt"/],
		['metadata.Model', 'another', /^Model and "metadata.Model"/],
		['metadata.model_name', 'another', /^Model and "metadata.model_name"/],
		['Prompt', 'A boat', /^Prompt and "Prompt"/],
		['METADATA', {}, /^Metadata \(JSON\) and "METADATA"/],
		['metadata.prompt', 'a boat', /^Prompt and/],
	])('refuses %s %p beside Prompt and Model', (path, value, says) => {
		const set = label === 'Kling' ? { options: { aspectRatio: '16:9' } } : {};
		expect(ask(label, { ...set, ...atPath(path, value) })).toMatch(says);
	});

	it('refuses another picture beside any that is set', () => {
		for (const { wishes } of asked.filter(({ wishes: { pictures } }) => pictures)) {
			for (const extra of [{ Images: ['other'] }, { image: 'other' }]) {
				expect(ask(label, { ...wishes, extra })).toMatch(/^The image and .* contradict/);
			}
		}
	});
});

/** What only other models than the one of the table write, or nobody but the person. */
const NOT_ASKED = new Set([
	'Kling mode',
	'Hailuo metadata.subject_reference',
	'Wan metadata.input.first_frame_url',
]);

/** As the gateway was seen to read them. */
const SEEN: Array<[string, string, Partial<Wishes>?]> = [
	['Kling', 'metadata.duration', { options: { duration: 5 } }],
	['Kling', 'metadata.image'],
	['Vidu', 'metadata.duration', { options: { duration: 4 } }],
	['Vidu', 'metadata.resolution', { options: { resolution: '720p' } }],
	['Vidu', 'metadata.images'],
	['Hailuo', 'metadata.duration', { options: { duration: 6 } }],
	['Hailuo', 'metadata.resolution', { options: { resolution: '768P' } }],
	['Hailuo', 'metadata.First_Frame_Image'],
	['Wan', 'metadata.parameters.duration', { options: { duration: 5 } }],
	['Wan', 'metadata.parameters.resolution', { options: { resolution: '720P' } }],
	['Wan', 'metadata.parameters.size', { options: { resolution: '720P' } }],
	['Wan', 'metadata.input.img_url'],
	['Jimeng', 'metadata.frames', { options: { duration: 5 } }],
	['Jimeng', 'metadata.binary_data_base64'],
	['Jimeng', 'metadata.image_urls'],
	['Seedance', 'metadata.frames', { options: { duration: 5 } }],
	['Veo', 'metadata.durationseconds', { options: { duration: 8 } }],
	['Sora', 'duration', { options: { duration: 8 } }],
	['Sora', 'sECONDS', { options: { duration: 8 } }],
	['Wan', 'seconds', { options: { duration: 5 } }],
	['Wan', 'SECONDS', { options: { duration: 5 } }],
];

it.each(SEEN)('%s: %s by hand is refused beside what was set', (label, path, wishes = {}) => {
	const answer = ask(label, { ...wishes, ...atPath(path, '99') });
	expect(answer).toContain(`"${path}" by hand contradict`);
});

/** By hand, at Seedance; the gateway puts the prompt in the place of texts. */
const toContent = (text: string) => atPath('metadata.content', [{ type: 'text', text }]);

/** By hand alone: the gateway takes one of the two. */
const TWICE: Array<[string, Partial<Wishes>, first: string, second: string]> = [
	['Seedance', { metadata: { draft: null, Draft: true } }, 'draft', 'Draft'],
	['Wan', { metadata: { input: { template: 'a', Template: '' } } }, 'template', 'Template'],
	['Vidu', { extra: { mode: 'a', Mode: 'b' } }, 'mode', 'Mode'],
	['Kling', { extra: { image: 'a' }, metadata: { imagE: '' } }, 'image', 'metadata.imagE'],
	[
		'Kling',
		{ extra: { duration: 5 }, metadata: { duration: 10 } },
		'duration',
		'metadata.duration',
	],
	['Kling', { extra: { size: '1x1' }, metadata: { aspect_ratio: '16:9' } }, 'size', 'aspect_ratio'],
	['Seedance', { extra: { seconds: '5' }, metadata: { duration: 8 } }, 'seconds', 'duration'],
	[
		'Veo',
		{ extra: { duration: 4 }, metadata: { durationSeconds: 8 } },
		'durationSeconds',
		'duration',
	],
	['Veo', { extra: { size: '1x1' }, metadata: { resolution: '4k' } }, 'size', 'resolution'],
	['Vidu', { extra: { Image: 'a', images: ['b'] } }, 'Image', 'images'],
	['Wan', { extra: { duration: 5, seconds: '10' } }, 'duration', 'seconds'],
	['Kling', { extra: { mode: 'pro' }, metadata: { mode: 'std' } }, 'mode', 'metadata.mode'],
];

describe('two fields by hand of which one would be dropped', () => {
	it.each(TWICE)('%s %p is refused', (label, wishes, first, second) => {
		const answer = ask(label, { pictures: NONE, ...wishes });
		expect(answer).toMatch(/^"\S+" and "\S+" by hand contradict .*Nothing was submitted/);
		for (const path of [first, second]) expect(answer).toContain(path);
	});

	it.each([
		[
			'Kling',
			{ extra: { image: 'a', images: ['a'] }, metadata: { image: 'a', aspect_ratio: '1:1' } },
		],
		['Seedance', { metadata: { draft: true, Draft: true } }],
		['Jimeng', { extra: { duration: 5, seconds: '5' } }],
		['Vidu', { extra: { image: '', images: [] } }],
		['Vidu', { extra: { image: undefined }, metadata: { images: ['a'] } }],
	] as Array<[string, Partial<Wishes>]>)(
		'%s %p is sent, for both say the same',
		(label, wishes) => {
			expect(ask(label, { pictures: NONE, ...wishes })).toEqual({});
		},
	);
});

describe('what a family needs as it is', () => {
	it.each([
		['Seedance', { ...toContent('Another'), pictures: NONE }, /would be replaced by Prompt/],
		[
			'Jimeng',
			atPath('metadata.Req_Key', 'jimeng_t2v_v30_1080p'),
			/"Req_Key" .* without the image/,
		],
		[
			'Jimeng',
			{ ...atPath('metadata.req_key', 'jimeng_t2v_v30'), extra: { images: ['a'] }, pictures: NONE },
			/"req_key" .* without the image/,
		],
		[
			'Jimeng',
			{ ...atPath('metadata.req_key', 'jimeng_i2v_first_v30'), pictures: { ...FIRST, last: 'b' } },
			/"req_key" .* without the last frame/,
		],
		['Wan', { metadata: { parameters: null } }, /"parameters" in Metadata \(JSON\) must be/],
		['Wan', { metadata: { input: [] } }, /"input" in Metadata \(JSON\) must be a JSON object/],
		['Wan', { metadata: { input: {} }, pictures: NONE }, /needs an image/],
		['Wan', { extra: { images: [] }, pictures: NONE }, /needs an image/],
		['Wan', atPath('metadata.input.prompt', 'Another'), /^Prompt and "metadata.input.prompt"/],
		['Seedance', { metadata: { Content: [] } }, /would replace the picture/],
		['Veo', { extra: { image: 'https://x.example/a.png' }, pictures: NONE }, /opens no web/],
		['Veo', { extra: { images: ['HTTP://x.example'] }, pictures: NONE }, /opens no web/],
		[
			'Vidu',
			{ pictures: { ...FIRST, last: 'b' }, metadata: { Action: 'referenceGenerate' } },
			/action in Metadata \(JSON\) would make something else/,
		],
		['Veo', { options: { size: '1280x720' }, metadata: { ASPECTRATIO: '9:16' } }, /ASPECTRATIO/],
	] as Array<[string, Partial<Wishes>, RegExp]>)('%s %p', (label, wishes, says) => {
		expect(ask(label, wishes)).toMatch(says);
	});

	it.each([
		['Seedance', -2, 2 ** 32],
		['Veo', -1, 2 ** 32],
		['Vidu', 0, 2 ** 31],
		['Wan', 0, 2 ** 31],
	])('%s takes seeds between %p and %p', (label, below, above) => {
		for (const seed of [below, above]) {
			expect(ask(label, { options: { seed } })).toMatch(/<seed> must be from/);
		}
		for (const seed of [below + 1, above - 1]) {
			expect(ask(label, { options: { seed } })).toHaveProperty('metadata');
		}
	});
});
