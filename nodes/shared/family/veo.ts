import { PICTURE, type Family } from './family';

/** Google's Veo, through the Gemini API or Vertex AI. */
export const veo: Family = {
	label: 'Veo',
	matches: /(^|\/)veo\b/i,
	owners: ['google gemini', 'vertex-ai'],
	hasLiveRecord: true,
	settings: (model) => ({
		aspectRatio: {
			at: 'metadata.aspectRatio',
			or: ['size'],
			values: ['16:9', '9:16'],
			byDefault: '16:9',
		},
		duration: {
			// The vendor reads `metadata`; older gateways and their prices read the other two.
			at: ['duration', 'seconds', 'metadata.durationSeconds'],
			or: ['metadata.duration', 'metadata.seconds'],
			values: /veo-2/i.test(model) ? [5, 6, 7, 8] : [4, 6, 8],
			byDefault: 8,
		},
		generateAudio: { at: 'metadata.generateAudio' },
		negativePrompt: { at: 'metadata.negativePrompt' },
		resolution: {
			at: 'metadata.resolution',
			or: ['size'],
			values: ['720p', '1080p', '4k'],
			byDefault: '720p',
		},
		seed: { at: 'metadata.seed', min: 0, max: 2 ** 32 - 1 },
	}),
	// The gateway silently drops a web address, and base64 without its padding.
	pictures: { at: PICTURE, write: ({ first }) => ({ image: first }) },
	objection: (at) =>
		PICTURE.some((path) => /^\W*https?:/i.test(String(at(path)))) &&
		'Veo opens no web addresses, so an image in Additional Fields (JSON) would be dropped. Set First Frame to URL, and the node loads the image.',
};
