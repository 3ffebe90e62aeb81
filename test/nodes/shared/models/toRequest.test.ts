import { merge } from '../../../../nodes/shared/lib/json';
import { PLAIN, UNKNOWN_MODEL } from '../../../../nodes/shared/models/families/ways';
import type { Family, Takes } from '../../../../nodes/shared/models/takes';
import { ask, type Asked } from './support/ask';

const UNSURE = 'sent, but some services and versions of this model drop or refuse it';
const REPLACED = 'Additional Fields (JSON) replaces it';
const unsure = (labels: string) => (labels ? [`${labels}: ${UNSURE}`] : []);
const image = { kind: 'image', url: 'r' } as const;
const video = { kind: 'video', url: 'v' } as const;
const sound = { kind: 'sound', url: 's' } as const;

/** A row that has one of each kind. */
const ROW: Family = {
	label: 'Ours',
	matches: /ours/,
	owners: ['ours'],
	versions: [
		{
			...{ label: '3.1', model: 'ours-3.1', matches: /ours-3-1/, checked: '2026-11, a page' },
			...{ aspectRatio: ['16:9', '9:16'], duration: [4, 8], resolution: ['720p', '1080p'] },
		},
	],
	fields: {
		aspectRatio: { at: ['metadata.ratio'], or: ['size'], say: (ratio) => `wide ${ratio}` },
		duration: { at: ['duration', 'seconds'], auto: 'metadata.length', or: ['metadata.length'] },
		generateAudio: { at: ['metadata.audio'] },
		negativePrompt: { at: ['metadata.not'], not: /fast/ },
		resolution: { at: ['size'], or: ['metadata.resolution'] },
		seed: { at: ['metadata.seed'], min: 1 },
	},
	pictures: {
		at: ['images', 'metadata.last'],
		takes: ['first', 'last'],
		write: ({ first, last }) => (last ? { metadata: { first, last } } : { images: [first] }),
	},
	instead: { negativePrompt: 'Say it in the prompt.' },
};
const askRow = (asked: Asked, model = 'ours-3.1-fast', row: Takes = ROW) => ask(model, asked, row);

const LENGTH_3 = { duration: 3, seconds: '3' };

describe('a value', () => {
	it.each<[Asked['settings'], object, hint: string]>([
		[{ aspectRatio: ' 16:9 ' }, { metadata: { ratio: 'wide 16:9' } }, ''],
		[{ duration: -1 }, { metadata: { length: -1 } }, 'Duration'],
		[{ resolution: '1080P' }, { size: '1080p' }, ''],
		[{ generateAudio: false }, { metadata: { audio: false } }, ''],
		[{ duration: 3, resolution: '7k' }, { ...LENGTH_3, size: '7k' }, 'Duration, Resolution'],
	])('%j is written at all its places, with one hint for what is not known', (settings, ...is) => {
		const [sent, hint] = is;
		expect(askRow({ settings })).toEqual({ sent, notes: unsure(hint) });
	});

	it('of Negative Prompt keeps its capitals', () => {
		const { sent } = askRow({ settings: { negativePrompt: 'ACME logo' } }, 'ours-3.1');
		expect(sent).toEqual({ metadata: { not: 'ACME logo' } });
	});

	it.each<[Asked['settings'], RegExp]>([
		[{ returnLastFrame: true }, /^"ours-3.1-fast" has no field for: Return Last Frame\. Remove/],
		[{ negativePrompt: 'x' }, /has no field for: Negative Prompt.*Say it in the prompt\./],
		[{ duration: 0 }, /^Duration must be 1 or more\. It is "0"/],
		[{ seed: 0 }, /^Seed must be 1 or more/],
	])('%j is refused, because it would be dropped', (settings, refusal) => {
		expect(askRow({ settings }).refused).toMatch(refusal);
	});

	it('of a model that is not known is sent with a hint, and so is a picture', () => {
		const asked = { settings: { duration: 8 }, pictures: { first: 'f' } };
		expect(askRow(asked, 'ours-9').notes).toEqual(unsure('First Frame, Duration'));
	});
});

describe('what is written by hand', () => {
	it.each(['Seconds', 'metadata.length'])('wins at %s, with a hint', (path) => {
		const byHand = path.split('.').reduceRight<unknown>((inner, name) => ({ [name]: inner }), '9');
		expect(askRow({ settings: { duration: 0 }, byHand: byHand as Asked['byHand'] })).toEqual({
			sent: byHand,
			notes: [`Duration: ${REPLACED}`],
		});
	});

	it('replaces all pictures', () => {
		const asked = { pictures: { first: 'f', last: 'l' }, byHand: { images: ['h'] } };
		const notes = [`First Frame, Last Frame: ${REPLACED}`];
		expect(askRow(asked)).toEqual({ sent: asked.byHand, notes });
	});

	it('takes nothing with it if it is empty, and a null leaves a field out', () => {
		const metadata = { ratio: '', mark: null, seed: 1 };
		const byHand = { Seconds: '', size: null, images: [''], metadata };
		const settings = { aspectRatio: '9:16', duration: 8 };
		expect(askRow({ settings, pictures: { first: 'f' }, byHand }).sent).toEqual({
			...{ duration: 8, seconds: '8', images: ['f'], metadata: { ratio: 'wide 9:16', seed: 1 } },
		});
	});
});

