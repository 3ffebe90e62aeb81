import { findFamily } from '../../../../nodes/shared/family/families';
import type { Value } from '../../../../nodes/shared/family/family';
import {
	referencesOf,
	settingsOf,
	toPlainName,
	versionOf,
} from '../../../../nodes/shared/family/versions';
import { ask, type Asked } from './support/ask';

// What is known to arrive is sent, what is known not to is refused, and anything else is sent as the
// family spells it, with a note.

const NOT_KNOWN = 'not known for this model, sent as given';
const RECENT = 'gateways from before autumn 2026 drop it';
const FIXED = "the model's name seems to fix it, sent all the same";
const RESOLD = 'a reseller of this model may drop it';
const FROM_TEXT = "The image: the model's name says that it renders from text, sent all the same";
const inMetadata = (metadata: object) => ({ metadata });
/** Another model of Jimeng, written by hand. */
const ofJimeng = (Req_Key: string) => ({ metadata: { Req_Key } });

describe('what is known to arrive is sent, without a word', () => {
	it.each<[string, Asked, object]>([
		[
			'wan2.6-i2v-flash',
			{ settings: { generateAudio: false }, pictures: { first: 'f' } },
			inMetadata({ parameters: { audio: false } }),
		],
		[
			'kling-v2-6',
			{ pictures: { first: 'f', last: 'l' }, byHand: { mode: 'pro' } },
			{ image: 'f', mode: 'pro', metadata: { image_tail: 'l' } },
		],
		...(
			[
				['kling-v3.0-std', { resolution: '720p' }],
				['kling-v2.5-turbo-pro', { resolution: '1080P' }],
				['kling-v3-4k', { resolution: '4k' }],
				['minimax_h3-1080p', { resolution: '1080p' }],
				['jimeng_v30_1080p', { resolution: '1080p' }],
				['veo3.1-9x16', { aspectRatio: '9:16' }],
				['veo3.1-landscape', { aspectRatio: '16:9' }],
				['kling-v3-square', { aspectRatio: '1:1' }],
				['viduq1-720p', { resolution: '720p' }],
				['MiniMax-Hailuo-2.3-720p', { resolution: '720P' }],
				['viduq2-12s', { duration: 12 }],
				['veo_3_1_fast_portrait_8s', { aspectRatio: '9:16', duration: 8 }],
			] as Array<[string, Record<string, Value>]>
		).map(([name, settings]): [string, Asked, object] => [name, { settings }, {}]),
	])('%s: %j', (model, asked, sent) => {
		expect(ask(model, asked)).toEqual({ sent: expect.objectContaining(sent) as object, notes: [] });
	});
});

it.each<[string, Asked['byHand']]>([
	['wan2.5-i2v-preview', { metadata: { input: { img_url: 'f' } } }],
	['I2V-01', { metadata: { First_Frame_Image: 'f' } }],
	['jimeng_v30', { ...ofJimeng('jimeng_i2v_first_tail_v30'), image: 'f' }],
	['doubao-seedance-2-5-260628', { metadata: { content: [{ text: 'A boat' }] } }],
])('%s takes a picture that is given by hand: %p', (model, byHand) => {
	expect(ask(model, { byHand }).sent).toEqual(byHand);
});

