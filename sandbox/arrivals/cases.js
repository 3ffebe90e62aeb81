'use strict';

// One pixel; its base64 has every character that a gateway may stumble over: + and / and =.
const PNG =
	'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8/5+hHgAHggJ/PchI7wAAAABJRU5ErkJggg==';
const PNG_URI = `data:image/png;base64,${PNG}`;

/** Where a run serves the picture; records hold the word instead of the address. */
const PICTURES = '{pictures}';

const UNPADDED = PNG.replace(/=+$/, '');

/** A value with pictures and addresses of this run replaced by words, for records. */
function toWords(value, picturesUrl) {
	const text = JSON.stringify(value)
		.replaceAll(picturesUrl, PICTURES)
		.replaceAll(PNG, '{png}')
		.replaceAll(UNPADDED, '{png without padding}');
	return JSON.parse(text);
}

/** The other way round. */
const fromWords = (value, picturesUrl) =>
	JSON.parse(JSON.stringify(value).replaceAll(PICTURES, picturesUrl));

// A column of the table: a model of a family behind a kind of channel, and where its vendor reads
// what each option of Video Generate says. `places` gives paths in the vendor's body, with the values
// that have to be there; `$path` is the end of the vendor's address.

const at = (path) => (value) => ({ [path]: value });

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
	lastFrame: (first, last) => ({ 'images.0': first, 'images.1': last, $path: '/start-end2video' }),
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

/** `owner` is `owned_by` in the gateway's list of models. */
const column = (name, model, owner, { places, opensUrls = false, bare = false, ...rest }) => ({
	...{ name, model, owner, places, opensUrls, bare },
	...{ label: name.split(' ')[0], metadata: {}, always: {} },
	...rest,
});

/**
 * `opensUrls`: the vendor opens addresses itself; `bare`: it wants base64 without a head; `metadata`:
 * something of the vendor's own that has no option; `always`: options that every request of it needs;
 * `needs`: pictures without which it does nothing; `only`: where it differs from the column before.
 */
const COLUMNS = [
	column('Veo (Gemini API)', 'veo-3.1-generate-preview', 'google gemini', {
		places: veo,
		metadata: { compressionQuality: 'optimized' },
	}),
	column('Veo (Vertex AI)', 'veo-3.1-generate-001', 'vertex-ai', {
		places: veo,
		metadata: { compressionQuality: 'optimized' },
	}),
	column('Seedance', 'doubao-seedance-1-5-pro-251215', 'doubaovideo', {
		...{ places: seedance, opensUrls: true, metadata: { return_last_frame: true } },
	}),
	column('Sora', 'sora-2', 'sora', { places: sora, metadata: { note: 'mine' } }),
	column('Sora Pro', 'sora-2-pro', 'sora', { places: sora, only: ['duration', 'size'] }),
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
	column('Wan (text)', 'wan2.5-t2v-preview', 'ali', {
		...{ places: wan, opensUrls: true, metadata: { input: { template: 'flying' } } },
	}),
	column('Wan (image)', 'wan2.5-i2v-preview', 'ali', {
		...{ places: wan, opensUrls: true, metadata: { input: { template: 'flying' } } },
		needs: 'image',
	}),
	column('Wan (frames)', 'wan2.2-kf2v-flash', 'ali', {
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

// What a person may set, by option: good values, bad ones, and those that look good.
const VALUES = {
	aspectRatio: ['16:9', '9:16', '1:1', '4:3', '21:9', 'adaptive', '7:3'],
	cameraFixed: [true, false],
	duration: [1, 4, 5, 6, 8, 10, 12, 15, 0, 5.5, '10s', '8'],
	generateAudio: [true, false],
	negativePrompt: ['text'],
	personGeneration: ['allow_adult', 'DONT_ALLOW', 'everybody'],
	resolution: ['480p', '512P', '540p', '720p', '720P', '768p', '1080p', '4k', '8k'],
	seed: [0, 42, -1, 1.5],
	size: [
		...['1280x720', '720x1280', '1280*720', '1920x1080', '1024x1024', '3840x2160'],
		...['1792x1024', '832x480', '999x555', '720p'],
	],
	watermark: [true, false],
};

const ADDRESS = `${PICTURES}/picture.png`;
const byUrl = { imageSource: 'url', image: ADDRESS };
const byBase64 = { imageSource: 'base64', image: PNG };
const byBinary = { imageSource: 'binary' };

const IMAGES = {
	'by URL': byUrl,
	'by a URL that has none': { imageSource: 'url', image: `${PICTURES}/page.html` },
	'as base64': byBase64,
	'as base64 without padding': { imageSource: 'base64', image: UNPADDED },
	'as base64 for addresses': {
		imageSource: 'base64',
		image: PNG.replaceAll('+', '-').replaceAll('/', '_'),
	},
	'as a data URI': { imageSource: 'base64', image: PNG_URI },
	'as a file': byBinary,
};

const last = (how) => ({ role: 'lastFrame', ...how });
const reference = (how) => ({ role: 'reference', ...how });

const FURTHER = {
	'last frame, file': { ...byBinary, further: [last(byBinary)] },
	'last frame, URL': { ...byUrl, further: [last(byUrl)] },
	'last frame without a first one': { further: [last(byBinary)] },
	'two last frames': { ...byBinary, further: [last(byBinary), last(byBinary)] },
	'one reference, file': { further: [reference(byBinary)] },
	'two references, file and URL': { further: [reference(byBinary), reference(byUrl)] },
	'a reference and a first frame': { ...byBinary, further: [reference(byBinary)] },
};

const TOGETHER = [
	{ duration: 8, resolution: '1080p', aspectRatio: '9:16' },
	{ size: '1280x720', aspectRatio: '16:9' },
	{ size: '1280x720', resolution: '720p' },
	{ size: '1280x720', duration: 5 },
];

const NEEDS = {
	image: byBinary,
	frames: FURTHER['last frame, file'],
	reference: FURTHER['one reference, file'],
};

/** Every case of a column: what is set, by the names of the node's parameters. */
function casesOf({ name, model, metadata, always, needs, only }) {
	const base = NEEDS[needs] ?? {};
	const one = (about, set) => ({ column: name, model, about, set });
	const withAlways = (set) => ('size' in set || 'aspectRatio' in set ? set : { ...always, ...set });
	const is = (part) => !only || only.includes(part);
	const options = Object.entries(VALUES).filter(([option]) => is(option));
	const rest = [
		...TOGETHER.map((set) => one(Object.keys(set).join(' and '), { ...base, ...withAlways(set) })),
		one('metadata of its own', { ...base, ...always, metadata }),
		one('extra fields nobody knows', { ...base, ...always, extraFields: { nobodyKnows: 1 } }),
	];
	return [
		one('nothing', {}),
		...(needs ? [one('nothing but what it needs', base)] : []),
		...options.flatMap(([option, values]) =>
			values.map((value) =>
				one(`${option} ${JSON.stringify(value)}`, { ...base, ...withAlways({ [option]: value }) }),
			),
		),
		...(is('pictures')
			? Object.entries({ ...IMAGES, ...FURTHER }).map(([how, set]) =>
					one(how in IMAGES ? `image ${how}` : how, set),
				)
			: []),
		...(only ? [] : rest),
	];
}

/** `[{ column, model, about, set }]`; `set.further` are the rows of Further Images. */
const CASES = COLUMNS.flatMap(casesOf);

module.exports = {
	CASES,
	COLUMNS,
	OPTIONS: Object.keys(VALUES),
	PICTURES,
	PNG,
	fromWords,
	toWords,
};