describe('on the channel of another vendor', () => {
	it('a size goes elsewhere, and all but the length has a hint', () => {
		const settings = { duration: 8, resolution: '720p' };
		expect(askRow({ settings, owner: 'OpenAI' })).toEqual({
			sent: { duration: 8, seconds: '8', metadata: { resolution: '720p' } },
			notes: unsure('Resolution'),
		});
		const shape = { aspectRatio: '9:16', resolution: '720p' };
		const sent = { metadata: { parameters: { size: '720*1280' } } };
		expect(ask('wan2.6-t2v', { settings: shape, owner: 'openai' }).sent).toEqual(sent);
	});

	it('a first frame is also where OpenAI reads one', () => {
		const sent = { images: ['f'], image: 'f', input_reference: 'f' };
		expect(askRow({ pictures: { first: 'f' }, owner: 'openai' })).toEqual({ sent, notes: [] });
	});

	it('what would be refused is sent: it may have other rules', () => {
		const asked = { settings: { aspectRatio: '9:16' }, pictures: { first: 'f' } };
		expect(ask('kling-v2-6', asked).refused).toBeDefined();
		expect(ask('kling-v2-6', { ...asked, owner: 'openai' }).sent).toBeDefined();
	});
});

const FRAMES = { first: 'f', last: 'l' };
const GROK = {
	images: ['f'],
	metadata: { last_frame: 'l', reference_images: ['r'], reference_audios: [{ url: 's' }] },
};
const WAN = { metadata: { input: { reference_urls: ['v', 'r'] } } };

describe('pictures', () => {
	/** One row for each place that decides: the row of the family, one of its versions, the name. */
	it.each<[string, Asked['pictures'], RegExp]>([
		['kling-v1-6', { references: [image] }, /no field for: Reference\./],
		['viduq2', { references: [image, sound] }, /no field for: Reference Sound\./],
		['seedance-1-pro-fast', FRAMES, /no field for: Last Frame\./],
		['MiniMax-Hailuo-2.3', { last: 'l', references: [image] }, /for: Last Frame, Reference\./],
		['S2V-01', { first: 'f' }, /no field for: First Frame\./],
		['grok-imagine-video', FRAMES, /no field for: Last Frame\./],
		['jimeng_i2v_first_v30', FRAMES, /no field for: Last Frame\./],
		['wan2.5-i2v-preview', FRAMES, /no field for: Last Frame\./],
		['wan2.7-r2v', { last: 'l', references: [image] }, /no field for: Last Frame/],
		['wan2.7-t2v', { references: [image] }, /no field for: Reference\./],
		['bytedance/seedance-1-lite-text-to-video', { first: 'f' }, /no field for: First Frame\./],
		['wan2.6-i2v', {}, /needs an image\. Set First Frame/],
		['viduq3', { last: 'l' }, /^A last frame needs a first one/],
		['viduq3', { first: 'f', references: [image] }, /^References and frames exclude each other/],
	])('%s refuses %j', (model, pictures, refusal) => {
		expect(ask(model, { pictures }).refused).toMatch(refusal);
	});

	const content = [{ type: 'image_url', image_url: { url: 'r' }, role: 'reference_image' }];
	it.each<[string, Asked['pictures'], object, hint: string]>([
		['MiniMax-H3', { last: 'l' }, { metadata: { last_frame_image: 'l' } }, ''],
		['grok-imagine-video-1.5', { ...FRAMES, references: [image, sound] }, GROK, ''],
		['wan2.6-r2v', { references: [video, image] }, WAN, ''],
		['seedance-1-5-pro-251215', { references: [image] }, { metadata: { content } }, 'Reference'],
	])('%s sends %j', (model, pictures, sent, hint) => {
		expect(ask(model, { pictures })).toMatchObject({ sent, notes: unsure(hint) });
	});

	it('that are written by hand are enough for a model that needs one', () => {
		const byHand = { metadata: { input: { img_url: 'f' } } };
		expect(ask('wan2.6-i2v', { byHand })).toEqual({ sent: byHand, notes: [] });
	});
});

const SHAPE = { aspectRatio: '16:9' };
const SOUND = { generateAudio: true };
const SILENT = { generateAudio: false };
const SHAPED = { settings: SHAPE, pictures: { first: 'f' } };
const TEMPLATE = { pictures: FRAMES, byHand: { metadata: { input: { template: 'a' } } } };

