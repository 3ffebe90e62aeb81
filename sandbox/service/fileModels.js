'use strict';

const { address, flag, oneOf, text, whole } = require('./properties');

// Models that work on a video, a sound or several images, with the fields that their schemas had in 2026.

const list = () => ({ type: 'array', items: address() });
const share = (byDefault) => ({ type: 'number', minimum: 0, maximum: 1, default: byDefault });

/** By service and model. */
const FILE_MODELS = {
	fal: {
		'fal-ai/sync-lipsync/v2': {
			name: 'Sync. Lipsync 2',
			category: 'video-to-video',
			required: ['video_url', 'audio_url'],
			properties: {
				video_url: address(),
				audio_url: address(),
				sync_mode: oneOf(['cut_off', 'loop'], 'cut_off'),
			},
		},
		'fal-ai/nano-banana': {
			name: 'Nano Banana',
			category: 'text-to-image',
			required: ['prompt'],
			properties: {
				prompt: text(),
				num_images: whole({ minimum: 1, maximum: 4, default: 1 }),
				aspect_ratio: oneOf(['21:9', '16:9', '4:3', '1:1', '3:4', '9:16'], '1:1'),
				output_format: oneOf(['jpeg', 'png'], 'png'),
			},
		},
		'fal-ai/nano-banana/edit': {
			name: 'Nano Banana',
			category: 'image-to-image',
			required: ['prompt', 'image_urls'],
			properties: {
				prompt: text(),
				image_urls: list(),
				num_images: whole({ minimum: 1, maximum: 4, default: 1 }),
				sync_mode: flag(false),
			},
		},
		'fal-ai/elevenlabs/tts/eleven-v3': {
			name: 'ElevenLabs TTS',
			category: 'text-to-audio',
			required: ['text'],
			properties: { text: text(), voice: text({ default: 'Rachel' }) },
		},
		'fal-ai/elevenlabs/music': {
			name: 'ElevenLabs Music',
			category: 'text-to-audio',
			required: ['prompt'],
			properties: { prompt: text() },
		},
		'veed/fabric-1.0': {
			name: 'Fabric 1.0',
			category: 'image-to-video',
			required: ['image_url', 'audio_url', 'resolution'],
			properties: {
				image_url: address(),
				audio_url: address(),
				resolution: oneOf(['720p', '480p']),
			},
		},
		'fal-ai/ffmpeg-api/extract-frame': {
			name: 'FFmpeg API Extract Frame',
			category: 'image-to-image',
			required: ['video_url'],
			properties: {
				video_url: address(),
				frame_type: oneOf(['first', 'middle', 'last'], 'first'),
			},
		},
	},
	replicate: {
		'black-forest-labs/flux-schnell': {
			category: 'text-to-image',
			required: ['prompt'],
			properties: {
				prompt: text(),
				aspect_ratio: oneOf(['1:1', '16:9', '9:16'], '1:1'),
				num_outputs: whole({ minimum: 1, maximum: 4, default: 1 }),
				output_format: oneOf(['webp', 'jpg', 'png'], 'webp'),
			},
		},
		'sync/lipsync-2': {
			category: 'lipsync',
			required: ['video', 'audio'],
			properties: {
				video: address(),
				audio: address(),
				sync_mode: oneOf(['loop', 'cut_off'], 'loop'),
			},
		},
	},
	kie: {
		'google/nano-banana': {
			name: 'Nano Banana',
			category: 'Text to Image',
			required: ['prompt'],
			properties: {
				prompt: text(),
				image_size: oneOf(['1:1', '9:16', '16:9', 'auto'], '1:1'),
				output_format: oneOf(['png', 'jpeg'], 'png'),
			},
		},
		'elevenlabs/text-to-speech-multilingual-v2': {
			name: 'ElevenLabs Multilingual 2',
			category: 'Text to Speech',
			required: ['text'],
			properties: {
				text: text({ maxLength: 5000 }),
				voice: text({ default: 'Rachel' }),
				stability: share(0.5),
				similarity_boost: share(0.75),
				style: share(0),
				speed: { type: 'number', minimum: 0.7, maximum: 1.2, default: 1 },
				timestamps: flag(false),
				previous_text: text(),
				next_text: text(),
				language_code: text(),
			},
		},
		'infinitalk/from-audio': {
			name: 'Infinitalk',
			category: 'Image to Video',
			required: ['image_url', 'audio_url', 'prompt'],
			properties: { image_url: address(), audio_url: address(), prompt: text() },
		},
	},
	wavespeed: {
		'sync/lipsync-2': {
			name: 'Sync Lipsync 2',
			category: 'video-to-video',
			price: 0.05,
			required: ['video', 'audio'],
			properties: { video: text(), audio: text() },
		},
	},
};

module.exports = { FILE_MODELS };
