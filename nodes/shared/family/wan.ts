import { toObjects } from '../lib/json';
import {
	type Family,
	hasReferences,
	LENGTH_AT,
	PICTURE_AT,
	SEED_ABOVE_ZERO,
	type Settings,
	SHAPE_OF_FIRST_FRAME,
} from './family';

/** The sizes that the gateway knows, as the vendor writes them: with a star. */
const SIZES = {
	'480P': { '16:9': '832*480', '9:16': '480*832', '1:1': '624*624' },
	'720P': {
		...{ '16:9': '1280*720', '9:16': '720*1280', '1:1': '960*960' },
		...{ '4:3': '1088*832', '3:4': '832*1088' },
	},
	'1080P': {
		...{ '16:9': '1920*1080', '9:16': '1080*1920', '1:1': '1440*1440' },
		...{ '4:3': '1632*1248', '3:4': '1248*1632' },
	},
};

const SIZE = { at: 'size', or: ['metadata.parameters.size', 'metadata.parameters.resolution'] };

/** What 2.7 reads from text; older gateways have `size` alone, and newer ones read both. */
const SHAPE = {
	aspectRatio: { at: ['size', 'metadata.parameters.ratio'], or: ['metadata.parameters.size'] },
	resolution: { at: ['size', 'metadata.parameters.resolution'], or: ['metadata.parameters.size'] },
};

/** Also of resellers, who leave out the zero. */
const IS_3 = /wanx?-?3(?![\da-z]|-[1-9](?![\dks]))/;

/** Older gateways ask for 720P where they do not know the model. */
const UNKNOWN_BEFORE = /wanx?-?(3|2-7)|wan-?2-6-t2v/;

/** Text to video and 2.6 r2v take a size in pixels, image to video a resolution, and 3.0 a resolution and a ratio. */
function shapesOf(name: string): Settings {
	const before = UNKNOWN_BEFORE.test(name) ? { byDefaultBefore: '720P' } : {};
	const is3 = IS_3.test(name);
	if (!is3 && /\bt2v|wan-?2-6-r2v/.test(name)) {
		const at = /wan-?2-7/.test(name) ? SHAPE : { aspectRatio: SIZE, resolution: SIZE };
		return {
			sizes: SIZES,
			aspectRatio: { ...at.aspectRatio, values: Object.keys(SIZES['720P']), byDefault: '16:9' },
			resolution: { ...at.resolution, values: Object.keys(SIZES), byDefault: '1080P', ...before },
		};
	}
	const or = ['metadata.parameters.resolution', 'metadata.parameters.size'];
	const resolution = { at: 'size', or, letters: 'capital' as const, ...before };
	if (!is3 && /(?<!t)i2v|kf2v/.test(name)) {
		return { aspectRatio: { instead: SHAPE_OF_FIRST_FRAME }, resolution };
	}
	return {
		aspectRatio: {
			at: 'metadata.parameters.ratio',
			or: ['metadata.parameters.size'],
		},
		resolution,
	};
}

const ALL_TIERS = ['480P', '720P', '1080P'];
const RATIOS = ['16:9', '9:16', '1:1', '4:3', '3:4'];
const NO_REFERENCES = { references: {} };

/** Models that work on files for which the form has no fields. */
const OF_OTHER_FILES = /wanx?-?2-\d-(s2v|animate|vace|videoedit)/;

/**
 * Alibaba's Wan, through DashScope: help.aliyun.com/zh/model-studio/text-to-video-api-reference and its
 * pages on images. `metadata` holds the vendor's `input` and `parameters`.
 */
