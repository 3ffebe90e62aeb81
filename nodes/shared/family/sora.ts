import { PICTURE, type Family } from './family';

const SIZES = {
	'720p': { '16:9': '1280x720', '9:16': '720x1280' },
	'1024p': { '16:9': '1792x1024', '9:16': '1024x1792' },
};

/** OpenAI's form of requests. OpenAI ended Sora in September 2026; others sell models in its form. */
export const sora: Family = {
	label: 'Sora',
	matches: /(^|[/.:])sora(?=[\d._-]|$)/i,
	owners: [],
	settings: () => ({
		sizes: SIZES,
		aspectRatio: { at: 'size', values: ['16:9', '9:16'], byDefault: '9:16' },
		// The vendor reads `seconds`; some gateways count the price by `duration`.
		duration: { at: ['duration', 'seconds'], byDefault: 4 },
		resolution: { at: 'size', values: Object.keys(SIZES), byDefault: '720p' },
	}),
	// platform.openai.com/docs/api-reference/videos, as it was in August 2026
	versions: [
		{
			...{ label: '2 Pro', name: /sora-2-pro(-\d{4}|$)/i },
			duration: [4, 8, 12],
			resolution: ['720p', '1024p'],
		},
		{
			...{ label: '2', name: /sora-2(-\d{4}|$)/i },
			duration: [4, 8, 12],
			resolution: ['720p'],
		},
	],
	pictures: {
		at: PICTURE,
		opensUrls: true,
		write: ({ first }) => ({ image: first, input_reference: first }),
	},
};
