import type { Family } from './family';

/** MiniMax's H3. Gateways have it since autumn 2026; it reads other fields than Hailuo. */
export const h3: Family = {
	label: 'MiniMax H3',
	matches: /minimax[-_ ]?h3/i,
	owners: ['minimax'],
	settings: () => ({
		aspectRatio: { at: 'metadata.ratio' },
		duration: { at: 'duration', or: ['seconds', 'metadata.duration'], byDefault: 5 },
		resolution: {
			at: ['metadata.resolution', 'size'],
			letters: 'capital',
			byDefault: '768P',
		},
	}),
	// platform.minimax.io/docs
	versions: [
		{
			...{ label: '', name: /minimax[-_ ]?h3(?![-_]max)/i },
			duration: { min: 4, max: 15 },
			aspectRatio: ['21:9', '16:9', '4:3', '1:1', '3:4', '9:16', 'adaptive'],
			resolution: ['768P', '2K'],
		},
	],
	pictures: {
		at: ['image', 'images', 'input_reference', 'metadata.first_frame_image', 'metadata.content'],
		opensUrls: true,
		lastFrame: true,
		references: 9,
		write: ({ first, last, references }) => ({
			metadata: {
				...(first && { first_frame_image: first }),
				...(last && { last_frame_image: last }),
				// The gateway adds the prompt there itself.
				...(references.length > 0 && {
					content: references.map((url) => ({
						...{ type: 'image_url', image_url: { url } },
						role: 'reference_image',
					})),
				}),
			},
		}),
	},
	objection: (at) =>
		at('metadata.ratio') === 'adaptive' &&
		h3.pictures.at.every((path) => at(path) === undefined) &&
		'MiniMax H3 takes the Aspect Ratio adaptive only with an image. Choose another one, or set First Frame.',
};
