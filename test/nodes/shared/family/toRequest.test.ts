import type { Row } from '../../../../nodes/shared/family/row';
import { PLAIN, UNKNOWN_MODEL } from '../../../../nodes/shared/family/services';
import { merge } from '../../../../nodes/shared/lib/json';
import { ask, type Asked } from './support/ask';

const UNSURE = 'sent, but some services and versions of this model drop or refuse it';
const REPLACED = 'Additional Fields (JSON) replaces it';
const inMetadata = (metadata: object) => ({ metadata });

/** A row that has one of each kind. It takes what is known of Veo 3.1. */
const ROW: Row = {
	label: 'Veo',
	matches: /veo/,
	owners: ['ours'],
	fields: {
		aspectRatio: { at: ['metadata.ratio'], or: ['size'], say: { '16:9': 'wide' } },
		duration: { at: ['duration', 'seconds'], auto: 'metadata.length', or: ['metadata.length'] },
		generateAudio: { at: ['metadata.audio'], since: /3-1/ },
		negativePrompt: { at: ['metadata.not'], not: /fast/ },
		resolution: { at: ['size'], or: ['metadata.resolution'], upper: true },
		seed: { at: ['metadata.seed'], loses: [0], only: [0, 1] },
	},
	pictures: {
		at: ['images', 'metadata.last'],
		first: ({ first }) => ({ images: [first] }),
		last: ({ first, last }) => ({ metadata: { first, last } }),
	},
	instead: { negativePrompt: 'Say it in the prompt.' },
};
const MODEL = 'veo-3.1-generate-001';
const askRow = (asked: Asked, model = MODEL) => ask(model, asked, ROW);

describe('a value', () => {
	it.each<[Asked['settings'], object, string[]]>([
		[{ aspectRatio: ' 16:9 ' }, inMetadata({ ratio: 'wide' }), []],
		[{ duration: 8 }, { duration: 8, seconds: '8' }, []],
		[{ duration: -1 }, inMetadata({ length: -1 }), ['Duration']],
		[{ resolution: '1080p' }, { size: '1080P' }, []],
		[{ resolution: '8K' }, { size: '8K' }, ['Resolution']],
		[{ generateAudio: false }, inMetadata({ audio: false }), ['Generate Audio']],
		[
			{ aspectRatio: '7:3', duration: 3 },
			{ duration: 3, seconds: '3', metadata: { ratio: '7:3' } },
			['Aspect Ratio, Duration'],
		],
	])(
		'%j is written at all its places, with one hint for what is not known',
		(settings, sent, unsure) => {
			const notes = unsure.map((labels) => `${labels}: ${UNSURE}`);
			expect(askRow({ settings })).toEqual({ sent, notes });
		},
	);

	it.each<[Asked['settings'], RegExp]>([
		[
			{ returnLastFrame: true },
			/^"veo-3.1-fast" has no field for: Return Last Frame.*Only Seedance/,
		],
		[{ negativePrompt: 'x' }, /has no field for: Negative Prompt.*Say it in the prompt\./],
		[{ duration: 0 }, /^Duration must be 1 or more\. It is "0"/],
		[{ seed: 0 }, /^Seed must be/],
		[{ seed: 2 }, /^Seed must be one of: 0, 1\. It is "2"/],
	])('%j is refused, because it would be dropped', (settings, refusal) => {
		expect(askRow({ settings }, 'veo-3.1-fast').refused).toMatch(refusal);
	});

	it('of a model that is not known is sent with a hint, and so is a picture', () => {
		const asked = { settings: { duration: 8 }, pictures: { first: 'f' } };
		expect(askRow(asked, 'veo-9').notes).toEqual([`First Frame, Duration: ${UNSURE}`]);
	});
});

