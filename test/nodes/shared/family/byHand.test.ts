import type { IDataObject } from 'n8n-workflow';

import { flatten } from '../../../../nodes/shared/family/byHand';
import { FAMILIES, familyNamed } from '../../../../nodes/shared/family/families';
import type { FamilyOption, Value } from '../../../../nodes/shared/family/family';
import { askFamily, MODELS as ALIKE, type Asked } from './support/ask';

// What is written by hand beside what was set arrives together with it, or is refused: the gateway
// reads names in any letter case, and lets `metadata` go before what stands beside it.

const MODELS: Record<string, string> = {
	...ALIKE,
	Hailuo: 'MiniMax-Hailuo-02',
	Wan: 'wan2.5-i2v-preview',
};
const PICTURE = 'data:image/png;base64,AAAA';
const FIRST = { first: PICTURE, references: [] };
const NONE = { references: [] };

const ask = (label: string, asked: Asked) =>
	askFamily(label, MODELS[label] ?? 'house-model', { pictures: FIRST, ...asked });

const atPath = (path: string, value: unknown) =>
	path.split('.').reduceRight<unknown>((inner, name) => ({ [name]: inner }), value) as IDataObject;

/** All that a family can be asked for by itself: its picture, its frames, and each of its options. */
function wishesOf(label: string): Asked[] {
	const settings = Object.entries(familyNamed(label)!.settings(MODELS[label]));
	const pictures = [FIRST, { ...FIRST, last: `${PICTURE}BBBB` }, { references: [PICTURE] }];
	const options = settings.flatMap(([name, setting]) => {
		if (!setting.at) return [];
		return [{ options: { [name as FamilyOption]: (setting.values?.[0] ?? 5) as Value } }];
	});
	return [...options, ...pictures.map((one) => ({ pictures: one }))];
}

/** A path in other spellings; the first name of one in `metadata` stays. */
const spellings = (path: string) => [
	path,
	path.replace(/[^.]+$/, (name) => name.toUpperCase()),
	path.replace(/[^.]+$/, (name) => name.replace(/[A-Z]/g, '_$&').toLowerCase()),
	path.replace(/[^.]+$/, (name) =>
		name.replace(/_(\w)/g, (_all, letter: string) => letter.toUpperCase()),
	),
];

describe.each(FAMILIES)('$label', ({ label, twins }) => {
	const asked = wishesOf(label).flatMap((wishes) => {
		const fields = ask(label, wishes);
		return typeof fields === 'string' ? [] : [{ wishes, fields: flatten(fields) }];
	});

	it('refuses by hand each field that it writes, in any spelling and with any value', () => {
		let count = 0;
		for (const { wishes, fields } of asked) {
			for (const { path, value } of fields) {
				for (const spelled of spellings(path)) {
					for (const typed of [value, 'another', null]) {
						const answer = ask(label, { ...wishes, byHand: atPath(spelled, typed) });
						expect(answer).toMatch(/ and ".*" by hand contradict .*Nothing was submitted/);
						count++;
					}
				}
			}
		}
		expect(count).toBeGreaterThan(30);
	});

	it('refuses by hand each other name of what it writes, and whatever takes its place along', () => {
		for (const { wishes, fields } of asked) {
			const written = fields.map(({ path }) => path);
			const groups = twins.filter((group) => group.some((path) => written.includes(path)));
			for (const other of groups.flat()) {
				for (const typed of ['another', null, []]) {
					const answer = ask(label, { ...wishes, byHand: atPath(other, typed) });
					expect(`${other}: ${JSON.stringify(answer)}`).toMatch(/ contradict /);
				}
			}
			for (const path of written.filter((one) => one.split('.').length > 2)) {
				const outer = path.split('.').slice(0, -1).join('.');
				expect(ask(label, { ...wishes, byHand: atPath(outer, null) })).toMatch(/ contradict /);
				const beside = ask(label, { ...wishes, byHand: atPath(`${outer}.other`, 1) });
				expect(JSON.stringify(beside)).not.toContain('contradict');
			}
		}
	});

	it('refuses another picture beside any that is set', () => {
		for (const { wishes } of asked.filter(({ wishes: { pictures } }) => pictures)) {
			for (const byHand of [{ Images: ['other'] }, { image: 'other' }]) {
				expect(ask(label, { ...wishes, byHand })).toMatch(/^The image and .* contradict/);
			}
		}
	});
});

