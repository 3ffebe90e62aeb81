import { LENGTH_AT, type Lists, PICTURE_AT, type Family } from '../takes';
import { upTo, version } from './versions';

/** Gateways ask them for a `mode` in place of a resolution; nobody knows what the omni models take. */
const V1_TO_V3 = /kling-?v?[1-3](?!.*omni)/;

const V2_6 = /kling-?v?2-?6(?!.*pro)/;

const OLD: Lists = {
	checked: '2026-11, gateway of August 2026',
	aspectRatio: ['16:9', '9:16', '1:1'],
	duration: [5, 10],
	// The gateway sends it for anything but six exact sizes in pixels.
	byDefault: { aspectRatio: '1:1', duration: 5 },
};
const NEW: Lists = {
	checked: '2026-11, plugin kling 1.2.0',
	aspectRatio: OLD.aspectRatio,
	duration: upTo(3, 15),
	resolution: ['720p', '1080p', '4k'],
	byDefault: { duration: 5, resolution: '720p' },
};

/** Kuaishou's Kling: kling.ai/document-api. */
export const kling: Family = {
	label: 'Kling',
	matches: /kling/,
	owners: ['kling'],
	versions: [
		version('3.0 Turbo', 'kling-3.0-turbo', /kling-?(3-0|v3(-0)?)-turbo/, {
			...NEW,
			resolution: ['720p', '1080p'],
		}),
		version('3.0 and v3', 'kling-3.0', /kling-?(3-0|v3)(?!.*omni)/, NEW),
		version('v1 and v2', 'kling-v1-6', /kling-?v?[12]/, OLD),
	],
	price: 'video',
	// The vendor refuses data URIs.
	bare: true,
	fields: {
		aspectRatio: { at: ['metadata.aspect_ratio'], or: ['size'] },
		duration: { at: LENGTH_AT, or: ['metadata.duration'] },
		generateAudio: {
			at: ['metadata.sound'],
			say: (isOn) => (isOn ? 'on' : 'off'),
			not: /kling-?v?(1|2(?!-?6))|turbo/,
		},
		negativePrompt: { at: ['metadata.negative_prompt'] },
		resolution: { at: ['metadata.resolution'], not: V1_TO_V3 },
	},
	instead: {
		resolution:
			'Set "mode" to "std" or "pro" in Additional Fields (JSON), or write there what a reseller has.',
	},
	pictures: {
		at: [...PICTURE_AT, 'metadata.image', 'metadata.contents'],
		takes: ['first', 'last'],
		write: ({ first, last }) => ({
			image: first,
			...(last !== undefined && { metadata: { image_tail: last } }),
		}),
	},
	// The vendor reads a ratio only of a video from text, or from the references of omni models.
	frameShapes: V1_TO_V3,
	// Without a mode, gateways ask for `std`.
	whatIsLost: (at, { name }) =>
		V2_6.test(name) &&
		at('metadata.sound') === 'on' &&
		(at('metadata.mode') ?? at('mode')) !== 'pro' &&
		'Kling v2-6 renders sound in the mode "pro" only, and otherwise bills a silent video. Remove Generate Audio, or write "mode": "pro" into Additional Fields (JSON), which costs more.',
};

/** Kling 3.0 and newer, whose requests have a resolution; others named kling-v3 are asked in the old way. */
export const kling3: Family = {
	...kling,
	matches: /kling-?(3-\d|v?[4-9]|v3(-0)?-turbo)/,
	onVideos: true,
	fields: {
		...kling.fields,
		generateAudio: {
			at: ['metadata.audio'],
			say: (isOn) => (isOn ? 'native' : 'off'),
			not: /turbo/,
		},
		resolution: { at: ['metadata.resolution'] },
	},
	whatIsLost: undefined,
};
