import { inMetadata, seedAboveZero, type Family, type Settings } from './family';

/** The gateway knows these; the vendor writes them with a star. */
const SIZES = [
	...['832x480', '480x832', '624x624'],
	...['1280x720', '720x1280', '960x960', '1088x832', '832x1088'],
	...['1920x1080', '1080x1920', '1440x1440', '1632x1248', '1248x1632'],
];

/** Text to video takes a size in pixels, image to video a resolution. */
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

/** Alibaba's Wan, by DashScope: its `metadata` has the vendor's `input` and `parameters`. */
export const wan: Family = {
	label: 'Wan',
	matches: /(^|\/)wanx?[\d.-]/i,
	owners: ['ali'],
	settings: (model) => ({
		aspectRatio: { instead: 'Wan takes it from Size, or from the image.' },
		duration: { write: (seconds) => ({ duration: seconds }) },
		generateAudio: inMetadata('parameters.audio'),
		negativePrompt: inMetadata('input.negative_prompt'),
		seed: seedAboveZero('parameters.seed'),
		watermark: inMetadata('parameters.watermark'),
		...toPictureSize(model),
	}),
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
};