describe('what is known not to arrive is refused', () => {
	it.each<[string, Asked, RegExp]>([
		[
			'veo-2.0-generate-001',
			{ settings: { generateAudio: true } },
			/Veo 2\.0 models have no field/,
		],
		['doubao-seedance-1-0-pro-250528', { settings: { duration: -1 } }, /2 to 12 for Seedance 1\.0/],
		['doubao-seedance-1-0-lite-i2v', {}, /needs an image/],
		['doubao-seedance-1-0-lite-t2v', { pictures: { first: 'f' } }, /takes no image/],
		[
			'doubao-seedance-2-0-260128',
			{ pictures: { sounds: ['s'] } },
			/before 2.5, only beside a reference image or video/,
		],
		['MiniMax-Hailuo-02', { settings: { resolution: '512p' } }, /only from a first frame alone/],
		[
			'MiniMax-Hailuo-02',
			{ settings: { resolution: '512p' }, pictures: { first: 'f', last: 'l' } },
			/only from a first frame alone/,
		],
		[
			'MiniMax-Hailuo-02',
			{ settings: { duration: 10, resolution: '1080p' } },
			/no 10 seconds in 1080P/,
		],
		['MiniMax-Hailuo-2.3-Fast', {}, /needs an image/],
		['MiniMax-H3', { settings: { aspectRatio: 'adaptive' } }, /only with an image/],
		['MiniMax-H3', { pictures: { sounds: ['s'] } }, /only beside a reference image or video/],
		['kling-3.0-turbo', { pictures: { first: 'f', last: 'l' } }, /takes no last frame/],
		[
			'kling-3.0',
			{ settings: { aspectRatio: '16:9' }, pictures: { first: 'f' } },
			/takes the Aspect Ratio from the image/,
		],
		[
			'viduq3-pro',
			{ settings: { aspectRatio: '9:16' }, pictures: { first: 'f' } },
			/takes the Aspect Ratio from the first frame/,
		],
		[
			'doubao-seedance-1-0-pro-fast-251015',
			{ pictures: { first: 'f', last: 'l' } },
			/no last frame/,
		],
		['kling-v2-6', { settings: { resolution: '1080p' } }, /"mode" to "std" or "pro"/],
		[
			'kwaivgi/kling-v2.6',
			{ pictures: { first: 'f', last: 'l' }, owner: 'kling' },
			/a last frame in the mode "pro" only/,
		],
		[
			'kling-video-v2.6',
			{ settings: { generateAudio: true }, owner: 'kling' },
			/sound in the mode "pro" only/,
		],
		[
			'kling-v1-6',
			{ settings: { generateAudio: true } },
			/^"kling-v1-6" has no.*v2-6, v3 and 3\.0/,
		],
		[
			'bytedance/seedance-1-pro',
			{ settings: { generateAudio: true } },
			/Seedance 1\.0 models have no/,
		],
		[
			'doubao-seedance-1-0-pro-250528',
			{ settings: { aspectRatio: 'adaptive' } },
			/adaptive only with a first frame/,
		],
		[
			'doubao-seedance-1-0-lite-i2v-250428',
			{ settings: { aspectRatio: 'adaptive' }, pictures: { references: ['r'] } },
			/adaptive only with a first frame/,
		],
		[
			'doubao-seedance-1-0-lite-i2v-250428',
			{ settings: { resolution: '1080p' }, pictures: { references: ['r'] } },
			/references in 480p and 720p only/,
		],
		['seedance-1-pro-fast', { pictures: { first: 'f', last: 'l' } }, /takes no last frame/],
		['jimeng-video-3.0', { settings: { resolution: '1080p' } }, /what a reseller has/],
		[
			'jimeng_v30_pro',
			{ settings: { aspectRatio: '16:9' }, pictures: { first: 'f' } },
			/takes the Aspect Ratio from the image/,
		],
		[
			'wan2.6-i2v',
			{ settings: { aspectRatio: '16:9' } },
			/Remove Aspect Ratio, and set First Frame/,
		],
		[
			'wan2.6-i2v',
			{ settings: { generateAudio: false }, pictures: { first: 'f' } },
			/without sound.*wan2\.6-i2v-flash/,
		],
		[
			'kling-v2-5-turbo',
			{ settings: { aspectRatio: '16:9' }, pictures: { first: 'f' } },
			/takes the Aspect Ratio from the image/,
		],
		['kling-v2-5-turbo', { settings: { generateAudio: true } }, /no field for: generateAudio/],
		['kling-v2-6', { settings: { generateAudio: true } }, /bills a silent video\..*"mode": "pro"/],
		['kling-v2-1', {}, /needs an image/],
		[
			'kling-v2-1',
			{ settings: { aspectRatio: '9:16' }, pictures: { first: 'f' } },
			/^"kling-v2-1" has no field for: aspectRatio.*from the first frame/,
		],
		['S2V-01', { settings: { aspectRatio: '9:16' } }, /Remove aspectRatio\./],
		['kling-v2-1-master', { settings: { resolution: '1080p' } }, /in one resolution/],
		['jimeng_i2v_first_v30', {}, /needs an image/],
		[
			'jimeng_i2v_first_v30',
			{ settings: { aspectRatio: '9:16' }, pictures: { first: 'f' } },
			/no field for: aspectRatio.*from the first frame/,
		],
		['jimeng_i2v_first_tail_v30', { pictures: { first: 'f' } }, /needs a last frame/],
		[
			'kling-v2-6',
			{
				...{ settings: { generateAudio: true }, pictures: { first: 'f', last: 'l' } },
				byHand: { mode: 'pro' },
			},
			/no sound between two frames/,
		],
		[
			'kling-v1',
			{ settings: { duration: 10 }, pictures: { first: 'f', last: 'l' } },
			/a last frame with 5 seconds only/,
		],
		['kling-v1-6', { pictures: { first: 'f', last: 'l' } }, /a last frame in the mode "pro" only/],
		['doubao-seedance-1-5-pro-251215', { settings: { duration: 3 } }, /4 to 12, or -1/],
		['viduq3-mix', {}, /needs a reference,/],
		[
			'grok-imagine-video',
			{ settings: { duration: 11 }, pictures: { references: ['r'] } },
			/at most 10 seconds from references/,
		],
		['viduq1', { settings: { resolution: '720p' } }, /1080p for Vidu Q1/],
		['vidu2.0', {}, /needs an image/],
		['vidu2.0', { settings: { duration: 8 }, pictures: { first: 'f' } }, /8 seconds in 720p only/],
		['wan2.7-r2v', { pictures: { first: 'f' } }, /needs a reference, which First Frame is not/],
		[
			'wan2.7-r2v',
			{ settings: { aspectRatio: '9:16' }, pictures: { first: 'f', references: ['r'] } },
			/shape comes from the first frame/,
		],
		[
			'wan2.7-r2v',
			{ settings: { duration: 12 }, pictures: { videos: ['v'] } },
			/at most 10 seconds from a reference video/,
		],
		...['wan2.7-r2v', 'wan2.6-r2v'].map((name): [string, Asked, RegExp] => {
			const [references, videos] = [
				['a', 'b', 'c'],
				['d', 'e', 'f'],
			];
			const pictures = { references, videos, inOrder: [...references, ...videos] };
			return [name, { pictures }, /at most 5 reference images and videos in all/];
		}),
		[
			'seedance-2.5',
			{ settings: { aspectRatio: '9:16' }, pictures: { first: 'f' } },
			/2\.5 takes the Aspect Ratio from the first frame/,
		],
		[
			'doubao-seedance-2-5-260628',
			{ settings: { aspectRatio: '16:9' }, pictures: { first: 'f', last: 'l' } },
			/2\.5 takes the Aspect Ratio from the first frame/,
		],
		[
			'wan2.5-i2v-preview',
			{ byHand: { images: [], metadata: { input: { img_url: ' ' } } } },
			/needs an image/,
		],
		[
			'MiniMax-Hailuo-2.3',
			{ pictures: { first: 'f', last: 'l' } },
			/takes no last frame.*MiniMax-Hailuo-02/,
		],
		['I2V-01', { pictures: { first: 'f', references: ['r'] } }, /takes no references.*S2V-01/],
		['I2V-01', { byHand: { image: 'f' } }, /needs an image/],
		[
			'jimeng_v30',
			{ pictures: { first: 'f' }, byHand: { ...ofJimeng('jimeng_t2v_v30') } },
			/t2v.* takes no image/,
		],
		[
			'jimeng_v30',
			{
				pictures: { first: 'f', last: 'l' },
				byHand: { ...ofJimeng('jimeng_i2v_first_v30') },
			},
			/takes no last frame/,
		],
		['veo-3.1-generate-001', { byHand: { images: ['HTTP://x.example'] } }, /opens no web/],
		[
			'doubao-seedance-2-5-260628',
			{ byHand: { metadata: { content: [{ text: 'Another' }] } } },
			/replaced by Prompt/,
		],
		[
			'veo-3.1-generate-001',
			{ settings: { duration: 5, seed: -1, resolution: '480p' } },
			/^duration must be .* for Veo 3.1; seed must be from 0 to 4294967295 for Veo models; resolution must be .*duration is "5"\. .*resolution is "480p"/,
		],
		[
			'house-model',
			{ settings: { seed: 1 } },
			/^"house-model" is of no family .*: set Model Family in Options to send seed\./,
		],
		['wan2.7-videoedit', {}, /takes its files from metadata\.input/],
		['wanx2.1-vace-plus', { pictures: { first: 'f' } }, /takes its files from metadata\.input/],
		['wan2.9-t2v', { settings: { aspectRatio: '21:9' } }, /16:9, 9:16, 1:1, 4:3, 3:4 for Wan/],
		['jimeng_v40', { settings: { duration: 8 } }, /5, 10 for Jimeng/],
		['jimeng_vgfm_t2v_l20', { pictures: { first: 'a' } }, /choose jimeng_vgfm_i2v_l20 by metadata/],
		['kling-v1-5', { pictures: { first: 'a', last: 'b' } }, /mode "pro" only/],
		[
			'wan2.2-t2v-plus',
			{ settings: { resolution: '480p', aspectRatio: '4:3' } },
			/must be 1080P where/,
		],
		['grok-imagine-video', { pictures: { first: 'f', last: 'l' } }, /takes no last frame/],
		['grok-imagine-video-1.5-lite', { pictures: { last: 'l' } }, /takes no last frame/],
		['grok-imagine-video', { settings: { seed: 1, negativePrompt: 'x' } }, /seed.*negativePrompt/],
		[
			'grok-imagine-video-1.5',
			{ settings: { resolution: '1080p' }, pictures: { references: ['r', 's'] } },
			/480p and 720p only/,
		],
		[
			'wan2.2-kf2v-flash',
			{
				pictures: { first: 'f', last: 'l' },
				byHand: { metadata: { input: { template: 'hanfu-1' } } },
			},
			/template would drop the last frame/,
		],
		[
			'wan3.0-video',
			{ pictures: { references: ['r'] }, byHand: { metadata: { input: { audio_url: 's' } } } },
			/audio_url would be dropped/,
		],
		['wan2.6-r2v', { pictures: { first: 'f' } }, /needs a reference, which First Frame is not/],
		['wan2.6-r2v', { settings: { duration: 11 } }, /from 2 to 10 for Wan 2.6 r2v/],
		['jimeng_i2v_recamera_v30', { pictures: { first: 'f' } }, /passes no camera move/],
		['jimeng_i2v_recamera_v30', { pictures: { first: 'f', last: 'l' } }, /takes no last frame/],
		[
			'kling-2.6',
			{ settings: { generateAudio: true }, owner: 'kling' },
			/sound in the mode "pro" only/,
		],
		['viduq3', { settings: { aspectRatio: '21:9' } }, /16:9, 9:16, 4:3, 3:4, 1:1 for Vidu Q3/],
		['wan-2.6-text-to-video', { pictures: { first: 'f' } }, /takes no image.*an i2v model/],
		['alibaba/wan-2.5/image-to-video', {}, /needs an image.*a t2v model/],
		...[
			...['wan-2.7-reference-to-video', 'alibaba/wan-3.0/reference-to-video', 'vidu-q3-r2v'],
			...['minimax/h3/reference-to-video', 'grok-imagine-video-1-5-reference-to-video'],
		].map((name): [string, Asked, RegExp] => [
			name,
			{ pictures: { first: 'f' } },
			/needs a reference, which First Frame is not/,
		]),
		['minimax/hailuo-2.3/t2v-standard', { pictures: { first: 'f' } }, /takes no image/],
		['hailuo-h3-t2v', { pictures: { first: 'f' } }, /takes no image/],
		// An image, which is the advice for others, is refused, too.
		[
			'hailuo/02-text-to-video-pro',
			{ settings: { aspectRatio: '9:16' } },
			/^Hailuo 02 models have no field for: aspectRatio\. Remove aspectRatio\./,
		],
	])('%s: %j', (model, asked, refusal) => {
		expect(ask(model, asked).refused).toMatch(refusal);
		expect(ask(model, asked).refused).toContain('Nothing was submitted.');
	});
});

