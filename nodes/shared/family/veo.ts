import { handAt } from './byHand';
import { inMetadata, type Family } from './family';

/** The gateway derives the exact resolution and aspect ratio from these sizes. */
const SIZES = ['1280x720', '720x1280', '1920x1080', '1080x1920', '3840x2160', '2160x3840'];

/** Google's Veo, through the Gemini API or Vertex AI. */
export const veo: Family = {
	label: 'Veo',
	matches: /(^|\/)veo\b/i,
	owners: ['google gemini', 'vertex-ai'],
	asksVendor: true,
	settings: (model) => ({
		aspectRatio: inMetadata('aspectRatio', ['16:9', '9:16']),
		cameraFixed: { instead: 'Describe the camera in the prompt.' },
		// The vendor reads `metadata`; older gateways and their prices read the other two.
		duration: {
			values: /veo-2/i.test(model) ? [5, 6, 7, 8] : [4, 6, 8],
			write: (seconds) => ({
				duration: seconds,
				seconds: String(seconds),
				metadata: { durationSeconds: seconds },
			}),
		},
		generateAudio: inMetadata('generateAudio'),
		negativePrompt: inMetadata('negativePrompt'),
		personGeneration: inMetadata('personGeneration', ['allow_adult', 'allow_all', 'dont_allow']),
		resolution: inMetadata('resolution', ['720p', '1080p', '4k']),
		seed: { ...inMetadata('seed'), min: 0, max: 2 ** 32 - 1 },
		size: { values: SIZES, write: (size) => ({ size }) },
	}),
	twins: [
		['duration', 'seconds', 'metadata.durationSeconds', 'metadata.duration', 'metadata.seconds'],
		['size', 'metadata.aspectRatio'],
		['size', 'metadata.resolution'],
	],
	// The gateway silently drops a web address, and base64 without its padding.
	pictures: {
		opensUrls: false,
		form: 'dataUri',
		lastFrame: false,
		references: 0,
		write: ({ first }) => ({ image: first }),
	},
	objection: ({ byHand }) => {
		const typed = ['image', 'images', 'input_reference'].flatMap((name) => handAt(byHand, name));
		const address = typed.find(({ value }) => /^\W*https?:/i.test(String(value)));
		return (
			address &&
			`Veo opens no web addresses, so "${address.path}" by hand would be dropped. Set Image Source to URL, and the node loads the image.`
		);
	},
};
