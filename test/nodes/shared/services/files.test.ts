import { serviceOf } from '../../../../nodes/shared/services/list';
import { addressesOf, hasNoMedia } from '../../../../nodes/shared/services/taskFiles';
import { readTask } from '../../../../nodes/shared/services/videoTask';

/**
 * What models have made, as their services tell it: the source, the service, what they tell (without the
 * state), the kind, and the files in their order. A letter is an address; with a dot, its name ends so.
 */
const SHAPES = `
video.url (522 of fal's models) | fal | {"video":{"url":"A.mp4"},"seed":7} | video | A.mp4
video_url, a text (auto-caption) | fal | {"video_url":"A"} | video | A
a list of videos (mirelo, bria, pixelcut) | fal | {"video":[{"url":"A"},{"url":"B"}]} | video | A B
preview_video (2) | fal | {"preview_video":{"url":"A"}} | video | A
images (478) | fal | {"images":[{"url":"A.png","content_type":"image/png"},{"url":"B.png"}],"seed":7} | image | A.png B.png
image (98) | fal | {"image":{"url":"A","content_type":"image/webp"}} | image | A
an SVG (recraft) | fal | {"images":[{"url":"A.svg","content_type":"image/svg+xml"}]} | image | A.svg
audio (111) | fal | {"audio":{"url":"A"},"timestamps":null} | sound | A
a list of sounds (mirelo) | fal | {"audio":[{"url":"A"},{"url":"B"}]} | sound | A B
audio_file (4) | fal | {"audio_file":{"url":"A.wav","content_type":"application/octet-stream"}} | sound | A.wav
audio_url (f5-tts) | fal | {"audio_url":{"url":"A"}} | sound | A
a video and its sound (25) | fal | {"audio":{"url":"A"},"video":{"url":"B"}} | video | B
a video or images (film, rife) | fal | {"video":null,"images":[{"url":"A"}]} | image | A
an image and images (14 of bria) | fal | {"image":{"url":"A"},"images":[{"url":"B"}]} | image | B
an image and a sound | fal | {"audio":{"url":"A"},"image":{"url":"B"}} | image | B
an address with a blank | newApi | {"result_url":"A b.mp4"} | | A b.mp4
a video and captions (heygen) | fal | {"video":{"url":"A"},"caption_file":{"url":"B.srt"}} | video | A
sync_mode | fal | {"images":[{"url":"data:image/png;base64,iVBORw0KGgo="}]} | image | data:image/png;base64,iVBORw0KGgo=
a workflow | fal | {"output":{"video":{"url":"A"}}} | video | A
a workflow with images | fal | {"output":{"images":[{"url":"A"}]}} | image | A
comfy | fal | {"outputs":{"9":{"images":[{"url":"A.png","filename":"x.png","type":"output"}]},"12":{"gifs":[{"url":"B.mp4"}]}}} | video | B.mp4 A.png
separated sounds (demucs) | fal | {"vocals":{"url":"A.wav"},"drums":{"url":"B.wav"}} | sound | A.wav B.wav
masks | fal | {"masks":[{"url":"A.png"}],"scores":[1]} | image | A.png
a text (28) | fal | {"output":"Two boats"} | text | Two boats
a transcription (9) | fal | {"text":"Hello","chunks":[{"text":"Hello","timestamp":[0,1]}]} | text | Hello
a caption (florence-2; fal-js 1.10, 2026-08) | fal | {"results":"Two boats"} | text | Two boats
a prompt (video-prompt-generator; same) | fal | {"prompt":"Two boats"} | text | Two boats
the video that was sent (ffmpeg-api/metadata; same) | fal | {"media":{"url":"A.mp4","content_type":"video/mp4","duration":3}} | other |
3D beside the prompt (meshy; same) | fal | {"model_glb":{"url":"A.glb"},"prompt":"Two boats"} | other | A.glb
3D | fal | {"model_glb":{"url":"A.glb"},"thumbnail":{"url":"B.png"}} | other | A.glb B.png
a LoRA | fal | {"diffusers_lora_file":{"url":"A.safetensors"},"config_file":{"url":"B.json"}} | other | A.safetensors B.json
nothing that anyone knows | fal | {"verdict":{"is_human":true}} | other |
nothing at all | fal | {} | other |
a URI (219) | replicate | {"output":"A"} | | A
an image | replicate | {"output":"A.webp"} | image | A.webp
a list of URIs (67) | replicate | {"output":["A.png","B.png"]} | image | A.png B.png
words (38) | replicate | {"output":["Two"," bo","ats"]} | text | Two boats
a text (16) | replicate | {"output":"Two boats at https://example.com"} | text | Two boats at https://example.com
digits that were read (text-extract-ocr; nodetool-replicate, 2026-04) | replicate | {"output":"12345678901234567890"} | text | 12345678901234567890
JSON that was written (gpt-4o-mini) | replicate | {"output":"{\\"boats\\":2}"} | text | {"boats":2}
a transcription (replicate/cog-whisper, 2024-11) | replicate | {"output":{"segments":[],"transcription":"Two boats","translation":null}} | text | Two boats
{bass, other, vocals} (ryan5453/demucs) | replicate | {"output":{"bass":"A.mp3","other":null,"vocals":"B.mp3"}} | sound | A.mp3 B.mp3
{combined_mask, individual_masks} (meta/sam-2) | replicate | {"output":{"combined_mask":"A.png","individual_masks":["B.png"]}} | image | A.png B.png
{video, pose} | replicate | {"output":{"pose":"B.mp4","video":"A.mp4"}} | video | A.mp4
{audio, spectrogram} | replicate | {"output":{"audio":"A.mp3","spectrogram":"B.jpg"}} | sound | A.mp3
{wav, melspectrogram} | replicate | {"output":{"melspectrogram":"B.png","wav":"A.wav"}} | sound | A.wav
[{image}] | replicate | {"output":[{"image":"A.png"},{"image":"B.png"}]} | image | A.png B.png
{srt_file, txt_file} | replicate | {"output":{"srt_file":"A.srt","txt_file":"B.txt"}} | other | A.srt B.txt
{preview, voice_id} | replicate | {"output":{"preview":"A.mp3","voice_id":"R8_1"}} | sound | A.mp3
{mesh} | replicate | {"output":{"mesh":"A.glb"}} | other | A.glb
a mesh | replicate | {"output":"A.glb"} | other | A.glb
the image that was sent (andreasjansson/clip-features; nodetool-replicate, 2026-04) | replicate | {"output":[{"input":"A.jpg","embedding":[0.1]}]} | other |
a file that it has deleted | replicate | {"output":null} | |
resultUrls | kie | {"data":{"resultJson":"{\\"resultUrls\\":[\\"A.png\\",\\"B.png\\"]}"}} | image | A.png B.png
Veo above 720p | kie | {"data":{"resultJson":"{\\"data\\":{\\"result_urls\\":[\\"A.mp4\\"],\\"origin_urls\\":[\\"B.mp4\\"]},\\"resultUrls\\":[\\"B.mp4\\"]}"}} | video | A.mp4
Suno, two tracks | kie | {"data":{"resultJson":"{\\"data\\":[{\\"audio_url\\":\\"A\\",\\"image_url\\":\\"C\\"},{\\"audio_url\\":\\"B\\"}]}"}} | sound | A B
Suno in the other spelling | kie | {"data":{"resultJson":"{\\"sunoData\\":[{\\"audioUrl\\":\\"A.mp3\\"},{\\"audioUrl\\":\\"B.mp3\\"}]}"}} | sound | A.mp3 B.mp3
a transcription (a client that calls elevenlabs/speech-to-text) | kie | {"data":{"resultJson":"{\\"resultObject\\":{\\"text\\":\\"Two boats\\",\\"words\\":[]}}"}} | text | Two boats
masks (omnihuman; alfman99/kie-ai-mcp, 2026-08) | kie | {"data":{"resultJson":"{\\"resultObject\\":{\\"mask_urls\\":[\\"A.png\\"]}}"}} | image | A.png
a verdict (omnihuman) | kie | {"data":{"resultJson":"{\\"resultObject\\":{\\"hasHuman\\":true}}"}} | other |
texts | wavespeed | {"data":{"outputs":["A.png","B.png"]}} | image | A.png B.png
objects with url | wavespeed | {"data":{"outputs":[{"url":"A.mp3"}]}} | sound | A.mp3
a text that is JSON with an address | replicate | {"output":"{\\"url\\":\\"https://shop.example.com/boat\\"}"} | text | {"url":"https://shop.example.com/boat"}
a text that is a number | replicate | {"output":"42"} | text | 42
a text that begins with an address | replicate | {"output":"https://shop.example.com/boat has it"} | text | https://shop.example.com/boat has it
a state of the model's own, beside a video | fal | {"video":{"url":"A"},"output":{"status":"failed"}} | video | A
words | wavespeed | {"data":{"outputs":["Two boats"]}} | text | Two boats
an image in its other fields | newApi | {"image":{"url":"A.png"},"output":"Two boats"} | |
`
	.trim()
	.split('\n')
	.map((line) => line.split(/ ?\| ?/));

