import { LENGTH_AT, PICTURE_AT, SHAPE_OF_FIRST_FRAME, type Family } from './family';

const RATIOS = ['16:9', '9:16', '1:1'];

/** Models whose requests have a resolution; others named kling-v3 are asked in the old way. */
const HAS_RESOLUTION = /kling-?(3-\d|v?[4-9]|v3(-0)?-turbo)/;

/**
 * The others of the old way, if their names fix no resolution. Nobody knows what names without a version take,
 * and `kling-video-v2.6` (`toPlainName`).
 */
const HAS_MODE = /(?<!-video\/)kling-?v?[123](?!.*(omni|-(std|standard|pro|4k|\d+p)\b))/;

/** Models that render no sound, or always. */
const LACKS_SOUND = /kling-?v?(1|2(?!-?6))|turbo/;

/** Models that render from images alone, by the vendor's names. */
const LACKS_TEXT = /^kling-v(1-5|2-1)$/;

/** A name such as `kling-v2-5-turbo-pro` stands for a mode itself. */
const PRO_FOR_LAST_FRAME = /kling-?v?(1-5|1-6|2-1|2-5-turbo|2-?6)(?![\ds])(?!.*(master|pro))/;

/** The vendor reads a ratio only of a video from text, or from the references of omni models. */
const hasTwoShapes = (at: (path: string) => unknown, name: string) =>
	/kling-?v?[1-3](?!.*omni)/.test(name) &&
	kling.pictures.at.some((path) => at(path) !== undefined) &&
	at('metadata.aspect_ratio') !== undefined;

