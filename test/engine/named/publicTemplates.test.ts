import { createHash } from 'node:crypto';

import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { openVideo, PICTURE } from '../../../sandbox/service/media';
import { withoutGaps } from '../../../nodes/shared/lib/json';
import { byId, KEY, toInput, useStage, videoGenerate } from '../../support/stage';
import { videoJoin } from '../videoJoin/support/stage';

// Templates of n8n's gallery that order with HTTP Request nodes (n8n.io/workflows/NUMBER), rebuilt with these
// nodes: each order has the fields that the template sends.

const stage = useStage();

interface Order {
	api: 'fal' | 'kie' | 'replicate' | 'wavespeed';
	/** What the template orders. */
	model: string;
	/** What Video Generate has in its form. */
	form: IDataObject;
	/** What the template sends for an item. */
	sends: (json: IDataObject) => IDataObject;
	/** Where the node sends something else, and why. */
	instead?: IDataObject;
	makes: 'image/png' | 'video/mp4' | 'audio/wav';
}

/** Orders of which each takes the items of the one before it. */
interface Chain {
	items: INodeExecutionData[];
	orders: Order[];
}

interface Template {
	number: number;
	does: string;
	chains: Chain[];
	/** How many of the chains end with what Video Join makes a film of. */
	joins?: number;
}

const SCENES = ['A blade in amber', 'A blade in jade', 'A blade in opal'];
/** As n8n's Google Drive node tells it: `webContentLink`. */
const DRIVE = 'https://drive.google.com/uc?id=1AbCdEfGhIjKlMnOpQrStUvWxYz012345&export=download';
const SITE = 'https://files.example.com';

const fields = (values: IDataObject) => ({
	modelFields: { field: Object.entries(values).map(([name, value]) => ({ name, value })) },
});
const files = (...image: IDataObject[]) => ({ images: { image } });
const byUrl = (role: string, image: string) => ({ role, imageSource: 'url', image });
const firstFrame = (image: string) => ({ imageSource: 'url', image });
const RESULT = '={{ $json.result_url }}';

const toFile = (bytes: Buffer, mimeType: string) => ({
	data: bytes.toString('base64'),
	...{ mimeType, fileName: `file.${mimeType.split('/')[1]}` },
});
const { length, read } = openVideo('square');
const CLIP = Buffer.concat([...read(0, length)]);
const sha256 = (data: string) => createHash('sha256').update(data).digest('hex');
const DATA_URI = `data:image/png;base64,${PICTURE.toString('base64')}`;
/** As the stand-in keeps it. */
const INLINE = { length: DATA_URI.length, sha256: sha256(DATA_URI) };
const UPLOADED = expect.stringMatching(/\/files\/[\w-]+\.\w+$/) as string;

const mmaudio = (more: IDataObject = {}, prompt = '={{ $json.sound }}'): Order => ({
	...{ api: 'fal', model: 'fal-ai/mmaudio-v2', makes: 'video/mp4' },
	form: { prompt, ...more, options: files(byUrl('referenceVideo', RESULT)) },
	sends: ({ sound, result_url }) => ({ video_url: result_url, prompt: sound, ...more }),
});

const compose = (seconds: number): Order => ({
	...{ api: 'fal', model: 'fal-ai/ffmpeg-api/compose', makes: 'video/mp4' },
	form: { prompt: '', options: fields({ tracks: '={{ $json.tracks }}' }) },
	sends: () => ({ tracks: tracksOf(seconds) }),
});
const tracksOf = (seconds: number) => [
	{
		...{ id: '1', type: 'video' },
		keyframes: SCENES.map((_scene, i) => ({
			...{ url: `${SITE}/${i}.mp4`, timestamp: i * seconds, duration: seconds },
		})),
	},
];

const EXTRACT = {
	...{ fade_in: 0, fade_out: 0, trim_end: 0, trim_start: 0, volume_boost: 1 },
	...{ audio_quality: 'high', output_format: 'mp3' },
	...{ noise_reduction: false, normalize_audio: false },
};

