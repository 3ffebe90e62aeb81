import { FAMILIES } from '../../../../nodes/shared/family/families';
import { FAMILY_OPTIONS, type FamilyOption } from '../../../../nodes/shared/family/family';
import { merge } from '../../../../nodes/shared/family/toFields';
import { askFamily, MODELS as ALIKE, type Asked } from './support/ask';

const MODELS: Record<string, string> = {
	...ALIKE,
	Hailuo: 'MiniMax-Hailuo-2.3',
	Wan: 'wan2.5-t2v-preview',
	'Wan i2v': 'wan2.5-i2v-preview',
	'Wan kf2v': 'wan2.2-kf2v-flash',
	'Hailuo 02': 'MiniMax-Hailuo-02',
	'Hailuo S2V': 'S2V-01',
	'Seedance 2': 'doubao-seedance-2-0-260128',
	'Vidu q1': 'viduq1',
	'Sora pro': 'sora-2-pro',
	'Sora elsewhere': 'provider/sora-2',
	'Wan 2.1': 'wanx2.1-t2v-turbo',
};

const DATA = 'data:image/png;base64,AAAA';

const ask = (label: string, asked: Asked): unknown =>
	askFamily(label.split(' ')[0], MODELS[label], asked);

/** Families whose requests need something besides, so that an option can be looked at alone. */
const BESIDES: Record<string, Asked> = {
	'Wan i2v': { pictures: { first: DATA, references: [] } },
};

const ofMetadata = (metadata: object) => ({ metadata });
const seconds = (n: number, key: string) => ({
	...{ duration: n, seconds: String(n), metadata: { [key]: n } },
});

/**
 * Options and the fields that carry them, or the words of the refusal: one of each kind. All others
 * are compared with what was recorded (test/engine/arrivals).
 */
const ARRIVALS: Array<[string, FamilyOption, value: string | number | boolean, object | RegExp]> = [
	['Veo', 'duration', 8, seconds(8, 'durationSeconds')],
	['Veo', 'seed', -1, /<seed> must be from 0 to 4294967295 for Veo/],
	['Hailuo', 'seed', 1, /no field for: <seed>/],
	['Kling', 'resolution', '720p', /no field for: <resolution>.*"mode"/],
	['Seedance', 'resolution', '4k', /one of: 480p, 720p, 1080p for/],
	['Seedance 2', 'resolution', '4K', ofMetadata({ resolution: '4k' })],
	['Vidu q1', 'duration', 8, /<duration> must be 5 for Vidu/],
	['Sora', 'resolution', '1024p', /<resolution> must be 720p for Sora/],
	['Sora elsewhere', 'resolution', '1024p', /<resolution> must be 720p for Sora/],
	['Wan i2v', 'resolution', '720p', { size: '720P' }],
];

describe('an option arrives, or is refused', () => {
	it.each(ARRIVALS)('%s: %s %p', (label, option, value, expected) => {
		const { options, ...besides } = BESIDES[label] ?? {};
		const fields = ask(label, { ...besides, options: { ...options, [option]: value } });
		if (expected instanceof RegExp) expect(fields).toMatch(expected);
		else expect(fields).toMatchObject(expected);
	});

	it('a last frame comes from Seedance only; the others can at least look alike', () => {
		const options = { returnLastFrame: true };
		expect(ask('Seedance', { options })).toEqual(ofMetadata({ return_last_frame: true }));
		const can = FAMILIES.filter(({ settings }) => settings('').returnLastFrame?.at);
		expect(can.map(({ label }) => label)).toEqual(['Seedance']);
		const alike = (label: string) => /the same (.*)\. N/.exec(String(ask(label, { options })))?.[1];
		expect(['Veo', 'Vidu', 'Hailuo S2V', 'Hailuo', 'Sora'].map(alike)).toEqual([
			...['seed', 'reference images and seed', 'reference images', undefined, undefined],
		]);
		expect(ask('Sora', { options })).toMatch(/Remove it\. Only Seedance models return/);
	});

	it('each refusal says that nothing was submitted', () => {
		for (const { label } of FAMILIES) {
			for (const option of FAMILY_OPTIONS) {
				const answer = ask(label, { options: { [option]: 'nonsense' } });
				if (typeof answer === 'string') expect(answer).toContain('Nothing was submitted.');
			}
		}
	});

	it('all that are wrong are named at once', () => {
		const options = { duration: 5, seed: -1, resolution: '480p' };
		expect(ask('Veo', { options })).toMatch(
			/<duration> must be .* for Veo models; <seed> must be .*; <resolution> must be .*<duration> is "5"\. .*<resolution> is "480p"/,
		);
	});
});

