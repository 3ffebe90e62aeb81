import { OPENAI, SIDE_BY_SIDE, toRequestInWay } from '../../../../nodes/shared/family/ways';

const write = (way: typeof OPENAI, model: string, settings: Record<string, string>) => {
	const video = { model, prompt: 'A boat', settings, pictures: { references: [] }, byHand: {} };
	const refuse = (message: string) => {
		throw new Error(message);
	};
	return toRequestInWay(way, video, { label: (name) => name, refuse, note: () => {} });
};

it.each<[string, Record<string, string>, string | undefined]>([
	['veo3.1-fast', { aspectRatio: '9:16' }, '720x1280'],
	['veo3.1-fast-4K', { aspectRatio: '9:16' }, undefined],
	['veo3.1-fast-4K', { aspectRatio: '9:16', resolution: '4k' }, '2160x3840'],
	['veo_3_1_portrait_fl', { resolution: '1080p' }, undefined],
	['seedance-v1-pro-t2v-1080p', { aspectRatio: '9:16' }, undefined],
])('%s with %j has the size %p: pixels say nothing else than the name', (model, settings, size) => {
	const request = write(SIDE_BY_SIDE, model, settings);
	expect(request.size).toBe(size);
	const { aspectRatio, resolution } = settings;
	expect(request).toMatchObject({
		...(aspectRatio && { aspect_ratio: aspectRatio }),
		...(resolution && { resolution }),
	});
});

it('but where a size is all that says a ratio, it does', () => {
	expect(write(OPENAI, 'veo3.1-fast-4K', { aspectRatio: '9:16' }).size).toBe('720x1280');
});
