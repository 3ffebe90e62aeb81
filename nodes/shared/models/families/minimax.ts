import type { Pictures } from '../settings';
import {
	ALL,
	type Field,
	LENGTH_AT,
	type Lists,
	PICTURE_AT,
	type Family,
	toCapitals,
	toContent,
	urlsOf,
} from '../takes';
import { FIVE_RATIOS, upTo, version } from './versions';

const HAILUO: Lists = {
	checked: '2026-11, plugin hailuo 1.3.6',
	duration: [6, 10],
	resolution: ['768p', '1080p'],
	byDefault: { duration: 6, resolution: '768p' },
};

const inMetadata = (name: string) => `metadata.${name}`;

const duration: Field = { at: LENGTH_AT, or: ['metadata.duration'] };

/** New API reads `metadata` first, and its first plugins read `size` alone. */
const resolution: Field = { at: ['metadata.resolution', 'size'], say: toCapitals };

const toFrames = ({ first, last }: Pictures) => ({
	metadata: { first_frame_image: first, last_frame_image: last },
});

/**
 * MiniMax's Hailuo: platform.minimax.io/docs/api-reference/video-generation-t2v. For these models, the
 * gateway reads pictures only from `metadata`.
 */
export const hailuo: Family = {
	label: 'Hailuo',
	// MiniMax-M2 and the like are text models.
	matches: /hailuo|minimax-?\/?video|(^|[/:-])[tis]2v-01/,
	owners: ['minimax'],
	versions: [
		version('2.3', 'MiniMax-Hailuo-2.3', /hailuo-?2-3/, HAILUO),
		version('02', 'MiniMax-Hailuo-02', /hailuo-?02/, {
			...HAILUO,
			resolution: ['512p', '768p', '1080p'],
		}),
		version('01', 'S2V-01', /[tis]2v-01/, {
			checked: HAILUO.checked,
			duration: [6],
			resolution: ['720p'],
			byDefault: { duration: 6, resolution: '720p' },
			references: { image: 1 },
		}),
	],
	price: 'video',
	fields: { duration, resolution },
	pictures: {
		at: ['metadata.first_frame_image', 'metadata.subject_reference'],
		takes: ['first', 'last', 'image'],
		write(pictures) {
			const image = urlsOf(pictures, 'image');
			if (!image) return toFrames(pictures);
			return { metadata: { subject_reference: [{ type: 'character', image }] } };
		},
		lastAlone: true,
		not: { first: /s2v-01/, last: /hailuo-?2-3|[tis]2v-01/, image: /hailuo|[ti]2v-01/ },
	},
};

/**
 * MiniMax's H3, which some call Hailuo 3: platform.minimax.io/docs. It reads other fields than Hailuo.
 */
export const h3: Family = {
	label: 'MiniMax H3',
	matches: /(minimax[-/]?h|hailuo[-/]?[h0]?)3(?!\d)/,
	owners: ['minimax'],
	versions: [
		version('', 'MiniMax-H3', /(minimax[-/]?h|hailuo[-/]?[h0]?)3(?!\d|-max)/, {
			checked: HAILUO.checked,
			aspectRatio: ['21:9', ...FIVE_RATIOS, 'adaptive'],
			duration: upTo(4, 15),
			resolution: ['768p', '2k'],
			byDefault: { duration: 5, resolution: '768p' },
			references: { image: 9, video: 3, sound: 3 },
		}),
	],
	fields: { aspectRatio: { at: ['metadata.ratio'] }, duration, resolution },
	pictures: {
		at: [
			...PICTURE_AT,
			...['first_frame_image', 'content', 'reference_video', 'reference_audio'].map(inMetadata),
		],
		takes: ['first', 'last', 'image', 'video', 'sound'],
		write: (pictures) =>
			pictures.references.length > 0 ? toContent(pictures) : toFrames(pictures),
		lastAlone: true,
	},
	frameMayShape: ALL,
};