describe('what is written by hand', () => {
	it.each(['duration', 'Seconds', 'metadata.length'])('wins at %s, with a hint', (path) => {
		const byHand = path.split('.').reduceRight<unknown>((inner, name) => ({ [name]: inner }), '9');
		expect(askRow({ settings: { duration: 0 }, byHand: byHand as Asked['byHand'] })).toEqual({
			sent: byHand,
			notes: [`Duration: ${REPLACED}`],
		});
	});

	it('replaces all pictures', () => {
		const byHand = { images: ['h'] };
		const notes = [`First Frame, Last Frame: ${REPLACED}`];
		expect(askRow({ pictures: { first: 'f', last: 'l' }, byHand })).toEqual({
			sent: byHand,
			notes,
		});
	});

	it('takes nothing with it if it is empty, and a null leaves a field out', () => {
		const byHand = { seconds: '', size: null, metadata: { ratio: '', mark: null, seed: 1 } };
		const settings = { aspectRatio: '9:16', duration: 8 };
		expect(askRow({ settings, byHand }).sent).toEqual({
			...{ duration: 8, seconds: '8', metadata: { ratio: '9:16', seed: 1 } },
		});
	});
});

describe('on the channel of another vendor', () => {
	it('a size goes elsewhere, and all but the length has a hint', () => {
		const settings = { duration: 8, resolution: '720p' };
		expect(askRow({ settings, owner: 'OpenAI' })).toEqual({
			sent: { duration: 8, seconds: '8', metadata: { resolution: '720P' } },
			notes: [`Resolution: ${UNSURE}`],
		});
	});

	it('a first frame is also where OpenAI reads one', () => {
		expect(askRow({ pictures: { first: 'f' }, owner: 'openai' })).toEqual({
			sent: { images: ['f'], image: 'f', input_reference: 'f' },
			notes: [],
		});
	});

	it('the sizes of Wan go elsewhere, too', () => {
		const settings = { aspectRatio: '9:16', resolution: '720p' };
		expect(ask('wan2.6-t2v', { settings, owner: 'openai' }).sent).toEqual(
			inMetadata({ parameters: { size: '720*1280' } }),
		);
	});

	it.each<[string, Asked]>([
		['kling-v2-6', { settings: { generateAudio: true } }],
		['kling-v2-6', { settings: { aspectRatio: '9:16' }, pictures: { first: 'f' } }],
		['veo-3.1-generate-001', { byHand: { image: 'https://example.com/a.png' } }],
	])('%s with %j is sent: it may have other rules', (model, asked) => {
		expect(ask(model, asked).refused).toBeDefined();
		expect(ask(model, { ...asked, owner: 'openai' }).sent).toBeDefined();
		expect(ask(model, { ...asked, isGuess: true }).sent).toBeDefined();
	});
});

