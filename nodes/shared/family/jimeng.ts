import { PICTURE, type Family } from './family';

/** ByteDance's Jimeng, through Volcengine's visual API. */
export const jimeng: Family = {
	label: 'Jimeng',
	matches: /jimeng/i,
	owners: ['jimeng'],
	settings: () => ({
		aspectRatio: {
			at: 'metadata.aspect_ratio',
			values: ['16:9', '4:3', '1:1', '3:4', '9:16', '21:9'],
		},
		// The gateway renders 5 seconds for any other number.
		duration: { at: 'duration', or: ['seconds', 'metadata.frames'], values: [5, 10], byDefault: 5 },
		seed: { at: 'metadata.seed' },
	}),
	pictures: {
		at: [...PICTURE, 'metadata.binary_data_base64', 'metadata.image_urls'],
		// Web addresses are not sent, because all pictures of a request must have the same form.
		form: 'base64',
		lastFrame: true,
		write: ({ first, last }) => (last ? { images: [first!, last] } : { image: first }),
	},
	// Without a `req_key` by hand, the number of pictures decides how to render.
	modelAt: 'metadata.req_key',
	models: [
		[/_t2v_/i, 'noImage'],
		[/_i2v_first_(?!tail)/i, 'noLastFrame'],
	],
};
