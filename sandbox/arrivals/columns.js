'use strict';

// One pixel; its base64 has every character that a gateway may stumble over: + and / and =.
const PNG =
	'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8/5+hHgAHggJ/PchI7wAAAABJRU5ErkJggg==';
const PNG_URI = `data:image/png;base64,${PNG}`;

/** Where a run serves the picture; records hold the word instead of the address. */
const PICTURES = '{pictures}';

/** A value with pictures and addresses of this run replaced by words, for records. */
function toWords(value, picturesUrl = PICTURES) {
	const text = JSON.stringify(value)
		.replaceAll(picturesUrl, PICTURES)
		.replaceAll(PNG, '{png}')
		.replaceAll(PNG.replace(/=+$/, ''), '{png without padding}');
	return JSON.parse(text);
}

/**
 * The other way round.
 * @type {<T>(value: T, picturesUrl: string) => T}
 */
const fromWords = (value, picturesUrl) =>
	JSON.parse(JSON.stringify(value).replaceAll(PICTURES, picturesUrl));

/** Returns what a record holds, with the bytes of its picture; addresses stay words. */
const fromRecord = (value) => JSON.parse(JSON.stringify(value).replaceAll('{png}', PNG));

// A column of the table: a model of a family behind a kind of channel, and where its vendor reads
// what each setting of Video Generate says. `places` gives paths in the vendor's body, with the values
// that have to be there; `$path` is the end of the vendor's address. Where the generations of the
// gateway write them in several ways, it is a list. `byHand` has the paths of Additional Fields; what is
// not in it is a field that no vendor knows.

const at =
	(...paths) =>
	(value) =>
		paths.map((path) => ({ [path]: value }));

const veo = {
	aspectRatio: at('parameters.aspectRatio'),
	duration: at('parameters.durationSeconds'),
	generateAudio: at('parameters.generateAudio'),
	negativePrompt: at('parameters.negativePrompt'),
	resolution: at('parameters.resolution'),
	seed: at('parameters.seed'),
	image: () => at('instances.0.image.bytesBase64Encoded', 'instances.0.image.inlineData.data')(PNG),
	byHand: {
		'metadata.compressionQuality': at('parameters.compressionQuality'),
		size(value) {
			const [width, height] = String(value).split('x').map(Number);
			const longest = Math.max(width, height);
			return {
				'parameters.aspectRatio': width > height ? '16:9' : '9:16',
				'parameters.resolution': longest >= 3840 ? '4k' : longest >= 1920 ? '1080p' : '720p',
			};
		},
	},
};

/** Where an item of `content` is expected, which Seedance and H3 have. */
const contentItem = (index, role, url, type = 'image_url') => ({
	[`content.${index}.${type}.url`]: url,
	[`content.${index}.role`]: role,
});

/** Where the pictures are expected in a `content` that has so many other items before them. */
const contentAfter = (count) => ({
	lastFrame: (first, last) => ({
		...contentItem(count, 'first_frame', first),
		...contentItem(count + 1, 'last_frame', last),
	}),
	reference: (url, n) => contentItem(count + n, 'reference_image', url),
	referenceVideo: (url, n) => contentItem(count + n, 'reference_video', url, 'video_url'),
	referenceSound: (url, n) => contentItem(count + n, 'reference_audio', url, 'audio_url'),
});

const seedance = {
	aspectRatio: at('ratio'),
	duration: at('duration'),
	generateAudio: at('generate_audio'),
	resolution: at('resolution'),
	returnLastFrame: at('return_last_frame'),
	seed: at('seed'),
	image: (picture) => ({ 'content.0.image_url.url': picture }),
	...contentAfter(0),
	byHand: {
		'metadata.camera_fixed': at('camera_fixed'),
		'metadata.return_last_frame': at('return_last_frame'),
		'metadata.watermark': at('watermark'),
	},
};

const KLING_RATIOS = { '1280x720': '16:9', '720x1280': '9:16', '1024x1024': '1:1' };

const kling = {
	aspectRatio: at('aspect_ratio'),
	duration: at('duration'),
	negativePrompt: at('negative_prompt'),
	text: () => ({ $path: '/text2video' }),
	image: (picture) => ({ image: picture, $path: '/image2video' }),
	lastFrame: (first, last) => ({ image: first, image_tail: last, $path: '/image2video' }),
	byHand: {
		'metadata.cfg_scale': at('cfg_scale'),
		mode: at('mode'),
		size: (value) => ({ aspect_ratio: KLING_RATIOS[value] ?? '16:9' }),
	},
};

