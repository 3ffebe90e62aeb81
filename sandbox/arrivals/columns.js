'use strict';

// One pixel; its base64 has every character that a gateway may stumble over: + and / and =.
const PNG =
	'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8/5+hHgAHggJ/PchI7wAAAABJRU5ErkJggg==';
const PNG_URI = `data:image/png;base64,${PNG}`;

/** Where a run serves the picture; records hold the word instead of the address. */
const PICTURES = '{pictures}';

/** A value with pictures and addresses of this run replaced by words, for records. */
function toWords(value, picturesUrl) {
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

// A column of the table: a model of a family behind a kind of channel, and where its vendor reads
// what each setting of Video Generate says. `places` gives paths in the vendor's body, with the values
// that have to be there; `$path` is the end of the vendor's address. `byHand` has the paths of
// Additional Fields; what is not in it is a field that no vendor knows.

const at = (path) => (value) => ({ [path]: value });

const veo = {
	aspectRatio: at('parameters.aspectRatio'),
	duration: at('parameters.durationSeconds'),
	generateAudio: at('parameters.generateAudio'),
	negativePrompt: at('parameters.negativePrompt'),
	resolution: at('parameters.resolution'),
	seed: at('parameters.seed'),
	image: () => ({ 'instances.0.image.bytesBase64Encoded': PNG }),
	byHand: {
		'metadata.compressionQuality': at('parameters.compressionQuality'),
		'metadata.personGeneration': at('parameters.personGeneration'),
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

const seedanceItem = (index, role, url) => ({
	[`content.${index}.image_url.url`]: url,
	[`content.${index}.role`]: role,
});

const seedance = {
	aspectRatio: at('ratio'),
	duration: at('duration'),
	generateAudio: at('generate_audio'),
	resolution: at('resolution'),
	returnLastFrame: at('return_last_frame'),
	seed: at('seed'),
	image: (picture) => ({ 'content.0.image_url.url': picture }),
	lastFrame: (first, last) => ({
		...seedanceItem(0, 'first_frame', first),
		...seedanceItem(1, 'last_frame', last),
	}),
	reference: (...urls) =>
		Object.assign({}, ...urls.map((url, index) => seedanceItem(index, 'reference_image', url))),
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
	image: (picture) => ({ image: picture, $path: '/image2video' }),
	lastFrame: (first, last) => ({ image: first, image_tail: last }),
	byHand: {
		'metadata.cfg_scale': at('cfg_scale'),
		size: (value) => ({ aspect_ratio: KLING_RATIOS[value] ?? '16:9' }),
	},
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
	byHand: { 'metadata.movement_amplitude': at('movement_amplitude') },
};

const hailuo = {
	duration: at('duration'),
	resolution: at('resolution'),
	image: (picture) => ({ first_frame_image: picture }),
	lastFrame: (first, last) => ({ first_frame_image: first, last_frame_image: last }),
	reference: (...urls) =>
		Object.fromEntries(urls.map((url, index) => [`subject_reference.0.image.${index}`, url])),
	byHand: {
		'metadata.aigc_watermark': at('aigc_watermark'),
		'metadata.prompt_optimizer': at('prompt_optimizer'),
	},
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

const jimeng = {
	aspectRatio: at('aspect_ratio'),
	duration: (value) => ({ frames: Number(value) === 10 ? 241 : 121 }),
	seed: at('seed'),
	image: () => ({ 'binary_data_base64.0': PNG }),
	lastFrame: () => ({ 'binary_data_base64.0': PNG, 'binary_data_base64.1': PNG }),
	byHand: { 'metadata.req_key': at('req_key') },
};

const VEO = { places: veo };
const HAILUO = { places: hailuo, opensUrls: true };
const WAN = { places: wan, opensUrls: true };

/**
 * `owner` is `owned_by` in the gateway's list of models; `opensUrls`: the vendor opens addresses itself;
 * `bare`: it wants base64 without a head.
 */
const COLUMNS = [
	['Veo (Gemini API)', 'veo-3.1-generate-preview', 'google gemini', VEO],
	['Veo (Vertex AI)', 'veo-3.1-generate-001', 'vertex-ai', VEO],
	[
		...['Seedance', 'doubao-seedance-1-5-pro-251215', 'doubaovideo'],
		{ places: seedance, opensUrls: true },
	],
	['Kling', 'kling-v1-6', 'kling', { places: kling, opensUrls: true, bare: true }],
	['Vidu', 'viduq2', 'vidu', { places: vidu, opensUrls: true }],
	['Hailuo', 'MiniMax-Hailuo-2.3', 'minimax', HAILUO],
	['Wan (text)', 'wan2.5-t2v-preview', 'ali', { places: wanByText, opensUrls: true }],
	['Wan (image)', 'wan2.5-i2v-preview', 'ali', WAN],
	['Wan (frames)', 'wan2.2-kf2v-flash', 'ali', WAN],
	['Hailuo 02', 'MiniMax-Hailuo-02', 'minimax', HAILUO],
	['Hailuo S2V', 'S2V-01', 'minimax', HAILUO],
	['Jimeng', 'jimeng_v30', 'jimeng', { places: jimeng, bare: true }],
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
	const pictures = [...(imageSource ? [set] : []), ...images].map((how) => toPicture(how, column));
	const role = images[0]?.role ?? 'image';
	if (pictures.length > 0) want(role, places[role], pictures);
	return wanted;
}

/** Returns the value at a path such as `a.0.b`. */
const inside = (value, path) => path.split('.').reduce((found, name) => found?.[name], value);

const same = (one, other) => String(one).toLowerCase() === String(other).toLowerCase();

/** Returns whether all that was set reached the vendor, and what did not. */
function judge(record) {
	const { received, answered, factors, set } = record;
	if (answered !== 200) return { verdict: 'refused later', why: String(answered) };
	const column = COLUMNS.find(({ name }) => name === record.column);
	for (const [name, values] of expected(record, column)) {
		if (values === undefined) return { verdict: 'dropped', why: name };
		for (const [path, value] of Object.entries(values)) {
			if (path === '$path') {
				if (!received.path.endsWith(value)) return { verdict: 'changed', why: received.path };
				continue;
			}
			const found = inside(received.body, path);
			if (found === undefined) return { verdict: 'dropped', why: path };
			if (!same(found, toWords(value, PICTURES))) {
				return { verdict: 'changed', why: `${path}: ${found}` };
			}
		}
	}
	const { seconds } = factors;
	const asked = Number(set.duration ?? seconds);
	return seconds === undefined || asked === seconds
		? { verdict: 'arrives' }
		: { verdict: 'billed otherwise', why: `${seconds} s` };
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

module.exports = { COLUMNS, PNG, fromWords, judge, lostPaths, toWords };