describe('what is not known is sent as the family spells it, with a note', () => {
	it.each<[string, Record<string, Value>, object]>([
		['veo-4.0-generate', { duration: 12 }, { duration: 12, metadata: { durationSeconds: 12 } }],
		['veo-4.0-generate', { resolution: '8K' }, inMetadata({ resolution: '8k' })],
		['doubao-seedance-99-0', { aspectRatio: '2:1' }, inMetadata({ ratio: '2:1' })],
		['MiniMax-Hailuo-03', { resolution: '1440p' }, { size: '1440P' }],
		['MiniMax-H3-Max', { resolution: '480p' }, { size: '480P' }],
		['kling-4.0', { resolution: '8k' }, inMetadata({ resolution: '8k' })],
		['kling-v4', { resolution: '1080p' }, inMetadata({ resolution: '1080p' })],
		['kling-v4-0', { duration: 30, aspectRatio: '21:9' }, { duration: 30, seconds: '30' }],
		['kling-video-v2.6', { resolution: '1080p' }, inMetadata({ resolution: '1080p' })],
		['kling-v4', { generateAudio: true }, inMetadata({ audio: 'native' })],
		['kling-video-v3-omni', { resolution: '720p' }, inMetadata({ resolution: '720p' })],
		['kling-3.0-omni', { resolution: '1080p' }, inMetadata({ resolution: '1080p' })],
		['jimeng_v40', { duration: 10 }, { duration: 10 }],
		['wan2.9-t2v', { resolution: '720p' }, { size: '1280*720' }],
	])('%s: %j', (model, settings, sent) => {
		expect(ask(model, { settings })).toEqual({
			sent: expect.objectContaining(sent) as object,
			notes: Object.keys(settings).map((name) => `${name}: ${NOT_KNOWN}`),
		});
	});

	it.each([0, -1, 3_601])('but no length that gateways drop: %p', (duration) => {
		for (const model of ['veo-4.0', 'house-model']) {
			expect(ask(model, { settings: { duration } }).refused).toMatch(/from 1 to 3600/);
		}
	});

	it('so are a last frame and reference images', () => {
		expect(ask('viduq4', { pictures: { references: ['r'] } })).toMatchObject({
			notes: [`Images: ${NOT_KNOWN}`],
		});
		expect(ask('kling-5.0', { pictures: { first: 'f', last: 'l' } })).toMatchObject({
			notes: [`First Frame and Images: ${NOT_KNOWN}`],
		});
		expect(ask('kling-5.0', { pictures: { first: 'f' } })).toMatchObject({
			notes: [`The image: ${NOT_KNOWN}`],
		});
	});
});

