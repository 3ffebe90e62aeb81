import { hasNoPicture, inMetadata, type Family, type Wishes } from './family';

/**
 * Returns why a model cannot do this, by the vendor's pages. Newer models, which may accept more,
 * are not refused.
 */
function objectionOf(wishes: Wishes, model: string): string | undefined {
	const { first, last, references } = wishes.pictures;
	if (/T2V-01/i.test(model) && first !== undefined) {
		return `"${model}" takes no image. Set Image Source to None, or choose another model.`;
	}
	if (/I2V-01/i.test(model) && hasNoPicture(wishes)) {
		return `"${model}" needs an image. Set Image Source, or choose another model.`;
	}
	if (/S2V-01/i.test(model) && (first !== undefined || hasNoPicture(wishes))) {
		return `"${model}" needs a reference image, and takes no other. Set Image Source to None and add one to Further Images.`;
	}
	if (/hailuo-2\.3|[TIS]2V-01/i.test(model) && last !== undefined) {
		return `"${model}" takes no last frame. Remove it from Further Images, or choose MiniMax-Hailuo-02.`;
	}
	return /hailuo-(02|2\.3)|[TI]2V-01/i.test(model) && references.length > 0
		? `"${model}" takes no reference images. Remove them from Further Images, or choose S2V-01.`
		: undefined;
}

/** MiniMax's Hailuo. The gateway reads its pictures only from `metadata`. */
export const hailuo: Family = {
	label: 'Hailuo',
	matches: /hailuo|minimax|(^|\/)[TIS]2V-01/i,
	owners: ['minimax'],
	settings: (model) => ({
		duration: {
			values: /hailuo/i.test(model) ? [6, 10] : [6],
			write: (seconds) => ({ duration: seconds }),
		},
		resolution: inMetadata('resolution', ['512P', '720P', '768P', '1080P']),
		size: { instead: 'Set Resolution.' },
		watermark: inMetadata('aigc_watermark'),
	}),
	twins: [
		['duration', 'seconds', 'metadata.duration'],
		['metadata.resolution', 'size', 'resolution'],
		['metadata.first_frame_image', 'metadata.subject_reference'],
		['metadata.last_frame_image', 'metadata.subject_reference'],
	],
	pictures: {
		opensUrls: true,
		form: 'dataUri',
		lastFrame: true,
		references: 1,
		write: ({ first, last, references }) => ({
			metadata: {
				...(first !== undefined && { first_frame_image: first }),
				...(last !== undefined && { last_frame_image: last }),
				...(references.length > 0 && {
					subject_reference: [{ type: 'character', image: references }],
				}),
			},
		}),
	},
	objection: objectionOf,
};
