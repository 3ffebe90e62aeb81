import { PICTURE, type Family } from './family';

const RATIOS = ['16:9', '9:16', '1:1', '4:3', '3:4', '3:2', '2:3'];

/** xAI's Grok Imagine. Gateways have it since autumn 2026; older ones refuse its models. */
export const grok: Family = {
	label: 'Grok Imagine',
	matches: /grok[\w.-]*(imagine|video)(?!.*image(?!-to))/i,
	owners: ['xai'],
	settings: () => ({
		aspectRatio: { at: 'metadata.aspect_ratio', or: ['size'] },
		duration: { at: 'duration', or: ['seconds', 'metadata.duration'], byDefault: 8 },
		generateAudio: { at: 'metadata.generate_audio' },
		resolution: { at: 'metadata.resolution', or: ['size'], byDefault: '480p' },
	}),
	// docs.x.ai/developers/models
	versions: [
		{
			...{ label: '1.5', name: /grok-imagine-video-1\.5/i },
			duration: { min: 1, max: 15 },
			aspectRatio: RATIOS,
			resolution: ['480p', '720p', '1080p'],
		},
		{
			...{ label: '1.0', name: /grok-imagine-video$/i },
			duration: { min: 1, max: 15 },
			aspectRatio: RATIOS,
			resolution: ['480p', '720p'],
		},
	],
	pictures: {
		at: [...PICTURE, 'metadata.reference_images', 'metadata.keyframes'],
		opensUrls: true,
		lastFrame: true,
		references: 7,
		write: ({ first, last, references }) => ({
			image: first,
			...(last && { metadata: { last_frame: last } }),
			...(references.length > 0 && { metadata: { reference_images: references } }),
		}),
	},
	objection: (at) =>
		at('metadata.reference_images') !== undefined &&
		at('metadata.resolution') === '1080p' &&
		'Grok Imagine renders reference images in 480p and 720p only. Change Resolution.',
};
