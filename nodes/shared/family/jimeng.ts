import { LENGTH_AT, PICTURE_AT, type Row, SHAPE_OF_FIRST_FRAME, toImages } from './row';

/** ByteDance's Jimeng, through Volcengine's visual API: volcengine.com/docs/85621. */
export const jimeng: Row = {
	label: 'Jimeng',
	matches: /^(?!.*seedance).*jimeng/,
	owners: ['jimeng'],
	price: 'video',
	// All pictures of a request must have the same form: addresses, or base64 without a head.
	loads: true,
	bare: true,
	fields: {
		aspectRatio: {
			at: ['metadata.aspect_ratio'],
			or: ['size'],
			not: /-i2v-(first|recamera)-/,
		},
		// The gateway renders 5 seconds for any other number.
		duration: { at: LENGTH_AT, or: ['metadata.frames'], only: [5, 10] },
		seed: { at: ['metadata.seed'] },
	},
	instead: {
		aspectRatio: SHAPE_OF_FIRST_FRAME,
		resolution:
			'At New API, each of them renders in one resolution, such as jimeng_v30_1080p. Remove Resolution, or write into Additional Fields (JSON) what a reseller has.',
	},
	pictures: {
		at: [...PICTURE_AT, 'metadata.binary_data_base64', 'metadata.image_urls'],
		first: toImages,
		last: toImages,
		not: { last: /-i2v-(first-(?!tail)|recamera-)/ },
	},
	frameShapes: /v30/,
};
