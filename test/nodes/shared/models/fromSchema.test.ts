import type { IDataObject } from 'n8n-workflow';

import { fromSchema } from '../../../../nodes/shared/models/fromSchema';
import type { VideoSpec } from '../../../../nodes/shared/models/place';
import type { Model } from '../../../../nodes/shared/models/readSchema';
import type { Pictures } from '../../../../nodes/shared/models/settings';
import { toRequest } from '../../../../nodes/shared/models/toRequest';
import {
	address,
	type Fields,
	flag,
	ofFal,
	ofKie,
	ofReplicate,
	oneOf,
	text,
	texts,
	whole,
} from './support/answers';

interface Set extends Partial<Omit<VideoSpec, 'pictures'>> {
	pictures?: Partial<Pictures>;
}

/** Returns the request without its prompt, or the refusal as one text. */
function ask(model: Model, { pictures, ...set }: Set = {}) {
	const written = toRequest(fromSchema(model), {
		...{ model: model.id, prompt: 'A boat', settings: {}, byHand: {}, ...set },
		pictures: { references: [], ...pictures },
	});
	if ('refusal' in written) return `${written.refusal.message}. ${written.refusal.advice}`;
	const sent: IDataObject = { ...written.request };
	delete sent.prompt;
	return written.notes.length > 0 ? { sent, notes: written.notes } : { sent };
}

const ours = (fields: Fields) => ofFal('ours', { 'prompt*': text, ...fields });
const reference = { kind: 'image' as const, url: 'r' };
const sound = { kind: 'sound' as const, url: 's' };

const VEO = ofFal('veo3.1/image-to-video', {
	...{ 'prompt*': text, 'image_url*': address, generate_audio: flag, auto_fix: flag },
	...{
		duration: oneOf('4s', '8s'),
		aspect_ratio: oneOf('auto', '16:9'),
		resolution: oneOf('720p', '4k'),
	},
});
const SEEDANCE = ofReplicate('seedance-2.5', {
	...{ prompt: text, image: address, reference_images: texts({ maxItems: 2 }), seed: whole },
	duration: { ...whole, minimum: -1, maximum: 30 },
});
const KLING = ofKie('kling-3.0/video', {
	...{ 'prompt*': text, image_urls: texts(), 'sound*': flag, 'multi_prompt*': { type: 'array' } },
	...{
		'duration*': { ...oneOf('3', '5'), default: '5' },
		'mode*': { ...oneOf('std', '4K'), default: 'std' },
	},
});

it.each([
	['Reference images. Supported formats: JPG, PNG, WebP, BMP, TIFF, GIF, HEIC, HEIF.', true],
	['The URL of the starting frame image. Supported formats: JPEG, PNG, WebP.', false],
])('takes HEIC if its page names it: %s', (description, takes) => {
	const { heic } = fromSchema(ours({ image_url: { ...address, description } })).pictures;
	expect(heic !== undefined).toBe(takes);
});

it('writes what is set in names and values of the model', () => {
	const settings = { duration: 8, aspectRatio: '16:9', resolution: '4K', generateAudio: true };
	expect(ask(VEO, { settings, pictures: { first: 'f' } })).toEqual({
		sent: {
			image_url: 'f',
			duration: '8s',
			aspect_ratio: '16:9',
			resolution: '4k',
			generate_audio: true,
		},
	});
	const pictures = { first: 'f', references: [reference, { ...reference, url: 's' }] };
	expect(ask(SEEDANCE, { settings: { seed: 7 }, pictures })).toEqual({
		sent: { image: 'f', reference_images: ['r', 's'], seed: 7 },
	});
	expect(
		ask(KLING, { settings: { resolution: '720p' }, pictures: { first: 'f', last: 'l' } }),
	).toEqual({
		sent: { image_urls: ['f', 'l'], mode: 'std', duration: '5', sound: false, multi_prompt: [] },
	});
});

