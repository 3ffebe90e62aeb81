import { LENGTH_AT, SHAPE_OF_FIRST_FRAME, type Family } from './family';

/**
 * MiniMax's Hailuo: platform.minimax.io/docs/api-reference/video-generation-t2v. For these models, the
 * gateway reads pictures only from `metadata`.
 */
export const hailuo: Family = {
	label: 'Hailuo',
	// MiniMax-M2 and the like are text models.
	matches: /hailuo(?![-_ /]?[h0]?3(?!\d))|minimax[-_/]?video|(^|[/.:])[TIS]2V-01/i,
	ownNames: /^(minimax-hailuo-\d+(-\d)?|[tis]2v-01)(-[a-z]+)*$/,
	owners: ['minimax'],
	price: 'video',
	settings: (name) => ({
		duration: { at: LENGTH_AT, or: ['metadata.duration'], byDefault: 6 },
		// These take no first frame.
		aspectRatio: /\b[st]2v/.test(name) ? {} : { instead: SHAPE_OF_FIRST_FRAME },
		// The first plugins read `size` alone.
		resolution: { at: ['metadata.resolution', 'size'], letters: 'capital' },
	}),
	checked: '2026-11, plugin hailuo 1.3.6',
	versions: [
		{
			...{ label: '2.3', name: /hailuo-?2-3/, model: 'MiniMax-Hailuo-2.3' },
			...{ duration: [6, 10], resolution: ['768P', '1080P'] },
			...{ byDefault: { resolution: '768P' }, references: {} },
		},
		{
			...{ label: '02', name: /hailuo-?02/, model: 'MiniMax-Hailuo-02' },
			...{ duration: [6, 10], resolution: ['512P', '768P', '1080P'] },
			...{ byDefault: { resolution: '768P' }, references: {} },
		},
		{
			...{ label: '01', name: /[tis]2v-01/, model: 'S2V-01' },
			...{ duration: [6], resolution: ['720P'], byDefault: { resolution: '720P' } },
		},
	],
	pictures: {
		at: ['metadata.first_frame_image', 'metadata.subject_reference'],
		opensUrls: true,
		lastFrame: 'alone',
		references: { references: 1 },
		write: ({ first, last, references: [reference] }) => ({
			metadata: {
				first_frame_image: first,
				last_frame_image: last,
				subject_reference: reference && [{ type: 'character', image: [reference] }],
			},
		}),
	},
	models: [
		[/\bt2v/, 'noImage', 'another model'],
		[/i2v-01/, 'needsImage', 'another model'],
		[/s2v-01/, 'needsReference'],
		[/hailuo-?2-3-fast/, 'needsImage', 'MiniMax-Hailuo-2.3'],
		[/hailuo-?2-3|[tis]2v-01/, 'noLastFrame', 'MiniMax-Hailuo-02'],
		[/[ti]2v-01/, 'noReferences', 'S2V-01'],
	],
	objection(at, name) {
		if (!/hailuo-?(02|2-3)/.test(name)) return false;
		const resolution = String(at('metadata.resolution') ?? '768P').toUpperCase();
		const hasPicture = at('metadata.first_frame_image') !== undefined;
		const hasLast = at('metadata.last_frame_image') !== undefined;
		if (resolution === '512P' && (hasLast || !hasPicture)) {
			return 'Hailuo 02 renders 512P only from a first frame alone. Set First Frame without a last frame, or change Resolution.';
		}
		return (
			Number(at('duration')) === 10 &&
			resolution === '1080P' &&
			'Hailuo renders no 10 seconds in 1080P. Change Duration or Resolution.'
		);
	},
};
