import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { PICTURE } from '../../../sandbox/service/media';
import { byId, KEY, toInput, useStage, videoGenerate } from '../../support/stage';
import { videoJoin } from '../videoJoin/support/stage';

// The chains of docs/chains.md that no template shows: what one node puts out is what the next one takes.

const stage = useStage();

beforeEach(() => stage.sandbox.set({ profile: 'fal', renderMs: 0 }));

/** Runs one node over the items of the one before it. */
async function step(model: string, parameters: IDataObject, items: INodeExecutionData[]) {
	const node = videoGenerate({ model: byId(model), downloadVideo: true, ...parameters });
	const { url: proxyUrl } = stage.sandbox;
	const access = { api: 'fal', proxyUrl, apiKey: KEY, allowPrivateAddresses: true };
	const result = await stage.run(node, items, { credentials: { videoGenerationApi: access } });
	if (result.error) throw result.error;
	return result.outputs()[0];
}

async function join(items: INodeExecutionData[]) {
	const { error, outputs } = await stage.run(videoJoin(), items);
	expect(error).toBeUndefined();
	return outputs()[0];
}

const requests = () => stage.sandbox.tasks().map(({ request }) => request);
const fieldsOf = (items: INodeExecutionData[]) =>
	items.map(({ binary = {} }) => Object.keys(binary).sort());
const file = (role: string, imageBinaryProperty: string) => ({
	...{ role, imageSource: 'binary', imageBinaryProperty },
});
const UPLOADED = expect.stringMatching(/\/files\/[^/]+\.\w+$/);

it('a music clip: a song and clips become one film', async () => {
	const clips = await step('fal-ai/veo3.1', { duration: 4 }, toInput({ prompt: 'A boat' }));
	const music = await step('fal-ai/elevenlabs/music', {}, toInput({ prompt: 'Slow piano' }));
	const [film] = await join([...clips, ...music]);
	expect(film.json).toMatchObject({ duration_seconds: 4, clips: [{ item: 0 }] });
	expect(Buffer.from(film.binary!.data.data, 'base64').includes('fLaC')).toBe(true);
});

it('a talking head: a portrait and a voice become one clip', async () => {
	const portrait = { data: PICTURE.toString('base64'), mimeType: 'image/png', fileName: 'a.png' };
	const rows = [{ json: { prompt: 'Good morning' }, binary: { portrait } }];
	const speech = { options: { binaryProperty: 'voice' } };
	const voices = await step('fal-ai/elevenlabs/tts/eleven-v3', speech, rows);
	const talks = {
		...{ prompt: '', imageSource: 'binary', imageBinaryProperty: 'portrait', resolution: '720p' },
		options: { images: { image: [file('referenceSound', 'voice')] } },
	};
	expect(fieldsOf(await step('veed/fabric-1.0', talks, voices))).toEqual([
		['data', 'portrait', 'voice'],
	]);
	expect(requests()[1]).toMatchObject({ audio_url: UPLOADED, resolution: '720p' });
	expect(requests()[1]).toHaveProperty('image_url');
});

it('shots that continue each other: the last frame of a clip begins the next one', async () => {
	const SHOT = 'fal-ai/veo3.1/image-to-video';
	const first = await step('fal-ai/veo3.1', { duration: 8 }, toInput({ prompt: 'A boat' }));
	const last = {
		prompt: '',
		options: {
			images: { image: [file('referenceVideo', 'data')] },
			modelFields: { field: [{ name: 'frame_type', value: 'last' }] },
			binaryProperty: 'frame',
		},
	};
	const frames = await step('fal-ai/ffmpeg-api/extract-frame', last, first);
	expect(fieldsOf(frames)).toEqual([['data', 'frame']]);
	expect(frames[0].binary!.data).toEqual(first[0].binary!.data);
	expect(requests()[1]).toEqual({ video_url: UPLOADED, frame_type: 'last' });
	const next = { duration: 4, imageSource: 'binary', imageBinaryProperty: 'frame' };
	const second = await step(SHOT, next, frames);
	expect(fieldsOf(second)).toEqual([['data', 'frame']]);
	const [film] = await join([...first, ...second]);
	expect(film.json).toMatchObject({ duration_seconds: 12, clips: [{ item: 0 }, { item: 1 }] });
});

it('the voice of a model of kie.ai is one field of text', async () => {
	stage.sandbox.set({ profile: 'kie' });
	const { url: proxyUrl } = stage.sandbox;
	const access = { api: 'kie', proxyUrl, apiKey: KEY, allowPrivateAddresses: true };
	const options = { modelFields: { field: [{ name: 'voice', value: 'George' }] } };
	const model = byId('elevenlabs/text-to-speech-multilingual-v2');
	const { error, outputs } = await stage.run(
		videoGenerate({ model, downloadVideo: true, options }),
		toInput({ prompt: 'It began in the rain.' }),
		{ credentials: { videoGenerationApi: access } },
	);
	expect(error).toBeUndefined();
	expect(requests()).toEqual([{ text: 'It began in the rain.', voice: 'George' }]);
	expect(outputs()[0][0].binary!.data.mimeType).toBe('audio/wav');
});
