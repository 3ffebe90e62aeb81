import {
	hasReferences,
	LENGTH_AT,
	PICTURE_AT,
	SEED_ABOVE_ZERO,
	toOneImage,
	type Family,
} from './family';

const ALL_TIERS = ['360p', '540p', '720p', '1080p'];
const RATIOS = ['16:9', '9:16', '4:3', '3:4', '1:1'];
const FIRST_RATIOS = ['16:9', '9:16', '1:1'];

const HAS_SOUND = /vidu-?q[2-9]/;
const IMAGES = { references: { references: 7 } };
const NEW_SINCE_Q2 = {
	...IMAGES,
	aspectRatio: RATIOS,
	openFromReferences: ['aspectRatio'],
	recent: ['aspectRatio', 'generateAudio'],
} as const;
const Q3 = { ...NEW_SINCE_Q2, duration: { min: 1, max: 16 } };
const Q2 = { ...NEW_SINCE_Q2, duration: { min: 1, max: 10 } };
const BEFORE_Q2 = { ...IMAGES, recent: ['aspectRatio'], aspectRatio: FIRST_RATIOS } as const;
const BEFORE_Q1 = {
	...{ ...BEFORE_Q2, duration: [4, 8], byDefault: { duration: undefined } },
	resolution: ['360p', '720p', '1080p'],
};

