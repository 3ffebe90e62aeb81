'use strict';

const { address, flag, oneOf, text, whole } = require('./properties');

// Models that work on a video, a sound or several images, with the fields that their schemas had in 2026.

const list = () => ({ type: 'array', items: address() });
const RATIOS = ['21:9', '16:9', '4:3', '1:1', '3:4', '9:16'];
const number = (more = {}) => ({ type: 'number', ...more });
const share = (byDefault) => ({ type: 'number', minimum: 0, maximum: 1, default: byDefault });

const WAN_26 = {
	duration: oneOf(['5', '10', '15'], '5'),
	resolution: oneOf(['720p', '1080p'], '1080p'),
	multi_shots: flag(false),
};

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
		'fal-ai/nano-banana-pro/edit': {
			name: 'Nano Banana Pro',
			category: 'image-to-image',
			required: ['prompt', 'image_urls'],
			properties: {
				prompt: text(),
				image_urls: list(),
				aspect_ratio: oneOf(['auto', ...RATIOS], 'auto'),
				resolution: oneOf(['1K', '2K', '4K'], '1K'),
				output_format: oneOf(['jpeg', 'png', 'webp'], 'png'),
			},
		},
		'fal-ai/veo3.1/reference-to-video': {
			name: 'Veo 3.1',
			category: 'image-to-video',
			required: ['prompt', 'image_urls'],
			properties: {
				prompt: text(),
				image_urls: list(),
				aspect_ratio: oneOf(['16:9', '9:16'], '16:9'),
				duration: oneOf(['8s'], '8s'),
				resolution: oneOf(['720p', '1080p', '4k'], '720p'),
				generate_audio: flag(true),
			},
		},
		'fal-ai/veo3.1/fast/first-last-frame-to-video': {
			name: 'Veo 3.1 Fast',
			category: 'image-to-video',
			required: ['prompt', 'first_frame_url', 'last_frame_url'],
			properties: {
				prompt: text(),
				first_frame_url: address(),
				last_frame_url: address(),
				aspect_ratio: oneOf(['auto', '16:9', '9:16'], 'auto'),
				duration: oneOf(['4s', '6s', '8s'], '8s'),
				resolution: oneOf(['720p', '1080p', '4k'], '720p'),
				generate_audio: flag(true),
			},
		},
		'fal-ai/bytedance/seedance/v1/pro/text-to-video': {
			name: 'Seedance 1.0 Pro',
			category: 'text-to-video',
			required: ['prompt'],
			properties: {
				prompt: text(),
				aspect_ratio: oneOf(RATIOS, '16:9'),
				resolution: oneOf(['480p', '720p', '1080p'], '1080p'),
				duration: oneOf(['2', '4', '5', '6', '10', '12'], '5'),
			},
		},
		'fal-ai/mmaudio-v2': {
			name: 'MMAudio V2',
			category: 'video-to-video',
			required: ['prompt', 'video_url'],
			properties: {
				prompt: text(),
				video_url: address(),
				negative_prompt: text({ default: '' }),
				duration: number({ minimum: 1, maximum: 30, default: 8 }),
			},
		},
		'fal-ai/infinitalk/video-to-video': {
			name: 'Infinitalk',
			category: 'video-to-video',
			required: ['prompt', 'video_url', 'audio_url'],
			properties: {
				prompt: text(),
				video_url: address(),
				audio_url: address(),
				num_frames: whole({ minimum: 81, maximum: 241, default: 145 }),
				resolution: oneOf(['480p', '720p'], '480p'),
				seed: whole({ default: 42 }),
				acceleration: oneOf(['none', 'regular', 'high'], 'regular'),
			},
		},
		'fal-ai/wan/v2.2-14b/animate/replace': {
			name: 'Wan-2.2 Animate Replace',
			category: 'video-to-video',
			required: ['video_url', 'image_url'],
			properties: {
				video_url: address(),
				image_url: address(),
				resolution: oneOf(['480p', '580p', '720p'], '480p'),
				seed: { anyOf: [whole(), { type: 'null' }] },
				video_quality: oneOf(['low', 'medium', 'high', 'maximum'], 'high'),
			},
		},
		'fal-ai/chatterbox/speech-to-speech': {
			name: 'Chatterbox',
			category: 'speech-to-speech',
			required: ['source_audio_url'],
			properties: {
				source_audio_url: address(),
				target_voice_audio_url: { anyOf: [address(), { type: 'null' }] },
			},
		},
		'fal-ai/ffmpeg-api/merge-audio-video': {
			name: 'FFmpeg API Merge Audio-Video',
			category: 'video-to-video',
			required: ['video_url', 'audio_url'],
			properties: {
				video_url: address(),
				audio_url: address(),
				start_offset: number({ minimum: 0, default: 0 }),
			},
		},
		'fal-ai/ffmpeg-api/merge-videos': {
			name: 'FFmpeg API Merge Videos',
			category: 'video-to-video',
			required: ['video_urls'],
			properties: {
				video_urls: list(),
				target_fps: { anyOf: [number({ minimum: 1, maximum: 60 }), { type: 'null' }] },
				resolution: {
					anyOf: [
						oneOf(['square_hd', 'square', 'portrait_16_9', 'landscape_16_9']),
						...[{ type: 'object' }, { type: 'null' }],
					],
				},
			},
		},
		'fal-ai/ffmpeg-api/compose': {
			name: 'FFmpeg API Compose',
			category: 'video-to-video',
			isFlat: true,
			required: ['tracks'],
			properties: { tracks: { type: 'array', items: { type: 'object' } } },
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
		'black-forest-labs/flux-kontext-pro': {
			category: 'image-to-image',
			required: ['prompt'],
			properties: {
				prompt: text(),
				input_image: { ...address(), nullable: true },
				aspect_ratio: oneOf(['match_input_image', ...RATIOS], 'match_input_image'),
				output_format: oneOf(['jpg', 'png'], 'png'),
				safety_tolerance: whole({ minimum: 0, maximum: 6, default: 2 }),
				prompt_upsampling: flag(false),
				seed: whole({ nullable: true }),
			},
		},
		'lucataco/extract-audio': {
			category: 'video-to-audio',
			required: ['video'],
			properties: {
				video: address(),
				fade_in: number({ minimum: 0, default: 0 }),
				fade_out: number({ minimum: 0, default: 0 }),
				trim_start: number({ minimum: 0, default: 0 }),
				trim_end: number({ minimum: 0, default: 0 }),
				volume_boost: number({ default: 1 }),
				audio_quality: oneOf(['low', 'medium', 'high'], 'high'),
				output_format: oneOf(['mp3', 'wav'], 'mp3'),
				noise_reduction: flag(false),
				normalize_audio: flag(false),
			},
		},
		'wan-video/wan-2.2-i2v-a14b': {
			category: 'image-to-video',
			required: ['prompt', 'image'],
			properties: {
				prompt: text(),
				image: address(),
				num_frames: whole({ minimum: 81, maximum: 100, default: 81 }),
				resolution: oneOf(['480p', '720p'], '480p'),
				frames_per_second: whole({ minimum: 5, maximum: 24, default: 16 }),
				sample_steps: whole({ minimum: 1, maximum: 50, default: 40 }),
				sample_shift: number({ minimum: 1, maximum: 20, default: 5 }),
				seed: whole({ nullable: true }),
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
		'google/nano-banana-edit': {
			name: 'Nano Banana Edit',
			category: 'Image to Image',
			required: ['prompt', 'image_urls'],
			properties: {
				prompt: text(),
				image_urls: { ...list(), maxItems: 10 },
				image_size: oneOf(['1:1', '9:16', '16:9', 'auto'], '1:1'),
				output_format: oneOf(['png', 'jpeg'], 'png'),
			},
		},
		'nano-banana-upscale': {
			name: 'Nano Banana Upscale',
			category: 'Image to Image',
			required: ['image'],
			properties: {
				image: address(),
				scale: number({ minimum: 1, maximum: 4, default: 2 }),
				face_enhance: flag(false),
			},
		},
		'bytedance/seedream-v4-text-to-image': {
			name: 'Seedream 4.0',
			category: 'Text to Image',
			required: ['prompt'],
			properties: {
				prompt: text(),
				image_size: oneOf(['square_hd', 'square', 'portrait_16_9', 'landscape_16_9'], 'square_hd'),
				image_resolution: oneOf(['1K', '2K', '4K'], '1K'),
				max_images: number({ minimum: 1, maximum: 6, default: 1 }),
			},
		},
		'bytedance/v1-pro-image-to-video': {
			name: 'Seedance 1.0 Pro',
			category: 'Image to Video',
			required: ['prompt', 'image_url'],
			properties: {
				prompt: text(),
				image_url: address(),
				resolution: oneOf(['480p', '720p', '1080p'], '720p'),
				duration: oneOf(['5', '10'], '5'),
				camera_fixed: flag(false),
				seed: number({ default: -1 }),
				enable_safety_checker: flag(true),
			},
		},
		'ai-music-api/generate': {
			name: 'Suno',
			category: 'Text to Audio',
			required: ['custom_mode', 'instrumental', 'model'],
			properties: {
				prompt: text(),
				custom_mode: { type: 'boolean' },
				instrumental: { type: 'boolean' },
				model: oneOf(['V4', 'V4_5', 'V5', 'V6']),
				style: text(),
				title: text(),
			},
		},
		'wan/2-6-image-to-video': {
			name: 'Wan 2.6',
			category: 'Image to Video',
			required: ['prompt', 'image_urls'],
			properties: { prompt: text(), image_urls: { ...list(), maxItems: 1 }, ...WAN_26 },
		},
		'wan/2-6-video-to-video': {
			name: 'Wan 2.6',
			category: 'Video to Video',
			required: ['prompt', 'video_urls'],
			properties: { prompt: text(), video_urls: { ...list(), maxItems: 3 }, ...WAN_26 },
		},
	},
	wavespeed: {
		'bytedance/seedance-v1-pro-t2v-480p': {
			name: 'Bytedance Seedance V1 Pro T2V 480p',
			category: 'text-to-video',
			price: 0.15,
			required: ['prompt'],
			properties: {
				prompt: text(),
				aspect_ratio: oneOf(RATIOS, '16:9'),
				duration: whole({ minimum: 2, maximum: 12, default: 5 }),
				camera_fixed: flag(false),
				seed: whole({ default: -1 }),
			},
		},
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
