import { LENGTH_AT, type Lists, PICTURE_AT, type Family, toImages } from '../takes';
import { FIVE_RATIOS, version } from './versions';

const LISTS: Lists = {
	checked: '2026-11, plugin jimeng 1.0.2',
	aspectRatio: [...FIVE_RATIOS, '21:9'],
	duration: [5, 10],
	byDefault: { duration: 5 },
};

/** ByteDance's Jimeng, through Volcengine's visual API: volcengine.com/docs/85621. */
export const jimeng: Family = {
	label: 'Jimeng',
	matches: /^(?!.*seedance).*jimeng/,
	owners: ['jimeng'],
	versions: [
		version('3.0', 'jimeng_v30', /v30/, LISTS),
		version('S2.0', 'jimeng_vgfm_t2v_l20', /vgfm/, { ...LISTS, duration: [5] }),
	],
	price: 'video',
	// All pictures of a request must have the same form: addresses, or base64 without a head.
	loads: true,
	bare: true,
	fields: {
		aspectRatio: { at: ['metadata.aspect_ratio'], or: ['size'] },
		// The gateway renders 5 seconds for any other number.
		duration: { at: LENGTH_AT, or: ['metadata.frames'], only: [5, 10] },
		seed: { at: ['metadata.seed'] },
	},
	instead: {
		resolution:
			'At New API, each of them renders in one resolution, such as jimeng_v30_1080p. Remove Resolution, or write into Additional Fields (JSON) what a reseller has.',
	},
	pictures: {
		at: [...PICTURE_AT, 'metadata.binary_data_base64', 'metadata.image_urls'],
		takes: ['first', 'last'],
		write: toImages,
		not: { last: /-i2v-(first-(?!tail)|recamera-)/ },
	},
	frameShapes: /v30/,
};
