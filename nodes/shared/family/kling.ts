import { PICTURE, type Family } from './family';

export const kling: Family = {
	label: 'Kling',
	matches: /kling/i,
	owners: ['kling'],
	settings: (model) => ({
		aspectRatio: {
			at: 'metadata.aspect_ratio',
			or: ['size'],
			values: ['16:9', '9:16', '1:1'],
			// The gateway sends it for anything but six exact sizes in pixels.
			byDefault: '1:1',
		},
		duration: {
			at: 'duration',
			or: ['seconds', 'metadata.duration'],
			...(/kling-?v?[12]/i.test(model) ? { values: [5, 10] } : { min: 1 }),
			byDefault: 5,
		},
		negativePrompt: { at: 'metadata.negative_prompt' },
		resolution: { instead: 'Set "mode" to "std" or "pro" in Additional Fields (JSON).' },
	}),
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
};
