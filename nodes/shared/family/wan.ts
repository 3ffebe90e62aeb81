import {
	hasNoPicture,
	inMetadata,
	seedAboveZero,
	type Family,
	type Setting,
	type Settings,
	type Wishes,
} from './family';

/** The gateway knows these sizes; the vendor writes them with a star. */
const SIZES = [
	...['832x480', '480x832', '624x624'],
	...['1280x720', '720x1280', '960x960', '1088x832', '832x1088'],
	...['1920x1080', '1080x1920', '1440x1440', '1632x1248', '1248x1632'],
];

/** Returns the lengths that the vendor lists. */
function lengthsOf(model: string): Pick<Setting, 'values' | 'min' | 'max'> {
	if (/wanx?2\.1/i.test(model)) return { values: [3, 4, 5] };
	if (/wanx?2\.2/i.test(model)) return { values: [5] };
	return /wanx?2\.5/i.test(model) ? { values: [5, 10] } : { min: 2, max: 15 };
}

/**
 * Returns why the pictures do not fit the model. Its name says what it renders from: t2v from text,
 * i2v from an image, kf2v from two frames.
 */
function objectionOf(wishes: Wishes, model: string): string | undefined {
	const { pictures } = wishes;
	if (pictures.first === undefined) {
		return /i2v|kf2v/i.test(model) && hasNoPicture(wishes)
			? `"${model}" needs an image. Set Image Source, or choose a model whose name has t2v.`
			: undefined;
	}
	if (/t2v/i.test(model)) {
		return `"${model}" takes no image. Set Image Source to None, or choose a model whose name has i2v.`;
	}
	if (/kf2v/i.test(model) && pictures.last === undefined) {
		return `"${model}" needs a last frame. Add it to Further Images.`;
	}
	if (/kf2v/i.test(model) || pictures.last === undefined) return undefined;
	return /wanx?2\.[0-6]/i.test(model)
		? `"${model}" takes no last frame. Remove it from Further Images, or choose a model whose name has kf2v.`
		: undefined;
}

/**
 * Returns the setting of the picture's size: text to video takes a size in pixels, image to video a
 * resolution.
 */
const toPictureSize = (model: string): Settings =>
	/t2v/i.test(model)
		? {
				resolution: { instead: 'Set Size.' },
				size: { values: SIZES, write: (size) => ({ size: String(size).replace('x', '*') }) },
			}
		: {
				resolution: {
					values: ['480P', '720P', '1080P'],
					write: (resolution) => ({ size: resolution }),
				},
				size: { instead: 'Set Resolution.' },
			};

/** Alibaba's Wan, through DashScope: `metadata` holds the vendor's `input` and `parameters`. */
export const wan: Family = {
	label: 'Wan',
	matches: /(^|\/)wanx?[\d.-]/i,
	owners: ['ali'],
	settings: (model) => ({
		aspectRatio: { instead: 'Wan takes it from Size, or from the image.' },
		duration: { ...lengthsOf(model), write: (seconds) => ({ duration: seconds }) },
		generateAudio: inMetadata('parameters.audio'),
		negativePrompt: inMetadata('input.negative_prompt'),
		seed: seedAboveZero('parameters.seed'),
		watermark: inMetadata('parameters.watermark'),
		...toPictureSize(model),
	}),
	twins: [
		['prompt', 'metadata.input.prompt'],
		['duration', 'seconds', 'metadata.parameters.duration'],
		['size', 'metadata.parameters.size', 'metadata.parameters.resolution'],
		['input_reference', 'metadata.input.img_url', 'metadata.input.first_frame_url'],
	],
	pictures: {
		opensUrls: true,
		form: 'dataUri',
		lastFrame: true,
		references: 0,
		write: ({ first, last }) =>
			last === undefined
				? { input_reference: first }
				: { metadata: { input: { first_frame_url: first, last_frame_url: last } } },
	},
	objection: objectionOf,
};
