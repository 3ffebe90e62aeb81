import { findRow } from '../../../../nodes/shared/models/families/families';
import {
	OPENAI,
	PLAIN,
	SIDE_BY_SIDE,
	withVendor,
} from '../../../../nodes/shared/models/families/ways';
import { ask, type Asked } from './support/ask';

it.each<[string, Asked['settings'], size: string | undefined]>([
	['veo3.1-fast', { aspectRatio: '9:16' }, '720x1280'],
	['veo3.1-fast', { aspectRatio: 'adaptive' }, undefined],
	// A shape that nobody has set is not sent.
	['veo3.1-fast', { resolution: '1080p' }, undefined],
	['veo3.1-fast-4K', { aspectRatio: '9:16' }, undefined],
	['veo3.1-fast-4K', { aspectRatio: '9:16', resolution: '4k' }, '2160x3840'],
])(
	'%s with %j has the size %p: pixels say nothing else than the words',
	(model, settings, size) => {
		const { sent } = ask(model, { settings }, SIDE_BY_SIDE);
		expect(sent?.size).toBe(size);
		expect([sent?.width, sent?.height]).toEqual(
			size?.split('x').map(Number) ?? [undefined, undefined],
		);
		for (const [name, value] of Object.entries(settings!)) {
			expect(sent?.[name.replace('R', '_r')]).toBe(value);
		}
	},
);

it('the metadata of the vendor is written, too', () => {
	const row = withVendor(SIDE_BY_SIDE, findRow('veo-3.1'));
	const { sent } = ask('veo-3.1', { settings: { duration: 8 } }, row);
	expect(sent).toMatchObject({ duration: 8, metadata: { durationSeconds: 8 } });
});

it("OpenAI's size needs a ratio", () => {
	const refusal = /^Resolution needs Aspect Ratio beside it/;
	expect(ask('sora-2', { settings: { resolution: '720p' } }, OPENAI).refused).toMatch(refusal);
	const { sent } = ask('veo3.1-fast-4K', { settings: { aspectRatio: '9:16' } }, OPENAI);
	expect(sent).toEqual({ size: '720x1280' });
});

it('the plain way writes each setting once', () => {
	const settings = { duration: 8, negativePrompt: 'rain', generateAudio: false, seed: 7 };
	const sent = { duration: 8, negative_prompt: 'rain', generate_audio: false, seed: 7 };
	expect(ask('house-model', { settings }, PLAIN)).toEqual({ sent, notes: [] });
	const adaptive = { settings: { duration: -1 } };
	expect(ask('house-model', adaptive, PLAIN).sent).toEqual({ duration: -1 });
	const byHand = { seconds: '10', metadata: { seed: 9 } };
	expect(ask('house-model', { settings: { duration: 5, seed: 7 }, byHand }, PLAIN).sent).toEqual(
		byHand,
	);
});

it('side by side, a size by hand replaces the shape of the form', () => {
	const settings = { aspectRatio: '9:16', resolution: '720p' };
	const byHand = { size: '10x20' };
	const notes = ['Aspect Ratio, Resolution: Additional Fields (JSON) replaces it'];
	expect(ask('house-model', { settings, byHand }, SIDE_BY_SIDE)).toEqual({ sent: byHand, notes });
});

it('side by side, each field for a first frame has it, but a file only where one is taken', () => {
	const places = (first: string) => ({
		...{ image: first, images: [first], input_reference: first },
		frame_images: [{ type: 'image_url', image_url: { url: first }, frame_type: 'first_frame' }],
	});
	const sent = (first: string) => ask('house-model', { pictures: { first } }, SIDE_BY_SIDE).sent;
	const [file, url] = ['data:image/png;base64,AAAA', 'https://a.example/a.png'];
	expect(sent(file)).toEqual(places(file));
	expect(sent(url)).toEqual({ ...places(url), image_url: url, image_urls: [url] });
});
