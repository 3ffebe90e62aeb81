import { SEED_ABOVE_ZERO, type Family, type Setting } from './family';

/** The gateway knows these sizes; the vendor writes them with a star. */
const SIZES = [
	...['832x480', '480x832', '624x624'],
	...['1280x720', '720x1280', '960x960', '1088x832', '832x1088'],
	...['1920x1080', '1080x1920', '1440x1440', '1632x1248', '1248x1632'],
];

/** Returns the lengths that the vendor lists. */
function lengthsOf(model: string): Setting {
	if (/wanx?2\.1/i.test(model)) return { values: [3, 4, 5] };
	if (/wanx?2\.2/i.test(model)) return { values: [5] };
	return /wanx?2\.5/i.test(model) ? { values: [5, 10] } : { min: 2, max: 15 };
}

/** Text to video takes a size in pixels, image to video a resolution. */
const pictureSizeOf = (model: string): { resolution: Setting; size: Setting } =>
	/t2v/i.test(model)
		? {
				resolution: { instead: 'Set Size.' },
				size: { at: 'size', values: SIZES, spell: (size) => String(size).replace('x', '*') },
			}
		: {
				resolution: { at: 'size', values: ['480P', '720P', '1080P'] },
				size: { instead: 'Set Resolution.' },
			};

/** Alibaba's Wan, through DashScope: `metadata` holds the vendor's `input` and `parameters`. */
export const wan: Family = {
	label: 'Wan',
	matches: /(^|\/)wanx?[\d.-]/i,
	owners: ['ali'],
	settings: (model) => ({
		aspectRatio: { instead: 'Wan takes it from Size, or from the image.' },
		duration: { at: 'duration', ...lengthsOf(model) },
		generateAudio: { at: 'metadata.parameters.audio' },
		negativePrompt: { at: 'metadata.input.negative_prompt' },
		seed: { at: 'metadata.parameters.seed', ...SEED_ABOVE_ZERO },
		watermark: { at: 'metadata.parameters.watermark' },
		...pictureSizeOf(model),
	}),
	twins: [
		['prompt', 'metadata.input.prompt'],
		['duration', 'seconds', 'metadata.parameters.duration'],
		['size', 'metadata.parameters.size', 'metadata.parameters.resolution'],
		['input_reference', 'metadata.input.img_url', 'metadata.input.first_frame_url'],
	],
	pictures: {
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
