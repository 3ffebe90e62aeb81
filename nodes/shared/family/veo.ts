import { handAt } from './byHand';
import type { Family } from './family';

/** Google's Veo, through the Gemini API or Vertex AI. */
export const veo: Family = {
	label: 'Veo',
	matches: /(^|\/)veo\b/i,
	owners: ['google gemini', 'vertex-ai'],
	hasLiveRecord: true,
	settings: (model) => ({
		aspectRatio: { at: 'metadata.aspectRatio', values: ['16:9', '9:16'], byDefault: '16:9' },
		duration: {
			// The vendor reads `metadata`; older gateways and their prices read the other two.
			at: ['duration', 'seconds', 'metadata.durationSeconds'],
			values: /veo-2/i.test(model) ? [5, 6, 7, 8] : [4, 6, 8],
			byDefault: 8,
		},
		generateAudio: { at: 'metadata.generateAudio' },
		negativePrompt: { at: 'metadata.negativePrompt' },
		resolution: {
			at: 'metadata.resolution',
			values: ['720p', '1080p', '4k'],
			byDefault: '720p',
		},
		seed: { at: 'metadata.seed', min: 0, max: 2 ** 32 - 1 },
	}),
	twins: [
		['duration', 'seconds', 'metadata.durationSeconds', 'metadata.duration', 'metadata.seconds'],
		['size', 'metadata.aspectRatio'],
		['size', 'metadata.resolution'],
	],
	// The gateway silently drops a web address, and base64 without its padding.
	pictures: { write: ({ first }) => ({ image: first }) },
	objection({ byHand }) {
		const typed = ['image', 'images', 'input_reference'].flatMap((name) => handAt(byHand, name));
		const address = typed.find(({ value }) => /^\W*https?:/i.test(String(value)));
		return (
			address &&
			`Veo opens no web addresses, so "${address.path}" by hand would be dropped. Set First Frame to URL, and the node loads the image.`
		);
	},
};