it.each<[string, Asked, object, string[]]>([
	[
		'wan2.5-t2v-preview',
		{ settings: { generateAudio: false } },
		inMetadata({ parameters: { audio: false } }),
		[`generateAudio: ${NOT_KNOWN}`],
	],
	[
		'wan2.7-r2v',
		{ pictures: { references: ['r'], videos: ['v'] } },
		inMetadata({
			input: {
				media: [
					{ type: 'reference_image', url: 'r' },
					{ type: 'reference_video', url: 'v' },
				],
			},
		}),
		[`Images: ${RECENT}`],
	],
	[
		'viduq3-mix',
		{ settings: { duration: 2, resolution: '540p' }, pictures: { references: ['r'] } },
		{ size: '540p', duration: 2 },
		[
			'Not all pages and gateways know 540p for this model',
			'Not all pages know less than 3 seconds for Vidu Q3 and Q3 Mix',
		],
	],
	[
		'wan2.2-kf2v-flash',
		{ pictures: { first: 'f' }, byHand: { metadata: { input: { template: 'hanfu-1' } } } },
		{ metadata: { input: { template: 'hanfu-1', first_frame_url: 'f' } } },
		[expect.stringMatching(/^Gateways from before autumn 2026 ask for kf2v/)],
	],
	[
		'kling-v3-omni',
		{ settings: { resolution: '1080p' } },
		inMetadata({ resolution: '1080p' }),
		[`resolution: ${NOT_KNOWN}`],
	],
	[
		'viduq2',
		{ pictures: { first: 'f' } },
		{},
		['Not all pages know frames for Vidu Q2; viduq2-pro and viduq2-turbo take them'],
	],
	['viduq4', { settings: { seed: 1 } }, inMetadata({ seed: 1 }), [`seed: ${NOT_KNOWN}`]],
	[
		'veo_3_1-fast-4K',
		{ settings: { resolution: '1080p' } },
		inMetadata({ resolution: '1080p' }),
		[`resolution: ${FIXED}`],
	],
	[
		'minimax_h3-1080p',
		{ settings: { resolution: '2k', duration: 5 } },
		{ duration: 5, size: '2K', metadata: { resolution: '2K' } },
		[`resolution: ${FIXED}`],
	],
	...['kling-v3.0-std', 'kling/v2-1-standard', 'kling-v2.5-turbo-std', 'kling-v2-6-720p'].map(
		(name): [string, Asked, object, string[]] => [
			name,
			{ settings: { resolution: '1080p' } },
			inMetadata({ resolution: '1080p' }),
			[`resolution: ${FIXED}`],
		],
	),
	[
		'jimeng_v30_720p',
		{ settings: { resolution: '1080p' } },
		inMetadata({ resolution: '1080p' }),
		[`resolution: ${FIXED}`],
	],
	[
		'veo_3_1_fast_portrait_8s',
		{ settings: { aspectRatio: '16:9', duration: 4 } },
		{ duration: 4 },
		[`aspectRatio: ${FIXED}`, `duration: ${FIXED}`],
	],
	[
		'veo_3_1-fast-fl',
		{ pictures: { first: 'f', last: 'l' } },
		{ images: ['f', 'l'] },
		[
			"The image: the model's name asks for frames, sent as given; a gateway may take the first alone",
		],
	],
	[
		'veo_3_1_i2v_s_fast_portrait_fl',
		{ pictures: { first: 'f' } },
		{ image: 'f' },
		["The image: the model's name asks for frames, sent as given"],
	],
	[
		'veo_3_1_interpolation_lite_portrait',
		{ pictures: { first: 'f', last: 'l' } },
		{ images: ['f', 'l'] },
		[expect.stringMatching(/name asks for frames.*may take the first alone/)],
	],
	[
		'veo_3_1_r2v_fast_portrait',
		{ pictures: { references: ['r', 's'] } },
		{ images: ['r', 's'] },
		[expect.stringMatching(/name asks for references.*may take the first alone/)],
	],
	['veo3.1-fast-fl', { pictures: { first: 'f' }, owner: 'google gemini' }, { image: 'f' }, []],
	[
		'kling-v2-6-pro',
		{ settings: { generateAudio: true }, owner: 'kling' },
		inMetadata({ sound: 'on' }),
		[`generateAudio: ${RECENT}`, expect.stringMatching(/asks Kling for std/)],
	],
	[
		'kling-v2.5-turbo-pro',
		{ pictures: { first: 'f', last: 'l' }, owner: 'kling' },
		inMetadata({ image_tail: 'l' }),
		[expect.stringMatching(/asks Kling for std/)],
	],
	[
		'kling-v2.5-turbo-pro',
		{ pictures: { first: 'f', last: 'l' } },
		inMetadata({ image_tail: 'l' }),
		[`First Frame and Images: ${RESOLD}`],
	],
	[
		'kling-26-pro',
		{ settings: { generateAudio: true } },
		inMetadata({ sound: 'on' }),
		[`generateAudio: ${RESOLD}`],
	],
	['kling-video-v2.6', { settings: { duration: 5 } }, { duration: 5 }, []],
	['wan-2-9-t2v', { settings: { aspectRatio: '16:9' } }, {}, [`aspectRatio: ${NOT_KNOWN}`]],
	[
		'veo3.1-9x16',
		{ settings: { aspectRatio: '16:9' } },
		inMetadata({ aspectRatio: '16:9' }),
		[`aspectRatio: ${FIXED}`],
	],
	[
		'doubao-seedance-1-0-pro-250528',
		{
			settings: { aspectRatio: 'adaptive' },
			byHand: { metadata: { content: [{ type: 'image_url', image_url: { url: 'f' } }] } },
		},
		{},
		[],
	],
	[
		'doubao-seedance-1-0-lite-i2v-250428',
		{ settings: { resolution: '1080p', aspectRatio: 'adaptive' }, pictures: { first: 'f' } },
		{ image: 'f' },
		[],
	],
	...['veo3.1-components', 'fal-ai/veo3.1/reference-to-video'].map(
		(model): [string, Asked, object, string[]] => [
			model,
			{ pictures: { references: ['r'] } },
			{ images: ['r'] },
			[
				"The image: the model's name asks for references, sent as given; a gateway may take the first alone",
			],
		],
	),
	...['fal-ai/veo3.1/fast/first-last-frame-to-video', 'google/veo3.1-lite/start-end-to-video'].map(
		(model): [string, Asked, object, string[]] => [
			model,
			{ pictures: { first: 'f', last: 'l' } },
			{ images: ['f', 'l'] },
			[
				"The image: the model's name asks for frames, sent as given; a gateway may take the first alone",
			],
		],
	),
	[
		'kling-v2-6',
		{ settings: { generateAudio: true }, owner: 'kling', byHand: { mode: 'pro' } },
		inMetadata({ sound: 'on' }),
		[`generateAudio: ${RECENT}`],
	],
	[
		'kling-v3-turbo',
		{ settings: { resolution: '1080p' } },
		inMetadata({ resolution: '1080p' }),
		[`resolution: ${RESOLD}`],
	],
	[
		'viduq2-pro',
		{ pictures: { references: ['r'] } },
		inMetadata({ action: 'referenceGenerate' }),
		['Gateways from before autumn 2026 render references with Vidu Q2 instead of this model'],
	],
	[
		'viduq2-pro',
		{ pictures: { videos: ['v'] } },
		{ metadata: { action: 'referenceGenerate', videos: ['v'] } },
		[
			'Gateways from before autumn 2026 render references with Vidu Q2 instead of this model',
			'Gateways from before autumn 2026 drop reference videos of Vidu',
		],
	],
	[
		'viduq3-pro',
		{ settings: { resolution: '540p' } },
		{ size: '540p' },
		['Not all pages and gateways know 540p for this model'],
	],
	[
		'doubao-seedance-2-5-260628',
		{ settings: { resolution: '4k' } },
		inMetadata({ resolution: '4k' }),
		['Not all pages and gateways know 4k for Seedance 2.5'],
	],
	[
		'wan2.6-t2v',
		{ byHand: { metadata: { parameters: { shot_type: 'multi' } } } },
		inMetadata({ parameters: { shot_type: 'multi' } }),
		[`metadata.parameters.shot_type: ${RECENT}`],
	],
	[
		'wan2.6-t2v',
		{ byHand: { metadata: { parameters: { shot_type: 'multi' } } }, owner: 'openai' },
		inMetadata({ parameters: { shot_type: 'multi' } }),
		[],
	],
	[
		'wan3.0-video',
		{ settings: { negativePrompt: 'x' } },
		inMetadata({ input: { negative_prompt: 'x' } }),
		[`negativePrompt: ${NOT_KNOWN}`],
	],
	[
		'viduq2-turbo',
		{ pictures: { references: ['r'] } },
		{ images: ['r'] },
		[
			`Images: ${NOT_KNOWN}`,
			'Gateways from before autumn 2026 render references with Vidu Q2 instead of this model',
		],
	],
	[
		'viduq2-pro',
		{ settings: { generateAudio: true }, pictures: { first: 'f' } },
		inMetadata({ audio: true }),
		[`generateAudio: ${RECENT}`],
	],
	[
		'viduq2',
		{ settings: { generateAudio: true, resolution: '360p' } },
		{ size: '360p', metadata: { audio: true } },
		[
			`generateAudio: ${RECENT}`,
			'Vidu documents sound for Q2 with a first frame alone',
			'Not all pages and gateways know 360p for this model',
		],
	],
	[
		'viduq2-pro',
		{ settings: { duration: 10 }, pictures: { first: 'f', last: 'l' } },
		{ duration: 10, images: ['f', 'l'] },
		['Not all pages know more than 8 seconds between two frames for Vidu Q2'],
	],
	[
		'vidu2.0',
		{ settings: { duration: 4, resolution: '1080p' }, pictures: { references: ['r'] } },
		{ images: ['r'] },
		['Vidu documents 4 seconds in 360p or 720p for references with Vidu 2.0'],
	],
	[
		'wan2.6-r2v-flash',
		{
			settings: { aspectRatio: '9:16' },
			pictures: { references: ['r'], videos: ['v'], inOrder: ['v', 'r'] },
		},
		{ size: '1080*1920', metadata: { input: { reference_urls: ['v', 'r'] } } },
		[`Images: ${RECENT}`],
	],
	[
		'viduq2-pro',
		{ settings: { generateAudio: true }, pictures: { first: 'f', last: 'l' } },
		inMetadata({ audio: true }),
		[`generateAudio: ${RECENT}`, 'Vidu documents sound for Q2 with a first frame alone'],
	],
	[
		'viduq3',
		{ settings: { aspectRatio: 'auto' }, pictures: { references: ['r'] } },
		{ images: ['r'], metadata: { action: 'referenceGenerate', aspect_ratio: 'auto' } },
		[`aspectRatio: ${NOT_KNOWN}`],
	],
	[
		'vidu/q3-pro',
		{ settings: { generateAudio: true } },
		inMetadata({ audio: true }),
		['generateAudio: a reseller of this model may drop it'],
	],
	[
		'minimax/hailuo-3-max',
		{ settings: { duration: 4 }, owner: 'minimax' },
		{ duration: 4 },
		[`duration: ${NOT_KNOWN}`],
	],
	[
		'grok-imagine-video-1.5',
		{
			pictures: { references: ['r'] },
			byHand: { metadata: { reference_audios: [{ voice_id: 'eve' }] } },
		},
		inMetadata({ reference_images: ['r'], reference_audios: [{ voice_id: 'eve' }] }),
		[],
	],
	[
		'MiniMax-H3',
		{ pictures: { references: ['r'] }, byHand: { metadata: { reference_audio: 's' } } },
		inMetadata({ reference_audio: 's' }),
		['Images: Additional Fields (JSON) replaces them'],
	],
	[
		'viduq3',
		{ pictures: { first: 'f' } },
		{ image: 'f' },
		[expect.stringMatching(/viduq3 without references/)],
	],
	[
		'viduq2-turbo',
		{ settings: { resolution: '720p' } },
		{ size: '720p' },
		['Vidu documents viduq2 for videos from text, and this model for images'],
	],
	[
		'pixverse/pixverse-v6-it2v',
		{ pictures: { first: 'f' }, owner: 'ali' },
		{ input_reference: 'f' },
		[`The image: ${NOT_KNOWN}`],
	],
	['vidu-q2-text-to-video', { settings: { duration: 5 } }, { duration: 5 }, []],
	['vidu-q3-pro-t2v', { pictures: { first: 'f' } }, { image: 'f' }, [FROM_TEXT]],
	['wan2.7-t2v', { byHand: { input_reference: 'h' } }, { input_reference: 'h' }, [FROM_TEXT]],
	[
		'jimeng_vgfm_t2v_l20',
		{ pictures: { first: 'f' }, byHand: ofJimeng('jimeng_vgfm_i2v_l20') },
		{ image: 'f' },
		[],
	],
	[
		'Wan-AI/Wan2.2-TI2V-5B',
		{ settings: { duration: 5 } },
		{ duration: 5 },
		[`duration: ${NOT_KNOWN}`],
	],
	[
		'alibaba/wan-3.0/text-to-video',
		{ settings: { aspectRatio: '9:16', resolution: '720p' } },
		{ size: '720P', metadata: { parameters: { ratio: '9:16' } } },
		[`aspectRatio: ${RESOLD}`, `resolution: ${RESOLD}`],
	],
	[
		'alibaba/wan-2.5/text-to-video',
		{ settings: { aspectRatio: '9:16', resolution: '480p' } },
		{ size: '480*832' },
		[`aspectRatio: ${RESOLD}`, `resolution: ${RESOLD}`],
	],
	[
		'hailuo-h3-multi',
		{ settings: { aspectRatio: '9:16' } },
		inMetadata({ ratio: '9:16' }),
		[`aspectRatio: ${RESOLD}`],
	],
	[
		'vidu/text-to-video-q3-pro',
		{ settings: { generateAudio: true } },
		inMetadata({ audio: true }),
		[`generateAudio: ${RESOLD}`],
	],
	['vidu1.5', {}, {}, [expect.stringMatching(/5 seconds, and Vidu 1.5 and 2.0 render 4 or 8/)]],
	['viduq3-pro', { pictures: { references: ['r'] } }, { images: ['r'] }, [`Images: ${NOT_KNOWN}`]],
	[
		'grok-imagine-video-1.5',
		{ settings: { duration: 15 }, pictures: { first: 'f', last: 'l', references: ['r'] } },
		{ image: 'f', metadata: { last_frame: 'l', reference_images: ['r'] } },
		[],
	],
	[
		'grok-imagine-video-1.5',
		{ settings: { resolution: '1080p', aspectRatio: '21:9' }, pictures: { last: 'l' } },
		inMetadata({ resolution: '1080p', aspect_ratio: '21:9', last_frame: 'l' }),
		[
			'The first gateways with Grok Imagine refuse the Aspect Ratios 21:9 and 5:2, which xAI documents',
			'Not all pages know 1080p with a last frame for Grok Imagine 1.5',
		],
	],
	[
		'grok-imagine-video-1.5',
		{ settings: { resolution: '1080p' }, pictures: { first: 'f' } },
		{},
		[],
	],
	['MiniMax-Hailuo-02', { pictures: { last: 'l' } }, inMetadata({ last_frame_image: 'l' }), []],
	[
		'MiniMax-H3',
		{ settings: { aspectRatio: 'adaptive' }, pictures: { last: 'l' } },
		inMetadata({ last_frame_image: 'l', ratio: 'adaptive' }),
		[
			`Images: ${RECENT}`,
			`aspectRatio: ${RECENT}`,
			'Not all pages know a last frame without a first one for MiniMax H3',
		],
	],
	[
		'MiniMax-H3',
		{ settings: { aspectRatio: '9:16' }, pictures: { first: 'f' }, owner: 'minimax' },
		inMetadata({ first_frame_image: 'f', ratio: '9:16' }),
		[
			`The image: ${RECENT}`,
			`aspectRatio: ${RECENT}`,
			'MiniMax H3 may take the shape from the first frame, whatever Aspect Ratio says',
		],
	],
	[
		'wan3.0-video',
		{ settings: { aspectRatio: '9:16' }, pictures: { first: 'f' } },
		{ input_reference: 'f', metadata: { parameters: { ratio: '9:16' } } },
		[
			`The image: ${RECENT}`,
			`aspectRatio: ${RECENT}`,
			'Aspect Ratio beside a first frame is not known for Wan 3.0',
		],
	],
	[
		'kling-v3',
		{ pictures: { first: 'f', last: 'l' } },
		inMetadata({ image_tail: 'l' }),
		[`Images: ${NOT_KNOWN}`],
	],
	[
		'jimeng_v30_pro',
		{ pictures: { first: 'f', last: 'l' } },
		{ images: ['f', 'l'] },
		[`Images: ${NOT_KNOWN}`],
	],
	[
		'kling-v2-master',
		{ pictures: { first: 'f', last: 'l' } },
		inMetadata({ image_tail: 'l' }),
		[`Images: ${NOT_KNOWN}`],
	],
	[
		'veo-3.1-generate-001',
		{ settings: { duration: 4, generateAudio: false, resolution: '1080p' } },
		{ duration: 4 },
		[
			"Google's Gemini API takes 1080p and 4k with 8 seconds only",
			"Google's Gemini API has no Generate Audio: Veo 3 always renders sound there",
		],
	],
	[
		'veo-3.1-generate-001',
		{ settings: { duration: 4, generateAudio: false, resolution: '1080p' }, owner: 'vertex-ai' },
		{ duration: 4 },
		[],
	],
	[
		'grok-imagine-video-1.5',
		{ settings: { aspectRatio: '9:16' }, pictures: { first: 'f', sounds: ['s'] } },
		{ image: 'f', metadata: { aspect_ratio: '9:16', reference_audios: [{ url: 's' }] } },
		[
			'Grok Imagine may take the shape from the first frame, whatever Aspect Ratio says',
			expect.stringMatching(/preset voices.*may not take sounds by address/),
		],
	],
	[
		'wan2.7-r2v',
		{ pictures: { first: 'f', references: ['r'] } },
		inMetadata({
			input: {
				media: [
					{ type: 'first_frame', url: 'f' },
					{ type: 'reference_image', url: 'r' },
				],
			},
		}),
		[`Images: ${RECENT}`],
	],
	[
		'doubao-seedance-1-5-pro-251215',
		{ settings: { duration: -1 }, owner: 'openai' },
		inMetadata({ duration: -1 }),
		[`duration: ${RESOLD}`],
	],
	['veo-3.1-lite-generate-preview', { settings: { resolution: '1080p' } }, {}, []],
	[
		'klingai/kling-v3.0-i2v',
		{ settings: { aspectRatio: '9:16' }, pictures: { first: 'f' } },
		{ image: 'f', metadata: { aspect_ratio: '9:16' } },
		['Kling takes the Aspect Ratio from the image, and a reseller may drop this one'],
	],
])('%s: %j is sent, and the person is told', (model, asked, sent, notes) => {
	expect(ask(model, asked)).toEqual({ sent: expect.objectContaining(sent) as object, notes });
});

