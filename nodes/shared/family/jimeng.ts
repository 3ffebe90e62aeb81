import { inMetadata, type Family } from './family';

const RATIOS = ['16:9', '4:3', '1:1', '3:4', '9:16', '21:9'];

/** ByteDance's Jimeng, by Volcengine's visual API. */
export const jimeng: Family = {
	label: 'Jimeng',
	matches: /jimeng/i,
	owners: ['jimeng'],
	settings: () => ({
		aspectRatio: inMetadata('aspect_ratio', RATIOS),
		// The gateway renders 5 seconds for any other number.
		duration: { values: [5, 10], write: (seconds) => ({ duration: seconds }) },
		seed: inMetadata('seed'),
		size: { instead: 'Set Aspect Ratio.' },
	}),
	twins: {
		duration: ['metadata.frames'],
		image: ['metadata.binary_data_base64', 'metadata.image_urls'],
		images: ['metadata.binary_data_base64', 'metadata.image_urls'],
	},
	pictures: {
		// One kind for all pictures of a request, so addresses and files would not go together.
		opensUrls: false,
		form: 'base64',
		lastFrame: true,
		references: 0,
		write: ({ first, last }) =>
			last === undefined ? { image: first } : { images: [first, last] as string[] },
	},
};
