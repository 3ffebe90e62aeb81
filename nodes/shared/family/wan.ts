import { LENGTH_AT, PICTURE_AT, type Pictures, type Row, SHAPE_OF_FIRST_FRAME } from './row';

/** The sizes that the gateway knows, as the vendor writes them: with a star. */
const SIZES: Record<string, Record<string, string> | undefined> = {
	'480p': { '16:9': '832*480', '9:16': '480*832', '1:1': '624*624' },
	'720p': {
		...{ '16:9': '1280*720', '9:16': '720*1280', '1:1': '960*960' },
		...{ '4:3': '1088*832', '3:4': '832*1088' },
	},
	'1080p': {
		...{ '16:9': '1920*1080', '9:16': '1080*1920', '1:1': '1440*1440' },
		...{ '4:3': '1632*1248', '3:4': '1248*1632' },
	},
};

const parameter = (name: string) => `metadata.parameters.${name}`;
const input = (name: string) => `metadata.input.${name}`;

const SIZE_AT = ['size', parameter('size')];
/** Older gateways have none of the fields that these came with. */
const SINCE_2_7 = /wanx?-?(3|2-7)/;
/** Models that work on files for which the form has no fields. */
const OF_OTHER_FILES = /wanx?-?2-\d-(s2v|animate|vace|videoedit)/;

const toFrames = ({ first, last }: Pictures) => ({
	metadata: { input: { first_frame_url: first, last_frame_url: last } },
});

/**
 * Alibaba's Wan, through DashScope: help.aliyun.com/zh/model-studio/text-to-video-api-reference and its
 * pages on images. `metadata` holds the vendor's `input` and `parameters`. This row has 3.0, which takes a
 * resolution and a ratio, and what the ones below do not match.
 */
export const wan: Row = {
	label: 'Wan',
	matches: /(?<![a-z])wanx?-?v?\d/,
	owners: ['ali'],
	fields: {
		aspectRatio: { at: [parameter('ratio')], or: [parameter('size')], since: SINCE_2_7 },
		duration: { at: LENGTH_AT, or: [parameter('duration')], auto: parameter('duration') },
		// Wan 2.1 and 2.2 render no sound.
		generateAudio: { at: [parameter('audio')], not: /wanx?-?2-[12]/ },
		negativePrompt: { at: [input('negative_prompt')] },
		resolution: { at: ['size'], or: [parameter('resolution'), parameter('size')], upper: true },
		// The gateway drops a 0, and the vendor would then choose a seed itself.
		seed: { at: [parameter('seed')], loses: [0, -1] },
	},
	pictures: {
		at: [
			...PICTURE_AT,
			...['img_url', 'image_url', 'first_frame_url', 'images', 'media'].map(input),
			...['ref_images_url', 'reference_urls', 'video_url'].map(input),
		],
		// The gateway of August 2026 reads no other field.
		first: ({ first }) => ({ input_reference: first }),
		last: toFrames,
		references({ first, references, videos = [], sounds = [] }) {
			const media = [
				...(first ? [{ type: 'first_frame', url: first }] : []),
				...references.map((url) => ({ type: 'reference_image', url })),
				...videos.map((url) => ({ type: 'reference_video', url })),
				...sounds.map((url) => ({ type: 'reference_audio', url })),
			];
			return { metadata: { input: { media } } };
		},
		also: ['videos', 'sounds'],
		mixes: { first: /wan-?2-7-r2v/ },
		not: {
			first: OF_OTHER_FILES,
			last: /wanx?-?2-\d-(r2v|s2v|animate|vace|videoedit)/,
			references: OF_OTHER_FILES,
		},
		since: SINCE_2_7,
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
export const wanByImage: Row = {
	...wan,
	matches: /(?<![a-z])wanx?-?v?2.*(?<![a-z])(i|kf)2v/,
	fields: { ...wan.fields, aspectRatio: undefined },
	instead: { aspectRatio: SHAPE_OF_FIRST_FRAME },
	pictures: {
		...wan.pictures,
		first: ({ first }, name) =>
			/kf2v/.test(name)
				? { metadata: { input: { first_frame_url: first } } }
				: { input_reference: first },
		references: undefined,
		not: { last: /wanx?-?2-[0-6](?!.*kf2v)/ },
	},
};

/** Models that render from text take a size in pixels. */
export const wanByText: Row = {
	...wan,
	matches: /(?<![a-z])wanx?-?v?2.*(?<![a-z])t2v/,
	fields: {
		...wan.fields,
		aspectRatio: {
			at: [],
			or: [...SIZE_AT, parameter('resolution')],
			only: Object.keys(SIZES['720p']!),
		},
		resolution: { at: [], or: [...SIZE_AT, parameter('resolution')], only: Object.keys(SIZES) },
	},
	// Also where the vendor renders 720p by default: the page says so.
	shape({ ratio = '16:9', resolution, highest = '1080p' }) {
		const size = SIZES[resolution ?? highest]?.[ratio];
		return size === undefined ? undefined : { size };
	},
	pictures: { at: wan.pictures.at },
};

/** Gateways since autumn 2026 read ratio and resolution of 2.7, older ones the size alone. */
export const wan27ByText: Row = {
	...wanByText,
	matches: /(?<![a-z])wanx?-?v?2-7.*(?<![a-z])t2v/,
	fields: {
		...wanByText.fields,
		aspectRatio: {
			...wanByText.fields.aspectRatio,
			at: [parameter('ratio')],
			or: SIZE_AT,
			since: SINCE_2_7,
		},
		resolution: {
			...wanByText.fields.resolution,
			at: [parameter('resolution')],
			or: SIZE_AT,
			upper: true,
		},
	},
};

/** 2.6 r2v takes a size, and references in a list of its own. */
export const wan26ByReferences: Row = {
	...wanByText,
	matches: /(?<![a-z])wan-?v?2-6-r2v/,
	pictures: {
		at: wan.pictures.at,
		references: ({ inOrder }) => ({ metadata: { input: { reference_urls: inOrder } } }),
		also: ['videos'],
		since: /wan/,
	},
};