describe("a reseller's name of a known version", () => {
	it.each<[string, Asked]>([
		['veo3', { settings: { resolution: '1080P' } }],
		['seedance_v2.5', { settings: { aspectRatio: '9:16' } }],
		['doubao-seedance-2-0', { settings: { resolution: '4k' } }],
		['veo-3.1-generate-001', { settings: { seed: 1 }, owner: 'openai' }],
		['kling-3.0', { settings: { generateAudio: true }, owner: 'sora' }],
		['kling-v2-6', { settings: { generateAudio: true }, owner: 'openai' }],
		['wan-2.6-text-to-video', { settings: { generateAudio: false } }],
	])('%s is told that a reseller may drop what its vendor takes: %j', (model, asked) => {
		const [name] = Object.keys(asked.settings!);
		expect(ask(model, asked)).toMatchObject({ notes: [`${name}: ${RESOLD}`] });
	});

	it.each<[string, Asked]>([
		['veo3', { settings: { resolution: '1080p' }, owner: 'vertex-ai' }],
		['doubao-seedance-2-0', { settings: { resolution: '4k' }, owner: 'DoubaoVideo' }],
		['seedance_v2.5', { settings: { duration: 30 } }],
		['veo3', { settings: { duration: 8 }, pictures: { first: 'f' } }],
		['kling-3.0', { settings: { duration: 8 }, owner: 'openai' }],
		['grok-imagine-video', { settings: { duration: 8 }, owner: 'openai' }],
		['wan3.0-video-720p', { settings: { duration: 8 }, pictures: { first: 'f' }, owner: 'openai' }],
	])(
		"%s is told nothing on its vendor's channel, and of what OpenAI's form has: %j",
		(model, asked) => {
			expect(ask(model, asked)).toMatchObject({ notes: [] });
			const { duration } = asked.settings!;
			if (duration) expect(ask(model, asked)).toMatchObject({ sent: { seconds: `${duration}` } });
		},
	);

	it.each<[string, Asked, string | undefined]>([
		['veo3.1-fast', { settings: { aspectRatio: '9:16', resolution: '720P' } }, '720x1280'],
		['veo3.1-fast', { settings: { aspectRatio: '16:9' } }, '1280x720'],
		['kling-2.6', { settings: { aspectRatio: '16:9' } }, '1280x720'],
		['kling-v2-6', { settings: { aspectRatio: '16:9' } }, undefined],
		[
			'grok-imagine-video',
			{ settings: { aspectRatio: '9:16', resolution: '720p' }, owner: 'openai' },
			'720x1280',
		],
		// Its default is 480p.
		['grok-imagine-video', { settings: { aspectRatio: '9:16' }, owner: 'openai' }, undefined],
		['grok-imagine-video', { settings: { aspectRatio: '9:16', resolution: '720p' } }, undefined],
		['veo3.1-fast', { settings: { aspectRatio: '9:16' }, owner: 'google gemini' }, undefined],
		['veo3.1-fast', { settings: { aspectRatio: '9:16', resolution: '1080p' } }, undefined],
		[
			'veo3.1-fast',
			{ settings: { aspectRatio: '9:16' }, byHand: { metadata: { resolution: '4k' } } },
			undefined,
		],
		['veo_3_1-fast-4K', { settings: { aspectRatio: '9:16' } }, undefined],
		['veo_3_1-fast-4K', { settings: { aspectRatio: '9:16', resolution: '720p' } }, undefined],
		['kling-v3.0-std', { settings: { aspectRatio: '9:16' } }, '720x1280'],
		['kling-v3.0-std', { settings: { aspectRatio: '9:16', resolution: '1080p' } }, undefined],
		['kling-v3.0-pro', { settings: { aspectRatio: '9:16' } }, undefined],
		['seedance_v2.5', { settings: { aspectRatio: '9:16', resolution: '720p' } }, undefined],
	])(
		"%s has its shape also where OpenAI's form has it, if all read the same: %j",
		(model, asked, size) => {
			const { sent, notes } = ask(model, asked);
			expect(sent?.size).toBe(size);
			if (size) expect(notes).toEqual([]);
		},
	);

	it.each<[string, Record<string, Value>, object]>([
		['MiniMax-Hailuo-02', { resolution: '1080p' }, { resolution: '1080P' }],
		['viduq3-turbo', { resolution: '720p' }, { resolution: '720p' }],
		['wan2.6-i2v', { resolution: '720p' }, { parameters: { resolution: '720P' } }],
		[
			'wan2.6-t2v',
			{ aspectRatio: '9:16', resolution: '720p' },
			{ parameters: { size: '720*1280' } },
		],
		[
			'wan2.7-t2v',
			{ aspectRatio: '16:9', resolution: '720p' },
			{ parameters: { size: '1280*720', ratio: '16:9', resolution: '720P' } },
		],
	])(
		"%s has no size at a channel of OpenAI's kind, which refuses all but four in pixels: %j",
		(model, settings, metadata) => {
			const pictures = /i2v/.test(model) ? { first: 'f' } : {};
			const { sent } = ask(model, { settings, pictures, owner: 'openai' });
			expect(sent).toMatchObject({ metadata });
			expect(sent).not.toHaveProperty('size');
			const byHand = { size: '1280x720' };
			const asked = { settings, pictures, byHand, owner: 'openai' };
			expect(ask(model, asked).sent).toMatchObject(byHand);
			expect(ask(model, asked).sent).not.toHaveProperty('metadata');
		},
	);

	it('takes also what its table does not have', () => {
		const jimeng = { settings: { duration: 15 }, owner: 'sora' };
		for (const model of ['jimeng_v30', 'jimeng_v40']) {
			expect(ask(model, jimeng)).toEqual({
				sent: { duration: 15, seconds: '15' },
				notes: [`duration: ${NOT_KNOWN}`],
			});
		}
		for (const [name, value] of Object.entries({
			resolution: '4K',
			duration: 5,
			aspectRatio: '1:1',
		})) {
			expect(ask('veo3', { settings: { [name]: value } })).toMatchObject({
				notes: [`${name}: ${NOT_KNOWN}`],
			});
		}
		expect(ask('seedance-2.0', { settings: { duration: 20 } })).toMatchObject({
			sent: { duration: 20 },
			notes: [`duration: ${NOT_KNOWN}`],
		});
		expect(ask('veo-3.1-generate-001', { settings: { duration: 5 }, owner: 'sora' })).toMatchObject(
			{
				notes: [`duration: ${NOT_KNOWN}`],
			},
		);
		expect(ask('seedance-2.0', { settings: { duration: 0 } }).refused).toMatch(/from 4 to 15/);
	});

	it('has its picture also where OpenAI reads one', () => {
		const both = { image: 'f', input_reference: 'f' };
		const names = ['veo3.1-fast', 'seedance-2.0', 'wan3.0-video-720p', 'grok-video-3'];
		for (const model of [...names, 'doubao-seedance-2-0']) {
			expect(ask(model, { pictures: { first: 'f' } }).sent).toEqual(both);
		}
		expect(ask('viduq3', { pictures: { first: 'f' }, owner: 'openai' }).sent).toEqual(both);
		expect(ask('viduq3', { pictures: { first: 'f' } }).sent).toEqual({ image: 'f' });
		const route = 'openAiVideos';
		expect(ask('veo3.1-fast', { pictures: { first: 'f' }, route }).sent).toEqual({
			...both,
			images: ['f'],
		});
	});
});