describe('a size in pixels', () => {
	const sizeOf = (label: string, aspectRatio?: string, resolution?: string) => {
		const chosen = Object.entries({ aspectRatio, resolution }).filter(([, value]) => value);
		return ask(label, { options: Object.fromEntries(chosen) });
	};

	it.each([
		['Sora', '9:16', undefined, '720x1280'],
		['Sora', undefined, '720p', '720x1280'],
		['Sora pro', '16:9', '1024P', '1792x1024'],
		['Sora pro', undefined, '1024p', '1024x1792'],
		['Wan', '1:1', '480p', '624*624'],
		['Wan', '4:3', undefined, '1632*1248'],
		['Wan', '3:4', '720P', '832*1088'],
		['Wan', undefined, '720p', '1280*720'],
		['Wan 2.1', '9:16', undefined, '720*1280'],
	])('%s: %s in %s is %s: the default of the model stands in', (label, ratio, lines, size) => {
		expect(sizeOf(label, ratio, lines)).toEqual({ size });
	});

	it('is not sent where neither ratio nor resolution is chosen', () => {
		for (const label of ['Sora', 'Wan']) expect(sizeOf(label)).toEqual({});
	});

	it('that a resolution does not have in this ratio is refused, with those that have it', () => {
		expect(sizeOf('Wan', '4:3', '480p')).toBe(
			'<resolution> must be one of: 720p, 1080p where <aspectRatio> is 4:3. It is "480p". Nothing was submitted.',
		);
	});

	it('by hand is refused beside the ratio or the resolution that says it', () => {
		for (const [option, value] of Object.entries({ aspectRatio: '16:9', resolution: '720p' })) {
			const answer = ask('Sora', { options: { [option]: value }, byHand: { size: '1280x720' } });
			expect(answer).toMatch(new RegExp(`^<${option}> and "size" by hand contradict`));
		}
	});
});

describe('pictures', () => {
	const first = DATA;
	const last = 'https://x.example/last.png';
	const one = { first, references: [] };
	const both = { first, last, references: [] };
	const references = { references: ['r1', 'r2'] };
	const none = { references: [] };
	const reference = { references: ['r'] };
	const role = (name: string, url: string) => ({
		...{ type: 'image_url', image_url: { url }, role: name },
	});

	it.each([
		[
			'Seedance',
			both,
			ofMetadata({ content: [role('first_frame', first), role('last_frame', last)] }),
		],
		['Vidu', references, { images: ['r1', 'r2'], metadata: { action: 'referenceGenerate' } }],
		['Hailuo 02', both, ofMetadata({ first_frame_image: first, last_frame_image: last })],
		['Wan kf2v', both, ofMetadata({ input: { first_frame_url: first, last_frame_url: last } })],
		[
			'Hailuo S2V',
			reference,
			ofMetadata({ subject_reference: [{ type: 'character', image: ['r'] }] }),
		],
	])('%s %p', (label, pictures, expected) => {
		expect(ask(label, { pictures })).toEqual(expected);
	});

	it.each([
		['Wan', one, /takes no image.*i2v/],
		['Wan i2v', both, /takes no last frame.*kf2v/],
		['Wan i2v', none, /needs an image/],
		['Wan kf2v', one, /needs a last frame/],
		['Hailuo', both, /takes no last frame.*MiniMax-Hailuo-02/],
		['Hailuo', reference, /takes no reference images.*S2V-01/],
		['Hailuo S2V', none, /needs a reference image/],
		['Hailuo S2V', one, /needs a reference image/],
	])('%s refuses a model of its family that does nothing with %p', (label, pictures, says) => {
		expect(ask(label, { pictures })).toMatch(says);
	});
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

it('merges level by level, and keeps odd names as they are', () => {
	const under = JSON.parse('{"a":{"b":1,"c":1},"__proto__":{"x":1},"d":[1]}') as never;
	expect(merge(under, { a: { b: 2 }, d: [2] })).toEqual(
		JSON.parse('{"a":{"b":2,"c":1},"__proto__":{"x":1},"d":[2]}'),
	);
});
