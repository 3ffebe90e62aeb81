import {
	type Field,
	LENGTH_AT,
	PICTURE_AT,
	type Row,
	SHAPE_OF_FIRST_FRAME,
	toContent,
} from './row';

const inMetadata = (name: string) => `metadata.${name}`;

const length: Field = { at: LENGTH_AT, or: ['metadata.duration'] };

/** Gateways since autumn 2026 read `metadata` first, the first plugins `size` alone. */
const resolution: Field = { at: ['metadata.resolution', 'size'], upper: true };

/**
 * MiniMax's Hailuo: platform.minimax.io/docs/api-reference/video-generation-t2v. For these models, the
 * gateway reads pictures only from `metadata`.
 */
export const hailuo: Row = {
	label: 'Hailuo',
	// MiniMax-M2 and the like are text models.
	matches: /hailuo|minimax-?\/?video|(^|[/:-])[tis]2v-01/,
	owners: ['minimax'],
	price: 'video',
	fields: { duration: length, resolution },
	instead: { aspectRatio: SHAPE_OF_FIRST_FRAME },
	pictures: {
		at: ['metadata.first_frame_image', 'metadata.subject_reference'],
		first: ({ first }) => ({ metadata: { first_frame_image: first } }),
		last: ({ first, last }) => ({
			metadata: { first_frame_image: first, last_frame_image: last },
		}),
		references: ({ references }) => ({
			metadata: { subject_reference: [{ type: 'character', image: references }] },
		}),
		lastAlone: true,
		not: { first: /s2v-01/, last: /hailuo-?2-3|[tis]2v-01/, references: /hailuo|[ti]2v-01/ },
	},
};

/**
 * MiniMax's H3, which some call Hailuo 3: platform.minimax.io/docs. Gateways have it since autumn 2026, and
 * older ones refuse it; it reads other fields than Hailuo.
 */
export const h3: Row = {
	label: 'MiniMax H3',
	matches: /(minimax[-/]?h|hailuo[-/]?[h0]?)3(?!\d)/,
	owners: ['minimax'],
	fields: {
		aspectRatio: { at: ['metadata.ratio'], since: /3/ },
		duration: length,
		resolution,
	},
	pictures: {
		...hailuo.pictures,
		at: [
			...PICTURE_AT,
			...['first_frame_image', 'content', 'reference_video', 'reference_audio'].map(inMetadata),
		],
		references: toContent,
		also: ['videos', 'sounds'],
		not: undefined,
		since: /3/,
	},
	frameMayShape: /./,
};
