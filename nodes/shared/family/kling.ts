import { PICTURE, type Family } from './family';

const RATIOS = ['16:9', '9:16', '1:1'];

/** Models whose requests have a resolution; those named kling-v3 are asked in the old way. */
const HAS_RESOLUTION = /kling-?[3-9]\.\d/i;

export const kling: Family = {
	label: 'Kling',
	matches: /kling/i,
	owners: ['kling'],
	settings: (model) => ({
		aspectRatio: { at: 'metadata.aspect_ratio', or: ['size'] },
		duration: { at: 'duration', or: ['seconds', 'metadata.duration'], byDefault: 5 },
		generateAudio: {
			instead: HAS_RESOLUTION.test(model)
				? 'Set metadata.audio to "native" or "off" in Additional Fields (JSON).'
				: undefined,
		},
		negativePrompt: { at: 'metadata.negative_prompt' },
		resolution: HAS_RESOLUTION.test(model)
			? { at: 'metadata.resolution', isRecent: true }
			: { instead: 'Set "mode" to "std" or "pro" in Additional Fields (JSON).' },
	}),
	// kling.ai/document-api
	versions: [
		{
			...{ label: '3.0 Turbo', name: /kling-?3\.0-turbo/i },
			duration: { min: 3, max: 15 },
			aspectRatio: RATIOS,
			resolution: ['720p', '1080p'],
			byDefault: { resolution: '720p' },
		},
		{
			...{ label: '3.0', name: /kling-?3\.0/i },
			duration: { min: 3, max: 15 },
			aspectRatio: RATIOS,
			resolution: ['720p', '1080p', '4k'],
			byDefault: { resolution: '720p' },
		},
		{
			...{ label: 'v1 and v2', name: /kling-?v?[12]/i },
			duration: [5, 10],
			aspectRatio: RATIOS,
			// The gateway sends it for anything but six exact sizes in pixels.
			byDefault: { aspectRatio: '1:1' },
		},
	],
	pictures: {
		at: [...PICTURE, 'metadata.image'],
		opensUrls: true,
		// The vendor refuses data URIs.
		form: 'base64',
		lastFrame: true,
		write: ({ first, last }) => ({
			image: first,
			...(last && { metadata: { image_tail: last } }),
		}),
	},
	models: [[/kling-?3\.0-turbo/i, 'noLastFrame', 'kling-3.0']],
	objection: (at) =>
		HAS_RESOLUTION.test(String(at('model'))) &&
		at('image') !== undefined &&
		at('metadata.aspect_ratio') !== undefined &&
		'Kling 3.0 takes the Aspect Ratio from the image, and would drop this one. Remove Aspect Ratio.',
};