it.each<[string, Asked, object]>([
	['kling/v3-omni', { settings: { aspectRatio: '9:16' } }, inMetadata({ aspect_ratio: '9:16' })],
	[
		'kling/kling-v3-video-generation',
		{ settings: { aspectRatio: '16:9', duration: 5 } },
		{ duration: 5, seconds: '5', metadata: { aspect_ratio: '16:9' } },
	],
	['kling-v2-1', { pictures: { first: 'f' } }, { image: 'f', input_reference: 'f' }],
	['vidu/viduq3-pro_img2video', { settings: { seed: 7 } }, inMetadata({ seed: 7 })],
])("%s at Alibaba's channel is sent as its family, with hints: %j", (model, asked, sent) => {
	const parts = asked.pictures ? ['The image'] : Object.keys(asked.settings!);
	const told = ask(model, { ...asked, owner: 'ali' });
	expect(told.sent).toEqual(sent);
	expect(told.notes).toEqual(expect.arrayContaining(parts.map((part) => `${part}: ${NOT_KNOWN}`)));
});

describe('by /v1/videos', () => {
	const route = 'openAiVideos';

	it.each([
		...['veo-3.1-generate-001', 'doubao-seedance-2-0-260128', 'viduq3', 'jimeng_v30'],
		'grok-imagine-video',
	])('%s has its picture in the list, which alone plugins read there', (model) => {
		expect(ask(model, { pictures: { first: 'f' }, route }).sent).toEqual({ images: ['f'] });
	});

	it('Kling says what the first plugins drop', () => {
		const told = [expect.stringMatching(/drop all but the Duration of Kling/) as string];
		expect(ask('kling-v1-6', { pictures: { first: 'f' }, route })).toMatchObject({ notes: told });
		const byHand = { mode: 'pro' };
		expect(ask('kling-v1-6', { byHand, route })).toMatchObject({ notes: told });
		expect(ask('kling-v1-6', { settings: { duration: 5 }, route })).toMatchObject({ notes: [] });
		expect(ask('kling-3.0', { pictures: { first: 'f' }, route })).toMatchObject({ notes: [] });
		const notes = [`The image: ${NOT_KNOWN}`];
		expect(ask('kling-video-o1', { pictures: { first: 'f' }, route })).toMatchObject({ notes });
	});

	it.each<[string, Record<string, unknown>, boolean]>([
		['kling-3.0', {}, true],
		['kling-3.0', { image: 'f' }, false],
		['kling-v1-6', {}, false],
		['viduq3', {}, true],
		['viduq3', { image: 'f' }, false],
		['viduq3', { images: ['f', 'l'] }, true],
		['viduq3', { images: ['r'], 'metadata.action': 'referenceGenerate' }, true],
	])('goes %s with %j: %p', (model, request, goes) => {
		const needs = findFamily(model)!.needsOpenAiRoute!;
		expect(needs((path) => request[path], toPlainName(model))).toBe(goes);
	});
});

