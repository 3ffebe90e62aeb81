import { LENGTH_AT, PICTURE_AT, type Row, toImages } from './row';

/** Shengshu's Vidu: platform.vidu.com/docs. */
export const vidu: Row = {
	label: 'Vidu',
	matches: /(?<![a-z])vidu(?=q?\d|[-/]|$)/,
	owners: ['vidu'],
	price: 'video',
	route: 'openAiVideos',
	fields: {
		aspectRatio: { at: ['metadata.aspect_ratio'], since: /vidu/ },
		duration: { at: LENGTH_AT, or: ['metadata.duration'] },
		// Older models render no sound.
		generateAudio: { at: ['metadata.audio'], not: /vidu-?(q1|[12]-)/, since: /vidu/ },
		// The gateway reads `size` as a resolution.
		resolution: { at: ['size'], or: ['metadata.resolution'] },
		// The gateway drops a 0, and the vendor would then choose a seed itself.
		seed: { at: ['metadata.seed'], loses: [0, -1] },
	},
	pictures: {
		at: [...PICTURE_AT, 'metadata.images', 'metadata.videos'],
		first: toImages,
		// Two pictures count as the first and the last frame, unless `action` says otherwise.
		last: toImages,
		references: ({ references, videos }) => ({
			images: references.length > 0 ? references : undefined,
			metadata: { action: 'referenceGenerate', videos },
		}),
		also: ['videos'],
	},
	frameShapes: /vidu-?(q[1-3]|[12]-)/,
	doubt: (at, { name }) =>
		at('metadata.videos') !== undefined
			? 'Gateways from before autumn 2026 drop reference videos of Vidu'
			: /vidu-?q2-(pro|turbo)/.test(name) &&
				at('metadata.action') === 'referenceGenerate' &&
				'Gateways from before autumn 2026 render references with Vidu Q2 instead of this model',
};
