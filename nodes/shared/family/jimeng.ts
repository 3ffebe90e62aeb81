import { PICTURE, type Family } from './family';

const RATIOS = ['16:9', '4:3', '1:1', '3:4', '9:16', '21:9'];

/** ByteDance's Jimeng, through Volcengine's visual API. */
export const jimeng: Family = {
	label: 'Jimeng',
	matches: /jimeng/i,
	owners: ['jimeng'],
	settings: () => ({
		aspectRatio: { at: 'metadata.aspect_ratio' },
		// The gateway renders 5 seconds for any other number.
		duration: { at: 'duration', or: ['seconds', 'metadata.frames'], values: [5, 10], byDefault: 5 },
		resolution: { instead: 'The name of the model says it, such as jimeng_t2v_v30_1080p.' },
		seed: { at: 'metadata.seed' },
	}),
	// volcengine.com/docs/85621
	versions: [
		{ label: '3.0', name: /v30/i, duration: [5, 10], aspectRatio: RATIOS },
		{ label: 'S2.0', name: /vgfm/i, duration: [5], aspectRatio: RATIOS },
	],
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