const toAddress = (name: string) => `https://files.example.com/${name}`;
const expand = (json: string) =>
	json.replace(/"([A-C](?:[. ]\w+)*)(\\?")/g, (_all, name: string, end: string) => {
		return `"${toAddress(name)}${end}`;
	});
/** The state of each service. */
const DONE: Record<string, object> = {
	...{ fal: { status: 'COMPLETED', billable_units: 8 }, replicate: { status: 'succeeded' } },
	...{
		kie: { state: 'success' },
		wavespeed: { status: 'completed' },
		newApi: { status: 'SUCCESS' },
	},
};

/** The answer of a service with a record. */
function answerOf(api: string, record: object): object {
	const whole = { ...record, ...DONE[api] };
	return serviceOf({ api }).recordAt === 'data' ? { data: whole } : whole;
}

it.each<[what: string, told: object, wanted: object]>([
	[
		'weights beside a video (23 trainers of fal)',
		{ video: { url: 'https://a.b/v.mp4' }, lora_file: { url: 'https://a.b/l.safetensors' } },
		{ kind: 'video', output: { lora_file: { url: 'https://a.b/l.safetensors' } } },
	],
	[
		'captions beside a video (heygen)',
		{ video: { url: 'https://a.b/v.mp4' }, caption_file: { url: 'https://a.b/c.srt' } },
		{ kind: 'video', output: { caption_file: { url: 'https://a.b/c.srt' } } },
	],
	[
		'a transcription beside a video (auto-subtitle)',
		{ video: { url: 'https://a.b/v.mp4' }, transcription: 'Two boats' },
		{ kind: 'video', text: 'Two boats' },
	],
	[
		'a seed beside a video',
		{ video: { url: 'https://a.b/v.mp4' }, seed: 7 },
		{ output: undefined },
	],
])('keeps %s', (_what, told, wanted) => {
	const task = readTask({ ...told, status: 'COMPLETED' }, 'ID', serviceOf({ api: 'fal' }));
	expect({ output: undefined, ...task }).toMatchObject(wanted);
});

