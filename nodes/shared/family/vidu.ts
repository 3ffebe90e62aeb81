import { PICTURE, SEED_ABOVE_ZERO, type Family } from './family';

export const vidu: Family = {
	label: 'Vidu',
	matches: /(^|[/.:])vidu(?=q?\d|[-._/]|$)/i,
	owners: ['vidu'],
	settings: () => ({
		aspectRatio: {
			instead:
				'Vidu takes it from the image, or renders 16:9. If your gateway reads it, set metadata.aspect_ratio in Additional Fields (JSON).',
		},
		duration: { at: 'duration', or: ['seconds', 'metadata.duration'], byDefault: 5 },
		// The gateway reads `size` as a resolution.
		resolution: { at: 'size', or: ['metadata.resolution'] },
		seed: { at: 'metadata.seed', ...SEED_ABOVE_ZERO },
	}),
	// platform.vidu.com/docs
	versions: [
		{
			...{ label: 'Q3 Pro', name: /viduq3-pro(?!-)/i },
			duration: { min: 1, max: 16 },
			resolution: ['720p', '1080p'],
		},
		{
			...{ label: 'Q3 Turbo', name: /viduq3-turbo/i },
			duration: { min: 1, max: 16 },
			resolution: ['540p', '720p', '1080p'],
		},
		{
			...{ label: 'Q3', name: /viduq3/i },
			duration: { min: 1, max: 16 },
			resolution: ['360p', '540p', '720p', '1080p'],
		},
		{
			...{ label: 'Q2', name: /viduq2/i },
			duration: { min: 1, max: 10 },
			resolution: ['360p', '540p', '720p', '1080p'],
		},
		{
			...{ label: 'Q1', name: /viduq1/i },
			duration: [5],
			resolution: ['1080p'],
			byDefault: { resolution: '1080p' },
		},
		{
			...{ label: '2.0', name: /vidu2\.0/i },
			duration: [4, 8],
			resolution: ['360p', '720p', '1080p'],
			byDefault: { duration: 4 },
		},
		{
			...{ label: '1.5', name: /vidu1\.5/i },
			duration: [4, 8],
			resolution: ['360p', '720p', '1080p'],
		},
	],
	pictures: {
		at: [...PICTURE, 'metadata.images'],
		opensUrls: true,
		lastFrame: true,
		references: 7,
		// Two pictures count as the first and the last frame, unless `action` says otherwise.
		write({ first, last, references }) {
			if (references.length > 0) {
				return { images: references, metadata: { action: 'referenceGenerate' } };
			}
			return last ? { images: [first!, last] } : { image: first };
		},
	},
	models: [[/vidu2\.0/i, 'needsImage', 'viduq2']],
	objection: (at) =>
		/vidu(1\.5|2\.0)/i.test(String(at('model'))) &&
		Number(at('duration')) === 8 &&
		String(at('size') ?? at('metadata.resolution')).toLowerCase() !== '720p' &&
		'Vidu 1.5 and 2.0 render 8 seconds in 720p only. Set Resolution to 720p, or Duration to 4.',
};
