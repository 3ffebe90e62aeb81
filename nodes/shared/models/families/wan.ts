import type { Pictures } from '../settings';
import { LENGTH_AT, type Lists, PICTURE_AT, type Family, type Shape, toCapitals } from '../takes';
import { AUTO, FIVE_RATIOS, TO_1080P, TO_720P, upTo, version } from './versions';

const LISTS: Lists = {
	checked: '2026-11, plugin alibaba 1.5.0',
	aspectRatio: FIVE_RATIOS,
	duration: [5],
	resolution: TO_1080P,
	byDefault: { duration: 5, resolution: '1080p' },
};
const V2_6: Lists = { ...LISTS, duration: upTo(2, 15), resolution: ['720p', '1080p'] };
/** Older gateways ask for 720p where they do not know the model, and Flash renders it by default. */
const byDefault = { duration: 5, resolution: '720p or 1080p' };
const V2_7: Lists = { ...V2_6, byDefault };

const VERSIONS = [
	version('3.0', 'wan3.0-video', /wanx?-?3(?![\da-z]|-[1-9](?![\dks]))/, {
		...V2_7,
		aspectRatio: [...FIVE_RATIOS, 'adaptive'],
		duration: [AUTO, ...upTo(2, 30)],
		resolution: TO_1080P,
		references: { image: 10, video: 5, sound: 5 },
	}),
	version('2.7 r2v', 'wan2.7-r2v', /wan-?2-7-r2v/, { ...V2_7, references: { image: 5, video: 5 } }),
	version('2.7', 'wan2.7-t2v', /wan-?2-7.*[it]2v/, V2_7),
	version('2.6 r2v', 'wan2.6-r2v', /wan-?2-6-r2v/, {
		...V2_6,
		duration: upTo(2, 10),
		references: { image: 5, video: 3 },
	}),
	version('2.6 us', 'wan2.6-t2v-us', /wan-?2-6.*-us/, { ...V2_6, duration: [5, 10, 15] }),
	version('2.6', 'wan2.6-t2v', /wan-?2-6.*[it]2v/, V2_6),
	version('2.5', 'wan2.5-t2v-preview', /wan-?2-5.*[it]2v/, { ...LISTS, duration: [5, 10] }),
	version('2.2', 'wan2.2-t2v-plus', /wan-?2-2.*(plus|flash)/, { ...LISTS, byDefault }),
	version('2.1', 'wanx2.1-t2v-turbo', /wanx?-?2-1.*[tif]2v/, {
		...LISTS,
		resolution: TO_720P,
		byDefault: { duration: 5, resolution: '720p' },
	}),
];

/** The sizes that the gateway knows, as the vendor writes them: with a star. */
const SIZES = new Map(
	Object.entries({
		'480p 16:9': '832*480',
		'480p 9:16': '480*832',
		'480p 1:1': '624*624',
		'720p 16:9': '1280*720',
		'720p 9:16': '720*1280',
		'720p 1:1': '960*960',
		'720p 4:3': '1088*832',
		'720p 3:4': '832*1088',
		'1080p 16:9': '1920*1080',
		'1080p 9:16': '1080*1920',
		'1080p 1:1': '1440*1440',
		'1080p 4:3': '1632*1248',
		'1080p 3:4': '1248*1632',
	}),
);

/** Without a Resolution, it is the highest, also where the vendor renders 720p by default: the page says so. */
function toShape({ ratio, resolution, highest = '1080p', isForeign, name }: Shape) {
	const size = SIZES.get(`${resolution ?? highest} ${ratio ?? '16:9'}`);
	if (size === undefined) return undefined;
	// New API reads these of 2.7; its older versions read the size alone.
	const words = /2-7/.test(name) && { ratio, resolution: resolution?.toUpperCase() };
	if (isForeign) return { metadata: { parameters: { size, ...words } } };
	return { size, ...(words && { metadata: { parameters: words } }) };
}

const parameter = (name: string) => `metadata.parameters.${name}`;
const input = (name: string) => `metadata.input.${name}`;

const SHAPE_AT = ['size', ...['size', 'resolution', 'ratio'].map(parameter)];