const KONTEXT = 'black-forest-labs/flux-kontext-pro';
const WAN = 'wan-video/wan-2.2-i2v-a14b';
/** As the stand-in has it. */
const versionOf = sha256;

const TEMPLATES: Template[] = [
	{
		number: 5338,
		does: 'three scenes at WaveSpeed, their sound at fal, one film',
		chains: [
			{
				items: toInput(...SCENES.map((prompt) => ({ prompt, sound: `ASMR. ${prompt}` }))),
				orders: [
					{
						...{ api: 'wavespeed', model: 'bytedance/seedance-v1-pro-t2v-480p' },
						form: { aspectRatio: '9:16', duration: 10 },
						sends: ({ prompt }) => ({ aspect_ratio: '9:16', duration: 10, prompt }),
						makes: 'video/mp4',
					},
					mmaudio({ duration: 10 }),
				],
			},
			{ items: toInput({ tracks: tracksOf(10) }), orders: [compose(10)] },
		],
		joins: 1,
	},
	{
		number: 5741,
		does: 'scenes with the model and the settings of a sheet, their sound, one film',
		chains: [
			{
				items: toInput(
					...SCENES.map((prompt) => ({
						...{ prompt, sound: 'Wind', model: 'bytedance/seedance/v1/pro/text-to-video' },
						...{ aspect_ratio: '16:9', resolution: '720p', duration: 6 },
					})),
				),
				orders: [
					{
						...{ api: 'fal', model: 'fal-ai/bytedance/seedance/v1/pro/text-to-video' },
						form: {
							model: byId('={{ "fal-ai/" + $json.model }}'),
							aspectRatio: '={{ $json.aspect_ratio }}',
							resolution: '={{ $json.resolution }}',
							duration: '={{ $json.duration }}',
						},
						sends: ({ prompt, aspect_ratio, resolution, duration }) => ({
							...{ prompt, aspect_ratio, resolution, duration },
						}),
						// The model's schema has a text.
						instead: { duration: '6' },
						makes: 'video/mp4',
					},
					mmaudio(),
				],
			},
			{ items: toInput({ tracks: tracksOf(6000) }), orders: [compose(6000)] },
		],
		joins: 1,
	},
	{
		number: 6875,
		does: 'an image edited by a version of a model',
		chains: [
			{
				items: toInput({ prompt: 'At sunset' }),
				orders: [
					{
						...{ api: 'replicate', model: KONTEXT },
						form: {
							model: byId(`${KONTEXT}:${versionOf(KONTEXT)}`),
							...firstFrame('https://picsum.photos/512/512'),
							aspectRatio: 'match_input_image',
							options: {
								seed: -1,
								...fields({
									...{ output_format: 'png', safety_tolerance: 2, prompt_upsampling: false },
								}),
							},
						},
						sends: ({ prompt }) => ({
							...{ seed: -1, prompt, input_image: 'https://picsum.photos/512/512' },
							...{ aspect_ratio: 'match_input_image', output_format: 'png' },
							...{ safety_tolerance: 2, prompt_upsampling: false },
						}),
						makes: 'image/png',
					},
				],
			},
		],
	},
	{
		number: 6966,
		does: 'a clip from an image, by a version alone',
		chains: [
			{
				items: toInput({ prompt: 'It moves' }),
				orders: [
					{
						...{ api: 'replicate', model: WAN },
						form: {
							model: byId(versionOf(WAN)),
							...firstFrame('https://example.com/input.video'),
							options: {
								seed: 1,
								...fields({
									...{ num_frames: 81, sample_shift: 5, sample_steps: 30, frames_per_second: 16 },
								}),
							},
						},
						sends: ({ prompt }) => ({
							...{ prompt, image: 'https://example.com/input.video', seed: 1, num_frames: 81 },
							...{ sample_shift: 5, sample_steps: 30, frames_per_second: 16 },
						}),
						makes: 'video/mp4',
					},
				],
			},
		],
	},
	{
		number: 8428,
		does: 'a product image at fal, its clip and music at kie.ai, both in one film',
		chains: [
			{
				items: toInput({ prompt: 'On a shelf', clip: 'It turns', photo: DRIVE }),
				orders: [
					{
						...{ api: 'fal', model: 'fal-ai/nano-banana/edit', makes: 'image/png' },
						form: firstFrame('={{ $json.photo }}'),
						sends: ({ prompt, photo }) => ({ prompt, image_urls: [photo] }),
					},
					{
						...{ api: 'kie', model: 'bytedance/v1-pro-image-to-video', makes: 'video/mp4' },
						form: {
							...{ prompt: '={{ $json.clip }}', ...firstFrame(RESULT) },
							...{ resolution: '720p', duration: 10 },
							options: {
								seed: -1,
								...fields({ camera_fixed: false, enable_safety_checker: true }),
							},
						},
						sends: ({ clip, result_url }) => ({
							...{ prompt: clip, image_url: result_url, resolution: '720p', duration: '10' },
							...{ aspect_ratio: '16:9', camera_fixed: false, seed: -1 },
							enable_safety_checker: true,
						}),
						// The model has no such field: its shape is that of the image.
						instead: { aspect_ratio: undefined },
					},
				],
			},
			{
				items: toInput({ prompt: 'Piano' }),
				orders: [
					{
						...{ api: 'kie', model: 'ai-music-api/generate', makes: 'audio/wav' },
						form: {
							options: fields({
								...{ custom_mode: true, instrumental: true, model: 'V5' },
								...{ style: 'Classical', title: 'Peaceful Piano Meditation' },
							}),
						},
						sends: ({ prompt }) => ({
							...{ customMode: true, instrumental: true, model: 'V3_5' },
							...{ prompt, style: 'Classical', title: 'Peaceful Piano Meditation' },
							callBackUrl: 'https://YOUR_DOMAIN.com/api/kie-callback',
						}),
						// The template's address is an older one, /api/v1/generate, with other names.
						instead: {
							...{ callBackUrl: undefined, customMode: undefined },
							...{ custom_mode: true, model: 'V5' },
						},
					},
				],
			},
			{
				items: toInput({ url_video: `${SITE}/clip.mp4`, url_audio: `${SITE}/music.mp3` }),
				orders: [
					{
						...{ api: 'fal', model: 'fal-ai/ffmpeg-api/merge-audio-video', makes: 'video/mp4' },
						form: {
							prompt: '',
							options: {
								...files(
									byUrl('referenceVideo', '={{ $json.url_video }}'),
									byUrl('referenceSound', '={{ $json.url_audio }}'),
								),
								...fields({ start_offset: 0 }),
							},
						},
						sends: ({ url_video, url_audio }) => ({
							...{ video_url: url_video, audio_url: url_audio, start_offset: 0 },
						}),
					},
				],
			},
		],
		joins: 2,
	},
	{
		number: 8492,
		does: 'an image from five references, four times as large',
		chains: [
			{
				items: toInput({ prompt: 'A portrait' }),
				orders: [
					{
						...{ api: 'kie', model: 'google/nano-banana-edit', makes: 'image/png' },
						form: {
							aspectRatio: 'auto',
							options: {
								...files(...[1, 2, 3, 4, 5].map((n) => byUrl('reference', `${SITE}/${n}.png`))),
								...fields({ output_format: 'png' }),
							},
						},
						sends: ({ prompt }) => ({
							...{ prompt, output_format: 'png', image_size: 'auto' },
							image_urls: [1, 2, 3, 4, 5].map((n) => `${SITE}/${n}.png`),
						}),
					},
					{
						...{ api: 'kie', model: 'nano-banana-upscale', makes: 'image/png' },
						form: {
							...{ prompt: '', ...firstFrame(RESULT) },
							options: fields({ scale: 4, face_enhance: true }),
						},
						sends: ({ result_url }) => ({ image: result_url, scale: 4, face_enhance: true }),
					},
				],
			},
		],
	},
	{
		number: 8912,
		does: 'lip-sync of a video and a sound, by their addresses',
		chains: [
			{
				items: toInput({ prompt: 'She talks', video: `${SITE}/a.mp4`, audio: `${SITE}/a.mp3` }),
				orders: [
					{
						...{ api: 'fal', model: 'fal-ai/infinitalk/video-to-video', makes: 'video/mp4' },
						form: {
							resolution: '480p',
							options: {
								seed: 42,
								...files(
									byUrl('referenceVideo', '={{ $json.video }}'),
									byUrl('referenceSound', '={{ $json.audio }}'),
								),
								...fields({ num_frames: 145, acceleration: 'regular' }),
							},
						},
						sends: ({ prompt, video, audio }) => ({
							...{ video_url: video, audio_url: audio, prompt, num_frames: 145 },
							...{ resolution: '480p', seed: 42, acceleration: 'regular' },
						}),
					},
				],
			},
		],
	},
	{
		number: 9200,
		does: 'images of two services, clips from them, one film',
		chains: [
			{
				items: toInput({ prompt: 'A bottle', scene: 'It glows', photo: DRIVE }),
				orders: [
					{
						...{ api: 'fal', model: 'fal-ai/nano-banana/edit', makes: 'image/png' },
						form: firstFrame('={{ $json.photo }}'),
						sends: ({ prompt, photo }) => ({ prompt, image_urls: [photo] }),
					},
					veo(),
				],
			},
			{
				items: toInput({ prompt: 'A bottle', scene: 'It shines' }),
				orders: [
					{
						...{ api: 'kie', model: 'bytedance/seedream-v4-text-to-image', makes: 'image/png' },
						form: { aspectRatio: '9:16', options: fields({ image_resolution: '1K' }) },
						sends: ({ prompt }) => ({
							...{ prompt, image_size: 'portrait_16_9', image_resolution: '1K' },
						}),
					},
					veo(),
				],
			},
			{
				items: toInput({ urls: SCENES.map((_scene, i) => `${SITE}/${i}.mp4`) }),
				orders: [
					{
						...{ api: 'fal', model: 'fal-ai/ffmpeg-api/merge-videos', makes: 'video/mp4' },
						form: {
							prompt: '',
							options: fields({ video_urls: '={{ $json.urls }}', resolution: 'portrait_16_9' }),
						},
						sends: ({ urls }) => ({
							...{ video_urls: urls, resolution: 'portrait_16_9', output: { format: 'mp4' } },
						}),
						// The model has no such field, and always makes an MP4.
						instead: { output: undefined },
					},
				],
			},
		],
		joins: 2,
	},
	{
		number: 9541,
		does: 'a face put into a video, both from a form',
		chains: [
			{
				items: [
					{
						json: {},
						binary: { Video: toFile(CLIP, 'video/mp4'), Image: toFile(PICTURE, 'image/png') },
					},
				],
				orders: [
					{
						...{ api: 'fal', model: 'fal-ai/wan/v2.2-14b/animate/replace', makes: 'video/mp4' },
						form: {
							...{ prompt: '', imageSource: 'binary', imageBinaryProperty: 'Image' },
							options: files({
								...{ role: 'referenceVideo', imageSource: 'binary' },
								imageBinaryProperty: 'Video',
							}),
						},
						// The template stores both in a public bucket, for their addresses.
						sends: () => ({ video_url: UPLOADED, image_url: INLINE }),
					},
				],
			},
		],
	},
	{
		number: 11043,
		does: 'a face and a voice put into a video: its sound, the voice, the face, both in one film',
		chains: [
			{
				items: [
					{
						json: { videoUrl: `${SITE}/a.mp4`, voice: `${SITE}/voice.mp3` },
						binary: { Avatar: toFile(PICTURE, 'image/png') },
					},
				],
				orders: [
					{
						...{ api: 'replicate', model: 'lucataco/extract-audio', makes: 'audio/wav' },
						form: {
							prompt: '',
							options: {
								...files(byUrl('referenceVideo', '={{ $json.videoUrl }}')),
								...fields(EXTRACT),
							},
						},
						sends: ({ videoUrl }) => ({ video: videoUrl, ...EXTRACT }),
					},
					{
						...{ api: 'fal', model: 'fal-ai/chatterbox/speech-to-speech', makes: 'audio/wav' },
						form: {
							prompt: '',
							options: {
								...files(byUrl('referenceSound', RESULT)),
								...fields({ target_voice_audio_url: '={{ $json.voice }}' }),
							},
						},
						sends: ({ result_url, voice }) => ({
							...{ source_audio_url: result_url, target_voice_audio_url: voice },
						}),
					},
					{
						...{ api: 'fal', model: 'fal-ai/wan/v2.2-14b/animate/replace', makes: 'video/mp4' },
						form: {
							...{ prompt: '', imageSource: 'binary', imageBinaryProperty: 'Avatar' },
							options: files(byUrl('referenceVideo', '={{ $json.videoUrl }}')),
						},
						// The template stores the image in a public place, for its address.
						sends: ({ videoUrl }) => ({ video_url: videoUrl, image_url: INLINE }),
					},
				],
			},
			{
				items: toInput({ video: `${SITE}/a.mp4`, audio: `${SITE}/a.mp3` }),
				orders: [
					{
						...{ api: 'fal', model: 'fal-ai/ffmpeg-api/merge-audio-video', makes: 'video/mp4' },
						form: {
							prompt: '',
							options: files(
								byUrl('referenceVideo', '={{ $json.video }}'),
								byUrl('referenceSound', '={{ $json.audio }}'),
							),
						},
						sends: ({ video, audio }) => ({ video_url: video, audio_url: audio }),
					},
				],
			},
		],
	},
	{
		number: 11204,
		does: 'an image from a photo of a chat, a clip with what it shows',
		chains: [
			{
				items: [
					{
						json: { prompt: 'In a kitchen', clip: 'She pours' },
						binary: { data: toFile(PICTURE, 'image/png') },
					},
				],
				orders: [
					{
						...{ api: 'fal', model: 'fal-ai/nano-banana-pro/edit', makes: 'image/png' },
						form: {
							...{ imageSource: 'binary', imageBinaryProperty: 'data' },
							...{ resolution: '1K', aspectRatio: '9:16' },
							options: fields({ output_format: 'png' }),
						},
						// The template sends an address with the token of its bot.
						sends: ({ prompt }) => ({
							...{ prompt, image_urls: [INLINE], resolution: '1K' },
							...{ aspect_ratio: '9:16', output_format: 'png' },
						}),
					},
					{
						...{ api: 'fal', model: 'fal-ai/veo3.1/reference-to-video', makes: 'video/mp4' },
						form: {
							...{ prompt: '={{ $json.clip }}', duration: 8, aspectRatio: '9:16' },
							options: files(byUrl('reference', RESULT)),
						},
						sends: ({ clip, result_url }) => ({
							...{ prompt: clip, image_urls: [result_url], duration: 8, aspect_ratio: '9:16' },
						}),
						// As the model's schema has it.
						instead: { duration: '8s' },
					},
				],
			},
		],
	},
	{
		number: 12253,
		does: 'a clip from an image, another from a video',
		chains: [
			wan('image', firstFrame('={{ $json.url }}')),
			wan('video', { options: files(byUrl('referenceVideo', '={{ $json.url }}')) }),
		],
	},
	{
		number: 12536,
		does: 'clips between two frames of each row, one film',
		chains: [
			{
				items: toInput(
					...[1, 2].map((n) => ({
						...{ prompt: `Selfie ${n}`, duration: '8' },
						...{ first_image: `${SITE}/${n}.png`, last_image: `${SITE}/${n + 1}.png` },
					})),
				),
				orders: [
					{
						...{ api: 'fal', model: 'fal-ai/veo3.1/fast/first-last-frame-to-video' },
						makes: 'video/mp4',
						form: {
							...{ ...firstFrame('={{ $json.first_image }}'), aspectRatio: 'auto' },
							...{ duration: '={{ $json.duration }}', resolution: '720p' },
							options: {
								generateAudio: false,
								...files(byUrl('lastFrame', '={{ $json.last_image }}')),
							},
						},
						sends: ({ prompt, duration, first_image, last_image }) => ({
							...{ prompt, aspect_ratio: 'auto', duration: `${String(duration)}s` },
							...{ resolution: '720p', generate_audio: false },
							...{ first_frame_url: first_image, last_frame_url: last_image },
						}),
					},
				],
			},
			{
				items: toInput({ videos: [`${SITE}/1.mp4`, `${SITE}/2.mp4`] }),
				orders: [
					{
						...{ api: 'fal', model: 'fal-ai/ffmpeg-api/merge-videos', makes: 'video/mp4' },
						form: {
							prompt: '',
							options: fields({ video_urls: '={{ $json.videos }}', target_fps: 24 }),
						},
						sends: ({ videos }) => ({ video_urls: videos, target_fps: 24 }),
					},
				],
			},
		],
		joins: 1,
	},
];