/** Shengshu's Vidu: platform.vidu.com/docs. */
export const vidu: Family = {
	label: 'Vidu',
	matches: /(?<![a-z])(vidu(?=q?\d|[-._/ ]|$)|vd-video-)/i,
	ownNames: /^vidu(q\d|\d-\d)(-[a-z]+)*$/,
	owners: ['vidu'],
	price: 'video',
	settings: (name) => ({
		aspectRatio: { at: 'metadata.aspect_ratio', byDefault: '16:9' },
		duration: { at: LENGTH_AT, or: ['metadata.duration'], byDefault: 5 },
		generateAudio: HAS_SOUND.test(name) ? { at: 'metadata.audio' } : {},
		// The gateway reads `size` as a resolution.
		resolution: { at: 'size', or: ['metadata.resolution'] },
		seed: { at: 'metadata.seed', ...SEED_ABOVE_ZERO },
	}),
	checked: '2026-11, plugin vidu 1.1.0',
	versions: [
		{
			...{ label: 'Q3 Pro', name: /vidu-?q3-pro(?!-fast)/, model: 'viduq3-pro', ...Q3 },
			...{ resolution: ['540p', '720p', '1080p'], unsure: ['references'] },
		},
		{
			...{ label: 'Q3 Turbo', name: /vidu-?q3-turbo/, model: 'viduq3-turbo', ...Q3 },
			resolution: ['540p', '720p', '1080p'],
		},
		{
			...{ label: 'Q3 Mix', name: /vidu-?q3-mix/, model: 'viduq3-mix', ...Q3 },
			checked: '2026-11, plugin vidu 1.1.0 and pages of resellers',
			resolution: ALL_TIERS,
		},
		{ label: 'Q3', name: /vidu-?q3/, model: 'viduq3', ...Q3, resolution: ALL_TIERS },
		{
			...{ label: 'Q2 Turbo and Pro Fast', name: /vidu-?q2-(turbo|pro-fast)/ },
			...{ model: 'viduq2-turbo', ...Q2, resolution: ALL_TIERS, unsure: ['references'] },
		},
		{
			...{ label: 'Q2 Pro', name: /vidu-?q2-pro/, model: 'viduq2-pro', ...Q2 },
			checked: '2026-11, plugin vidu 1.1.0 and pages of resellers',
			...{ resolution: ALL_TIERS, references: { references: 7, videos: 2 } },
		},
		{ label: 'Q2', name: /vidu-?q2/, model: 'viduq2', ...Q2, resolution: ALL_TIERS },
		{
			...{ label: 'Q1', name: /vidu-?q1/, model: 'viduq1', ...BEFORE_Q2 },
			...{ duration: [5], resolution: ['1080p'], byDefault: { resolution: '1080p' } },
		},
		{ label: '2.0', name: /vidu-?2-0/, model: 'vidu2.0', ...BEFORE_Q1 },
		{ label: '1.5', name: /vidu-?1-5/, model: 'vidu1.5', ...BEFORE_Q1 },
	],
	pictures: {
		at: [...PICTURE_AT, 'metadata.images', 'metadata.videos'],
		opensUrls: true,
		lastFrame: true,
		references: { references: 7, videos: 2 },
		// Two pictures count as the first and the last frame, unless `action` says otherwise.
		write(pictures, route) {
			const { first, last, references, videos } = pictures;
			if (hasReferences(pictures)) {
				const images = references.length > 0 ? references : undefined;
				return { images, metadata: { action: 'referenceGenerate', videos } };
			}
			return last ? { images: [first!, last] } : toOneImage(first, route);
		},
	},
	models: [
		[/vidu-?2-0/, 'needsImage', 'viduq2'],
		[/vidu-?q3-mix|\br2v/, 'needsReference', 'viduq3-pro'],
	],
	newFields: ['style', 'off_peak', 'is_rec', 'audio_type', 'voice_id', 'subjects'].map(
		(name) => `metadata.${name}`,
	),
	objection(at, name) {
		if (
			/vidu-?(1-5|2-0)/.test(name) &&
			Number(at('duration')) === 8 &&
			String(at('size') ?? at('metadata.resolution')).toLowerCase() !== '720p'
		) {
			return 'Vidu 1.5 and 2.0 render 8 seconds in 720p only. Set Resolution to 720p, or Duration to 4.';
		}
		return (
			/vidu-?(q[1-3]|[12]-)/.test(name) &&
			at('metadata.aspect_ratio') !== undefined &&
			at('metadata.action') === undefined &&
			imagesIn(at).length > 0 &&
			'Vidu takes the Aspect Ratio from the first frame, and would drop this one. Remove Aspect Ratio.'
		);
	},
	cautions(at, name) {
		const isQ2 = /vidu-?q2/.test(name);
		const lines = String(at('size') ?? at('metadata.resolution')).toLowerCase();
		const images = imagesIn(at);
		const hasReference = at('metadata.action') === 'referenceGenerate';
		return [
			/vidu-?2-0/.test(name) &&
				hasReference &&
				(Number(at('duration')) === 8 || lines === '1080p') &&
				'Vidu documents 4 seconds in 360p or 720p for references with Vidu 2.0',
			/vidu-?q2-(pro|turbo)/.test(name) &&
				images.length === 0 &&
				'Vidu documents viduq2 for videos from text, and this model for images',
			/vidu-?q2-(pro|turbo)/.test(name) &&
				hasReference &&
				'Gateways from before autumn 2026 render references with Vidu Q2 instead of this model',
			/vidu-?q2$/.test(name) &&
				images.length > 0 &&
				!hasReference &&
				'Not all pages know frames for Vidu Q2; viduq2-pro and viduq2-turbo take them',
			isQ2 &&
				at('metadata.audio') !== undefined &&
				(images.length !== 1 || hasReference) &&
				'Vidu documents sound for Q2 with a first frame alone',
			at('metadata.videos') !== undefined &&
				'Gateways from before autumn 2026 drop reference videos of Vidu',
			((/vidu-?q[23]/.test(name) && lines === '360p') ||
				(/vidu-?q(2-pro-fast|3-pro|3-mix)/.test(name) && lines === '540p')) &&
				`Not all pages and gateways know ${lines} for this model`,
			/vidu-?q3(-mix)?$/.test(name) &&
				Number(at('duration')) < 3 &&
				'Not all pages know less than 3 seconds for Vidu Q3 and Q3 Mix',
			/vidu-?q3$/.test(name) &&
				!hasReference &&
				'Not all pages know viduq3 without references; viduq3-pro and viduq3-turbo take text and frames',
			isQ2 &&
				Number(at('duration')) > 8 &&
				[at('images')].flat().length === 2 &&
				at('metadata.action') === undefined &&
				'Not all pages know more than 8 seconds between two frames for Vidu Q2',
			/vidu-?(1-5|2-0)/.test(name) &&
				[...LENGTH_AT, 'metadata.duration'].every((path) => at(path) === undefined) &&
				'Without Duration, gateways may ask for 5 seconds, and Vidu 1.5 and 2.0 render 4 or 8',
		];
	},
	needsOpenAiRoute: (at) => at('metadata.action') !== undefined || imagesIn(at).length !== 1,
};

const imagesIn = (at: (path: string) => unknown) =>
	vidu.pictures.at.flatMap((path) => [at(path) ?? []].flat());
