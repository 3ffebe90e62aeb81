import { sizesOf, type Family } from './family';

const SIZES = { '720p': { '9:16': '720x1280', '16:9': '1280x720' } };
const PRO_SIZES = { ...SIZES, '1024p': { '9:16': '1024x1792', '16:9': '1792x1024' } };

/**
 * OpenAI's Sora. The gateway forwards the body unchanged, so these are the fields that OpenAI
 * documents.
 */
export const sora: Family = {
	label: 'Sora',
	matches: /(^|\/)sora\b/i,
	// The service also lists models of another gateway behind it as "openai" or "sora".
	owners: [],
	settings: (model) => ({
		duration: { at: 'seconds', values: [4, 8, 12], byDefault: 4 },
		...sizesOf(/-pro\b/i.test(model) ? PRO_SIZES : SIZES, {
			aspectRatio: '9:16',
			resolution: '720p',
		}),
	}),
	twins: [['duration', 'seconds']],
	pictures: { write: ({ first }) => ({ input_reference: first }) },
};