/** Of kie.ai's older address, /api/v1/veo/generate, which has other names for the same. */
function veo(): Order {
	return {
		...{ api: 'kie', model: 'veo-3-1', makes: 'video/mp4' },
		form: {
			...{ prompt: '={{ $json.scene }}', ...firstFrame(RESULT), aspectRatio: '9:16' },
			options: fields({ model: 'veo3_fast' }),
		},
		sends: ({ scene, result_url }) => ({
			...{ prompt: scene, model: 'veo3_fast', image_urls: [result_url], aspect_ratio: '9:16' },
		}),
	};
}

function wan(from: 'image' | 'video', form: IDataObject): Chain {
	const { options, ...rest } = form;
	const url = `${SITE}/a.${from === 'image' ? 'png' : 'mp4'}`;
	return {
		items: toInput({ prompt: 'A street', duration: '5', resolution: '720p', url }),
		orders: [
			{
				...{ api: 'kie', model: `wan/2-6-${from}-to-video`, makes: 'video/mp4' },
				form: {
					...{ duration: '={{ $json.duration }}', resolution: '={{ $json.resolution }}' },
					...{
						...rest,
						options: { ...(options as IDataObject), ...fields({ multi_shots: false }) },
					},
				},
				sends: ({ prompt, duration, resolution }) => ({
					...{ prompt, [`${from}_urls`]: [url], duration, resolution, multi_shots: false },
				}),
			},
		],
	};
}

