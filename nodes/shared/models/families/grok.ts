import type { Pictures } from '../settings';
import { ALL, LENGTH_AT, type Lists, PICTURE_AT, type Family, urlsOf } from '../takes';
import { FIVE_RATIOS, TO_1080P, TO_720P, upTo, version } from './versions';

const LISTS: Lists = {
	checked: '2026-11, plugin xai 1.0.1, docs.x.ai',
	aspectRatio: [...FIVE_RATIOS, '3:2', '2:3', '21:9', '5:2'],
	duration: upTo(1, 15),
	resolution: TO_1080P,
	byDefault: { duration: 8, resolution: '480p' },
};

function writeGrok(pictures: Pictures) {
	const { first, last, references } = pictures;
	const metadata = {
		last_frame: last,
		reference_images: urlsOf(pictures, 'image'),
		reference_audios: urlsOf(pictures, 'sound')?.map((url) => ({ url })),
	};
	const isFirstAlone = !last && references.length === 0;
	return { images: first && [first], metadata: isFirstAlone ? undefined : metadata };
}

/** xAI's Grok Imagine: docs.x.ai/developers/models. */
export const grok: Family = {
	label: 'Grok Imagine',
	matches: /grok[\w-]*(imagine|video)/,
	owners: ['xai'],
	versions: [
		version('1.5 Lite', 'grok-imagine-video-1.5-lite', /1-5-lite/, LISTS),
		version('1.5', 'grok-imagine-video-1.5', /grok-imagine.*1-5(?!.*preview)/, {
			...LISTS,
			references: { image: 7, sound: 3 },
		}),
		version('1.0', 'grok-imagine-video', /grok-imagine-(1-0-)?video$/, {
			...LISTS,
			resolution: TO_720P,
			references: { image: 7 },
		}),
	],
	fields: {
		aspectRatio: { at: ['metadata.aspect_ratio'], or: ['size'] },
		duration: { at: LENGTH_AT, or: ['metadata.duration'] },
		generateAudio: { at: ['metadata.generate_audio'] },
		resolution: { at: ['metadata.resolution'], or: ['size'] },
	},
	pictures: {
		at: [...PICTURE_AT, 'metadata.reference_images', 'metadata.keyframes'],
		takes: ['first', 'last', 'image', 'sound'],
		write: writeGrok,
		mixes: /1-5(?!-lite)/,
		lastAlone: true,
		not: { last: /grok-imagine-(1-0-)?video$|1-5-lite/ },
	},
	frameMayShape: ALL,
};