const MEDIA_TYPES = {
	image: 'reference_image',
	video: 'reference_video',
	sound: 'reference_audio',
};

/** The gateway of August 2026 reads a first frame from `input_reference` alone. */
function toWanInput({ first, last, references }: Pictures, name: string) {
	if (references.length === 0) {
		const isAlone = last === undefined && !/kf2v/.test(name);
		if (isAlone) return { input_reference: first };
		return { metadata: { input: { first_frame_url: first, last_frame_url: last } } };
	}
	const media = [
		...(first ? [{ type: 'first_frame', url: first }] : []),
		...references.map(({ kind, url }) => ({ type: MEDIA_TYPES[kind], url })),
	];
	return { metadata: { input: { media } } };
}

/**
 * Alibaba's Wan, through DashScope: help.aliyun.com/zh/model-studio/text-to-video-api-reference and its
 * pages on images. `metadata` holds the vendor's `input` and `parameters`. This row has 3.0, which takes a
 * resolution and a ratio, and what the ones below do not match.
 */
export const wan: Family = {
	label: 'Wan',
	matches: /(?<![a-z])wanx?-?v?\d/,
	owners: ['ali'],
	versions: VERSIONS,
	fields: {
		aspectRatio: { at: [parameter('ratio')], or: [parameter('size')] },
		duration: { at: LENGTH_AT, or: [parameter('duration')], auto: parameter('duration') },
		// Wan 2.1 and 2.2 render no sound.
		generateAudio: { at: [parameter('audio')], not: /wanx?-?2-[12]/ },
		negativePrompt: { at: [input('negative_prompt')] },
		resolution: {
			at: ['size'],
			or: [parameter('resolution'), parameter('size')],
			say: toCapitals,
		},
		// The gateway drops a 0, and the vendor would then choose a seed itself.
		seed: { at: [parameter('seed')], min: 1 },
	},
	pictures: {
		at: [
			...PICTURE_AT,
			...['img_url', 'image_url', 'first_frame_url', 'images', 'media'].map(input),
			...['ref_images_url', 'reference_urls', 'video_url'].map(input),
		],
		takes: ['first', 'last', 'image', 'video', 'sound'],
		write: toWanInput,
		mixes: /wan-?2-7-r2v/,
		not: { last: /wanx?-?2-\d-r2v/ },
	},
	frameShapes: /wan-?2-7-r2v/,
	frameMayShape: /wanx?-?3/,
	whatIsLost: (at, { name }) =>
		(at(input('template')) !== undefined &&
			at(input('last_frame_url')) !== undefined &&
			'The effect of metadata.input.template would drop the last frame. Remove one of the two.') ||
		(/wan-?2-[67](?!.*flash)/.test(name) &&
			at(parameter('audio')) === false &&
			'Of Wan 2.6 and 2.7, only 2.6 Flash renders without sound. Remove Generate Audio.'),
};

/** Models that render from an image, or from two frames (kf2v), take a resolution alone. */
export const wanByImage: Family = {
	...wan,
	matches: /(?<![a-z])wanx?-?v?2.*(?<![a-z])(i|kf)2v/,
	fields: { ...wan.fields, aspectRatio: undefined },
	pictures: {
		...wan.pictures,
		takes: ['first', 'last'],
		not: { last: /wanx?-?2-[0-6](?!.*kf2v)/ },
	},
};

/** Models that render from text take a size in pixels. */
export const wanByText: Family = {
	...wan,
	matches: /(?<![a-z])wanx?-?v?2.*(?<![a-z])t2v/,
	fields: {
		...wan.fields,
		aspectRatio: { at: [], or: SHAPE_AT },
		resolution: { at: [], or: SHAPE_AT },
	},
	shape: toShape,
	pictures: { at: wan.pictures.at },
};

/** 2.6 r2v takes a size, and references in a list of its own. */
export const wan26ByReferences: Family = {
	...wanByText,
	matches: /(?<![a-z])wan-?v?2-6-r2v/,
	pictures: {
		at: wan.pictures.at,
		takes: ['image', 'video'],
		write: ({ references }) => ({
			metadata: { input: { reference_urls: references.map(({ url }) => url) } },
		}),
	},
};