describe('pictures', () => {
	it.each<[string, Asked['pictures'], RegExp]>([
		['veo-3.1-generate-001', { first: 'f', last: 'l' }, /no field for: Last Frame\. Remove/],
		['kling-v1-6', { references: ['r'] }, /no field for: Reference\./],
		['viduq2', { references: ['r'], sounds: ['s'] }, /no field for: Reference Sound\./],
		['seedance-1-pro-fast', { first: 'f', last: 'l' }, /no field for: Last Frame\./],
		['MiniMax-Hailuo-2.3', { first: 'f', last: 'l' }, /no field for: Last Frame\./],
		['MiniMax-Hailuo-2.3', { references: ['r'] }, /no field for: Reference\./],
		['S2V-01', { first: 'f' }, /no field for: First Frame\./],
		['grok-imagine-video', { first: 'f', last: 'l' }, /no field for: Last Frame\./],
		['jimeng_i2v_first_v30', { first: 'f', last: 'l' }, /no field for: Last Frame\./],
		['wan2.5-i2v-preview', { first: 'f', last: 'l' }, /no field for: Last Frame\./],
		['wanx2.1-vace-plus', { first: 'f' }, /no field for: First Frame\./],
		['T2V-01', { first: 'f' }, /no field for: First Frame\./],
		['bytedance/seedance-1-lite-text-to-video', { first: 'f' }, /no field for: First Frame\./],
		['wan2.6-i2v', {}, /needs an image\. Set First Frame/],
		['viduq3', { last: 'l' }, /^A last frame needs a first one/],
		['viduq3', { first: 'f', references: ['r'] }, /^References and frames exclude each other/],
		['wan2.7-r2v', { first: 'f', last: 'l', references: ['r'] }, /no field for: Last Frame/],
	])('%s refuses %j', (model, pictures, refusal) => {
		expect(ask(model, { pictures }).refused).toMatch(refusal);
	});

	it.each<[string, Asked, object, string[]]>([
		[
			'MiniMax-H3',
			{ pictures: { last: 'l' } },
			inMetadata({ last_frame_image: 'l' }),
			['Last Frame'],
		],
		[
			'grok-imagine-video-1.5',
			{ pictures: { first: 'f', last: 'l', references: ['r'] } },
			{ images: ['f'], metadata: { last_frame: 'l', reference_images: ['r'] } },
			[],
		],
		[
			'wan2.6-r2v',
			{ pictures: { references: ['r'], videos: ['v'], inOrder: ['v', 'r'] } },
			inMetadata({ input: { reference_urls: ['v', 'r'] } }),
			['Reference, Reference Video'],
		],
		[
			'doubao-seedance-1-5-pro-251215',
			{ pictures: { references: ['r'] } },
			inMetadata({
				content: [{ type: 'image_url', image_url: { url: 'r' }, role: 'reference_image' }],
			}),
			['Reference'],
		],
		[
			'veo3.1-fast-fl',
			{ pictures: { first: 'f', last: 'l' } },
			{ images: ['f', 'l'] },
			['First Frame, Last Frame'],
		],
		['veo3.1-components', { pictures: { references: ['r'] } }, { images: ['r'] }, ['Reference']],
		['wan2.6-i2v', { byHand: { metadata: { input: { img_url: 'f' } } } }, {}, []],
		['wan2.6-t2v', { byHand: { image: 'f' } }, { image: 'f' }, []],
	])('%s sends %j', (model, asked, sent, unsure) => {
		expect(ask(model, asked)).toMatchObject({
			sent,
			notes: unsure.map((labels) => `${labels}: ${UNSURE}`),
		});
	});
});

describe('what is known to be lost is refused', () => {
	it.each<[string, Asked, RegExp]>([
		[
			'veo-3.1-generate-001',
			{ byHand: { images: ['HTTP://x.example'] } },
			/^Veo opens no web addresses/,
		],
		[
			'veo3.1-fl',
			{ pictures: { first: 'f', last: 'l' }, owner: 'vertex-ai' },
			/^Google's channel takes a first frame alone/,
		],
		['kling-2.6', { settings: { generateAudio: true } }, /"mode": "pro"/],
		[
			'kling-v2-1',
			{ settings: { aspectRatio: '9:16' } },
			/no field for: Aspect Ratio.*from the first frame/,
		],
		['kling-v2-6', { settings: { resolution: '1080p' } }, /Set "mode" to "std" or "pro"/],
		['kling-v2-5-turbo', { settings: { generateAudio: true } }, /no field for: Generate Audio/],
		[
			'wan2.6-t2v',
			{ settings: { generateAudio: false } },
			/^Of Wan 2\.6 and 2\.7, only 2\.6 Flash/,
		],
		[
			'wan2.2-kf2v-flash',
			{
				pictures: { first: 'f', last: 'l' },
				byHand: { metadata: { input: { template: 'hanfu-1' } } },
			},
			/template would drop the last frame/,
		],
		...['kling-v2-5-turbo', 'viduq3-pro', 'jimeng_v30_pro'].map(
			(model): [string, Asked, RegExp] => [
				model,
				{ settings: { aspectRatio: '16:9' }, pictures: { first: 'f' } },
				/would drop Aspect Ratio/,
			],
		),
		[
			'wan2.7-r2v',
			{ settings: { aspectRatio: '9:16' }, pictures: { first: 'f', references: ['r'] } },
			/would drop Aspect Ratio/,
		],
		[
			'wan2.5-t2v-preview',
			{ settings: { aspectRatio: '4:3', resolution: '480p' } },
			/^4:3 in 480p is/,
		],
		['jimeng_v30', { settings: { duration: 8 } }, /one of: 5, 10/],
		['viduq2', { settings: { seed: 0 } }, /^Seed must be 1 or more/],
	])('%s: %j', (model, asked, refusal) => {
		expect(ask(model, asked).refused).toMatch(refusal);
	});
});

