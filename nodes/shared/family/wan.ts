import { PICTURE, SEED_ABOVE_ZERO, type Family, type Settings } from './family';

/** The sizes that the gateway knows, as the vendor writes them: with a star. */
const SIZES = {
	'480P': { '16:9': '832*480', '9:16': '480*832', '1:1': '624*624' },
	'720P': {
		...{ '16:9': '1280*720', '9:16': '720*1280', '1:1': '960*960' },
		...{ '4:3': '1088*832', '3:4': '832*1088' },
	},
	'1080P': {
		...{ '16:9': '1920*1080', '9:16': '1080*1920', '1:1': '1440*1440' },
		...{ '4:3': '1632*1248', '3:4': '1248*1632' },
	},
};

const SIZE = { at: 'size', or: ['metadata.parameters.size', 'metadata.parameters.resolution'] };

/** Text to video takes a size in pixels, image to video a resolution, and 3.0 a resolution and a ratio. */
function shapesOf(model: string): Settings {
	if (/t2v/i.test(model)) {
		return {
			sizes: SIZES,
			aspectRatio: { ...SIZE, values: Object.keys(SIZES['720P']), byDefault: '16:9' },
			resolution: { ...SIZE, values: Object.keys(SIZES), byDefault: '1080P' },
		};
	}
	const resolution = { ...SIZE, letters: 'capital' as const };
	if (/i2v|kf2v/i.test(model)) {
		return { aspectRatio: { instead: 'Wan takes it from the first frame.' }, resolution };
	}
	return {
		aspectRatio: {
			at: 'metadata.parameters.ratio',
			or: ['metadata.parameters.size'],
			isRecent: true,
		},
		resolution,
	};
}

const ALL_TIERS = ['480P', '720P', '1080P'];

/** Alibaba's Wan, through DashScope: `metadata` holds the vendor's `input` and `parameters`. */
export const wan: Family = {
	label: 'Wan',
	// Wan's image models have names of the same kind.
	matches: /(^|[/.:])wanx?[-_]?\d(?!.*(t2i|i2i|image(?!-to)))/i,
	owners: ['ali'],
	settings: (model) => ({
		duration: {
			at: 'duration',
			or: ['seconds', 'metadata.parameters.duration'],
			byDefault: 5,
		},
		generateAudio: { at: 'metadata.parameters.audio' },
		negativePrompt: { at: 'metadata.input.negative_prompt' },
		seed: { at: 'metadata.parameters.seed', ...SEED_ABOVE_ZERO },
		...shapesOf(model),
	}),
	// help.aliyun.com/zh/model-studio/text-to-video-api-reference and its pages on images
	versions: [
		{
			...{ label: '3.0', name: /wanx?[-_]?3\.0/i },
			duration: { min: 2, max: 30 },
			aspectRatio: ['16:9', '9:16', '1:1', '4:3', '3:4', 'adaptive'],
			resolution: ALL_TIERS,
			references: 10,
		},
		{
			...{ label: '2.6 and 2.7', name: /wanx?[-_]?2\.[67]/i },
			duration: { min: 2, max: 15 },
			resolution: ['720P', '1080P'],
			byDefault: { resolution: '1080P' },
			references: 0,
		},
		{
			...{ label: '2.5', name: /wanx?[-_]?2\.5/i },
			duration: [5, 10],
			resolution: ALL_TIERS,
			byDefault: { resolution: '1080P' },
			references: 0,
		},
		{
			...{ label: '2.2 Plus', name: /wanx?[-_]?2\.2.*plus/i },
			duration: [5],
			resolution: ['480P', '1080P'],
			byDefault: { resolution: '1080P' },
			references: 0,
		},
		{
			...{ label: '2.2 Flash', name: /wanx?[-_]?2\.2.*flash/i },
			duration: [5],
			resolution: ALL_TIERS,
			byDefault: { resolution: '720P' },
			references: 0,
		},
		{
			...{ label: '2.1 i2v Turbo', name: /wanx?[-_]?2\.1-i2v-turbo/i },
			duration: [3, 4, 5],
			resolution: ['480P', '720P'],
			byDefault: { resolution: '720P' },
			references: 0,
		},
		{
			...{ label: '2.1 t2v Turbo', name: /wanx?[-_]?2\.1-t2v-turbo/i },
			duration: [5],
			resolution: ['480P', '720P'],
			byDefault: { resolution: '720P' },
			references: 0,
		},
		{
			...{ label: '2.1 Plus', name: /wanx?[-_]?2\.1.*plus/i },
			duration: [5],
			resolution: ['720P'],
			byDefault: { resolution: '720P' },
			references: 0,
		},
	],
	pictures: {
		at: [
			...PICTURE,
			...['img_url', 'first_frame_url', 'images', 'media', 'ref_images_url', 'reference_urls'].map(
				(name) => `metadata.input.${name}`,
			),
		],
		opensUrls: true,
		lastFrame: true,
		references: 10,
		areReferencesRecent: true,
		write({ first, last, references }) {
			if (references.length > 0) {
				const media = references.map((url) => ({ type: 'reference_image', url }));
				return { metadata: { input: { media } } };
			}
			return last
				? { metadata: { input: { first_frame_url: first, last_frame_url: last } } }
				: { input_reference: first };
		},
	},
	// A model's name says what it renders from: t2v from text, i2v from an image, kf2v from two frames.
	models: [
		[/i2v|kf2v/i, 'needsImage', 'a model whose name has t2v'],
		[/t2v/i, 'noImage', 'a model whose name has i2v'],
		[/kf2v/i, 'needsLastFrame'],
		[/^(?!.*kf2v).*wanx?2\.[0-6]/i, 'noLastFrame', 'a model whose name has kf2v'],
	],
};
