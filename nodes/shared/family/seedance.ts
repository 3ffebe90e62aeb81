import { PICTURE_AT, type Row, toContent, toImages } from './row';

/** Resellers leave out the zero, and may have a tier or a length behind. */
const V1 = /dance-?v?1(-0|(?!\d|-\d(?![\dks])))/;

/** ByteDance's Seedance, through Volcengine Ark: volcengine.com/docs/82379/1520757. */
export const seedance: Row = {
	label: 'Seedance',
	matches: /seedance|(^|[/:-])cdance\d/,
	owners: ['doubaovideo', 'volcengine'],
	price: 'video',
	fields: {
		aspectRatio: { at: ['metadata.ratio'] },
		// The gateway reads the length from `seconds`; newer ones estimate the price from `duration`.
		duration: {
			at: ['duration', 'seconds', 'metadata.duration'],
			or: ['metadata.frames'],
			auto: 'metadata.duration',
		},
		// Seedance 1.0 renders no sound.
		generateAudio: { at: ['metadata.generate_audio'], not: V1 },
		resolution: { at: ['metadata.resolution'] },
		returnLastFrame: { at: ['metadata.return_last_frame'] },
		seed: { at: ['metadata.seed'] },
	},
	pictures: {
		at: [...PICTURE_AT, 'metadata.content'],
		first: toImages,
		// Only in `metadata.content` does the gateway read roles.
		last: toContent,
		references: toContent,
		also: ['videos', 'sounds'],
		not: { last: /dance-?v?1(-0)?-pro-fast/ },
	},
	frameMayShape: /dance-?v?2-5(?![\dks])/,
};