it.each<[string, Asked, RegExp | undefined]>([
	['veo-3.1-generate-001', { settings: { generateAudio: false } }, /always renders sound/],
	['veo-3.1-generate-001', { settings: { generateAudio: false }, owner: 'vertex-ai' }, undefined],
	[
		'kling-v2-6',
		{ settings: { generateAudio: true }, byHand: { mode: 'pro' } },
		/^Generate Audio:/,
	],
	['wan2.6-i2v-flash', { settings: { generateAudio: false }, pictures: { first: 'f' } }, undefined],
	['kling-v1-6', { pictures: { first: 'f' }, route: 'openAiVideos' }, /drop all but the Duration/],
	['kling-v1-6', { settings: { duration: 5 }, route: 'openAiVideos' }, undefined],
	['viduq2-pro', { pictures: { references: ['r'] } }, /with Vidu Q2 instead/],
	['viduq2-pro', { pictures: { references: ['r'], videos: ['v'] } }, /drop reference videos/],
	[
		'MiniMax-H3',
		{ settings: { aspectRatio: '9:16' }, pictures: { first: 'f' } },
		/^Aspect Ratio: MiniMax H3 may take the shape from the first frame/m,
	],
	[
		'kling-v1-6',
		{ settings: { aspectRatio: '9:16' }, byHand: { image: 'f' } },
		/may take the shape from the first frame/,
	],
	[
		'doubao-seedance-2-5-260628',
		{ settings: { aspectRatio: 'adaptive' }, pictures: { first: 'f' } },
		undefined,
	],
])('%s: %j is sent, and the person is told %s', (model, asked, note) => {
	const { sent, notes } = ask(model, asked);
	expect(sent).toBeDefined();
	if (note) expect(notes?.join('\n')).toMatch(note);
	else expect(notes).toEqual([]);
});

it.each<[string, Record<string, string>, string]>([
	['wan2.5-t2v-preview', { aspectRatio: '9:16' }, '1080*1920'],
	['wanx2.1-t2v-turbo', { aspectRatio: '9:16' }, '720*1280'],
	['wan2.5-t2v-preview', { resolution: '720p' }, '1280*720'],
])('%s gets of %j a size, the highest that is known if none is set', (model, settings, size) => {
	expect(ask(model, { settings }).sent).toEqual({ size });
});

describe('a model of no known family', () => {
	it('gets its length alone, with a hint', () => {
		expect(ask('house-model', { settings: { duration: 8 } })).toEqual({
			sent: { duration: 8, seconds: '8' },
			notes: [`Duration: ${UNSURE}`],
		});
	});

	it('asks for Model Family before anything that would be dropped', () => {
		const asked = { settings: { aspectRatio: '9:16' }, pictures: { first: 'f' } };
		const refusal = /no field for: First Frame, Aspect Ratio\. Set Model Family in Options/;
		expect(ask('house-model', asked, UNKNOWN_MODEL).refused).toMatch(refusal);
	});
});

it('a way of a service refuses what it has no field for, and no value', () => {
	const settings = { aspectRatio: '7:3', returnLastFrame: true };
	expect(ask('veo-3', { settings }, PLAIN).refused).toMatch(
		/^The plain way .* Return Last Frame\./,
	);
	// As it was typed: nothing is known of its letters.
	const others = { aspectRatio: '7:3', resolution: '720P' };
	expect(ask('veo-3', { settings: others }, PLAIN)).toEqual({
		...{ sent: { aspect_ratio: '7:3', resolution: '720P' }, notes: [] },
	});
});

it('merges level by level, and keeps odd names as they are', () => {
	const under = JSON.parse('{"a":{"b":1,"c":1},"__proto__":{"x":1},"d":[1],"e":{"f":1}}') as never;
	expect(merge(under, { a: { b: 2 }, d: [2], e: null, g: {} })).toEqual(
		JSON.parse('{"a":{"b":2,"c":1},"__proto__":{"x":1},"d":[2],"e":null,"g":{}}'),
	);
});