const kling3 = {
	...kling,
	aspectRatio: at('settings.aspect_ratio', 'aspect_ratio'),
	duration: at('settings.duration', 'duration'),
	generateAudio: (value) => ({ 'settings.audio': value ? 'native' : 'off' }),
	resolution: at('settings.resolution'),
	text: () => [kling.text(), { $path: '/text-to-video/kling-3.0' }],
	image: (picture) => [
		kling.image(picture),
		{ 'contents.1.url': picture, $path: '/image-to-video/kling-3.0' },
	],
	lastFrame: (first, last) => [
		kling.lastFrame(first, last),
		{
			...{ 'contents.1.url': first, 'contents.2.url': last },
			...{ 'contents.2.type': 'last_frame', $path: '/image-to-video/kling-3.0' },
		},
	],
};

const vidu = {
	aspectRatio: at('aspect_ratio'),
	duration: at('duration'),
	generateAudio: at('audio'),
	resolution: at('resolution'),
	seed: at('seed'),
	text: () => ({ $path: '/text2video' }),
	image: (picture) => ({ 'images.0': picture, $path: '/img2video' }),
	lastFrame: (first, last) => ({ 'images.0': first, 'images.1': last, $path: '/start-end2video' }),
	reference: (url, n) => ({ [`images.${n}`]: url, $path: '/reference2video' }),
	byHand: { 'metadata.movement_amplitude': at('movement_amplitude') },
};

const hailuo = {
	duration: at('duration'),
	resolution: at('resolution'),
	image: (picture) => ({ first_frame_image: picture }),
	lastFrame: (first, last) => ({ first_frame_image: first, last_frame_image: last }),
	reference: (url, n) => ({ [`subject_reference.0.image.${n}`]: url }),
	byHand: {
		'metadata.aigc_watermark': at('aigc_watermark'),
		'metadata.prompt_optimizer': at('prompt_optimizer'),
	},
};

const h3 = {
	aspectRatio: at('ratio'),
	duration: at('duration'),
	resolution: at('resolution'),
	// The prompt comes first.
	image: (picture) => contentItem(1, 'first_frame', picture),
	...contentAfter(1),
	byHand: {},
};

const WAN_SIZES = {
	'480p': { '16:9': '832*480', '9:16': '480*832', '1:1': '624*624' },
	'720p': {
		...{ '16:9': '1280*720', '9:16': '720*1280', '1:1': '960*960' },
		...{ '4:3': '1088*832', '3:4': '832*1088' },
	},
	'1080p': {
		...{ '16:9': '1920*1080', '9:16': '1080*1920', '1:1': '1440*1440' },
		...{ '4:3': '1632*1248', '3:4': '1248*1632' },
	},
};

const wan = {
	duration: at('parameters.duration'),
	generateAudio: at('parameters.audio'),
	negativePrompt: at('input.negative_prompt'),
	resolution: at('parameters.resolution'),
	seed: at('parameters.seed'),
	image: (picture) => ({ 'input.img_url': picture }),
	lastFrame: (first, last) => ({ 'input.first_frame_url': first, 'input.last_frame_url': last }),
	byHand: {
		'metadata.input.template': at('input.template'),
		// The gateway leaves false out, which is the vendor's default.
		'metadata.parameters.watermark': (value) => (value ? { 'parameters.watermark': true } : {}),
	},
};

const wanByText = {
	...wan,
	size: (ratio = '16:9', resolution = '1080p') => ({
		'parameters.size': WAN_SIZES[resolution.toLowerCase()][ratio],
	}),
};

const mediaItem = (index, type, url) => ({
	[`input.media.${index}.type`]: type,
	[`input.media.${index}.url`]: url,
});

/** Wan 2.7 and 3.0 take pictures as a list only. */
const wanByMedia = {
	...wan,
	aspectRatio: at('parameters.ratio'),
	image: (picture) => mediaItem(0, 'first_frame', picture),
	lastFrame: (first, last) => ({
		...mediaItem(0, 'first_frame', first),
		...mediaItem(1, 'last_frame', last),
	}),
	reference: (url, n) => mediaItem(n, 'reference_image', url),
	referenceVideo: (url, n) => mediaItem(n, 'reference_video', url),
	referenceSound: (url, n) => mediaItem(n, 'reference_audio', url),
};

const wanByFrames = { ...wan, image: (picture) => ({ 'input.first_frame_url': picture }) };

const wan27ByText = { ...wan, aspectRatio: at('parameters.ratio') };

