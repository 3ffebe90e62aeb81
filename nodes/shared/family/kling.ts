import { handAt } from './byHand';
import { hasNoPicture, type Family } from './family';

/** The gateway knows these six sizes, and renders a square for any other. */
const SIZES = ['1280x720', '1920x1080', '720x1280', '1080x1920', '1024x1024', '512x512'];

export const kling: Family = {
	label: 'Kling',
	matches: /kling/i,
	owners: ['kling'],
	settings: (model) => ({
		aspectRatio: { at: 'metadata.aspect_ratio', values: ['16:9', '9:16', '1:1'] },
		duration: { at: 'duration', values: /kling-?v?[12]/i.test(model) ? [5, 10] : undefined },
		negativePrompt: { at: 'metadata.negative_prompt' },
		resolution: { instead: 'Set mode ("std" or "pro") in Extra Fields (JSON).' },
		size: { at: 'size', values: SIZES },
	}),
	twins: [
		['duration', 'seconds', 'metadata.duration'],
		['image', 'metadata.image'],
		['mode', 'metadata.mode'],
		['size', 'metadata.aspect_ratio'],
	],
	pictures: {
		opensUrls: true,
		// The vendor refuses data URIs.
		form: 'base64',
		lastFrame: true,
		write: ({ first, last }) => ({
			image: first,
			...(last && { metadata: { image_tail: last } }),
		}),
	},
	objection(video) {
		const { options, byHand } = video;
		const isShaped =
			(options.size ?? options.aspectRatio) !== undefined ||
			handAt(byHand, 'metadata.aspect_ratio').length > 0 ||
			handAt(byHand, 'size').some(({ value }) => SIZES.includes(value as string));
		if (isShaped || !hasNoPicture(video)) return undefined;
		return 'Kling renders a square video unless Aspect Ratio or Size is set. Set one of them: 1:1 for a square.';
	},
};