export const wan: Family = {
	label: 'Wan',
	matches: /(?<![a-z])wanx?[-_/ ]?v?\d/i,
	ownNames:
		/^wanx?\d-\d-(video(-prime)?|(t|i|kf|r|s)2v|videoedit|vace|animate)(-(plus|turbo|flash|preview|us|move|mix|\d+))*$/,
	owners: ['ali'],
	settings: (name) => ({
		duration: {
			at: LENGTH_AT,
			or: ['metadata.parameters.duration'],
			auto: 'metadata.parameters.duration',
			byDefault: 5,
		},
		// Wan 2.1 and 2.2 render no sound.
		generateAudio: /wanx?-?2-[12]/.test(name) ? {} : { at: 'metadata.parameters.audio' },
		negativePrompt: { at: 'metadata.input.negative_prompt' },
		seed: { at: 'metadata.parameters.seed', ...SEED_ABOVE_ZERO },
		...shapesOf(name),
	}),
	checked: '2026-11, plugin alibaba 1.5.0',
	versions: [
		{
			...{ label: '3.0', name: IS_3, model: 'wan3.0-video' },
			...{ duration: { min: 2, max: 30, auto: true }, resolution: ALL_TIERS },
			aspectRatio: [...RATIOS, 'adaptive'],
			byDefault: { resolution: '1080P' },
			references: { references: 10, videos: 5, sounds: 5 },
			recent: ['aspectRatio', 'firstFrame', 'lastFrame', 'references'],
			// A page of a reseller says that the vendor removed it; others have it.
			unsure: ['negativePrompt'],
		},
		{
			...{ label: 'S2V, Animate, VACE and Edit', name: OF_OTHER_FILES },
			...{ model: 'wan2.7-videoedit', unsure: ['references'] },
		},
		{
			...{ label: '2.7 r2v', name: /wan-?2-7-r2v/, model: 'wan2.7-r2v' },
			...{ duration: { min: 2, max: 15 }, aspectRatio: RATIOS, resolution: ['720P', '1080P'] },
			byDefault: { aspectRatio: '16:9', resolution: '1080P' },
			...{ references: { references: 5, videos: 5 }, mixesFrame: true },
			recent: ['aspectRatio', 'references'],
		},
		{
			...{ label: '2.7 t2v', name: /wan-?2-7.*t2v/, model: 'wan2.7-t2v', ...NO_REFERENCES },
			...{ duration: { min: 2, max: 15 }, resolution: ['720P', '1080P'] },
			...{ byDefault: { resolution: '1080P' }, recent: ['aspectRatio'] },
		},
		{
			...{ label: '2.7', name: /wan-?2-7.*i2v/, model: 'wan2.7-i2v', ...NO_REFERENCES },
			...{ duration: { min: 2, max: 15 }, resolution: ['720P', '1080P'] },
			byDefault: { resolution: '1080P' },
			recent: ['firstFrame', 'lastFrame'],
		},
		{
			...{ label: '2.6 r2v', name: /wan-?2-6-r2v/, model: 'wan2.6-r2v' },
			...{ duration: { min: 2, max: 10 }, resolution: ['720P', '1080P'] },
			...{ byDefault: { resolution: '1080P' }, references: { references: 5, videos: 3 } },
			recent: ['references'],
		},
		{
			...{ label: '2.6 us', name: /wan-?2-6.*-us/, model: 'wan2.6-t2v-us', ...NO_REFERENCES },
			...{ duration: [5, 10, 15], resolution: ['720P', '1080P'] },
			byDefault: { resolution: '1080P' },
		},
		{
			...{ label: '2.6', name: /wan-?2-6.*[it]2v/, model: 'wan2.6-t2v', ...NO_REFERENCES },
			...{ duration: { min: 2, max: 15 }, resolution: ['720P', '1080P'] },
			byDefault: { resolution: '1080P' },
		},
		{
			...{ label: '2.5', name: /wan-?2-5.*[it]2v/, model: 'wan2.5-t2v-preview', ...NO_REFERENCES },
			...{ duration: [5, 10], resolution: ALL_TIERS, byDefault: { resolution: '1080P' } },
			// The vendor's pages name 2.6 Flash alone; resellers' pages have it.
			unsure: ['generateAudio'],
		},
		{
			...{ label: '2.2 Plus', name: /wan-?2-2.*plus/, model: 'wan2.2-t2v-plus', ...NO_REFERENCES },
			...{ duration: [5], resolution: ['480P', '1080P'], byDefault: { resolution: '1080P' } },
		},
		{
			...{
				label: '2.2 Flash',
				name: /wan-?2-2.*flash/,
				model: 'wan2.2-i2v-flash',
				...NO_REFERENCES,
			},
			...{ duration: [5], resolution: ALL_TIERS, byDefault: { resolution: '720P' } },
		},
		{
			...{ label: '2.1 i2v Turbo', name: /wanx?-?2-1-i2v-turbo/, model: 'wanx2.1-i2v-turbo' },
			...NO_REFERENCES,
			...{ duration: [3, 4, 5], resolution: ['480P', '720P'], byDefault: { resolution: '720P' } },
		},
		{
			...{ label: '2.1 t2v Turbo', name: /wanx?-?2-1-t2v-turbo/, model: 'wanx2.1-t2v-turbo' },
			...NO_REFERENCES,
			...{ duration: [5], resolution: ['480P', '720P'], byDefault: { resolution: '720P' } },
		},
		{
			...{ label: '2.1 Plus', name: /wanx?-?2-1.*plus/, model: 'wanx2.1-t2v-plus' },
			...NO_REFERENCES,
			...{ duration: [5], resolution: ['720P'], byDefault: { resolution: '720P' } },
		},
	],
	pictures: {
		at: [
			...PICTURE_AT,
			...['img_url', 'image_url', 'first_frame_url', 'images', 'media', 'ref_images_url'].map(
				(name) => `metadata.input.${name}`,
			),
			...['metadata.input.reference_urls', 'metadata.input.video_url'],
		],
		opensUrls: true,
		lastFrame: true,
		references: { references: 10, videos: 5, sounds: 5 },
		ownSoundAt: (name) =>
			/wan-?2-[5-7](?!.*r2v)/.test(name) ? 'metadata.input.audio_url' : undefined,
		write(pictures, _route, name) {
			const { first, last, references, videos = [], sounds = [], inOrder } = pictures;
			if (hasReferences(pictures) && /wan-?2-6-r2v/.test(name)) {
				return { metadata: { input: { reference_urls: inOrder } } };
			}
			if (hasReferences(pictures)) {
				const media = [
					...(first ? [{ type: 'first_frame', url: first }] : []),
					...references.map((url) => ({ type: 'reference_image', url })),
					...videos.map((url) => ({ type: 'reference_video', url })),
					...sounds.map((url) => ({ type: 'reference_audio', url })),
				];
				return { metadata: { input: { media } } };
			}
			return last || /kf2v/.test(name)
				? { metadata: { input: { first_frame_url: first, ...(last && { last_frame_url: last }) } } }
				: { input_reference: first };
		},
	},
	// A model's name says what it renders from: t2v from text, i2v from an image, kf2v from two frames.
	models: [
		[OF_OTHER_FILES, 'needsOwnInput'],
		[/\br2v/, 'needsReference'],
		[/\bt2v/, 'noImage', 'an i2v model'],
		[/^(?!.*kf2v).*wanx?-?2-[0-6]/, 'noLastFrame', 'a kf2v model'],
		[/(?<!t)i2v|kf2v/, 'needsImage', 'a t2v model'],
		[/kf2v/, 'needsLastFrame'],
	],
	newFields: ['parameters.shot_type', 'input.media', 'input.reference_urls'].map(
		(path) => `metadata.${path}`,
	),
	cautions: (at, name) => [
		/kf2v/.test(name) &&
			'Gateways from before autumn 2026 ask for kf2v models at an address that Alibaba documents for others',
		IS_3.test(name) &&
			!['adaptive', undefined].includes(at('metadata.parameters.ratio') as string) &&
			[...PICTURE_AT, 'metadata.input.first_frame_url'].some((path) => at(path) !== undefined) &&
			'Aspect Ratio beside a first frame is not known for Wan 3.0',
	],
	objection: (at, name, isResold) =>
		(at('metadata.input.template') !== undefined &&
			at('metadata.input.last_frame_url') !== undefined &&
			'The effect of metadata.input.template would drop the last frame. Remove one of the two.') ||
		(!isResold &&
			/wanx?-?(3|2-7-i2v)/.test(name) &&
			at('metadata.input.media') !== undefined &&
			at('metadata.input.audio_url') !== undefined &&
			'metadata.input.audio_url would be dropped beside references. Add the sound to them instead.') ||
		(/wan-?2-7-r2v/.test(name) &&
			at('metadata.parameters.ratio') !== undefined &&
			toObjects(at('metadata.input.media')).some(({ type }) => type === 'first_frame') &&
			SHAPE_OF_FIRST_FRAME) ||
		(/wan-?2-7-r2v/.test(name) &&
			Number(at('duration')) > 10 &&
			toObjects(at('metadata.input.media')).some(({ type }) => type === 'reference_video') &&
			'Wan 2.7 r2v renders at most 10 seconds from a reference video. Change Duration.') ||
		(/wan-?2-[67]-r2v/.test(name) &&
			[
				...toObjects(at('metadata.input.media')).filter(({ type }) =>
					/^reference_(image|video)$/.test(String(type)),
				),
				...[at('metadata.input.reference_urls') ?? []].flat(),
			].length > 5 &&
			'Wan r2v takes at most 5 reference images and videos in all. Remove some from Images.') ||
		(!isResold &&
			/wan-?2-[67](?!.*flash)/.test(name) &&
			at('metadata.parameters.audio') === false &&
			`Of Wan 2.6 and 2.7, only 2.6 Flash renders without sound. Remove Generate Audio${/t2v/.test(name) ? '' : `, or choose wan2.6-${/r2v/.test(name) ? 'r' : 'i'}2v-flash`}.`),
};
