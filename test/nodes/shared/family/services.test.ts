import { OPENAI, SIDE_BY_SIDE, withVendor } from '../../../../nodes/shared/family/services';
import { findRow } from '../../../../nodes/shared/family/families';
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