const grok = {
	aspectRatio: at('aspect_ratio'),
	duration: at('duration'),
	generateAudio: at('generate_audio'),
	resolution: at('resolution'),
	image: at('image.url'),
	lastFrame: (first, last) => ({ 'image.url': first, 'last_frame.url': last }),
	reference: (url, n) => ({ [`reference_images.${n}.url`]: url }),
	referenceSound: at('reference_audios.0.url'),
	byHand: {},
};

const jimeng = {
	aspectRatio: at('aspect_ratio'),
	duration: (value) => ({ frames: Number(value) === 10 ? 241 : 121 }),
	seed: at('seed'),
	image: () => ({ 'binary_data_base64.0': PNG }),
	lastFrame: () => ({ 'binary_data_base64.0': PNG, 'binary_data_base64.1': PNG }),
	byHand: { 'metadata.req_key': at('req_key') },
};

const VEO = { places: veo };
const SEEDANCE = { places: seedance, opensUrls: true };
const VIDU = { places: vidu, opensUrls: true };
const HAILUO = { places: hailuo, opensUrls: true };
const WAN = { places: wan, opensUrls: true };

/**
 * `owner` is `owned_by` in the gateway's list of models; `opensUrls`: the vendor opens addresses itself;
 * `bare`: it wants base64 without a head.
 */
const COLUMNS = [
	['Veo (Gemini API)', 'veo-3.1-generate-preview', 'google gemini', VEO],
	['Veo (Vertex AI)', 'veo-3.1-generate-001', 'vertex-ai', VEO],
	['Seedance', 'doubao-seedance-1-5-pro-251215', 'doubaovideo', SEEDANCE],
	['Kling', 'kling-v1-6', 'kling', { places: kling, opensUrls: true, bare: true }],
	['Vidu', 'viduq2', 'vidu', VIDU],
	['Hailuo', 'MiniMax-Hailuo-2.3', 'minimax', HAILUO],
	['Wan (text)', 'wan2.5-t2v-preview', 'ali', { places: wanByText, opensUrls: true }],
	['Wan (image)', 'wan2.5-i2v-preview', 'ali', WAN],
	['Wan (frames)', 'wan2.2-kf2v-flash', 'ali', { places: wanByFrames, opensUrls: true }],
	['Hailuo 02', 'MiniMax-Hailuo-02', 'minimax', HAILUO],
	['Hailuo S2V', 'S2V-01', 'minimax', HAILUO],
	['Jimeng', 'jimeng_v30', 'jimeng', { places: jimeng, bare: true }],
	['Seedance 2.0', 'doubao-seedance-2-0-260128', 'doubaovideo', SEEDANCE],
	['Seedance 2.5', 'doubao-seedance-2-5-260628', 'doubaovideo', SEEDANCE],
	['Kling 3.0', 'kling-3.0', 'kling', { places: kling3, opensUrls: true, bare: true }],
	['Vidu Q3', 'viduq3-pro', 'vidu', VIDU],
	['MiniMax H3', 'MiniMax-H3', 'minimax', { places: h3, opensUrls: true }],
	['Wan 2.7 (text)', 'wan2.7-t2v', 'ali', { places: wan27ByText, opensUrls: true }],
	['Wan 2.7 (image)', 'wan2.7-i2v', 'ali', { places: wanByMedia, opensUrls: true }],
	['Wan 3.0', 'wan3.0-video', 'ali', { places: wanByMedia, opensUrls: true }],
	['Grok Imagine', 'grok-imagine-video-1.5', 'xai', { places: grok, opensUrls: true }],
].map(([name, model, owner, how]) => ({ name, model, owner, ...how }));

// What became of a setting, by comparing a record with the places of its column.

/** Returns how a picture is written where it arrives. */
function toPicture({ imageSource, image }, { opensUrls, bare }) {
	if (imageSource === 'url' && opensUrls) return image;
	return bare ? PNG : PNG_URI;
}

/** Returns the paths of the values in an object, with dots, and the values. */
const flatten = (object, under = '') =>
	Object.entries(object).flatMap(([name, value]) =>
		typeof value === 'object' ? flatten(value, `${under}${name}.`) : [[under + name, value]],
	);

/** Returns what was set and what the vendor has to get: values by path, nothing where it has no place. */
function expected({ set }, column) {
	const { images = [], imageSource, image: _image, additionalFields = {}, ...settings } = set;
	const { byHand, size, ...places } = column.places;
	const wanted = [];
	const want = (name, toValues, values) => wanted.push([name, toValues?.(...values)]);
	const { aspectRatio, resolution, ...others } = settings;
	if (!size) Object.assign(others, { aspectRatio, resolution });
	else if (aspectRatio ?? resolution) want('size', size, [aspectRatio, resolution]);
	for (const [name, value] of Object.entries(others)) {
		if (value !== undefined) want(name, places[name], [value]);
	}
	for (const [path, value] of flatten(additionalFields)) {
		if (byHand[path]) want(path, byHand[path], [value]);
	}
	const [first, ...listed] = [set, ...images].map((how) => toPicture(how, column));
	if (imageSource && images.length > 0) want('lastFrame', places.lastFrame, [first, listed[0]]);
	else if (imageSource) want('image', places.image, [first]);
	else if (places.text && images.length === 0) want('text', places.text, []);
	else images.forEach(({ role }, n) => want(role, places[role], [listed[n], n]));
	return wanted;
}