it.each(SHAPES)('%s: %s', (_source, api, told, kind, files) => {
	const { data, ...record } = JSON.parse(expand(told)) as { data?: object };
	const task = readTask(answerOf(api, data ?? record), 'ID', serviceOf({ api }))!;
	expect(task.status).toBe('SUCCESS');
	if (kind === 'text') expect(task).toMatchObject({ text: files });
	else {
		const wanted = files.split(/ (?=[A-C]|data:)/).filter(Boolean);
		expect(addressesOf(task)).toEqual(
			wanted.map((one) => (/^data:/.test(one) ? one : toAddress(one))),
		);
	}
	expect(task.kind).toBe(['text', 'other', ''].includes(kind) ? undefined : kind);
	expect(hasNoMedia(task)).toBe(['text', 'other'].includes(kind));
	if (kind === 'other') expect(task.output).toBeDefined();
});

/** fal-js 1.10, `types/endpoints.ts` (2026-08); a client of kie.ai. */
it.each([
	[
		'joins the texts of several images line by line (got-ocr)',
		{ api: 'fal', status: 'COMPLETED', outputs: ['Page one', 'Page two'] },
		{ text: 'Page one\nPage two', output: { outputs: ['Page one', 'Page two'] } },
	],
	[
		'keeps the words beside their text',
		{ api: 'kie', state: 'success', resultJson: '{"resultObject":{"text":"Two","words":[2]}}' },
		{ text: 'Two', output: { resultObject: { text: 'Two', words: [2] } } },
	],
	// A client of WaveSpeed's openai-whisper with `enable_timestamps`.
	[
		'reads the text beside its timestamps',
		{ api: 'wavespeed', status: 'completed', outputs: [{ text: 'Two', text_details: { s: 1 } }] },
		{ text: 'Two', output: [{ text: 'Two', text_details: { s: 1 } }] },
	],
])('%s', (_what, { api, ...record }, wanted) => {
	expect(readTask(answerOf(api, record), 'ID', serviceOf({ api }))).toMatchObject(wanted);
});

