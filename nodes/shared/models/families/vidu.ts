import { LENGTH_AT, type Lists, PICTURE_AT, type Family, toImages, urlsOf } from '../takes';
import { FIVE_RATIOS, upTo, version } from './versions';

const Q2: Lists = {
	checked: '2026-11, plugin vidu 1.1.0',
	aspectRatio: FIVE_RATIOS,
	duration: upTo(1, 10),
	resolution: ['360p', '540p', '720p', '1080p'],
	byDefault: { aspectRatio: '16:9', duration: 5 },
	references: { image: 7 },
};
const Q3: Lists = { ...Q2, duration: upTo(1, 16) };
/** Gateways may ask 1.5 and 2.0 for 5 seconds, which they do not render, so no length is called the default. */
const OLD: Lists = {
	...Q2,
	aspectRatio: ['16:9', '9:16', '1:1'],
	duration: [4, 8],
	resolution: ['360p', '720p', '1080p'],
	byDefault: { aspectRatio: '16:9' },
};

/** Shengshu's Vidu: platform.vidu.com/docs. */
export const vidu: Family = {
	label: 'Vidu',
	matches: /(?<![a-z])vidu(?=q?\d|[-/]|$)/,
	owners: ['vidu'],
	versions: [
		version('Q3 Pro and Turbo', 'viduq3-pro', /vidu-?q3-(pro(?!-fast)|turbo)/, {
			...Q3,
			resolution: ['540p', '720p', '1080p'],
		}),
		version('Q3', 'viduq3', /vidu-?q3/, Q3),
		version('Q2', 'viduq2', /vidu-?q2/, Q2),
		version('Q1', 'viduq1', /vidu-?q1/, { ...OLD, duration: [5], resolution: ['1080p'] }),
		version('1.5 and 2.0', 'vidu2.0', /vidu-?(2-0|1-5)/, OLD),
	],
	price: 'video',
	onVideos: true,
	fields: {
		aspectRatio: { at: ['metadata.aspect_ratio'] },
		duration: { at: LENGTH_AT, or: ['metadata.duration'] },
		// Older models render no sound.
		generateAudio: { at: ['metadata.audio'], not: /vidu-?(q1|[12]-)/ },
		// The gateway reads `size` as a resolution.
		resolution: { at: ['size'], or: ['metadata.resolution'] },
		// The gateway drops a 0, and the vendor would then choose a seed itself.
		seed: { at: ['metadata.seed'], min: 1 },
	},
	pictures: {
		at: [...PICTURE_AT, 'metadata.images', 'metadata.videos'],
		// No version counts videos: which of them takes any, and how many, no page says (2026-11).
		takes: ['first', 'last', 'image', 'video'],
		write(pictures) {
			const [images, videos] = [urlsOf(pictures, 'image'), urlsOf(pictures, 'video')];
			// Two pictures count as the first and the last frame, unless `action` says otherwise.
			if (!images && !videos) return toImages(pictures);
			return { images, metadata: { action: 'referenceGenerate', videos } };
		},
	},
	frameShapes: /vidu-?(q[1-3]|[12]-)/,
};
