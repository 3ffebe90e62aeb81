'use strict';

const { addresses, flag, oneOf, text } = require('./properties');

// Models of the Gemini API that render videos, with what an order may have as `google.js` reads it.

const MAX_SECONDS = 15;
const lengths = (most) => Array.from({ length: most - 2 }, (_one, i) => `${i + 3}s`);

const properties = (most) => ({
	prompt: text(),
	images: addresses(),
	// Without it, the request would last for the whole render.
	background: { type: 'boolean', enum: [true] },
	store: flag(true),
	task: oneOf(['text_to_video', 'image_to_video', 'reference_to_video', 'edit', 'extend']),
	type: oneOf(['video']),
	delivery: oneOf(['inline', 'uri']),
	aspect_ratio: oneOf(['16:9', '9:16'], '16:9'),
	resolution: oneOf(['360p', '720p', '1080p', '4k'], '720p'),
	duration: oneOf(lengths(most)),
});
const model = (name, most) => ({
	name,
	properties: properties(most),
	required: ['prompt', 'background', 'type'],
	/** Addresses are refused, and so is a picture without its type. */
	misfit({ images = [], task }) {
		const odd = images.find(({ data, mime_type }) => !data || !mime_type);
		if (odd) return { field: 'input', message: 'data and mime_type are required' };
		const isTooMany = task === 'image_to_video' && images.length > 2;
		return isTooMany && { field: 'input', message: 'at most two images' };
	},
});

const GOOGLE_MODELS = {
	'gemini-omni-1.1-flash': model('Gemini Omni 1.1 Flash', 10),
	'gemini-omni-1.2-flash': model('Gemini Omni 1.2 Flash', MAX_SECONDS),
};

module.exports = { GOOGLE_MODELS };