/** Returns the value at a path such as `a.0.b`. */
const inside = (value, path) => path.split('.').reduce((found, name) => found?.[name], value);

const same = (one, other) => String(one).toLowerCase() === String(other).toLowerCase();

/** Returns what is wrong with values where they arrived, if anything. */
function findFault(received, values) {
	for (const [path, value] of Object.entries(values)) {
		const found = path === '$path' ? received.path : inside(received.body, path);
		if (found === undefined) return { verdict: 'dropped', why: path };
		const isThere = path === '$path' ? found.endsWith(value) : same(found, toWords(value));
		if (!isThere) return { verdict: 'changed', why: `${path}: ${found}` };
	}
	return undefined;
}

/** Vendors refuse requests to this address that have no picture, or more than one. */
const OF_ONE_IMAGE = /\/(image2video|img2video)$/;

/** What the node's notes call a setting, where it is not its name. */
const NOTED_AS = {
	size: ['Aspect Ratio', 'Resolution'],
	...{ image: ['First Frame'], text: [], lastFrame: ['First Frame', 'Last Frame'] },
	...{ reference: ['Reference'], referenceVideo: ['Reference Video'] },
	referenceSound: ['Reference Sound'],
};

/** Returns a label such as Aspect Ratio for aspectRatio. */
const toLabel = (name) =>
	name.replace(/[A-Z]/g, ' $&').replace(/^./, (letter) => letter.toUpperCase());

/** Returns whether a note begins with the label of a setting, or says that all but others are dropped. */
function isNoted(name, notes) {
	const labels = NOTED_AS[name] ?? [toLabel(name)];
	return notes.some((note) => {
		const [named] = note.split(':');
		const isListed = labels.some((label) => named.split(', ').includes(label));
		const others = /drop all but the (.+) of /.exec(note)?.[1];
		return isListed || (others !== undefined && !labels.includes(others));
	});
}

/**
 * Returns whether all that was set reached the vendor, and what did not. `hinted`: the node said so
 * before it was paid for.
 * @param result what a gateway or a plugin made of it
 */
function judge(record, { received, answered = 200, refused, says, factors = {} } = record) {
	const { set, notes = [] } = record;
	if (refused || answered !== 200)
		return { verdict: 'refused', why: says ?? 'before it is billed' };
	const column = COLUMNS.find(({ name }) => name === record.column);
	const faults = expected(record, column).flatMap(([name, values]) => {
		const found = [values ?? []].flat().map((way) => findFault(received, way));
		if (found.includes(undefined)) return [];
		const fault = found.find(({ verdict }) => verdict === 'changed') ?? found[0];
		return [{ name, ...(fault ?? { verdict: 'dropped', why: name }) }];
	});
	if (faults.some(({ why }) => why.startsWith('$path') && OF_ONE_IMAGE.test(why))) {
		return { verdict: 'refused', why: received.path };
	}
	const { seconds } = factors;
	if (seconds !== undefined && Number(set.duration ?? seconds) !== seconds) {
		faults.push({ name: 'duration', verdict: 'billed otherwise', why: `${seconds} s` });
	}
	const silent = faults.find(({ name }) => !isNoted(name, notes));
	if (silent) return silent;
	return faults.length > 0 ? { ...faults[0], verdict: 'hinted' } : { verdict: 'arrives' };
}

const toCamel = (name) => name.replace(/_(\w)/g, (_all, letter) => letter.toUpperCase());

/**
 * Returns paths of a sent text request that the vendor got otherwise, or did not get.
 * @returns {string[]}
 */
function lostPaths(sent, received, path = '') {
	if (typeof sent !== 'object' || sent === null) return same(sent, received) ? [] : [path];
	return Object.entries(sent).flatMap(([name, value]) => {
		const place = path === '' ? name : `${path}.${name}`;
		const found = received?.[name] ?? received?.[toCamel(name)];
		return found === undefined ? [place] : lostPaths(value, found, place);
	});
}

module.exports = { COLUMNS, PNG, fromRecord, fromWords, judge, lostPaths, toWords };
