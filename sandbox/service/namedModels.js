'use strict';

const { createHash } = require('node:crypto');
const { FILE_MODELS } = require('./fileModels');
const { falResultSchema } = require('./made');
const { address, addresses, flag, oneOf, text, whole } = require('./properties');
const { OPENROUTER_MODELS } = require('./openRouterModels');
const { GOOGLE_MODELS } = require('./googleModels');
const { RUNWAY_MODELS } = require('./runwayModels');
const { WAVESPEED_MODELS } = require('./wavespeedModels');

// A few models of fal, Replicate and kie.ai, with the fields that their schemas had in 2026, and the
// documents in which each service tells them.

const RATIOS = ['16:9', '9:16', '1:1'];
const range = (from, to) => Array.from({ length: to - from + 1 }, (_, i) => String(from + i));

/** By service and model: the properties of its input, and those that are required. */
const MODELS = {
	fal: {
		...FILE_MODELS.fal,
		'fal-ai/veo3.1': {
			name: 'Veo 3.1',
			category: 'text-to-video',
			required: ['prompt'],
			properties: {
				prompt: text(),
				aspect_ratio: oneOf(['16:9', '9:16'], '16:9'),
				duration: oneOf(['4s', '6s', '8s'], '8s'),
				resolution: oneOf(['720p', '1080p', '4k'], '720p'),
				generate_audio: flag(true),
				negative_prompt: { anyOf: [text(), { type: 'null' }] },
				seed: { anyOf: [whole(), { type: 'null' }] },
			},
		},
		'fal-ai/veo3.1/image-to-video': {
			name: 'Veo 3.1',
			category: 'image-to-video',
			required: ['prompt', 'image_url'],
			properties: {
				prompt: text(),
				image_url: address(),
				aspect_ratio: oneOf(['auto', '16:9', '9:16'], 'auto'),
				duration: oneOf(['4s', '6s', '8s'], '8s'),
				resolution: oneOf(['720p', '1080p', '4k'], '720p'),
				generate_audio: flag(true),
			},
		},
		'veed/subtitles': {
			name: 'Subtitles',
			category: 'video-to-video',
			required: ['video_url', 'preset'],
			properties: {
				video_url: address(),
				language: { anyOf: [text(), { type: 'null' }], description: 'Of the speech' },
				preset: { ...oneOf(['boxed', 'karaoke', 'simple']), description: 'How captions look' },
				font_size: whole({ minimum: 10, maximum: 100, default: 40 }),
				names: { type: 'array', items: text(), maxItems: 3 },
				bold: flag(true),
				colors: { type: 'object' },
			},
		},
		'fal-ai/kokoro': {
			name: 'Kokoro',
			category: 'text-to-audio',
			required: ['prompt', 'voice'],
			properties: {
				prompt: text(),
				voice: oneOf(['af_heart', 'am_adam']),
				speed: { type: 'number', minimum: 0.5, maximum: 2, default: 1 },
			},
		},
		'fal-ai/kling-video/v3/pro/image-to-video': {
			name: 'Kling 3 Pro',
			category: 'image-to-video',
			required: ['start_image_url'],
			properties: {
				prompt: { anyOf: [text(), { type: 'null' }] },
				start_image_url: address(),
				end_image_url: { anyOf: [address(), { type: 'null' }] },
				duration: oneOf(range(3, 15), '5'),
				generate_audio: flag(true),
			},
		},
	},
	replicate: {
		'minimax/music-1.5': {
			category: 'ai-music-generation',
			required: ['prompt', 'lyrics'],
			properties: {
				prompt: text(),
				lyrics: text(),
				sample_rate: oneOf([16000, 44100], 44100, 'integer'),
			},
		},
		...FILE_MODELS.replicate,
		'google/veo-3.1': {
			category: 'text-to-video',
			required: ['prompt'],
			properties: {
				prompt: text(),
				image: address(),
				last_frame: address(),
				duration: oneOf([4, 6, 8], 8, 'integer'),
				resolution: oneOf(['720p', '1080p'], '1080p'),
				aspect_ratio: oneOf(['16:9', '9:16'], '16:9'),
				generate_audio: flag(true),
				seed: whole({ nullable: true }),
			},
		},
		'bytedance/seedance-2.5': {
			category: 'image-to-video',
			properties: {
				prompt: text(),
				image: address(),
				last_frame_image: address(),
				reference_images: addresses(4),
				duration: whole({ minimum: -1, maximum: 30, default: 5 }),
				resolution: oneOf(['480p', '720p'], '720p'),
				aspect_ratio: oneOf([...RATIOS, 'adaptive'], 'adaptive'),
				generate_audio: flag(true),
			},
		},
	},
	kie: {
		...FILE_MODELS.kie,
		'veo-3-1': {
			name: 'Veo 3.1',
			category: 'Text to Video',
			required: ['prompt'],
			properties: {
				prompt: text(),
				image_urls: addresses(2),
				aspect_ratio: oneOf(['16:9', '9:16', 'Auto'], '16:9'),
				resolution: oneOf(['720p', '1080p', '4k'], '720p'),
				duration: oneOf([4, 6, 8], 8, 'integer'),
			},
		},
		'kling-2.6/image-to-video': {
			name: 'Kling 2.6',
			category: 'Image to Video',
			required: ['prompt', 'image_urls', 'sound', 'duration'],
			properties: {
				prompt: text(),
				image_urls: addresses(1),
				sound: { type: 'boolean' },
				duration: oneOf(['5', '10'], '5'),
			},
		},
	},
	openRouter: OPENROUTER_MODELS,
	google: GOOGLE_MODELS,
	runway: RUNWAY_MODELS,
	wavespeed: { ...FILE_MODELS.wavespeed, ...WAVESPEED_MODELS },
};