it.each<[string, Asked, RegExp]>([
	['veo-3.1', { byHand: { images: ['HTTP://x.example'] } }, /^Veo opens no web addresses/],
	['kling-2.6', { settings: SOUND }, /"mode": "pro"/],
	['kling-v2-6-pro', { settings: { resolution: '1080p' } }, /Set "mode" to "std" or "pro"/],
	['kling-v2-5-turbo', { settings: SOUND }, /no field for: Generate Audio/],
	['wan2.6-i2v', SHAPED, /from the first frame\. Remove/],
	['wan2.6-t2v', { settings: SILENT }, /^Of Wan 2\.6 and 2\.7, only 2\.6 Flash/],
	['wan2.2-kf2v-flash', TEMPLATE, /template would drop the last frame/],
	['kling-v2-5-turbo', SHAPED, /would drop Aspect Ratio/],
	['viduq3-pro', SHAPED, /would drop Aspect Ratio/],
	['jimeng_v30_pro', SHAPED, /would drop Aspect Ratio/],
	['wan2.5-t2v-preview', { settings: { ...SHAPE, resolution: '7p' } }, /^16:9 in 7p is no size/],
	['jimeng_v30', { settings: { duration: 8 } }, /^Duration must be one of: 5, 10\. It is "8"/],
])('%s refuses %j, which is known to be lost', (model, asked, refusal) => {
	expect(ask(model, asked).refused).toMatch(refusal);
});

it.each<[string, Asked, RegExp | undefined]>([
	['veo-3.1-generate-001', { settings: SILENT }, /always renders sound/],
	['veo-3.1-generate-001', { settings: SILENT, owner: 'vertex-ai' }, undefined],
	['kling-v2-6', { settings: SOUND, byHand: { mode: 'pro' } }, undefined],
	['wan2.6-i2v-flash', { settings: SILENT, pictures: { first: 'f' } }, undefined],
	['veo3.1-fast-fl', { pictures: FRAMES }, /^Input Files: only resellers read more/],
	['MiniMax-H3', SHAPED, /H3 may take the shape from/],
	['kling-v1-6', { settings: SHAPE, byHand: { image: 'f' } }, /may take the shape from the first/],
	['seedance-2.5', { ...SHAPED, settings: { aspectRatio: 'adaptive' } }, undefined],
])('%s: %j is sent, and the person is told %s', (model, asked, note) => {
	const { sent, notes } = ask(model, asked);
	expect(sent).toBeDefined();
	if (note) expect(notes?.join('\n')).toMatch(note);
	else expect(notes).toEqual([]);
});

it('a size is the highest that is known if none is set', () => {
	const { sent } = ask('wanx2.1-t2v-turbo', { settings: { aspectRatio: '9:16' } });
	expect(sent).toEqual({ size: '720*1280' });
});

it.each(['480p', '720p', '1080p'])('Wan writes %s as a size of the shape wanted', (resolution) => {
	for (const aspectRatio of ['16:9', '9:16', '1:1']) {
		const { sent } = ask('wan2.5-t2v-preview', { settings: { aspectRatio, resolution } });
		const [width, height] = String(sent?.size).split('*').map(Number);
		const [across, down] = aspectRatio.split(':').map(Number);
		expect(width / height).toBeCloseTo(across / down, 1);
	}
});

it('a model of no known family gets its length with a hint, and asks for Model Family', () => {
	const settings = { duration: 8 };
	const sent = { duration: 8, seconds: '8' };
	expect(ask('house-model', { settings })).toEqual({ sent, notes: unsure('Duration') });
	expect(ask('house-model', SHAPED, UNKNOWN_MODEL).refused).toMatch(
		/no field for: First Frame, Aspect Ratio\. Set Model Family in Options/,
	);
});

it('a way of a service refuses what it has no field for, and no value', () => {
	const settings = { aspectRatio: '7:3', resolution: '720P' };
	// As it was typed: nothing is known of its letters.
	const sent = { aspect_ratio: '7:3', resolution: '720P' };
	expect(ask('veo-3', { settings }, PLAIN)).toEqual({ sent, notes: [] });
	const { refused } = ask('veo-3', { settings: { returnLastFrame: true } }, PLAIN);
	expect(refused).toMatch(/^A service that takes plain names alone .* Return Last Frame\./);
});

it('merges level by level, and keeps odd names as they are', () => {
	const under = JSON.parse('{"a":{"b":1,"c":1},"__proto__":{"x":1},"d":[1],"e":{"f":1}}') as never;
	expect(merge(under, { a: { b: 2 }, d: [2], e: null, g: {} })).toEqual(
		JSON.parse('{"a":{"b":2,"c":1},"__proto__":{"x":1},"d":[2],"e":null,"g":{}}'),
	);
});
