import type { IDataObject } from 'n8n-workflow';

import { madeByKind } from '../../../../nodes/shared/lib/mediaType';
import { readModel } from '../../../../nodes/shared/models/readSchema';

// What a model makes, so that a message says "The image was not submitted" before there is an image.

const text = { type: 'string' };
const objectOf = (...names: string[]) => ({
	type: 'object',
	properties: Object.fromEntries(names.map((name) => [name, text])),
});
const address = { type: 'string', format: 'uri' };

/** Names of results: fal-js 1.10, `types/endpoints.ts` (2026-08); Replicate's schemas (2026-06). */
it.each<[what: string, output: IDataObject, makes?: string]>([
	['a video', objectOf('video', 'seed'), 'video'],
	['auto-caption', objectOf('video_url'), 'video'],
	['a video with its sound', objectOf('audio', 'video'), 'video'],
	['images', objectOf('images', 'seed'), 'image'],
	['a sound', objectOf('audio_file'), 'sound'],
	['a text of fal', objectOf('output', 'usage'), 'text'],
	['a caption of fal (florence-2)', objectOf('results'), 'text'],
	['a transcription of Replicate', objectOf('segments', 'transcription'), 'text'],
	['weights', objectOf('diffusers_lora_file'), undefined],
	['words of Replicate', { type: 'array', items: text }, 'text'],
	['an address of Replicate', address, undefined],
])('is told by the result: %s', (_what, output, makes) => {
	expect(readModel('owner/model', { input: objectOf('prompt'), output })?.makes).toBe(makes);
});

/** Replicate's result is an address, and kie.ai shows no result: a name and fields tell. */
it.each<[id: string, fields: string[], makes?: string]>([
	['black-forest-labs/flux-dev', ['prompt', 'aspect_ratio'], 'image'],
	['bytedance/seedream-4', ['prompt', 'size'], 'image'],
	['minimax/speech-2.8-hd', ['text', 'voice_id'], 'sound'],
	['minimax/music-1.5', ['prompt', 'lyrics'], 'sound'],
	['kwaivgi/kling-lip-sync', ['video_url', 'text', 'voice_id'], undefined],
	['grok-imagine/image-to-video', ['prompt', 'image_urls'], undefined],
	['google/veo-3.1', ['prompt', 'image', 'duration'], undefined],
	['fal-ai/meshy/v6/image-to-3d', ['image_url'], 'task'],
	['fal-ai/flux-lora-fast-training', ['images_data_url'], 'task'],
])('is told by name and fields: %s', (id, fields, makes) => {
	expect(readModel(id, { input: objectOf(...fields), output: address })?.makes).toBe(makes);
});

/** Kinds of fal and WaveSpeed, and of kie.ai's `taskType` (2026-10). */
it.each([
	['text-to-image', 'image'],
	['Image to Video', 'video'],
	['text-to-speech', 'sound'],
	['video-to-audio', 'sound'],
	['speech-to-text', 'text'],
	['upscaler', undefined],
	['text-to-3d', undefined],
])('is told by a kind of models: %s', (kind, makes) => {
	expect(madeByKind(kind)).toBe(makes);
});
