'use strict';

// A column of the table: a model of a family behind a kind of channel, and where its vendor reads
// what each option of Video Generate says. `places` gives paths in the vendor's body, with the values
// that have to be there; `$path` is the end of the vendor's address.

const at = (path) => (value) => ({ [path]: value });
const { PNG, PNG_URI } = require('./pictures');

const veo = {
	aspectRatio: at('parameters.aspectRatio'),
	duration: at('parameters.durationSeconds'),
	generateAudio: at('parameters.generateAudio'),
	negativePrompt: at('parameters.negativePrompt'),
	personGeneration: at('parameters.personGeneration'),
	resolution: at('parameters.resolution'),
	seed: at('parameters.seed'),
	size(value) {
		const [width, height] = String(value).split(/[x*]/).map(Number);
		const longest = Math.max(width, height);
		return {
			'parameters.aspectRatio': width > height ? '16:9' : '9:16',
			'parameters.resolution': longest >= 3840 ? '4k' : longest >= 1920 ? '1080p' : '720p',
		};
	},
	image: () => ({ 'instances.0.image.bytesBase64Encoded': PNG }),
	metadata: () => ({ 'parameters.compressionQuality': 'optimized' }),
};

const seedanceItem = (index, role, url) => ({
	[`content.${index}.image_url.url`]: url,
	[`content.${index}.role`]: role,
});

const seedance = {
	aspectRatio: at('ratio'),
	cameraFixed: at('camera_fixed'),
	duration: at('duration'),
	generateAudio: at('generate_audio'),
	resolution: at('resolution'),
	seed: at('seed'),
	watermark: at('watermark'),
	image: (picture) => ({ 'content.0.image_url.url': picture }),
	lastFrame: (first, last) => ({
		...seedanceItem(0, 'first_frame', first),
		...seedanceItem(1, 'last_frame', last),
	}),
	reference: (...urls) =>
		Object.assign({}, ...urls.map((url, index) => seedanceItem(index, 'reference_image', url))),
	metadata: () => ({ return_last_frame: true }),
};

const sora = {
	duration: at('seconds'),
	size: (value) => ({ size: String(value).replace('*', 'x') }),
	image: () => ({ input_reference: PNG_URI }),
	metadata: () => ({ 'metadata.note': 'mine' }),
};

const KLING_RATIOS = { '1280x720': '16:9', '720x1280': '9:16', '1024x1024': '1:1' };

const kling = {
	aspectRatio: at('aspect_ratio'),
	duration: at('duration'),
	negativePrompt: at('negative_prompt'),
	size: (value) => ({ aspect_ratio: KLING_RATIOS[value] ?? '16:9' }),
	image: (picture) => ({ image: picture, $path: '/image2video' }),
	lastFrame: (first, last) => ({ image: first, image_tail: last }),
	metadata: () => ({ cfg_scale: 0.7 }),
};

const vidu = {
	duration: at('duration'),
	resolution: at('resolution'),
	seed: at('seed'),
	image: (picture) => ({ 'images.0': picture, $path: '/img2video' }),
	lastFrame: (first, last) => ({
		'images.0': first,
		'images.1': last,
		$path: '/start-end2video',
	}),
	reference: (...urls) => ({
		...Object.fromEntries(urls.map((url, index) => [`images.${index}`, url])),
		$path: '/reference2video',
	}),
	metadata: () => ({ movement_amplitude: 'small' }),
};

const hailuo = {
	duration: at('duration'),
	resolution: at('resolution'),
	watermark: at('aigc_watermark'),
	image: (picture) => ({ first_frame_image: picture }),
	lastFrame: (first, last) => ({ first_frame_image: first, last_frame_image: last }),
	reference: (...urls) =>
		Object.fromEntries(urls.map((url, index) => [`subject_reference.0.image.${index}`, url])),
	metadata: () => ({ prompt_optimizer: false }),
};

const wan = {
	duration: at('parameters.duration'),
	generateAudio: at('parameters.audio'),
	negativePrompt: at('input.negative_prompt'),
	resolution: at('parameters.resolution'),
	seed: at('parameters.seed'),
	size: (value) => ({ 'parameters.size': String(value).replace('x', '*') }),
	// The gateway leaves false out, which is the vendor's default.
	watermark: (value) => (value ? { 'parameters.watermark': true } : {}),
	image: (picture) => ({ 'input.img_url': picture }),
	lastFrame: (first, last) => ({ 'input.first_frame_url': first, 'input.last_frame_url': last }),
	metadata: () => ({ 'input.template': 'flying' }),
};

