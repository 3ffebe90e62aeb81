import { PICTURE, type Family } from './family';

/** Google's Veo, through the Gemini API or Vertex AI. */
export const veo: Family = {
	label: 'Veo',
	matches: /(^|[/.:])veo(?=[\d._-]|$)/i,
	owners: ['google gemini', 'vertex-ai'],
	hasLiveRecord: true,
	settings: () => ({
		aspectRatio: { at: 'metadata.aspectRatio', or: ['size'], byDefault: '16:9' },
		duration: {
			// The vendor reads `metadata`; older gateways and their prices read the other two.
			at: ['duration', 'seconds', 'metadata.durationSeconds'],
			or: ['metadata.duration', 'metadata.seconds'],
			byDefault: 8,
		},
		generateAudio: { at: 'metadata.generateAudio' },
		negativePrompt: { at: 'metadata.negativePrompt' },
		resolution: { at: 'metadata.resolution', or: ['size'], byDefault: '720p' },
		seed: { at: 'metadata.seed', min: 0, max: 2 ** 32 - 1 },
	}),
	// ai.google.dev/gemini-api/docs/video
	versions: [
		{
			...{ label: '3.1', name: /veo[-_]?3[-._]1/i },
			duration: [4, 6, 8],
			aspectRatio: ['16:9', '9:16'],
			resolution: ['720p', '1080p', '4k'],
		},
		{
			...{ label: '3.0', name: /veo[-_]?3([-._]0)?(?![-._]?\d)/i },
			duration: [4, 6, 8],
			aspectRatio: ['16:9', '9:16'],
			resolution: ['720p', '1080p'],
		},
		{
			...{ label: '2.0', name: /veo[-_]?2/i },
			duration: [5, 6, 7, 8],
			aspectRatio: ['16:9', '9:16'],
			resolution: ['720p'],
		},
	],
	// The gateway silently drops a web address, and base64 without its padding.
	pictures: { at: PICTURE, write: ({ first }) => ({ image: first }) },
	objection: (at) =>
		PICTURE.some((path) => /^\W*https?:/i.test(String(at(path)))) &&
		'Veo opens no web addresses, so an image in Additional Fields (JSON) would be dropped. Set First Frame to URL, and the node loads the image.',
};