describe('a name of no known family', () => {
	it('gets its length alone', () => {
		expect(ask('house-model', { settings: { duration: 8 } })).toEqual({
			sent: { duration: 8, seconds: '8' },
			notes: [`duration: ${NOT_KNOWN}`],
		});
		const byHand = { Seconds: '4' };
		expect(ask('house-model', { settings: { duration: 8 }, byHand })).toEqual({
			sent: byHand,
			notes: [],
		});
	});

	it('asks for Model Family before a picture or a shape, which would be dropped in silence', () => {
		const settings = { aspectRatio: '9:16', resolution: '720p', duration: 8 };
		expect(ask('house-model', { settings, pictures: { first: 'f' } }).refused).toMatch(
			/set Model Family in Options to send First Frame, aspectRatio, resolution\..*set Settings to OpenAI in a credential of its own/,
		);
		const byHand = { image: 'f' };
		expect(ask('house-model', { pictures: { first: 'f' }, byHand })).toMatchObject({
			sent: byHand,
		});
	});
});

it.each([
	['veo_3_1-fast', '3.1'],
	['veo-3.0-generate-001', '3.0'],
	['veo3.1-lite', '3.1 Lite'],
	['google/veo3', '3.0'],
	['veo-3.2', undefined],
	['veo-3.2-lite', undefined],
	['veo3_lite', '3.1 Lite'],
	['veo_3_1_t2v_lite_4s_landscape', '3.1 Lite'],
	['veo_3_1_t2v_fast_portrait', '3.1'],
	['seedance-1-pro', '1.0'],
	['bytedance/seedance-1-lite', '1.0 Lite i2v'],
	['seedance-v1-pro-t2v-1080p', '1.0'],
	['seedance-1-5-pro-251215', '1.5'],
	['seedance-1-1080p', '1.0'],
	['seedance-2-720p', '2.0'],
	['seedance-2-5s', '2.0'],
	['seedance-2.0-jimeng', '2.0'],
	['veo3-1080p', '3.0'],
	['wan-3-720p', '3.0'],
	['hailuo/h3-t2v', ''],
	['vidu/reference-to-video-q1', 'Q1'],
	['bytedance/seedance-2', '2.0'],
	['seedance2-fast', '2.0 Fast and Mini'],
	['jimeng-video-seedance-2.0-fast-vip', '2.0 Fast and Mini'],
	['kling-video-v2.6', 'v1 and v2'],
	['kling-video-v3', 'v3'],
	['kl-video-v2-1-master', 'v2 Master'],
	['vd-video-q3-pro', 'Q3 Pro'],
	['bytedance/v1-pro-fast-image-to-video', '1.0'],
	['bytedance/v1-lite-image-to-video', '1.0 Lite i2v'],
	['kwaivgi/kling-v4.0/text-to-video', undefined],
	['jimeng-seedance-2.5', '2.5'],
	['kling/v2-5-turbo-text-to-video-pro', 'v1 and v2'],
	['klingai/v2.1-master-text-to-video', 'v2 Master'],
	['klingai-v3', 'v3'],
	['kling-video-v3-turbo', '3.0 Turbo'],
	['kling/v3-pro', 'v3'],
	['kling-3.0-omni', undefined],
	['kling-video-v3-omni', undefined],
	['Seedance-2.0', '2.0'],
	['doubao-seedance-2-0-mini-260615', '2.0 Fast and Mini'],
	['seedance_v2.5', '2.5'],
	['doubao-seedance-1-5-pro-251215', '1.5'],
	['kling-v2-5-turbo', 'v1 and v2'],
	['kling-v2-1-master', 'v2 Master'],
	['kling_3.0', '3.0'],
	['kling-3-0', '3.0'],
	['kling-v3-turbo', '3.0 Turbo'],
	['kling-v3-0-turbo', '3.0 Turbo'],
	['hailuo_2.3', '2.3'],
	['vidu-q3', 'Q3'],
	['wan2.6-i2v-us', '2.6 us'],
	['wan2.2-s2v', 'S2V, Animate, VACE and Edit'],
	['wanx2.1-vace-plus', 'S2V, Animate, VACE and Edit'],
	['grok-imagine-1.0-video', '1.0'],
	['kling-video-o1', undefined],
	['kling-v3-omni', undefined],
	['minimax/hailuo-3', ''],
	['grok-imagine-video-1.5-preview', undefined],
	['grok-imagine-video-1.5-lite', '1.5 Lite'],
	['viduq3-pro-fast', 'Q3'],
	['viduq3-mix', 'Q3 Mix'],
	['wan2.2-kf2v-flash', '2.2 Flash'],
	['wanx2.1-kf2v-plus', '2.1 Plus'],
	['alibaba/wan-v2.6-i2v-flash', '2.6'],
	['wan/3-0-video', '3.0'],
	['wan-3-prime', '3.0'],
	['wan3.5-video', undefined],
	['hailuo/2-3-image-to-video-pro', '2.3'],
	['hailuo-h3-global-multi', ''],
	['hailuo-h3-max', undefined],
	['vidu-q3-pro-t2v', 'Q3 Pro'],
	['grok-imagine-1.5', '1.5'],
	['grok-imagine-1.5-video', '1.5'],
	['xai/grok-imagine-video/v1.5/image-to-video', '1.5'],
	['grok-imagine/1-5-preview', undefined],
	['grok-imagine-1.5-lite', '1.5 Lite'],
])('%s is of version %s', (model, label) => {
	expect(versionOf(findFamily(model)!, model)?.label).toBe(label);
});

