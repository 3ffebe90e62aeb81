import { PICTURE, SEED_ABOVE_ZERO, type Family, type Setting, type Settings } from './family';

/** The sizes that the gateway knows, as the vendor writes them: with a star. */
const SIZES = {
	'480p': { '16:9': '832*480', '9:16': '480*832', '1:1': '624*624' },
	'720p': {
		...{ '16:9': '1280*720', '9:16': '720*1280', '1:1': '960*960' },
		...{ '4:3': '1088*832', '3:4': '832*1088' },
	},
	'1080p': {
		...{ '16:9': '1920*1080', '9:16': '1080*1920', '1:1': '1440*1440' },
		...{ '4:3': '1632*1248', '3:4': '1248*1632' },
	},
};

/** Returns the lengths that the vendor lists. */
function lengthsOf(model: string): Setting {
	if (/wanx?2\.1/i.test(model)) return { values: [3, 4, 5] };
	if (/wanx?2\.2/i.test(model)) return { values: [5] };
	return /wanx?2\.5/i.test(model) ? { values: [5, 10] } : { min: 2, max: 15 };
}

const SIZE = { at: 'size', or: ['metadata.parameters.size', 'metadata.parameters.resolution'] };

/** Text to video takes a size in pixels, image to video a resolution. */
function shapesOf(model: string): Settings {
	if (/t2v/i.test(model)) {
		const byDefault = /wanx?2\.1/i.test(model) ? '720p' : '1080p';
		return {
			sizes: SIZES,
			aspectRatio: { ...SIZE, values: Object.keys(SIZES['720p']), byDefault: '16:9' },
			resolution: { ...SIZE, values: Object.keys(SIZES), byDefault },
		};
	}
	const byDefault = /wanx?2\.[56]|i2v-plus/i.test(model) ? '1080p' : '720p';
	return {
		aspectRatio: { instead: 'Wan takes it from the first frame.' },
		resolution: { ...SIZE, values: ['480P', '720P', '1080P'], byDefault },
	};
}

/** Alibaba's Wan, through DashScope: `metadata` holds the vendor's `input` and `parameters`. */
export const wan: Family = {
	label: 'Wan',
	matches: /(^|\/)wanx?[\d.-]/i,
	owners: ['ali'],
	settings: (model) => ({
		duration: {
			at: 'duration',
			or: ['seconds', 'metadata.parameters.duration'],
			...lengthsOf(model),
			byDefault: 5,
		},
		generateAudio: { at: 'metadata.parameters.audio' },
		negativePrompt: { at: 'metadata.input.negative_prompt' },
		seed: { at: 'metadata.parameters.seed', ...SEED_ABOVE_ZERO },
		...shapesOf(model),
	}),
	pictures: {
		at: [
			...PICTURE,
			...['img_url', 'first_frame_url', 'images', 'media', 'ref_images_url', 'reference_urls'].map(
				(name) => `metadata.input.${name}`,
			),
		],
		opensUrls: true,
		lastFrame: true,
		write: ({ first, last }) =>
			last
				? { metadata: { input: { first_frame_url: first, last_frame_url: last } } }
				: { input_reference: first },
	},
	// A model's name says what it renders from: t2v from text, i2v from an image, kf2v from two frames.
	models: [
		[/i2v|kf2v/i, 'needsImage', 'a model whose name has t2v'],
		[/t2v/i, 'noImage', 'a model whose name has i2v'],
		[/kf2v/i, 'needsLastFrame'],
		[/^(?!.*kf2v).*wanx?2\.[0-6]/i, 'noLastFrame', 'a model whose name has kf2v'],
	],
};
