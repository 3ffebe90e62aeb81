import { LENGTH_AT, PICTURE_AT, SHAPE_OF_FIRST_FRAME, toOneImage, type Family } from './family';

const RATIOS = ['16:9', '4:3', '1:1', '3:4', '9:16', '21:9'];

/** ByteDance's Jimeng, through Volcengine's visual API: volcengine.com/docs/85621. */
export const jimeng: Family = {
	label: 'Jimeng',
	matches: /^(?!.*seedance).*jimeng/i,
	ownNames: /^jimeng-(t?i?2v-.*)?(v\d|vgfm)/,
	owners: ['jimeng'],
	price: 'video',
	settings: (name) => ({
		aspectRatio: /-i2v-(first|recamera)-/.test(name)
			? { instead: SHAPE_OF_FIRST_FRAME }
			: { at: 'metadata.aspect_ratio', or: ['size'] },
		// The gateway renders 5 seconds for any other number.
		duration: { at: LENGTH_AT, or: ['metadata.frames'], values: [5, 10], byDefault: 5 },
		resolution: {
			// What the name fixes is sent, and a hint says so.
			at: /-\d+p\b/.test(name) ? 'metadata.resolution' : undefined,
			instead:
				'At New API, each of them renders in one resolution, such as jimeng_v30_1080p. Remove Resolution, or write into Additional Fields (JSON) what a reseller has.',
		},
		seed: { at: 'metadata.seed' },
	}),
	checked: '2026-11, plugin jimeng 1.0.2',
	versions: [
		{
			...{ label: '3.0 Pro', name: /v30-pro/, model: 'jimeng_v30_pro', unsure: ['lastFrame'] },
			...{ duration: [5, 10], aspectRatio: RATIOS },
		},
		{
			...{ label: '3.0', name: /v30/, model: 'jimeng_v30' },
			...{ duration: [5, 10], aspectRatio: RATIOS },
		},
		{
			...{ label: 'S2.0', name: /vgfm/, model: 'jimeng_vgfm_t2v_l20', unsure: ['lastFrame'] },
			...{ duration: [5], aspectRatio: RATIOS },
		},
	],
	pictures: {
		at: [...PICTURE_AT, 'metadata.binary_data_base64', 'metadata.image_urls'],
		// Web addresses are not sent, because all pictures of a request must have the same form.
		form: 'base64',
		lastFrame: true,
		write: ({ first, last }, route) =>
			last ? { images: [first!, last] } : toOneImage(first, route),
	},
	// Without a `req_key` by hand, the number of pictures decides how to render.
	modelAt: 'metadata.req_key',
	models: [
		[/-vgfm-t2v-/, 'noImage', 'jimeng_vgfm_i2v_l20 by metadata.req_key'],
		[/-t2v-/, 'noImage'],
		[/-i2v-/, 'needsImage'],
		[/-i2v-(first-(?!tail)|recamera-)/, 'noLastFrame'],
		[/-i2v-first-tail/, 'needsLastFrame'],
	],
	objection: (at, name, isResold) =>
		(/-recamera-/.test(name) &&
			!isResold &&
			'New API passes no camera move (template_id) to Jimeng. Choose jimeng_i2v_first_v30.') ||
		(/v30/.test(name) &&
			jimeng.pictures.at.some((path) => at(path) !== undefined) &&
			at('metadata.aspect_ratio') !== undefined &&
			'Jimeng 3.0 takes the Aspect Ratio from the image, and would drop this one. Remove Aspect Ratio.'),
};
