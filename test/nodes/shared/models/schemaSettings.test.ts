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
	[
		ofReplicate('wan-2.7-i2v', { audio: address, first_frame: address }),
		{ first: 'first_frame', sound: 'audio' },
	],
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
	[ofFal('ours', { quality: oneOf('low', 'high') }), {}],
	[ofFal('ours', { prompt: text, 'text*': text }), { prompt: 'text' }],
])('finds where $id takes each setting', (model, wanted) => {
	expect(namesOf(model)).toEqual(wanted);
});

const named = (...names: string[]) => Object.fromEntries(names.map((name) => [name, text]));
const NAMED_SIZES = oneOf('square_hd', 'square', 'portrait_4_3', 'landscape_16_9');

/** The names of files, from the types of fal's client, Replicate's schemas, and pages of kie and WaveSpeed (2026-11). */
it.each<[what: string, model: Model, wanted: Record<string, string>]>([
	[
		'fal veed/subtitles',
		ofFal('veed/subtitles', { 'video_url*': text, 'preset*': oneOf('a'), srt_file_url: text }),
		{ video: 'video_url' },
	],
	[
		'fal sync-lipsync, of which sync_mode is no switch',
		ofFal('sync-lipsync/v2', { ...named('video_url*', 'audio_url*'), sync_mode: oneOf('loop') }),
		{ video: 'video_url', sound: 'audio_url' },
	],
	[
		'fal sadtalker',
		ofFal('sadtalker', named('source_image_url*', 'driven_audio_url*')),
		{ first: 'source_image_url', sound: 'driven_audio_url' },
	],
	[
		'fal musetalk',
		ofFal('musetalk', named('source_video_url*', 'audio_url*')),
		{ video: 'source_video_url', sound: 'audio_url' },
	],
	[
		'fal veed/fabric',
		ofFal('veed/fabric-1.0', {
			...named('image_url*', 'audio_url*'),
			'resolution*': oneOf('720p'),
		}),
		{ first: 'image_url', sound: 'audio_url', resolution: 'resolution' },
	],
	[
		'fal infinitalk',
		ofFal('infinitalk/video-to-video', named('video_url*', 'audio_url*', 'prompt*')),
		{ prompt: 'prompt', video: 'video_url', sound: 'audio_url' },
	],
	[
		'fal merge-videos, a list of texts',
		ofFal('ffmpeg-api/merge-videos', { 'video_urls*': texts(), target_fps: whole }),
		{ video: 'video_urls' },
	],
	[
		'fal merge-audios',
		ofFal('ffmpeg-api/merge-audios', { 'audio_urls*': texts() }),
		{ sound: 'audio_urls' },
	],
	[
		'fal merge-audio-video',
		ofFal('ffmpeg-api/merge-audio-video', named('video_url*', 'audio_url*', 'start_offset')),
		{ video: 'video_url', sound: 'audio_url' },
	],
	[
		'fal kling o3, which needs the clip, and takes further ones',
		ofFal('kling-video/o3/video-to-video', {
			...{ 'video_url*': text, reference_video_urls: texts(), image_urls: texts() },
		}),
		{ video: 'video_url', image: 'image_urls' },
	],
	[
		'fal chatterbox, the voice to clone',
		ofFal('chatterbox', named('audio_url')),
		{ sound: 'audio_url' },
	],
	[
		'Replicate sync/lipsync-2',
		ofReplicate('sync/lipsync-2', {
			'video*': address,
			'audio*': address,
			sync_mode: oneOf('loop'),
		}),
		{ video: 'video', sound: 'audio' },
	],
	[
		'Replicate kling-lip-sync, whose address has no format',
		ofReplicate('kwaivgi/kling-lip-sync', { video_url: text, audio_file: address }),
		{ video: 'video_url', sound: 'audio_file' },
	],
	[
		'Replicate autocaption, whose output_video and caption are no files',
		ofReplicate('fictions-ai/autocaption', {
			...{ 'video_file_input*': address, output_video: flag, caption: flag },
		}),
		{ video: 'video_file_input' },
	],
	...[
		['input_video', 'video'],
		['video_path', 'video'],
		['init_video', 'video'],
	].map(([name, role]): [string, Model, Record<string, string>] => [
		`Replicate ${name}`,
		ofReplicate('a/b', { [name]: address }),
		{ [role]: name },
	]),
	...['input_audio', 'reference_audio', 'audio_prompt', 'ref_audio', 'song_file'].map(
		(name): [string, Model, Record<string, string>] => [
			`Replicate ${name}`,
			ofReplicate('a/b', { [name]: address }),
			{ sound: name },
		],
	),
	[
		'kie wan animate',
		ofKie('wan/2-2-animate-move', named('video_url*', 'image_url*')),
		{ video: 'video_url', first: 'image_url' },
	],
	[
		'kie motion-control',
		ofKie('kling-2.6/motion-control', {
			'input_urls*': texts(),
			'video_urls*': texts({ maxItems: 1 }),
		}),
		{ image: 'input_urls', video: 'video_urls' },
	],
	[
		'kie volcengine lip-sync',
		ofKie('ours', named('driving_audio_url', 'first_clip_url')),
		{ sound: 'driving_audio_url', video: 'first_clip_url' },
	],
	['kie video_list', ofKie('ours', { video_list: texts() }), { video: 'video_list' }],
	[
		'WaveSpeed reference-to-video',
		ofFal('minimax-h3/reference-to-video', {
			...{ reference_images: texts(), reference_videos: texts(), reference_audios: texts() },
		}),
		{ image: 'reference_images', video: 'reference_videos', sound: 'reference_audios' },
	],
	// Of images.
	[
		'fal nano-banana/edit',
		ofFal('nano-banana/edit', { 'image_urls*': texts(), num_images: whole }),
		{ first: 'image_urls', image: 'image_urls' },
	],
	[
		'fal flux/dev',
		ofFal('flux/dev', { image_size: { anyOf: [{ type: 'object' }, NAMED_SIZES] } }),
		{ aspectRatio: 'image_size' },
	],
	[
		'fal ltx-2, whose size is a video’s',
		ofFal('ltx-2-19b', {
			video_size: { anyOf: [{ type: 'object' }, NAMED_SIZES] },
			num_frames: whole,
		}),
		{ aspectRatio: 'video_size' },
	],
	[
		'Replicate nano-banana',
		ofReplicate('google/nano-banana', { image_input: texts(), output_format: oneOf('jpg', 'png') }),
		{ first: 'image_input', image: 'image_input' },
	],
	[
		'Replicate flux-kontext',
		ofReplicate('black-forest-labs/flux-kontext-pro', { input_image: orNull(address) }),
		{ first: 'input_image' },
	],
	[
		'Replicate qwen-image-edit-plus, a list by the name of one',
		ofReplicate('qwen/qwen-image-edit-plus', { 'image*': texts() }),
		{ first: 'image', image: 'image' },
	],
	[
		'kie gpt-image',
		ofKie('gpt-image/1.5-image-to-image', { 'input_urls*': texts({ maxItems: 16 }) }),
		{ first: 'input_urls', image: 'input_urls' },
	],
	[
		'kie nano-banana, whose image_size are ratios',
		ofKie('google/nano-banana-edit', {
			'image_urls*': texts(),
			image_size: oneOf('1:1', '16:9', 'auto'),
		}),
		{ first: 'image_urls', image: 'image_urls', aspectRatio: 'image_size' },
	],
	[
		'WaveSpeed seedream',
		ofFal('bytedance/seedream-v4/edit', { 'images*': texts(), size: oneOf('1024*1024') }),
		{ first: 'images', image: 'images', resolution: 'size' },
	],
	// Of images, sounds and texts: fal-js 1.10, `types/endpoints.ts` (2026-08); nodetool-replicate (2026-04).
	[
		'fal nano-banana-2/edit, which also looks at a video and a sound',
		ofFal('fal-ai/nano-banana-2/edit', {
			...{ 'prompt*': text, 'image_urls*': texts(), num_images: whole },
			...{ video_url: orNull(text), audio_url: orNull(text), pdf_url: orNull(text) },
		}),
		{
			...{ prompt: 'prompt', first: 'image_urls', image: 'image_urls' },
			...{ video: 'video_url', sound: 'audio_url' },
		},
	],
	[
		'fal hunyuan3d, with the sides of a thing',
		ofFal('hunyuan3d-v3/image-to-3d', named('input_image_url*', 'back_image_url')),
		{ first: 'input_image_url' },
	],
	[
		'fal flux-pulid',
		ofFal('flux-pulid', named('prompt*', 'reference_image_url*')),
		{ prompt: 'prompt', image: 'reference_image_url' },
	],
	[
		'fal minimax subject-reference',
		ofFal('minimax/video-01-subject-reference', named('prompt*', 'subject_reference_image_url*')),
		{ prompt: 'prompt', image: 'subject_reference_image_url' },
	],
	[
		'fal controlnet-canny',
		ofFal('fast-sdxl-controlnet-canny', named('prompt*', 'control_image_url*')),
		{ prompt: 'prompt', first: 'control_image_url' },
	],
	[
		'fal index-tts-2, whose emotion is another sound',
		ofFal('index-tts-2/text-to-speech', named('prompt*', 'audio_url*', 'emotional_audio_url')),
		{ prompt: 'prompt', sound: 'audio_url' },
	],
	[
		'fal virtual try-on, where nothing tells which image is which',
		ofFal('cat-vton', named('human_image_url*', 'garment_image_url*')),
		{},
	],
	...[
		['Replicate gfpgan', 'img'],
		['Replicate ad-inpaint', 'image_path'],
		['Replicate flux-canny-pro', 'control_image'],
		['Replicate flux-redux-dev', 'redux_image'],
	].map(([what, name]): [string, Model, Record<string, string>] => [
		what,
		ofReplicate('a/b', { [`${name}*`]: address }),
		{ first: name },
	]),
	// nodetool-fal (2026-03); n8n.io's template 11043 swaps faces at fal.
	[
		'fal faceswapvideo',
		ofFal('half-moon-ai/faceswapvideo', named('source_face_url*', 'target_video_url*')),
		{ image: 'source_face_url', video: 'target_video_url' },
	],
	[
		'kie wan r2v (alfman99/kie-ai-mcp, 2026-08)',
		ofKie('wan/2-7-r2v', named('first_frame', 'reference_video', 'reference_voice')),
		{ first: 'first_frame', video: 'reference_video', sound: 'reference_voice' },
	],
	// WaveSpeed's pages (2025-10).
	[
		'WaveSpeed video-face-swap',
		ofFal('wavespeed-ai/video-face-swap', named('video*', 'face_image*')),
		{ video: 'video', image: 'face_image' },
	],
	[
		'WaveSpeed song-generation',
		ofFal('wavespeed-ai/song-generation', named('lyric*', 'prompt_audio')),
		{ sound: 'prompt_audio' },
	],
	[
		'WaveSpeed infinitetalk multi, where nothing tells which of two sounds is which',
		ofFal('wavespeed-ai/infinitetalk/multi', named('left_audio*', 'right_audio*', 'image*')),
		{ first: 'image' },
	],
	[
		'Replicate gpt-5, which looks at images and writes (nodetool-replicate, 2026-04)',
		ofReplicate(
			'openai/gpt-5',
			{ prompt: text, image_input: texts() },
			{ Output: { type: 'array', items: text } },
		),
		{ prompt: 'prompt', first: 'image_input', image: 'image_input' },
	],
	[
		'Replicate illusions, whose control_image is not the image',
		ofReplicate('fofr/illusions', { 'image*': address, control_image: address }),
		{ first: 'image' },
	],
	[
		'Replicate realistic-voice-cloning',
		ofReplicate('zsxkib/realistic-voice-cloning', { song_input: address }),
		{ sound: 'song_input' },
	],
	...[
		['fal f5-tts', 'gen_text'],
		['fal vibevoice', 'script'],
		['fal fibo-edit', 'instruction'],
		['fal hunyuan-video-foley', 'text_prompt'],
		['fal florence-2 open-vocabulary-detection', 'text_input'],
		['fal async/tts-pro', 'transcript'],
		['Replicate blip-2', 'question'],
		['Replicate ultimate-sd-upscale', 'positive_prompt'],
	].map(([what, name]): [string, Model, Record<string, string>] => [
		what,
		ofFal('a/b', named(name)),
		{ prompt: name },
	]),
	// What only looks like a file, or like a shape.
	['fal and kie: a switch', ofFal('vidu/q3', { audio: flag }), { generateAudio: 'audio' }],
	['kie: a switch', ofKie('kling-2.6', { sound: flag }), { generateAudio: 'sound' }],
	[
		'fal: objects',
		ofFal('ltx', { video: { type: 'object' }, audio_setting: { type: 'object' } }),
		{},
	],
	[
		'fal: lists of objects',
		ofFal('ltx', {
			videos: { type: 'array', items: { type: 'object' } },
			tracks: { type: 'array' },
		}),
		{},
	],
	['words', ofFal('ours', { audio: oneOf('on', 'off'), video: oneOf('a', 'b') }), {}],
	[
		'fal: of the encoder',
		ofFal('ours', {
			...{ video_quality: oneOf('low', 'high'), video_write_mode: oneOf('fast', 'small') },
			...{ video_output_type: oneOf('X264 (.mp4)'), video_strength: { type: 'number' } },
		}),
		{},
	],
	['a number', ofFal('ours', { video: whole, audio_url: { type: 'number' } }), {}],
	['Gemini: a resolution', ofFal('ours', { image_size: oneOf('1K', '2K', '4K') }), {}],
	['a size in pixels', ofFal('ours', { image_size: whole, video_size: { type: 'object' } }), {}],
])('finds where a file goes: %s', (_what, model, wanted) => {
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
