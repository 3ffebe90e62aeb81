import type { Family } from './family';

/** MiniMax's Hailuo. For these models, the gateway reads pictures only from `metadata`. */
export const hailuo: Family = {
	label: 'Hailuo',
	matches: /hailuo|minimax|(^|\/)[TIS]2V-01/i,
	owners: ['minimax'],
	settings: (model) => ({
		duration: {
			at: 'duration',
			or: ['seconds', 'metadata.duration'],
			values: /hailuo/i.test(model) ? [6, 10] : [6],
			byDefault: 6,
		},
		aspectRatio: { instead: 'Hailuo takes it from the first frame.' },
		resolution: {
			at: 'metadata.resolution',
			or: ['size'],
			values: ['512P', '720P', '768P', '1080P'],
		},
	}),
	pictures: {
		at: ['metadata.first_frame_image', 'metadata.subject_reference'],
		opensUrls: true,
		lastFrame: true,
		references: 1,
		write: ({ first, last, references: [reference] }) => ({
			metadata: {
				first_frame_image: first,
				last_frame_image: last,
				subject_reference: reference && [{ type: 'character', image: [reference] }],
			},
		}),
	},
	models: [
		[/T2V-01/i, 'noImage', 'another model'],
		[/I2V-01/i, 'needsImage', 'another model'],
		[/S2V-01/i, 'needsReference'],
		[/hailuo-2\.3|[TIS]2V-01/i, 'noLastFrame', 'MiniMax-Hailuo-02'],
		[/hailuo-(02|2\.3)|[TI]2V-01/i, 'noReferences', 'S2V-01'],
	],
};