it.each<[field: object, value: string | number, sent: unknown]>([
	[oneOf('5', '10'), 5, '5'],
	[oneOf(5, 10), '5', 5],
	[oneOf('5s', '10s'), 10, '10s'],
	[oneOf('auto', '5'), -1, 'auto'],
	[oneOf('auto', 'Auto'), 'Auto', 'Auto'],
	[oneOf('16:9', 'Auto'), 'auto', 'Auto'],
	[oneOf('768P'), '768p', '768P'],
	[oneOf('720p'), 720, '720p'],
	[oneOf('16:9', '16:10'), '16:10', '16:10'],
	[oneOf('standard', 'pro'), '720p', 'standard'],
	[oneOf('standard', 'pro'), '1080p', 'pro'],
	[oneOf('square_hd', 'square'), '1:1', 'square_hd'],
	[oneOf('square_hd', 'landscape_4_3', 'landscape_16_9'), '16:9', 'landscape_16_9'],
	[oneOf('portrait_4_3', 'portrait_16_9'), '9:16', 'portrait_16_9'],
	[oneOf('portrait_4_3', 'landscape_4_3'), '3:4', 'portrait_4_3'],
	[oneOf('portrait_4_3', 'landscape_4_3'), '4:3', 'landscape_4_3'],
	[oneOf('square_hd', 'landscape_16_9'), 'Square_HD', 'square_hd'],
	[whole, '5', 5],
	[text, 5, '5'],
	[{}, 5, 5],
	[{ ...whole, minimum: 4, maximum: 15 }, 15, 15],
])('of a field that is %j, %j fits', (field, value, sent) => {
	// A field without a type takes any setting.
	const model = ours({ resolution: field });
	expect(ask(model, { settings: { resolution: value } })).toEqual({ sent: { resolution: sent } });
});

it('writes the prompt where the model has it, and none where it is empty', () => {
	const written = (fields: Fields, prompt: string, byHand = {}) =>
		toRequest(fromSchema(ofFal('ours', fields)), {
			...{ model: 'ours', prompt, settings: {}, byHand },
			pictures: { references: [] },
		});
	const request = { text: 'Hello' };
	expect(written({ 'text*': text }, 'Hello')).toEqual({ request, notes: [] });
	expect(written({ prompt: text, text }, 'Hello')).toMatchObject({ request: { prompt: 'Hello' } });
	expect(written({ 'text*': text }, 'Hi', { text: 'Hello' })).toEqual({
		...{ request, notes: ['Prompt: Additional Fields (JSON) replaces it'] },
	});
	expect(written({ prompt: text, video_url: text }, '', { video_url: 'v' })).toEqual({
		request: { video_url: 'v' },
		notes: [],
	});
	expect(written({ 'prompt*': text }, '')).toHaveProperty('refusal.message', '"ours" needs Prompt');
});

it('writes several files into lists, and one into a field of one', () => {
	const of = (kind: 'image' | 'video' | 'sound', ...urls: string[]) =>
		urls.map((url) => ({ kind, url }));
	const edit = ofFal('nano-banana/edit', { 'image_urls*': texts(), num_images: whole });
	const pictures = { first: 'f', references: of('image', 'r', 's') };
	expect(ask(edit, { pictures, byHand: { prompt: null } })).toEqual({
		sent: { image_urls: ['f', 'r', 's'] },
	});
	const merge = ours({ video_urls: texts(), audio_url: text });
	const references = [...of('video', 'v', 'w'), ...of('sound', 's')];
	expect(ask(merge, { pictures: { references } })).toEqual({
		sent: { video_urls: ['v', 'w'], audio_url: 's' },
	});
});

it.each<[field: object, value: string | number, wanted: string]>([
	[oneOf('4s', '8s'), 9, 'one of: 4s, 8s'],
	[oneOf('16:9', '4:3'), '16:10', 'one of: 16:9, 4:3'],
	[oneOf('720*1280'), '720p', 'one of: 720*1280'],
	[oneOf('4k'), '4s', 'one of: 4k'],
	[{ ...whole, minimum: 4, maximum: 15 }, 3, 'from 4 to 15'],
	[{ ...whole, minimum: 4 }, 3, '4 or more'],
	[{ ...whole, maximum: 15 }, 16, '15 or less'],
	[whole, '16:9', 'a number'],
])('of a field that is %j, %j is refused', (field, value, wanted) => {
	expect(ask(ours({ resolution: field }), { settings: { resolution: value } })).toBe(
		`Resolution must be ${wanted}. It is "${value}", which "ours" does not take.`,
	);
});