it('counts no references of a model of which nothing is known', () => {
	expect(referencesOf(findFamily('viduq4')!, 'viduq4').references).toBe(Infinity);
	expect(referencesOf(findFamily('viduq3')!, 'viduq3')).toEqual({ references: 7 });
	expect(referencesOf(findFamily('viduq2-pro')!, 'viduq2-pro').videos).toBe(2);
	const lite = 'doubao-seedance-1-0-lite-i2v-250428';
	expect(referencesOf(findFamily(lite)!, lite)).toEqual({ references: 4 });
	// Its vendor lists text, a first and a last frame.
	const pro = 'doubao-seedance-1-5-pro-251215';
	expect(referencesOf(findFamily(pro)!, pro)).toEqual({});
});

it('a model with a version has a list or a range for each setting that its family takes', () => {
	const model = 'doubao-seedance-2-5-260628';
	const { aspectRatio, duration, resolution } = settingsOf(findFamily(model)!, model);
	for (const setting of [aspectRatio, duration, resolution]) {
		expect(setting?.isUnknown).toBe(false);
		expect(setting?.values ?? setting?.max).toBeDefined();
	}
	expect(duration?.byDefault).toBeUndefined();
});

describe('what resellers document is sent with a hint', () => {
	it.each<[string, Asked, object, RegExp]>([
		[
			'veo2-fast-frames',
			{ pictures: { first: 'a', last: 'b' } },
			{ images: ['a', 'b'] },
			/name asks for frames/,
		],
		[
			'veo2-fast-frames',
			{ byHand: { images: ['https://a.example/a.png'] } },
			{ images: ['https://a.example/a.png'] },
			/a reseller may/,
		],
		['jimeng-video-3.0', { settings: { duration: 15 } }, { duration: 15 }, /not known/],
		[
			'wan2.7-reference-video',
			{ pictures: { references: ['r'] } },
			inMetadata({ input: { media: [{ type: 'reference_image', url: 'r' }] } }),
			/not known/,
		],
		['dreamina-seedance-2-5-flash-261115', { settings: { duration: 30 } }, { duration: 30 }, /^$/],
		[
			'jimeng_vgfm_i2v_l20',
			{ pictures: { first: 'a', last: 'b' } },
			{ images: ['a', 'b'] },
			/not known/,
		],
	])('%s: %j', (model, asked, sent, note) => {
		const told = ask(model, asked);
		expect(told.sent).toMatchObject(sent);
		expect(told.notes?.join()).toMatch(note);
	});
});

it('what is empty or null by hand takes no value with it', () => {
	const settings = { aspectRatio: '9:16', duration: 8 };
	const byHand = { seconds: '', metadata: { ratio: '', watermark: null, seed: 1 } };
	expect(ask('doubao-seedance-1-5-pro-251215', { settings, byHand }).sent).toEqual({
		...{ duration: 8, seconds: '8', metadata: { ratio: '9:16', duration: 8, seed: 1 } },
	});
});
