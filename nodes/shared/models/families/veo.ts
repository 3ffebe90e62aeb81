import { type Lists, PICTURE_AT, type Family, toImages, urlsOf } from '../takes';
import { upTo, version } from './versions';

const LISTS: Lists = {
	checked: '2026-11, plugin google 1.0.3',
	aspectRatio: ['16:9', '9:16'],
	duration: [4, 6, 8],
	resolution: ['720p', '1080p'],
	byDefault: { aspectRatio: '16:9', duration: 8, resolution: '720p' },
};

/** Google's Veo, through the Gemini API or Vertex AI: ai.google.dev/gemini-api/docs/video. */
export const veo: Family = {
	label: 'Veo',
	matches: /(^|[/:-])veo(?=[\d-]|$)/,
	owners: ['google gemini', 'vertex-ai'],
	versions: [
		version('3.1', 'veo-3.1-generate-001', /veo-?3-1(?!\d|s\b|.*lite)/, {
			...LISTS,
			resolution: ['720p', '1080p', '4k'],
		}),
		version('3.1 Lite', 'veo-3.1-lite-generate-001', /veo-?3(-1)?-(?!\d).*lite/, LISTS),
		version('3.0', 'veo-3.0-generate-001', /veo-?3(-0)?(?!\d|-\d(?![\dks]))/, LISTS),
		version('2.0', 'veo-2.0-generate-001', /veo-?2/, {
			...LISTS,
			checked: 'before 2026-11, ai.google.dev',
			duration: upTo(5, 8),
			resolution: ['720p'],
		}),
	],
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
	pictures: { at: PICTURE_AT, takes: ['first'], write: toImages },
	whatIsLost: (at) =>
		PICTURE_AT.some((path) => /^\W*https?:/i.test(String(at(path)))) &&
		'Veo opens no web addresses, so an image in Additional Fields (JSON) would be dropped. Set First Frame to URL, and the node loads the image.',
	doubt: (at, { name, owner = 'google gemini' }) =>
		owner === 'google gemini' &&
		/veo-?3/.test(name) &&
		at('metadata.generateAudio') !== undefined &&
		"Google's Gemini API has no Generate Audio: Veo 3 always renders sound there",
};

/**
 * Resellers' names such as veo3.1-fast-fl and veo3.1-components, which say that they take more pictures;
 * on Google's own channels, they take no more than Veo.
 */
export const veoOfResellers: Family = {
	...veo,
	matches:
		/(^|[/:-])veo(?=[\d-]).*[-/](flf?|frames|first-last|start-end|i2v-s|interpolation|components|r2v|reference)(?![a-z0-9])/,
	owners: [],
	pictures: {
		at: PICTURE_AT,
		takes: ['first', 'last', 'image'],
		write(pictures) {
			const images = urlsOf(pictures, 'image');
			return images ? { images } : toImages(pictures);
		},
		lastAlone: true,
	},
	whatIsLost: undefined,
	doubt: (at) =>
		PICTURE_AT.some((path) => at(path) !== undefined) &&
		'Input Files: only resellers read more than a first frame of a model with this name',
};
