import { nameNearest } from '../../../../nodes/shared/lib/nearest';

const NAMES = ['fal-ai/veo3.1', 'fal-ai/veo3.1/fast', 'kling-v2-6', 'sora-2', '海螺-视频-2'];

it.each([
	['veo3.1', 'fal-ai/veo3.1'],
	['FAL-AI/Veo 3.1', 'fal-ai/veo3.1'],
	['kling_v2.5', 'kling-v2-6'],
	['fal-ai/veo3.1/fsat', 'fal-ai/veo3.1/fast'],
	['海螺视频2', '海螺-视频-2'],
])('%s is most like %s', (typed, nearest) => {
	expect(nameNearest(typed, NAMES)).toBe(`The nearest name in the service's list is "${nearest}".`);
});

it.each(['sora-2', 'wan2.5-t2v-preview', '-', ''])('%j is like none, or is one', (typed) => {
	expect(nameNearest(typed, NAMES)).toBe('');
});

it('what both begin with makes no two names alike', () => {
	expect(nameNearest('fal-ai/sora', ['fal-ai/kokoro'])).toBe('');
});

it('long names, of which a list may be full, are not compared', () => {
	const long = 'a'.repeat(1_000_000);
	expect(nameNearest(long, Array<string>(1_000).fill(`${long}b`))).toBe('');
});