it.each<[string, Model, Set, string]>([
	[
		'what has no field',
		VEO,
		{ settings: { seed: 1, negativePrompt: 'x' }, pictures: { first: 'f', last: 'l' } },
		'"veo3.1/image-to-video" has no field for: Last Frame, Negative Prompt, Seed. Remove Last Frame, Negative Prompt, Seed. Model Fields can set: auto_fix.',
	],
	[
		'a first frame, which another model takes',
		ofFal('ours', { prompt: { type: 'string' } }),
		{ pictures: { first: 'f' } },
		'"ours" has no field for: First Frame. Remove First Frame, or choose a model that renders from an image.',
	],
	[
		'a first frame, where the model takes references',
		ofFal('veo3.1/reference-to-video', { prompt: text, image_urls: texts() }),
		{ pictures: { first: 'f' } },
		'"veo3.1/reference-to-video" has no field for: First Frame. Remove First Frame, and add it to Input Files with the role Reference.',
	],
	[
		'a reference, where a list of frames may take it (Veo 3.1 at kie.ai)',
		ofKie('veo-3-1', { prompt: text, image_urls: texts({ maxItems: 2 }), generation_type: text }),
		{ pictures: { references: [reference] } },
		'"veo-3-1" has no field for: Reference. Remove Reference. Model Fields can set: image_urls, generation_type, model.',
	],
	[
		'a prompt, where there is none',
		ofFal('ours', { image_url: address }),
		{ pictures: { first: 'f' } },
		'"ours" has no field for: Prompt. Remove Prompt.',
	],
	[
		'a last frame alone, which would be the first of its list',
		KLING,
		{ pictures: { last: 'l' } },
		'A last frame needs a first one. Set First Frame to the image that the video starts from.',
	],
	[
		'more references than the list takes',
		SEEDANCE,
		{ pictures: { references: [reference, reference, reference] } },
		'Reference: "seedance-2.5" takes at most 2. Remove the others.',
	],
	[
		'a second reference for a field of one',
		ours({ reference_image: address }),
		{ pictures: { references: [reference, reference] } },
		'Reference: "ours" takes at most 1. Remove the others.',
	],
	[
		"a second sound for a field of one (fal's chatterbox/speech-to-speech has another for the voice)",
		ours({ 'source_audio_url*': address, target_voice_audio_url: address }),
		{ pictures: { references: [sound, sound] } },
		'Reference Sound: "ours" takes at most 1. Remove the others. Model Fields can set: target_voice_audio_url.',
	],
	[
		'a first frame and references in one list that is too short for all',
		ofFal('ours/edit', { prompt: text, image_urls: texts({ maxItems: 2 }), num_images: whole }),
		{ pictures: { first: 'f', references: [reference, reference] } },
		'First Frame: "ours/edit" takes at most 2. Remove the others.',
	],
	[
		'a clip that the model cannot do without',
		ours({ 'video_url*': address }),
		{},
		'"ours" needs Reference Video. Add the file to Input Files, with the role Reference Video.',
	],
	[
		'what the model cannot do without',
		ours({ 'image_urls*': texts(), 'duration*': oneOf(5), 'style*': text }),
		{},
		'"ours" needs First Frame, Duration, style. Set First Frame. Set Duration to one of: 5. Add style in Model Fields: text.',
	],
	[
		'what is empty by hand, of what it cannot do without',
		ours({ 'image_url*': address, 'duration*': { ...oneOf(5), default: 5 } }),
		{ byHand: { image_url: '', duration: {} } },
		'"ours" needs First Frame. Set First Frame.',
	],
	[
		'a field whose name all objects have',
		ours({ prompt: text, 'constructor*': text }),
		{},
		'"ours" needs constructor. Add constructor in Model Fields: text.',
	],
	[
		'a list of images without any, although it has a default',
		ofKie('happyhorse', { prompt: text, 'image_urls*': texts({ maxItems: 1, default: [''] }) }),
		{},
		'"happyhorse" needs First Frame. Set First Frame.',
	],
	[
		'another list that is required, for nobody knows what an empty one does',
		ours({ 'loras*': { type: 'array', items: { type: 'object' } } }),
		{},
		'"ours" needs loras. Add loras in Model Fields: a JSON list of objects.',
	],
])('refuses %s', (_name, model, set, refusal) => {
	expect(ask(model, set)).toBe(refusal);
});

describe('Additional Fields', () => {
	it('win, also over a value that the model does not take, with a hint', () => {
		const set = { settings: { duration: 9 }, pictures: { first: 'f' } };
		expect(ask(VEO, { ...set, byHand: { duration: '8s', image_url: 'h', mark: 1 } })).toEqual({
			sent: { duration: '8s', image_url: 'h', mark: 1 },
			notes: ['First Frame, Duration: Additional Fields (JSON) replaces it'],
		});
	});

	it('replace a field of the same letter case only', () => {
		const set = { settings: { duration: 8 }, pictures: { first: 'f' }, byHand: { Duration: '4s' } };
		expect(ask(VEO, set)).toEqual({ sent: { image_url: 'f', duration: '8s', Duration: '4s' } });
	});

	it('leave out what they have as null, even what is required', () => {
		expect(ask(KLING, { byHand: { mode: null, multi_prompt: ['x'] } })).toEqual({
			sent: { duration: '5', sound: false, multi_prompt: ['x'] },
		});
		const model = ofFal('ours', { image_url: address });
		expect(ask(model, { byHand: { prompt: null, image_url: 'h' } })).toEqual({
			sent: { image_url: 'h' },
		});
	});
});
