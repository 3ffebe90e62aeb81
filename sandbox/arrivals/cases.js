'use strict';

const { COLUMNS } = require('./columns');
const { PICTURES, PNG, PNG_URI, UNPADDED } = require('./pictures');

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

module.exports = { CASES, OPTIONS: Object.keys(VALUES) };
