import type { IDataObject } from 'n8n-workflow';

import { byId, KEY, toInput, useStage, videoGenerate } from '../../support/stage';

// What a model of fal, Replicate, kie.ai or WaveSpeed takes beside a prompt and a first frame.

const stage = useStage();

const run = async (
	api: string,
	model: string,
	parameters: IDataObject,
	items = toInput({ prompt: '' }),
) => {
	stage.sandbox.set({ profile: api });
	const access = { api, proxyUrl: stage.sandbox.url, apiKey: KEY, allowPrivateAddresses: true };
	return await stage.run(
		videoGenerate({ model: byId(model), wait: 'none', ...parameters }),
		items,
		{ credentials: { videoGenerationApi: access } },
	);
};

const requests = () => stage.sandbox.tasks().map(({ request }) => request);

const CLIP = 'https://files.example.com/clip.mp4';
const rows = (...image: IDataObject[]) => ({ images: { image } });
const clip = rows({ role: 'referenceVideo', imageSource: 'url', image: CLIP });

describe('a prompt', () => {
	it('is not needed where the model has no field for it', async () => {
		const { error, outputs } = await run('fal', 'veed/subtitles', { prompt: '', options: clip });
		expect(error).toBeUndefined();
		expect(outputs()[0]).toMatchObject([{ json: { status: 'queued' } }]);
		expect(requests()).toEqual([{ video_url: CLIP, preset: 'classic' }]);
	});

	it('that an expression does not find does not matter there', async () => {
		const { error } = await run('fal', 'veed/subtitles', { options: clip });
		expect(error).toBeUndefined();
		expect(requests()).toHaveLength(1);
	});

	it('is refused there, for nobody would read it', async () => {
		const { error } = await run('fal', 'veed/subtitles', { prompt: 'Captions', options: clip });
		expect(error?.message).toBe('"veed/subtitles" has no field for: Prompt [item 0]');
		expect(error?.description).toMatch(/^Remove Prompt\. /);
		expect(stage.sandbox.submissions()).toEqual([]);
	});

	const KLING = 'fal-ai/kling-video/v3/pro/image-to-video';
	const frame = { imageSource: 'url', image: 'https://files.example.com/a.png' };

	it('may be left empty where the schema says so, but not by an expression', async () => {
		const left = await run('fal', KLING, { ...frame, prompt: '' });
		expect(left.error).toBeUndefined();
		expect(requests()).toEqual([{ start_image_url: frame.image }]);
		const lost = await run('fal', KLING, { ...frame, prompt: '={{ $json.promt }}' });
		expect(lost.error?.message).toBe('Prompt is empty [item 0]');
		expect(stage.sandbox.submissions()).toHaveLength(1);
	});

	it.each([
		['fal', 'fal-ai/veo3.1'],
		['replicate', 'google/veo-3.1'],
		['kie', 'veo-3-1'],
		['openRouter', 'google/veo-3.1'],
		['wavespeed', 'wavespeed-ai/wan-2.2/t2v-480p-ultra-fast'],
		['fal', 'fal-ai/elevenlabs/tts/eleven-v3'],
	])('is needed where the schema says so: %s %s', async (api, model) => {
		const { error } = await run(api, model, { prompt: '' });
		expect(error?.message).toBe('Prompt is empty [item 0]');
		expect(stage.sandbox.submissions()).toEqual([]);
	});

	it('is the text of a voice', async () => {
		const items = toInput({ prompt: 'Good morning' });
		const { error } = await run('fal', 'fal-ai/elevenlabs/tts/eleven-v3', {}, items);
		expect(error).toBeUndefined();
		expect(requests()).toEqual([{ text: 'Good morning' }]);
	});

	it('by hand needs none in the form', async () => {
		const additionalFields = { prompt: 'A boat' };
		const { error } = await run('fal', 'fal-ai/veo3.1', {
			prompt: '',
			options: { additionalFields },
		});
		expect(error).toBeUndefined();
		expect(requests()).toEqual([{ prompt: 'A boat' }]);
	});
});
