import { PICTURE_AT, type Row, toImages } from './row';

const hasAddress = (at: (path: string) => unknown) =>
	PICTURE_AT.some((path) => /^\W*https?:/i.test(String(at(path))));

/** Google's Veo, through the Gemini API or Vertex AI: ai.google.dev/gemini-api/docs/video. */
export const veo: Row = {
	label: 'Veo',
	matches: /(^|[/:-])veo(?=[\d-]|$)/,
	owners: ['google gemini', 'vertex-ai'],
	isLive: true,
	price: 'second',
	// The gateway drops a web address, and base64 without its padding.
	loads: true,
	fields: {
		aspectRatio: { at: ['metadata.aspectRatio'], or: ['size'] },
		// The vendor reads `metadata`; older gateways and their prices read the other two.
		duration: {
			at: ['duration', 'seconds', 'metadata.durationSeconds'],
			or: ['metadata.duration', 'metadata.seconds'],
		},
		// Veo 2 renders no sound.
		generateAudio: { at: ['metadata.generateAudio'], not: /veo-?2/ },
		negativePrompt: { at: ['metadata.negativePrompt'] },
		resolution: { at: ['metadata.resolution'], or: ['size'] },
		seed: { at: ['metadata.seed'] },
	},
	pictures: { at: PICTURE_AT, first: toImages },
	whatIsLost: (at) =>
		hasAddress(at) &&
		'Veo opens no web addresses, so an image in Additional Fields (JSON) would be dropped. Set First Frame to URL, and the node loads the image.',
	doubt: (at, { name, owner = 'google gemini' }) =>
		owner === 'google gemini' &&
		/veo-?3/.test(name) &&
		at('metadata.generateAudio') !== undefined &&
		"Google's Gemini API has no Generate Audio: Veo 3 always renders sound there",
};

/** Resellers' names such as veo3.1-fast-fl and veo3.1-components, which say that they take more pictures. */
export const veoOfResellers: Row = {
	...veo,
	matches:
		/(^|[/:-])veo(?=[\d-]).*[-/](flf?|frames|first-last|start-end|i2v-s|interpolation|components|r2v|reference)(?![a-z0-9])/,
	pictures: {
		at: PICTURE_AT,
		first: toImages,
		last: toImages,
		references: ({ references }) => ({ images: references }),
		lastAlone: true,
		since: /veo/,
	},
	whatIsLost(at, about) {
		const isOfGoogle = veo.owners?.includes(about.owner ?? '');
		if (isOfGoogle && [at('images')].flat().length > 1) {
			return "Google's channel takes a first frame alone. Remove the other images.";
		}
		return isOfGoogle && veo.whatIsLost?.(at, about);
	},
};
