import { createHash } from 'node:crypto';

import type { IDataObject } from 'n8n-workflow';

import { openVideo, PICTURE } from '../../../sandbox/service/media';
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
const clip = {
	...rows({ role: 'referenceVideo', imageSource: 'url', image: CLIP }),
	modelFields: { field: [{ name: 'preset', value: 'simple' }] },
};

describe('a prompt', () => {
	it('is not needed where the model has no field for it', async () => {
		const { error, outputs } = await run('fal', 'veed/subtitles', { prompt: '', options: clip });
		expect(error).toBeUndefined();
		expect(outputs()[0]).toMatchObject([{ json: { status: 'queued' } }]);
		expect(requests()).toEqual([{ video_url: CLIP, preset: 'simple' }]);
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

describe('files of the item', () => {
	const { length, read } = openVideo('square');
	const film = Buffer.concat([...read(0, length)]);
	const voice = Buffer.from('ID3\x04 and a voice', 'latin1');
	const fileOf = (bytes: Buffer, mimeType: string) => ({
		data: bytes.toString('base64'),
		mimeType,
	});
	const binary = {
		clip: fileOf(film, 'video/mp4'),
		voice: fileOf(voice, 'audio/mpeg'),
		recording: fileOf(Buffer.from('\x1aE\xdf\xa3 webm', 'latin1'), 'audio/webm'),
		image: fileOf(PICTURE, 'image/png'),
		large: fileOf(Buffer.concat([film, Buffer.alloc(1024 ** 2)]), 'video/mp4'),
	};
	const items = (prompt = '') => [{ json: { prompt }, binary }];
	const file = (role: string, imageBinaryProperty: string) => ({
		...{ role, imageSource: 'binary', imageBinaryProperty },
	});
	const lipSync = rows(file('referenceVideo', 'clip'), file('referenceSound', 'voice'));
	const told = (bytes: Buffer, contentType: string) => ({
		contentType,
		size: bytes.length,
		sha256: createHash('sha256').update(bytes).digest('hex'),
	});
	const FAL = 'fal-ai/sync-lipsync/v2';

	it('lip-sync at fal: a video and a sound go up without the key, and their addresses are sent', async () => {
		const { error, outputs } = await run('fal', FAL, { options: lipSync }, items());
		expect(error).toBeUndefined();
		expect(outputs()[0]).toHaveLength(1);
		expect(stage.sandbox.files()).toEqual([told(film, 'video/mp4'), told(voice, 'audio/mpeg')]);
		const at = (ending: string) =>
			expect.stringMatching(`/files/[\\w-]{36}\\.${ending}$`) as string;
		expect(requests()).toEqual([{ video_url: at('mp4'), audio_url: at('mp3') }]);
		const puts = stage.sandbox.requests.filter(({ method }) => method === 'PUT');
		expect(puts.map(({ headers }) => headers.authorization)).toEqual([undefined, undefined]);
		expect(stage.sandbox.submissions()).toHaveLength(1);
	});

	it('an image stays a data URI at fal, in a list of two', async () => {
		const parameters = {
			...{ imageSource: 'binary', imageBinaryProperty: 'image' },
			options: rows(file('reference', 'image')),
		};
		const { error } = await run('fal', 'fal-ai/nano-banana/edit', parameters, items('Both'));
		expect(error).toBeUndefined();
		const image = { length: expect.any(Number) as number };
		expect(requests()).toMatchObject([{ prompt: 'Both', image_urls: [image, image] }]);
		expect(stage.sandbox.files()).toEqual([]);
	});

	it('at Replicate, a small one is a data URI, and a larger one goes up', async () => {
		const options = rows(file('referenceVideo', 'large'), file('referenceSound', 'voice'));
		const { error } = await run('replicate', 'sync/lipsync-2', { options }, items());
		expect(error).toBeUndefined();
		expect(requests()).toMatchObject([
			{
				video: expect.stringMatching(/\/v1\/files\/[\w-]{36}$/) as string,
				audio: `data:audio/mpeg;base64,${binary.voice.data}`,
			},
		]);
		expect(stage.sandbox.files()).toMatchObject([{ contentType: 'video/mp4' }]);
		expect(stage.sandbox.submissions()).toHaveLength(1);
	});

	it('at kie.ai and WaveSpeed, each goes up', async () => {
		const frame = { imageSource: 'binary', imageBinaryProperty: 'image' };
		const options = rows(file('referenceSound', 'recording'));
		const kie = await run('kie', 'infinitalk/from-audio', { ...frame, options }, items('Talk'));
		expect(kie.error).toBeUndefined();
		expect(requests()).toEqual([
			{
				prompt: 'Talk',
				image_url: expect.stringMatching(/\.png$/) as string,
				audio_url: expect.stringMatching(/^http/) as string,
			},
		]);
		stage.sandbox.reset();
		const speed = await run('wavespeed', 'sync/lipsync-2', { options: lipSync }, items());
		expect(speed.error).toBeUndefined();
		const [video, audio] = ['mp4', 'mp3'].map(
			(end) => expect.stringMatching(`\\.${end}$`) as string,
		);
		expect(requests()).toEqual([{ video, audio }]);
	});

	it('a dry run tells what would go up, and uploads nothing', async () => {
		const options = { ...lipSync, cost: { dryRun: true } };
		const { outputs } = await run('fal', FAL, { options }, items());
		expect(outputs()[0][0].json.request).toMatchObject({
			video_url: `address of an uploaded file, video/mp4 (${film.length} bytes)`,
		});
		expect([stage.sandbox.files(), stage.sandbox.submissions()]).toEqual([[], []]);
	});

	const BROKEN = [{ status: 500, json: { detail: 'Disk full' } }];

	it.each([
		[
			'fal',
			FAL,
			{ content: BROKEN },
			/^The video was not submitted: the video could not be uploaded: .*Disk full/,
		],
		[
			'fal',
			FAL,
			{ upload: BROKEN },
			/the video could not be uploaded: its storage at http:\S+ answers with HTTP 500/,
		],
		[
			'replicate',
			'sync/lipsync-2',
			{ content: BROKEN },
			/the video could not be uploaded: .*Disk full/,
		],
		['wavespeed', 'sync/lipsync-2', { content: BROKEN }, /the video could not be uploaded: /],
	])('nothing is submitted if one cannot go up: %s %s %j', async (api, model, plan, words) => {
		stage.sandbox.set({ plan });
		const options = rows(file('referenceVideo', 'large'), file('referenceSound', 'voice'));
		const { error } = await run(api, model, { options }, items());
		expect(error?.message).toMatch(words);
		expect(stage.sandbox.submissions()).toEqual([]);
	});

	it.each([
		['referenceVideo', 'voice', 'The file of Input Binary Field is not a video', /MP4, MOV/],
		['referenceSound', 'clip', 'The file of Input Binary Field is not a sound', /MP3, WAV/],
		['reference', 'clip', 'The file of Input Binary Field is not an image', /PNG, JPEG/],
	])('of another kind is refused by row and item: %s from %s', async (role, name, says, advice) => {
		const { error } = await run('fal', FAL, { options: rows(file(role, name)) }, items());
		expect(error?.message).toBe(`Input Files, row 1: ${says} [item 0]`);
		expect(error?.description).toMatch(advice);
		expect(stage.sandbox.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
	});
});
