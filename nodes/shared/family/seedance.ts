import { toObjects, toText } from '../lib/json';
import { hasReferences, PICTURE_AT, toOneImage, type Family, type WrittenPictures } from './family';

const TIERS = ['480p', '720p', '1080p'];
const RATIOS = ['16:9', '4:3', '1:1', '3:4', '9:16', '21:9', 'adaptive'];

/** Resellers leave out the zero, and may have a tier or a length behind. */
const V1 = /dance-?v?1(-0|(?!\d|-\d(?![\dks])))/;

/** Not `seedance-2-5s`. */
const V2_5 = /dance-?v?2-5(?![\dks])/;

/** Models that choose the length themselves if none is set, as resellers have measured. */
const CHOOSES_LENGTH = /dance-?v?2[-.]5(?![\dks])/i;

/** Returns pictures, videos and sounds as the vendor lists them, each with its role. */
export function toContent({ first, last, references, videos = [], sounds = [] }: WrittenPictures) {
	const all = [
		['image', 'first_frame', first],
		['image', 'last_frame', last],
		...references.map((url) => ['image', 'reference_image', url]),
		...videos.map((url) => ['video', 'reference_video', url]),
		...sounds.map((url) => ['audio', 'reference_audio', url]),
	];
	return all
		.filter(([, , url]) => url !== undefined)
		.map(([kind, role, url]) => ({ type: `${kind}_url`, [`${kind}_url`]: { url }, role }));
}

