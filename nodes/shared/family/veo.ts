import { PICTURE_AT, toOneImage, type Family } from './family';

const RATIOS = ['16:9', '9:16'];

const hasAddress = (at: (path: string) => unknown) =>
	PICTURE_AT.some((path) => /^\W*https?:/i.test(String(at(path))));

/** Google's Veo, through the Gemini API or Vertex AI: ai.google.dev/gemini-api/docs/video. */
export const veo: Family = {
	label: 'Veo',
	matches: /(^|[/.:])veo(?=[\d._-]|$)/i,
	ownNames: /^veo-\d-\d(-fast|-lite)?-generate-/,
	owners: ['google gemini', 'vertex-ai'],
	hasLiveRecord: true,
	price: 'second',
	settings: (name) => ({
		aspectRatio: { at: 'metadata.aspectRatio', or: ['size'], byDefault: '16:9' },
		duration: {
			// The vendor reads `metadata`; older gateways and their prices read the other two.
			at: ['duration', 'seconds', 'metadata.durationSeconds'],
			or: ['metadata.duration', 'metadata.seconds'],
			byDefault: 8,
		},
		// Veo 2 renders no sound.
		generateAudio: /veo-?2/.test(name) ? {} : { at: 'metadata.generateAudio' },
		negativePrompt: { at: 'metadata.negativePrompt' },
		resolution: { at: 'metadata.resolution', or: ['size'], byDefault: '720p' },
		seed: { at: 'metadata.seed', min: 0, max: 2 ** 32 - 1 },
	}),
	checked: '2026-11, plugin google 1.0.3',
	versions: [
		{
			...{ label: '3.1', name: /veo-?3-1(?!\d|s\b|.*lite)/, model: 'veo-3.1-generate-001' },
			...{ duration: [4, 6, 8], aspectRatio: RATIOS, resolution: ['720p', '1080p', '4k'] },
		},
		{
			...{ label: '3.1 Lite', name: /veo-?3(-1)?-(?!\d).*lite/ },
			...{ model: 'veo-3.1-lite-generate-001' },
			...{ duration: [4, 6, 8], aspectRatio: RATIOS, resolution: ['720p', '1080p'] },
		},
		{
			...{ label: '3.0', name: /veo-?3(-0)?(?!\d|-\d(?![\dks]))/, model: 'veo-3.0-generate-001' },
			checked: '2026-11, Google Cloud: veo-3.0-generate-001',
			...{ duration: [4, 6, 8], aspectRatio: RATIOS, resolution: ['720p', '1080p'] },
		},
		{
			...{ label: '2.0', name: /veo-?2/, model: 'veo-2.0-generate-001' },
			checked: 'before 2026-11, ai.google.dev',
			...{ duration: [5, 6, 7, 8], aspectRatio: RATIOS, resolution: ['720p'] },
		},
	],
	pictures: {
		at: PICTURE_AT,
		fixedByName:
			/[-_/](flf?|frames|first[-_]last|start[-_]end|i2v[-_]s|interpolation|components|r2v|reference[-_]to)(?![a-z0-9])/i,
		types: ['image/jpeg', 'image/png'],
		// The gateway silently drops a web address, and base64 without its padding.
		write({ first, last, references }, route) {
			// Only of a name such as veo3.1-components, whose reseller takes more.
			const all = [first, last, ...references].filter((one) => one !== undefined);
			return all.length > 1 || !first ? { images: all } : toOneImage(first, route);
		},
	},
	cautions(at, name, _route, owner) {
		const isByGemini =
			owner === 'google gemini' || (owner !== 'vertex-ai' && /-generate-/.test(name));
		const resold = hasAddress(at) && 'Google opens no web address of an image; a reseller may';
		if (!isByGemini || !/veo-?3/.test(name)) return [resold];
		return [
			resold,
			/^(1080p|4k)$/i.test(String(at('metadata.resolution'))) &&
				Number(at('metadata.durationSeconds') ?? 8) !== 8 &&
				"Google's Gemini API takes 1080p and 4k with 8 seconds only",
			at('metadata.generateAudio') !== undefined &&
				"Google's Gemini API has no Generate Audio: Veo 3 always renders sound there",
		];
	},
	objection: (at, _name, isResold) =>
		hasAddress(at) &&
		!isResold &&
		'Veo opens no web addresses, so an image in Additional Fields (JSON) would be dropped. Set First Frame to URL, and the node loads the image.',
};