const schemaOf = ({ properties, required }) => ({
	type: 'object',
	properties,
	...(required && { required }),
});

/** fal's document begins with the paths of a request's status. */
function falDocument(id, model) {
	const ref = (name) => ({ schema: { $ref: `#/components/schemas/${name}` } });
	const json = (name) => ({ content: { 'application/json': ref(name) } });
	return {
		openapi: '3.0.4',
		info: { title: `Queue OpenAPI for ${id}`, version: '1.0.0' },
		components: {
			schemas: {
				QueueStatus: { type: 'object' },
				ModelInput: schemaOf(model),
				ModelOutput: falResultSchema(model),
			},
		},
		paths: {
			[`/${id}/requests/{request_id}/status`]: { get: { responses: { 200: json('QueueStatus') } } },
			[`/${id}`]: {
				post: {
					requestBody: { required: true, ...json('ModelInput') },
					responses: { 200: json('QueueStatus') },
				},
			},
			[`/${id}/requests/{request_id}`]: { get: { responses: { 200: json('ModelOutput') } } },
		},
	};
}

/** Replicate has the choices of a property beside the schema, under the property's name. */
function replicateSchema({ properties, ...model }) {
	const lists = Object.entries(properties).filter(([, property]) => property.enum);
	const toReference = ([name, property], order) => {
		const { enum: values, type, ...rest } = property;
		const own = values ? { allOf: [{ $ref: `#/components/schemas/${name}` }], ...rest } : property;
		return [name, { ...own, 'x-order': order }];
	};
	const Input = schemaOf({
		...model,
		properties: Object.fromEntries(Object.entries(properties).map(toReference)),
	});
	const choices = lists.map(([name, { type, enum: values }]) => [name, { type, enum: values }]);
	return {
		openapi: '3.0.2',
		components: {
			schemas: {
				...{ Input, Output: { type: 'string', format: 'uri' } },
				...Object.fromEntries(choices),
			},
		},
	};
}

/** Returns the ID of the only version of a model. */
const replicateVersion = (id) => createHash('sha256').update(id).digest('hex');

function replicateModel(id) {
	const [owner, name] = id.split('/');
	const openapi_schema = replicateSchema(MODELS.replicate[id]);
	return {
		owner,
		name,
		visibility: 'public',
		latest_version: { id: replicateVersion(id), openapi_schema },
	};
}

const kieDocument = (id, model) => ({
	openapi: '3.1.0',
	paths: {
		'/api/v1/jobs/createTask': {
			post: {
				requestBody: {
					content: {
						'application/json': {
							schema: { type: 'object', properties: { model: text(), input: schemaOf(model) } },
						},
					},
				},
				responses: { 500: { $ref: '#/components/responses/Error ' } },
			},
		},
	},
});

/** Returns why a model does not take an input; `undefined` if it does. Only what the schema says. */
function misfit({ properties, required = [] }, input) {
	for (const field of required) {
		if (input[field] === undefined) return { field, message: 'Field required' };
	}
	for (const [field, value] of Object.entries(input)) {
		const kind = Array.isArray(value) ? 'array' : typeof value;
		const { anyOf: forms = [properties[field]] } = properties[field] ?? {};
		const property = forms.find((form) => form?.type === kind) ?? forms[0];
		if (!property) continue;
		const { type, enum: values } = property;
		const isKind = type === 'integer' ? Number.isInteger(value) : kind === type;
		if (!isKind) return { field, message: `Input should be a valid ${type}` };
		if (values && !values.includes(value)) {
			return { field, message: `Input should be ${values.join(', ')}` };
		}
		if (value < property.minimum || value > property.maximum) {
			return { field, message: `Input should be ${property.minimum} to ${property.maximum}` };
		}
	}
	return undefined;
}

/** Returns the model of a version, with or without the model's name before it. */
const modelOfVersion = (version = '') =>
	Object.keys(MODELS.replicate).find((id) =>
		[replicateVersion(id), `${id}:${replicateVersion(id)}`].includes(version),
	);

module.exports = { MODELS, falDocument, kieDocument, misfit, modelOfVersion, replicateModel };
