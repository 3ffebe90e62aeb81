import { inMetadata, type Family } from './family';

/** MiniMax's Hailuo. The gateway reads its pictures from `metadata` alone. */
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
};