/** What models make beside a file: fal-js 1.10, `types/endpoints.ts` (2026-08); kie's pages (2026-08). */
it.each<[what: string, api: string, told: object, isKept: boolean]>([
	['the weights of a trainer (ltx23)', 'fal', { video: 'A.mp4', lora_file: 'B.safetensors' }, true],
	['a voice (minimax)', 'fal', { audio: 'A.mp3', custom_voice_id: 'Voice1' }, true],
	['boxes (moondream2)', 'fal', { image: 'A.png', objects: [{ x_min: 0.1 }] }, true],
	['places of texts (florence-2)', 'fal', { image: 'A.png', results: { labels: ['STOP'] } }, true],
	[
		'when each letter is said (elevenlabs)',
		'fal',
		{ audio: 'A.mp3', timestamps: [{ s: 1 }] },
		true,
	],
	['captions (heygen)', 'fal', { video: 'A.mp4', caption_file: 'B.srt' }, true],
	['the sound of a video', 'fal', { video: 'A.mp4', audio: 'B.mp3' }, true],
	['{video, pose}', 'replicate', { output: { video: 'A.mp4', pose: 'B.mp4' } }, true],
	[
		'the cover of a song',
		'kie',
		{
			resultJson: '{"sunoData":[{"audioUrl":"https://a.b/A.mp3","imageUrl":"https://a.b/B.jpeg"}]}',
		},
		true,
	],
	[
		'an archive in a list (no model is known that does so)',
		'replicate',
		{ output: ['A.png', 'B.zip'] },
		true,
	],
	[
		'how it was made',
		'fal',
		{ images: ['A.png'], seed: 7, prompt: 'A boat', timings: { s: 1 } },
		false,
	],
	['what it is like', 'fal', { images: ['A.png'], has_nsfw_concepts: [false], width: 9 }, false],
	['nothing (nano-banana)', 'fal', { images: ['A.png'], description: '' }, false],
	['a list', 'replicate', { output: ['A.png', 'B.png'] }, false],
	['addresses only', 'kie', { resultJson: '{"resultUrls":["https://a.example/A.mp4"]}' }, false],
	[
		'a file of no known kind',
		'kie',
		{ resultJson: '{"resultUrls":["https://a.example/A"],"a":"b"}' },
		false,
	],
])('what is beside a file: %s, of %s', (_what, api, told, isKept) => {
	const named = JSON.stringify(answerOf(api, told)).replace(
		/"([AB]\.\w+)"/g,
		(_all, name: string) => `"${toAddress(name)}"`,
	);
	const task = readTask(JSON.parse(named), 'ID', serviceOf({ api }))!;
	expect(addressesOf(task).length).toBeGreaterThan(0);
	expect(task.output !== undefined).toBe(isKept);
	expect(hasNoMedia(task)).toBe(false);
});
