'use strict';

const { flag, oneOf, text, whole } = require('./properties');

// A few models of WaveSpeed, with the fields that its pages and callers told of in 2026, and the entries
// in which its list tells them. Prices are examples.

const prompt = text({ description: 'The positive prompt for the generation.' });
const negative_prompt = text({ description: 'The negative prompt for the generation.' });
const seed = whole({ minimum: -1, maximum: 2147483647, default: -1 });
const image = text({
	'x-ui-component': 'uploader',
	'x-ui-component-props': { accept: 'image/*' },
});
// Its own forms do not offer these two.
const enable_sync_mode = { ...flag(false), disabled: true };
const enable_base64_output = { ...flag(false), 'x-hidden': true };

const WAVESPEED_MODELS = {
	'wavespeed-ai/wan-2.2/t2v-480p-ultra-fast': {
		name: 'Wan 2.2 T2V 480p Ultra Fast',
		category: 'text-to-video',
		price: 0.05,
		required: ['prompt'],
		properties: {
			prompt,
			negative_prompt,
			size: oneOf(['832*480', '480*832'], '832*480'),
			duration: oneOf([5, 8], 5, 'integer'),
			seed,
		},
	},
	'google/veo3.1/image-to-video': {
		name: 'Google Veo3.1 Image To Video',
		category: 'image-to-video',
		price: 3.2,
		required: ['prompt', 'image'],
		properties: {
			prompt,
			image,
			last_image: image,
			aspect_ratio: oneOf(['16:9', '9:16'], '16:9'),
			duration: oneOf([8, 4, 6], 8, 'integer'),
			resolution: oneOf(['720p', '1080p'], '720p'),
			generate_audio: flag(true),
			negative_prompt,
			seed,
		},
	},
	'bytedance/seedance-v1.5-pro/image-to-video': {
		name: 'Bytedance Seedance V1.5 Pro Image To Video',
		category: 'image-to-video',
		price: 0.26,
		required: ['prompt', 'image'],
		properties: {
			prompt,
			image,
			last_image: image,
			aspect_ratio: oneOf(['21:9', '16:9', '4:3', '1:1', '3:4', '9:16'], '16:9'),
			duration: whole({ minimum: 4, maximum: 12, step: 1, default: 5 }),
			resolution: oneOf(['480p', '720p', '1080p'], '720p'),
			generate_audio: flag(true),
			camera_fixed: flag(false),
			seed,
			enable_sync_mode,
			enable_base64_output,
		},
	},
	'wavespeed-ai/flux-2-pro/text-to-image': {
		name: 'Flux 2 Pro Text To Image',
		category: 'text-to-image',
		price: 0.03,
		required: ['prompt'],
		properties: {
			prompt,
			size: oneOf(['1024*1024', '1280*720'], '1024*1024'),
			seed,
			enable_sync_mode,
		},
	},
};

/** A model as the list has it. */
const wavespeedEntry = ([model_id, { name, category, price, required, properties }]) => ({
	model_id,
	name,
	base_price: price,
	type: category,
	api_schema: {
		api_schemas: [
			{
				type: 'model_run',
				method: 'POST',
				server: 'https://api.wavespeed.ai',
				api_path: `/api/v3/${model_id}`,
				request_schema: {
					additionalProperties: false,
					type: 'object',
					properties,
					required,
					'x-order-properties': Object.keys(properties),
				},
			},
		],
	},
});

module.exports = { WAVESPEED_MODELS, wavespeedEntry };