async function order(items: INodeExecutionData[], { api, model, form, makes, ...told }: Order) {
	stage.sandbox.set({ profile: api, renderMs: 0 });
	const before = stage.sandbox.tasks().length;
	const access = { api, proxyUrl: stage.sandbox.url, apiKey: KEY, allowPrivateAddresses: true };
	const node = videoGenerate({ model: byId(model), downloadVideo: true, ...form });
	const result = await stage.run(node, items, { credentials: { videoGenerationApi: access } });
	if (result.error) throw result.error;
	const tasks = stage.sandbox.tasks().slice(before);
	expect(tasks.map((task) => ({ model: task.model, request: task.request }))).toEqual(
		items.map(({ json }) => ({
			model,
			request: withoutGaps({ ...told.sends(json), ...told.instead }),
		})),
	);
	const [made] = result.outputs();
	expect(made.map(({ binary }) => binary!.data.mimeType)).toEqual(items.map(() => makes));
	return made;
}

it.each(TEMPLATES)('$number: $does', async ({ chains, joins }) => {
	const ends: INodeExecutionData[][] = [];
	for (const { items, orders } of chains) {
		let made = items;
		for (const one of orders) made = await order(made, one);
		ends.push(made);
	}
	if (!joins) return;
	const joined = ends.slice(0, joins).flat();
	const { error, outputs } = await stage.run(videoJoin(), joined);
	expect(error).toBeUndefined();
	const [[film], ...others] = outputs();
	expect(others).toEqual([]);
	const clips = joined.filter(({ binary }) => binary!.data.mimeType === 'video/mp4');
	expect(film.json.clips).toHaveLength(clips.length);
	expect(film.binary!.data.mimeType).toBe('video/mp4');
});
