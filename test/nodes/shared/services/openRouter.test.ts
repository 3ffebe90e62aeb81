import type { IDataObject } from 'n8n-workflow';

import { fromSchema } from '../../../../nodes/shared/models/fromSchema';
import type { VideoSpec } from '../../../../nodes/shared/models/place';
import { readModel } from '../../../../nodes/shared/models/readSchema';
import { toRequest } from '../../../../nodes/shared/models/toRequest';
import { openRouter } from '../../../../nodes/shared/services/openRouter';
import { LIST } from '../../../../sandbox/service/openRouterModels';

// A schema is made of what the list says, and the request is put into the service's own lists of images.

const VEO = 'google/veo-3.1';
const SEEDANCE = 'bytedance/seedance-2.5';
const GROK = 'x-ai/grok-imagine-video-1.5';
const UPSCALE = 'black-forest-labs/flux-video-upscale';

const modelOf = (id: string) => readModel(id, openRouter.schema!.find({ data: LIST }, id));

const hints: string[] = [];
beforeEach(() => void hints.splice(0));

/** Returns the body of a submit without its model and prompt, or the refusal as one text. */
function ask(id: string, video: Partial<VideoSpec> = {}) {
	const none = { settings: {}, byHand: {}, pictures: { references: [] } };
	const spec = { model: id, prompt: 'A boat', ...none, ...video };
	const written = toRequest(fromSchema(modelOf(id)!), spec);
	if ('refusal' in written) return `${written.refusal.message}. ${written.refusal.advice}`;
	const { path, body } = openRouter.toSubmit({ model: id, fields: written.request });
	hints.push(...written.notes);
	const { model, prompt, ...sent } = body;
	expect([path, model, prompt]).toEqual(['/api/v1/videos', id, 'A boat']);
	return sent;
}

const part = (type: string, url: string): IDataObject => ({ type, [type]: { url } });
const references = (...kinds: Array<'image' | 'video' | 'sound'>) => ({
	pictures: { references: kinds.map((kind) => ({ kind, url: kind })) },
});

it('lists what renders a video', () => {
	expect(openRouter.readList({ data: LIST })).toEqual([
		{ id: VEO, name: 'Google: Veo 3.1' },
		{ id: SEEDANCE, name: 'ByteDance: Seedance 2.5' },
		{ id: GROK, name: 'xAI: Grok Imagine Video 1.5' },
	]);
});

it('tells what a model takes, and nothing of one that is not listed', () => {
	expect(fromSchema(modelOf(VEO)!).versions).toMatchObject([
		{ duration: [4, 6, 8], resolution: ['720p', '1080p', '4K'] },
	]);
	expect(modelOf('no/such')).toBeUndefined();
});

it('sends what is set, and no more', () => {
	expect(ask(VEO)).toEqual({});
	const settings = { duration: 8, aspectRatio: '9:16', resolution: '4k', generateAudio: false };
	expect(ask(VEO, { settings: { ...settings, seed: 7 } })).toEqual({
		...{ duration: 8, aspect_ratio: '9:16', resolution: '4K', generate_audio: false, seed: 7 },
	});
});

it('puts images, videos and sounds where the service reads them', () => {
	expect(ask(VEO, { pictures: { first: 'f', last: 'l', references: [] } })).toEqual({
		frame_images: [
			{ ...part('image_url', 'f'), frame_type: 'first_frame' },
			{ ...part('image_url', 'l'), frame_type: 'last_frame' },
		],
	});
	expect(ask(SEEDANCE, references('image', 'image', 'sound', 'video'))).toEqual({
		input_references: [
			...[part('image_url', 'image'), part('image_url', 'image')],
			...[part('video_url', 'video'), part('audio_url', 'sound')],
		],
	});
});

it('leaves to a person what is written by hand', () => {
	const provider = { options: { 'google-vertex': { personGeneration: 'allow' } } };
	const pictures = { first: 'f', references: [] };
	const byHand = { provider, frame_images: [part('image_url', 'h')] };
	expect(ask(VEO, { byHand, pictures })).toEqual(byHand);
	expect(hints).toEqual(['First Frame: Additional Fields (JSON) replaces it']);
	// An expression that gave nothing takes no image away.
	expect(ask(VEO, { byHand: { frame_images: [] }, pictures })).toMatchObject({
		frame_images: [part('image_url', 'f')],
	});
});

it.each<[string, string, Partial<VideoSpec>, RegExp]>([
	['a value', VEO, { settings: { duration: 7 } }, /^Duration must be one of: 4, 6, 8\./],
	['a frame', GROK, { pictures: { last: 'l', references: [] } }, /no field for: Last Frame/],
	[
		'settings that are not listed, or null',
		GROK,
		{ settings: { seed: 7, generateAudio: true, negativePrompt: 'no' } },
		/no field for: Generate Audio, Negative Prompt, Seed\. .* can set: provider\.$/,
	],
	['a length of what has none', UPSCALE, { settings: { duration: 8 } }, /no field for: Duration/],
	['a video that others ignore', VEO, references('video'), /no field for: Reference Video/],
	['a sound that others ignore', VEO, references('sound'), /no field for: Reference Sound/],
	[
		'references that would be ignored beside a frame',
		SEEDANCE,
		{ pictures: { last: 'l', ...references('sound').pictures } },
		/^References and frames exclude each other\. /,
	],
	[
		'references by hand beside a frame',
		SEEDANCE,
		{ pictures: { first: 'f', references: [] }, byHand: { input_references: [{ type: 'x' }] } },
		/^References and frames exclude each other\. .*Additional Fields/,
	],
	[
		'a frame by hand beside references',
		SEEDANCE,
		{ ...references('image'), byHand: { frame_images: [{ type: 'x' }] } },
		/^References and frames exclude each other\. /,
	],
])('refuses %s', (_what, id, video, words) => expect(ask(id, video)).toMatch(words));

it('tells a flagged prompt from a key that may not do this', () => {
	const statusOf = (status: number, metadata?: object) => {
		const body = JSON.stringify({ error: { code: status, message: 'no', metadata } });
		return openRouter.toAnswer!({ status, headers: {}, body }).status;
	};
	expect(statusOf(403, { reasons: ['violence'] })).toBe(400);
	expect([statusOf(403), statusOf(402, { reasons: [] })]).toEqual([403, 402]);
});