const jimeng = {
	aspectRatio: at('aspect_ratio'),
	duration: (value) => ({ frames: Number(value) === 10 ? 241 : 121 }),
	seed: at('seed'),
	image: () => ({ 'binary_data_base64.0': PNG }),
	lastFrame: () => ({ 'binary_data_base64.0': PNG, 'binary_data_base64.1': PNG }),
	metadata: () => ({ req_key: 'jimeng_t2v_v30_1080p' }),
};

/** `owned_by` in the gateway's list of models, by vendor. */
const OWNERS = {
	gemini: 'google gemini',
	vertex: 'vertex-ai',
	ark: 'doubaovideo',
	openai: 'sora',
	kling: 'kling',
	vidu: 'vidu',
	minimax: 'minimax',
	dashscope: 'ali',
	jimeng: 'jimeng',
};

const column = (name, model, vendor, { places, opensUrls = false, bare = false, ...rest }) => ({
	...{ name, model, vendor, owner: OWNERS[vendor], places, opensUrls, bare },
	...{ label: name.split(' ')[0], metadata: {}, always: {} },
	...rest,
});

/**
 * `opensUrls`: the vendor opens addresses itself; `bare`: it wants base64 without a head; `metadata`:
 * something of the vendor's own that has no option; `always`: options that every request of it needs;
 * `needs`: pictures without which it does nothing; `only`: where it differs from the column before.
 */
const COLUMNS = [
	column('Veo (Gemini API)', 'veo-3.1-generate-preview', 'gemini', {
		places: veo,
		metadata: { compressionQuality: 'optimized' },
	}),
	column('Veo (Vertex AI)', 'veo-3.1-generate-001', 'vertex', {
		places: veo,
		metadata: { compressionQuality: 'optimized' },
	}),
	column('Seedance', 'doubao-seedance-1-5-pro-251215', 'ark', {
		...{ places: seedance, opensUrls: true, metadata: { return_last_frame: true } },
	}),
	column('Sora', 'sora-2', 'openai', { places: sora, metadata: { note: 'mine' } }),
	column('Sora Pro', 'sora-2-pro', 'openai', { places: sora, only: ['duration', 'size'] }),
	column('Kling', 'kling-v1-6', 'kling', {
		...{ places: kling, opensUrls: true, bare: true, metadata: { cfg_scale: 0.7 } },
		always: { aspectRatio: '16:9' },
	}),
	column('Vidu', 'viduq2', 'vidu', {
		...{ places: vidu, opensUrls: true, metadata: { movement_amplitude: 'small' } },
	}),
	column('Hailuo', 'MiniMax-Hailuo-2.3', 'minimax', {
		...{ places: hailuo, opensUrls: true, metadata: { prompt_optimizer: false } },
	}),
	column('Wan (text)', 'wan2.5-t2v-preview', 'dashscope', {
		...{ places: wan, opensUrls: true, metadata: { input: { template: 'flying' } } },
	}),
	column('Wan (image)', 'wan2.5-i2v-preview', 'dashscope', {
		...{ places: wan, opensUrls: true, metadata: { input: { template: 'flying' } } },
		needs: 'image',
	}),
	column('Wan (frames)', 'wan2.2-kf2v-flash', 'dashscope', {
		...{ places: wan, opensUrls: true, metadata: { input: { template: 'flying' } } },
		needs: 'frames',
		only: ['duration', 'resolution', 'size', 'pictures'],
	}),
	column('Hailuo 02', 'MiniMax-Hailuo-02', 'minimax', {
		...{ places: hailuo, opensUrls: true, only: ['pictures'] },
	}),
	column('Hailuo S2V', 'S2V-01', 'minimax', {
		...{ places: hailuo, opensUrls: true, only: ['pictures'] },
		needs: 'reference',
	}),
	column('Jimeng', 'jimeng_v30', 'jimeng', {
		...{ places: jimeng, bare: true, metadata: { req_key: 'jimeng_t2v_v30_1080p' } },
	}),
];

module.exports = { COLUMNS };
