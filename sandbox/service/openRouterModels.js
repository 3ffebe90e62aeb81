'use strict';

const { flag, oneOf, text, whole } = require('./properties');

// A few models of OpenRouter, as its list had them in October 2026, without their sizes. Prices are examples.

const listed = (id, name, lists) => ({
	id,
	canonical_slug: id,
	name,
	created: 1772323200,
	description: name,
	supported_durations: null,
	supported_resolutions: null,
	supported_aspect_ratios: null,
	supported_sizes: null,
	supported_frame_images: null,
	generate_audio: null,
	seed: null,
	upscale_factor: null,
	creativity: null,
	allowed_passthrough_parameters: [],
	pricing_skus: { duration_seconds: '0.40' },
	...lists,
});

const LIST = [
	listed('google/veo-3.1', 'Google: Veo 3.1', {
		supported_durations: [4, 6, 8],
		supported_resolutions: ['720p', '1080p', '4K'],
		supported_aspect_ratios: ['16:9', '9:16'],
		supported_sizes: ['1280x720', '720x1280'],
		supported_frame_images: ['first_frame', 'last_frame'],
		generate_audio: true,
		seed: true,
		allowed_passthrough_parameters: ['personGeneration', 'negativePrompt'],
	}),
	listed('bytedance/seedance-2.5', 'ByteDance: Seedance 2.5', {
		supported_durations: [4, 5, 8, 30],
		supported_resolutions: ['480p', '720p'],
		supported_aspect_ratios: ['16:9', '1:1', '9:16'],
		supported_frame_images: ['first_frame', 'last_frame'],
		generate_audio: true,
		seed: true,
	}),
	listed('x-ai/grok-imagine-video-1.5', 'xAI: Grok Imagine Video 1.5', {
		supported_durations: [5, 10, 15],
		supported_resolutions: ['480p', '720p'],
		supported_aspect_ratios: ['16:9', '9:16'],
		supported_frame_images: ['first_frame'],
	}),
	listed('black-forest-labs/flux-video-upscale', 'Black Forest Labs: FLUX Video Upscale', {
		generate_audio: false,
		seed: false,
		upscale_factor: { min: 1.5, max: 3 },
		creativity: [0, 1],
	}),
];

const lists = { type: 'array' };

/** Returns the body that a model takes. */
const propertiesOf = (model) => ({
	prompt: text(),
	...(model.supported_durations && { duration: oneOf(model.supported_durations, 8, 'integer') }),
	...(model.supported_resolutions && { resolution: oneOf(model.supported_resolutions) }),
	...(model.supported_aspect_ratios && { aspect_ratio: oneOf(model.supported_aspect_ratios) }),
	...(model.supported_sizes && { size: oneOf(model.supported_sizes) }),
	...(model.supported_frame_images && { frame_images: lists }),
	...(model.generate_audio && { generate_audio: flag(true) }),
	...(model.seed && { seed: whole() }),
	input_references: lists,
	provider: { type: 'object' },
});

const KINDS = ['image_url', 'video_url', 'audio_url'];
const isPart = (part, kinds) =>
	kinds.includes(part?.type) && typeof part[part.type]?.url === 'string';

/** Returns what is wrong with the files of a request; `undefined` if nothing is. */
function misfitOfFiles({ frame_images = [], input_references = [] }, { supported_frame_images }) {
	const isFrame = (frame) =>
		isPart(frame, KINDS.slice(0, 1)) && supported_frame_images?.includes(frame.frame_type);
	if (!frame_images.every(isFrame)) return { field: 'frame_images', message: 'Invalid input' };
	if (input_references.every((part) => isPart(part, KINDS))) return undefined;
	return { field: 'input_references', message: 'Invalid input' };
}

/** By model: the properties of its input, and what else is looked at. */
const OPENROUTER_MODELS = Object.fromEntries(
	LIST.map((model) => [
		model.id,
		{
			required: ['prompt'],
			properties: propertiesOf(model),
			misfit: (input) => misfitOfFiles(input, model),
		},
	]),
);

module.exports = { LIST, OPENROUTER_MODELS };