it.each([
	['metadata.prompt', /^Prompt and "metadata.prompt"/],
	['metadata.Model', /^Model and "metadata.Model"/],
	['metadata.model_name', /^Model and "metadata.model_name"/],
	['Prompt', /^Prompt and "Prompt"/],
	['model', /^Model and "model"/],
])('%s by hand is refused beside Prompt and Model, of an unknown family, too', (path, says) => {
	for (const label of ['Veo', 'Kling', 'Unknown']) {
		expect(ask(label, { byHand: atPath(path, 'A boat') })).toMatch(says);
	}
});

/** As the gateway was seen to read them. */
const SEEN: Array<[string, string, Asked?]> = [
	['Hailuo', 'metadata.First_Frame_Image'],
	['Wan', 'metadata.input', { pictures: NONE }],
	['Seedance', 'metadata.Content'],
	['Seedance', 'metadata.content.0', { pictures: { references: [PICTURE] } }],
	['Veo', 'metadata.ASPECTRATIO', { options: { aspectRatio: '9:16' } }],
	['Sora', 'sECONDS', { options: { duration: 8 } }],
	['Sora', 'aspect_ratio', { options: { aspectRatio: '9:16' } }],
	['Veo', 'resolution', { options: { resolution: '720p' } }],
	['Vidu', 'metadata.action'],
	['Wan', 'metadata.input.media'],
];

it.each(SEEN)('%s: %s by hand is refused beside what was set', (label, path, asked = {}) => {
	const answer = ask(label, { ...asked, byHand: atPath(path, '99') });
	expect(answer).toContain(`"${path}" by hand contradict`);
});

/** By hand alone: the gateway takes one of the two. */
const TWICE: Array<[string, object, first: string, second: string]> = [
	['Seedance', { metadata: { draft: true, Draft: true } }, 'metadata.draft', 'metadata.Draft'],
	['Unknown', { mode: 'a', Mode: 'b' }, 'mode', 'Mode'],
	['Unknown', { image: 'a', images: ['a'] }, 'image', 'images'],
	['Unknown', { metadata: { a: { b: 1 }, A: null } }, 'metadata.a.b', 'metadata.A'],
	['Kling', { image: 'a', metadata: { imagE: '' } }, 'image', 'metadata.imagE'],
	['Seedance', { seconds: '5', metadata: { duration: 5 } }, 'seconds', 'metadata.duration'],
];

it.each(TWICE)(
	'%s: of two fields by hand one would be dropped: %p',
	(label, byHand, one, other) => {
		const answer = ask(label, { pictures: NONE, byHand });
		expect(answer).toContain(`"${other}" by hand contradict each other`);
		expect(answer).toMatch(new RegExp(`^"${one}`));
	},
);

it.each([
	['Unknown', { duration: 5, seconds: '5', metadata: { aspectRatio: '1:1', aspect_ratio: '1:1' } }],
	['Kling', { metadata: { Aspect_Ratio: '1:1' } }],
	['Kling', { size: '1280x720' }],
	['Kling', { image: 'a' }],
	['Wan', { input_reference: PICTURE }],
	['Wan', { metadata: { input: { img_url: PICTURE } } }],
	['Seedance', { metadata: { content: [] } }],
])('%s: what nothing else sets is taken: %p', (label, byHand) => {
	expect(ask(label, { pictures: NONE, byHand })).toEqual({});
});

const LAST = { ...FIRST, last: 'b' };
it.each<[string, Asked, RegExp]>([
	[
		'Seedance',
		{ pictures: NONE, byHand: { metadata: { content: [{ Text: 'Another' }] } } },
		/would be replaced by Prompt/,
	],
	[
		'Jimeng',
		{ byHand: { metadata: { ['Req_Key']: 'jimeng_t2v_v30_1080p' } } },
		/"metadata.Req_Key" .* without the image/,
	],
	[
		'Jimeng',
		{ pictures: LAST, byHand: { metadata: { ['req_key']: 'jimeng_i2v_first_v30' } } },
		/without the last frame/,
	],
	['Wan', { pictures: NONE, byHand: { images: [], metadata: { input: {} } } }, /needs an image/],
	['Veo', { pictures: NONE, byHand: { images: ['HTTP://x.example'] } }, /opens no web/],
])('%s: what would make something else is refused: %p', (label, asked, says) => {
	expect(ask(label, asked)).toMatch(says);
});