/** ByteDance's Seedance, through Volcengine Ark: volcengine.com/docs/82379/1520757. */
export const seedance: Family = {
	label: 'Seedance',
	matches: /seedance|(^|[/.:])cdance[\d.]|bytedance\/v\d/i,
	// The vendor's names end in a date; `doubao-seedance-2-0` alone is a reseller's.
	ownNames: /^(doubao|dreamina)-seedance-\d-\d.*-(\d{6}|lite-[ti]2v)$/,
	owners: ['doubaovideo', 'volcengine'],
	price: 'video',
	settings: (name) => ({
		aspectRatio: { at: 'metadata.ratio' },
		// The gateway reads the length from `seconds`; newer ones estimate the price from `duration`.
		duration: {
			at: ['duration', 'seconds', 'metadata.duration'],
			or: ['metadata.frames'],
			auto: 'metadata.duration',
			byDefault: 5,
		},
		// Seedance 1.0 renders no sound.
		generateAudio: V1.test(name) ? {} : { at: 'metadata.generate_audio' },
		resolution: { at: 'metadata.resolution' },
		returnLastFrame: { at: 'metadata.return_last_frame' },
		seed: { at: 'metadata.seed', min: -1, max: 2 ** 32 - 1 },
	}),
	checked: '2026-11, plugin doubao 1.1.0',
	versions: [
		{
			...{ label: '2.5 Flash', name: /dance-?v?2-5(?![\dks]).*flash/ },
			model: 'dreamina-seedance-2-5-flash-261115',
			checked: '2026-11, pages of resellers',
			...{ duration: { min: 4, max: 30, auto: true }, aspectRatio: RATIOS },
			...{ byDefault: { duration: undefined }, resolution: ['480p', '720p'] },
			references: { references: 30, videos: 10, sounds: 10 },
		},
		{
			...{ label: '2.5', name: V2_5, model: 'doubao-seedance-2-5-260628' },
			checked: '2026-11, plugin doubao 1.3.0',
			...{ duration: { min: 4, max: 30, auto: true }, aspectRatio: RATIOS },
			byDefault: { duration: undefined },
			resolution: [...TIERS, '4k'],
			references: { references: 30, videos: 10, sounds: 10 },
		},
		{
			...{ label: '2.0 Fast and Mini', name: /dance-?v?2(-0|(?!\d|-\d(?![\dks]))).*(fast|mini)/ },
			model: 'doubao-seedance-2-0-fast-260128',
			...{ duration: { min: 4, max: 15, auto: true }, aspectRatio: RATIOS },
			resolution: ['480p', '720p'],
			references: { references: 9, videos: 3, sounds: 3 },
		},
		{
			...{
				label: '2.0',
				name: /dance-?v?2(-0|(?!\d|-\d(?![\dks])))/,
				model: 'doubao-seedance-2-0-260128',
			},
			...{ duration: { min: 4, max: 15, auto: true }, aspectRatio: RATIOS },
			resolution: [...TIERS, '4k'],
			references: { references: 9, videos: 3, sounds: 3 },
		},
		{
			...{ label: '1.5', name: /dance-?v?1-5/, model: 'doubao-seedance-1-5-pro-251215' },
			checked: '2026-11, plugin doubao 1.1.0 and pages of resellers',
			...{ duration: { min: 4, max: 12, auto: true }, aspectRatio: RATIOS, resolution: TIERS },
			references: {},
		},
		{
			...{ label: '1.0 Lite i2v', name: /dance-?v?1(-0)?-lite(?!-t2v)/ },
			model: 'doubao-seedance-1-0-lite-i2v-250428',
			...{ duration: { min: 2, max: 12 }, aspectRatio: RATIOS, resolution: TIERS },
			references: { references: 4 },
		},
		{
			...{ label: '1.0', name: V1, model: 'doubao-seedance-1-0-pro-250528' },
			...{ duration: { min: 2, max: 12 }, aspectRatio: RATIOS, resolution: TIERS },
			references: {},
		},
	],
	pictures: {
		at: [...PICTURE_AT, 'metadata.content'],
		opensUrls: true,
		lastFrame: true,
		references: { references: 30, videos: 10, sounds: 10 },
		// Only in `metadata.content` does the gateway read roles; it adds the prompt there itself.
		write: (pictures, route) =>
			pictures.last === undefined && !hasReferences(pictures)
				? toOneImage(pictures.first, route)
				: { metadata: { content: toContent(pictures) } },
	},
	models: [
		[/dance-?v?1(-0)?-lite-i2v/, 'needsImage', 'a model whose name has t2v'],
		[/dance-?v?1(-0)?-lite-t2v/, 'noImage', 'a model whose name has i2v'],
		[/dance-?v?1(-0)?-pro-fast/, 'noLastFrame', 'Seedance 1.0 Pro'],
	],
	shapeOfFrame: V2_5,
	newFields: ['output_format', 'omni_reference_task_type', 'priority', 'safety_identifier'].map(
		(name) => `metadata.${name}`,
	),
	cautions: (at, name) => [
		V2_5.test(name) &&
			String(at('metadata.resolution')).toLowerCase() === '4k' &&
			'Not all pages and gateways know 4k for Seedance 2.5',
	],
	objection(at, name) {
		const content = toObjects(at('metadata.content'));
		if (content.some(({ text }) => toText(text) !== undefined && text !== at('prompt'))) {
			return 'A text of metadata.content in Additional Fields (JSON) would be replaced by Prompt. Write it into Prompt.';
		}
		const hasFrame =
			PICTURE_AT.some((path) => at(path) !== undefined) ||
			content.some(({ type, role }) => type === 'image_url' && role !== 'reference_image');
		const ratio = at('metadata.ratio');
		if (V2_5.test(name) && hasFrame && ratio !== undefined && ratio !== 'adaptive') {
			return 'Seedance 2.5 takes the Aspect Ratio from the first frame. Remove Aspect Ratio, or set it to adaptive.';
		}
		if (V1.test(name) && !hasFrame && ratio === 'adaptive') {
			return 'Seedance 1.0 takes adaptive only with a first frame. Change Aspect Ratio.';
		}
		const hasReference = content.some(({ role }) => role === 'reference_image');
		if (V1.test(name) && hasReference && at('metadata.resolution') === '1080p') {
			return 'Seedance 1.0 renders references in 480p and 720p only. Change Resolution.';
		}
		return (
			content.length > 0 &&
			!CHOOSES_LENGTH.test(name) &&
			content.every(({ type }) => type === 'audio_url') &&
			'Seedance takes a reference sound, before 2.5, only beside a reference image or video. Add one to Images.'
		);
	},
};
