import {
	OPENAI,
	SIDE_BY_SIDE,
	SIDE_BY_SIDE_WITH_SIZE,
} from '../../../../nodes/shared/family/services';
import { ask, type Asked } from './support/ask';

it.each<[string, Asked['settings'], string | undefined]>([
	['veo3.1-fast', { aspectRatio: '9:16' }, '720x1280'],
	['veo3.1-fast', { resolution: '1080p' }, '1920x1080'],
	['veo3.1-fast', { aspectRatio: 'adaptive' }, undefined],
	['veo3.1-fast-4K', { aspectRatio: '9:16' }, undefined],
	['veo3.1-fast-4K', { aspectRatio: '9:16', resolution: '4k' }, '2160x3840'],
	['veo_3_1_portrait_fl', { resolution: '1080p' }, undefined],
])('%s with %j has the size %p: pixels say nothing else than the name', (model, settings, size) => {
	const { sent } = ask(model, { settings }, SIDE_BY_SIDE);
	expect(sent?.size).toBe(size);
	for (const [name, value] of Object.entries(settings!)) {
		expect(sent?.[name.replace('R', '_r')]).toBe(value);
	}
});

it('where a size is all that says a ratio, it does', () => {
	const settings = { aspectRatio: '9:16' };
	expect(ask('veo3.1-fast-4K', { settings }, OPENAI).sent).toEqual({ size: '720x1280' });
});

it('a picture decides the shape of its video', () => {
	const asked = { settings: { resolution: '720p' }, pictures: { first: 'f' } };
	for (const row of [SIDE_BY_SIDE, SIDE_BY_SIDE_WITH_SIZE]) {
		const { sent } = ask('house-model', asked, row);
		expect(sent).toMatchObject({ resolution: '720p', image: 'f', images: ['f'] });
		expect(sent).not.toHaveProperty('size');
	}
});

it.each([OPENAI, SIDE_BY_SIDE_WITH_SIZE])('$label needs a ratio beside a resolution', (row) => {
	const { refused } = ask('house-model', { settings: { resolution: '720p' } }, row);
	expect(refused).toMatch(/^Resolution needs Aspect Ratio beside it/);
});
