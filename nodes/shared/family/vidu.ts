import { seedAboveZero, type Family } from './family';

export const vidu: Family = {
	label: 'Vidu',
	matches: /(^|\/)vidu/i,
	owners: ['vidu'],
	settings: () => ({
		aspectRatio: { instead: 'Vidu takes it from the image, or renders 16:9.' },
		duration: { write: (seconds) => ({ duration: seconds }) },
		// The gateway reads the size as a resolution.
		resolution: {
			values: ['360p', '540p', '720p', '1080p'],
			write: (resolution) => ({ size: resolution }),
		},
		seed: seedAboveZero('seed'),
		size: { instead: 'Set Resolution.' },
	}),
	pictures: {
		opensUrls: true,
		form: 'dataUri',
		lastFrame: true,
		references: 7,
		// Two pictures are the first and the last frame, unless `action` says otherwise.
		write: ({ first, last, references }) => {
			if (references.length > 0) {
				return { images: references, metadata: { action: 'referenceGenerate' } };
			}
			return last === undefined ? { image: first } : { images: [first, last] as string[] };
		},
	},
};
