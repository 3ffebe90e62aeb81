import { LENGTH_AT, PICTURE_AT, type Pictures, type Row, toImages } from './row';

const write = ({ first, last, references, sounds = [] }: Pictures) => ({
	...(first && toImages({ first, references: [] })),
	metadata: {
		...(last && { last_frame: last }),
		...(references.length > 0 && { reference_images: references }),
		...(sounds.length > 0 && { reference_audios: sounds.map((url) => ({ url })) }),
	},
});

/** Takes frames beside references, and a last frame. */
const V1_5 = /1-5(?!-lite)/;

/**
 * xAI's Grok Imagine: docs.x.ai/developers/models. Gateways have it since autumn 2026; older ones refuse
 * its models.
 */
export const grok: Row = {
	label: 'Grok Imagine',
	matches: /grok[\w-]*(imagine|video)/,
	owners: ['xai'],
	fields: {
		aspectRatio: { at: ['metadata.aspect_ratio'], or: ['size'] },
		duration: { at: LENGTH_AT, or: ['metadata.duration'] },
		generateAudio: { at: ['metadata.generate_audio'] },
		resolution: { at: ['metadata.resolution'], or: ['size'] },
	},
	pictures: {
		at: [...PICTURE_AT, ...['reference_images', 'keyframes'].map((name) => `metadata.${name}`)],
		first: toImages,
		last: write,
		references: write,
		also: ['sounds'],
		mixes: { first: V1_5, last: V1_5 },
		lastAlone: true,
		not: { last: /grok-imagine-(1-0-)?video$|1-5-lite/ },
	},
	frameMayShape: /./,
};
