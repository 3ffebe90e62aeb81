import { findSettings } from '../../../../nodes/shared/models/findSettings';
import { fromSchema } from '../../../../nodes/shared/models/fromSchema';
import type { Model } from '../../../../nodes/shared/models/readSchema';
import type { Choice } from '../../../../nodes/shared/models/settings';
import {
	address,
	type Fields,
	flag,
	ofFal,
	ofKie,
	ofReplicate,
	oneOf,
	orNull,
	text,
	texts,
	whole,
} from './support/answers';

/** Returns the names of the fields by what they are for. */
const namesOf = (model: Model) =>
	Object.fromEntries(
		Object.entries(findSettings(model)).map(([setting, { name }]) => [setting, name]),
	);

/** Facts of the services' schemas, without their words (2026-01 to 2026-08). */
it.each<[Model, Record<string, string>]>([
	[
		ofFal('kling-video/v3/pro/image-to-video', {
			...{ 'start_image_url*': address, end_image_url: orNull(address), prompt: orNull(text) },
			...{ duration: oneOf('3', '15'), generate_audio: flag, negative_prompt: text },
			...{ image_url: address, elements: { type: 'array', items: { type: 'object' } } },
		}),
		{
			...{ prompt: 'prompt', first: 'start_image_url', last: 'end_image_url' },
			...{
				duration: 'duration',
				generateAudio: 'generate_audio',
				negativePrompt: 'negative_prompt',
			},
		},
	],
	[
		// `video_quality` is the encoder's, and this resolution is a size object.
		ofFal('ltx-2.3-quality', {
			...{ num_frames: whole, video_quality: oneOf('low', 'high') },
			resolution: { type: 'object', properties: { width: whole } },
		}),
		{},
	],
	[ofFal('veo3.1/reference-to-video', { image_urls: texts() }), { image: 'image_urls' }],
	// WaveSpeed's names (its page of google/veo3.1/reference-to-video, 2026-11).
	[
		ofFal('veo3.1/reference-to-video', { images: texts(), videos: texts() }),
		{ image: 'images', video: 'videos' },
	],
	[ofFal('pika/v2.2/pikascenes', { image_urls: texts() }), { image: 'image_urls' }],
	[
		ofFal('kling-video/o3/image-to-video', { start_image_url: address, image_urls: texts() }),
		{ first: 'start_image_url', image: 'image_urls' },
	],
	[
		ofFal('seedance-2.0/reference-to-video', {
			...{ image_urls: texts(), video_urls: texts(), audio_urls: texts(), seed: orNull(whole) },
		}),
		{ image: 'image_urls', video: 'video_urls', sound: 'audio_urls', seed: 'seed' },
	],
	[
		ofReplicate('kling-v2.5', { image: { ...address, deprecated: true }, start_image: address }),
		{ first: 'start_image' },
	],
	// The `audio` of Wan is a file.
	[ofReplicate('wan-2.7-i2v', { audio: address, first_frame: address }), { first: 'first_frame' }],
	[ofReplicate('wan-2.5-t2v', { size: oneOf('832*480', '1280*720') }), { resolution: 'size' }],
	[ofReplicate('ours', { size: oneOf('small', 'large') }), {}],
	[ofReplicate('ours', { mode: text }), {}],
	[
		ofReplicate('ours', {
			...{ image: address, reference_images: texts(), image_urls: texts() },
		}),
		{ first: 'image', image: 'reference_images' },
	],
	[
		ofReplicate('ours', { image_urls: texts(), end_image: address }),
		{ first: 'image_urls', last: 'end_image' },
	],
	[ofKie('grok-imagine/text-to-video', { mode: oneOf('fun', 'normal', 'spicy') }), {}],
	[
		ofKie('kling-3.0/video', { mode: oneOf('std', 'pro', '4K'), sound: flag, image_urls: texts() }),
		{ resolution: 'mode', generateAudio: 'sound', first: 'image_urls', last: 'image_urls' },
	],
	[
		ofKie('seedance-1.5-pro', { input_urls: texts({ maxItems: 2 }) }),
		{ first: 'input_urls', last: 'input_urls' },
	],
	[
		ofKie('kling-2.6/image-to-video', { image_urls: texts({ maxItems: 1 }) }),
		{ first: 'image_urls' },
	],
	[
		ofKie('grok-imagine/image-to-video', { image_urls: texts({ maxItems: 7 }) }),
		{ image: 'image_urls' },
	],
	[ofKie('gemini-omni-video', { image_urls: texts() }), { image: 'image_urls' }],
	[
		ofKie('pixverse-v6/image-to-video', { image_urls: texts(), quality: oneOf('720p') }),
		{ first: 'image_urls', resolution: 'quality' },
	],
	[
		ofKie('bytedance/seedance-2', {
			...{ first_frame_url: address, last_frame_url: address, return_last_frame: flag },
			reference_image_urls: texts(),
		}),
		{
			...{ first: 'first_frame_url', last: 'last_frame_url', image: 'reference_image_urls' },
		},
	],
	[ofKie('wan/2-7-text-to-video', { ratio: oneOf('16:9') }), { aspectRatio: 'ratio' }],
])('finds where $id takes each setting', (model, wanted) => {
	expect(namesOf(model)).toEqual(wanted);
});

it.each<[Choice, Fields, unknown]>([
	['duration', { duration: oneOf('auto', '4', '5s') }, [-1, 4, 5]],
	['duration', { duration: { ...whole, minimum: -1, maximum: 3 } }, [-1, 1, 2, 3]],
	['duration', { duration: { type: 'number', minimum: 1.5, maximum: 3 } }, [2, 3]],
	['duration', { duration: { ...whole, minimum: 1, maximum: 300 } }, undefined],
	['duration', { duration: whole }, undefined],
	['aspectRatio', { aspect_ratio: oneOf('16:9', 'adaptive') }, ['16:9', 'adaptive']],
	['resolution', { prompt: text }, undefined],
])('lists what a model takes for %s: %j', (choice, fields, wanted) => {
	expect(fromSchema(ofFal('ours', fields)).versions![0][choice]).toEqual(wanted);
});