/** Kuaishou's Kling: kling.ai/document-api. */
export const kling: Family = {
	label: 'Kling',
	matches: /kling|kl-video-/i,
	ownNames: /^kling-(v[12](-\d)?(-master|-turbo)?|v3|3-0(-turbo)?)$/,
	owners: ['kling'],
	price: 'video',
	settings: (name) => ({
		aspectRatio: LACKS_TEXT.test(name)
			? { instead: SHAPE_OF_FIRST_FRAME }
			: { at: 'metadata.aspect_ratio', or: ['size'] },
		duration: { at: LENGTH_AT, or: ['metadata.duration'], byDefault: 5 },
		generateAudio: LACKS_SOUND.test(name)
			? { instead: 'Of Kling, v2-6, v3 and 3.0 (not Turbo) have it. Remove Generate Audio.' }
			: HAS_RESOLUTION.test(name)
				? { at: 'metadata.audio', words: { true: 'native', false: 'off' } }
				: { at: 'metadata.sound', words: { true: 'on', false: 'off' } },
		negativePrompt: { at: 'metadata.negative_prompt' },
		resolution:
			HAS_RESOLUTION.test(name) || !HAS_MODE.test(name)
				? { at: 'metadata.resolution' }
				: {
						instead: /-master\b/.test(name)
							? 'By its name, this model renders in one resolution. Remove Resolution, or write into Additional Fields (JSON) what a reseller has.'
							: 'Set "mode" to "std" or "pro" in Additional Fields (JSON), or write there what a reseller has.',
					},
	}),
	checked: '2026-11, plugin kling 1.2.0',
	versions: [
		{
			...{ label: '3.0 Turbo', name: /kling-?(3-0|v3(-0)?)-turbo/, model: 'kling-3.0-turbo' },
			...{ duration: { min: 3, max: 15 }, aspectRatio: RATIOS, resolution: ['720p', '1080p'] },
			byDefault: { resolution: '720p' },
			...{ recent: ['resolution'], unsure: ['negativePrompt'] },
		},
		{
			...{ label: '3.0', name: /kling-?3-0(?!.*omni)/, model: 'kling-3.0' },
			...{ duration: { min: 3, max: 15 }, aspectRatio: RATIOS },
			resolution: ['720p', '1080p', '4k'],
			byDefault: { resolution: '720p' },
			...{ recent: ['resolution', 'generateAudio'], unsure: ['negativePrompt'] },
		},
		{
			...{ label: 'v3', name: /kling-?v3(?!.*omni)/, model: 'kling-v3' },
			checked: '2026-11, pages of resellers',
			...{ duration: { min: 3, max: 15 }, aspectRatio: RATIOS, byDefault: { aspectRatio: '1:1' } },
			...{ recent: ['generateAudio'], unsure: ['lastFrame'] },
		},
		{
			...{ label: 'v2 Master', name: /kling-?v?2(-\d)?-master/, model: 'kling-v2-master' },
			...{ duration: [5, 10], aspectRatio: RATIOS, byDefault: { aspectRatio: '1:1' } },
			unsure: ['lastFrame'],
		},
		{
			...{ label: 'v1 and v2', name: /kling-?v?[12]/, model: 'kling-v1-6' },
			checked: '2026-11, gateway of August 2026',
			...{ duration: [5, 10], aspectRatio: RATIOS },
			// The gateway sends it for anything but six exact sizes in pixels.
			byDefault: { aspectRatio: '1:1' },
			recent: ['generateAudio'],
		},
	],
	pictures: {
		at: [...PICTURE_AT, 'metadata.image', 'metadata.contents'],
		opensUrls: true,
		// The vendor refuses data URIs.
		form: 'base64',
		lastFrame: true,
		write: ({ first, last }) => ({
			image: first,
			...(last && { metadata: { image_tail: last } }),
		}),
	},
	models: [
		[/kling-?(3-0|v3(-0)?)-turbo/, 'noLastFrame', 'kling-3.0'],
		[LACKS_TEXT, 'needsImage', 'another model'],
	],
	objection(at, name, isResold) {
		const hasLast = at('metadata.image_tail') !== undefined;
		if (hasLast && at('metadata.sound') === 'on' && /kling-?v?2-?6/.test(name)) {
			return 'Kling v2-6 renders no sound between two frames. Remove Generate Audio, or the last frame from Images.';
		}
		if (hasLast && Number(at('duration')) === 10 && name === 'kling-v1') {
			return 'Kling v1 takes a last frame with 5 seconds only. Change Duration, or remove the last frame from Images.';
		}
		// A reseller may have another mode by default.
		if (!isResold && (at('metadata.mode') ?? at('mode')) !== 'pro') {
			// Without a mode, gateways ask for `std`.
			const set = 'or write "mode": "pro" into Additional Fields (JSON), which costs more';
			if (/kling-?v?2-?6(?!.*pro)/.test(name) && at('metadata.sound') === 'on') {
				return `Kling v2-6 renders sound in the mode "pro" only, and otherwise bills a silent video. Remove Generate Audio, ${set}.`;
			}
			if (PRO_FOR_LAST_FRAME.test(name) && hasLast) {
				return `This model takes a last frame in the mode "pro" only. Remove it from Images, ${set}.`;
			}
		}
		return (
			!isResold &&
			hasTwoShapes(at, name) &&
			'Kling takes the Aspect Ratio from the image, and would drop this one. Remove Aspect Ratio.'
		);
	},
	needsOpenAiRoute: (at, name) =>
		HAS_RESOLUTION.test(name) && kling.pictures.at.every((path) => at(path) === undefined),
	cautions: (at, name, route, owner) => [
		hasTwoShapes(at, name) &&
			'Kling takes the Aspect Ratio from the image, and a reseller may drop this one',
		owner === 'kling' &&
			/kling-?(v?[12]|v3)(?!.*omni).*pro(?![a-z])/.test(name) &&
			(at('metadata.mode') ?? at('mode')) === undefined &&
			'Without "mode" in Additional Fields (JSON), New API asks Kling for std, whatever the name says',
		route === 'openAiVideos' &&
			/kling-?v?[12]/.test(name) &&
			[...PICTURE_AT, 'metadata', 'mode'].some((path) => at(path) !== undefined) &&
			'By /v1/videos, the first plugins of New API drop all but the Duration of Kling v1 and v2',
	],
};
