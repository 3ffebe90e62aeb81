import { type Lists, PICTURE_AT, type Family, toContent, toImages } from '../takes';
import { AUTO, FIVE_RATIOS, TO_1080P, TO_720P, upTo, version } from './versions';

/** Resellers leave out the zero, and may have a tier or a length behind. */
const V1 = /dance-?v?1(-0|(?!\d|-\d(?![\dks])))/;

const LISTS: Lists = {
	checked: '2026-11, plugin doubao 1.1.0',
	aspectRatio: [...FIVE_RATIOS, '21:9', 'adaptive'],
	resolution: TO_1080P,
	byDefault: { duration: 5 },
};
const V1_0: Lists = { ...LISTS, duration: upTo(2, 12) };
const V2_0: Lists = {
	...LISTS,
	duration: [AUTO, ...upTo(4, 15)],
	resolution: [...TO_1080P, '4k'],
	references: { image: 9, video: 3, sound: 3 },
};
/** It chooses the length if none is set, as resellers have measured. */
const V2_5: Lists = {
	...LISTS,
	checked: '2026-11, plugin doubao 1.3.0',
	duration: [AUTO, ...upTo(4, 30)],
	byDefault: {},
	references: { image: 30, video: 10, sound: 10 },
};

/** ByteDance's Seedance, through Volcengine Ark: volcengine.com/docs/82379/1520757. */
export const seedance: Family = {
	label: 'Seedance',
	matches: /seedance|(^|[/:-])cdance\d/,
	owners: ['doubaovideo', 'volcengine'],
	versions: [
		version('2.5 Flash', 'dreamina-seedance-2-5-flash-261115', /dance-?v?2-5.*flash/, {
			...V2_5,
			checked: '2026-11, pages of resellers',
			resolution: TO_720P,
		}),
		version('2.5', 'doubao-seedance-2-5-260628', /dance-?v?2-5(?![\dks])/, V2_5),
		version(
			'2.0 Fast and Mini',
			'doubao-seedance-2-0-fast-260128',
			/dance-?v?2(?!-[1-9](?![\dks])).*(fast|mini)/,
			{ ...V2_0, resolution: TO_720P },
		),
		version('2.0', 'doubao-seedance-2-0-260128', /dance-?v?2(-0|(?!\d|-\d(?![\dks])))/, V2_0),
		version('1.5', 'doubao-seedance-1-5-pro-251215', /dance-?v?1-5/, {
			...LISTS,
			duration: [AUTO, ...upTo(4, 12)],
		}),
		version('1.0 Lite i2v', 'doubao-seedance-1-0-lite-i2v-250428', /dance-?v?1(-0)?-lite(?!-t2v)/, {
			...V1_0,
			references: { image: 4 },
		}),
		version('1.0', 'doubao-seedance-1-0-pro-250528', V1, V1_0),
	],
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
		takes: ['first', 'last', 'image', 'video', 'sound'],
		// Only in `metadata.content` does the gateway read roles.
		write: (pictures) =>
			pictures.last || pictures.references.length > 0 ? toContent(pictures) : toImages(pictures),
		not: { last: /dance-?v?1(-0)?-pro-fast/ },
		// "Seedance 1.5 pro 和 Seedance 2.0 系列模型新增支持 heic 和 heif" (volcengine.com/docs/82379/1520757, 2026); of
		// 2.5, fal's page says so (fal.ai/models/bytedance/seedance-2.5/reference-to-video/llms.txt, 2026).
		heic: /dance-?v?(1-5|2)/,
	},
	frameMayShape: /dance-?v?2-5(?![\dks])/,
};
