import type { Family } from './family';

const SIZES = ['720x1280', '1280x720'];
const PRO_SIZES = [...SIZES, '1024x1792', '1792x1024'];

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
		aspectRatio: { instead: 'Set Size.' },
		duration: { at: 'seconds', values: [4, 8, 12] },
		resolution: { instead: 'Set Size.' },
		size: { at: 'size', values: /pro/i.test(model) ? PRO_SIZES : SIZES },
	}),
	twins: [['duration', 'seconds']],
	pictures: { write: ({ first }) => ({ input_reference: first }) },
};
