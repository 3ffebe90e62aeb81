// What Video Generate refuses, by column (sandbox/arrivals/columns.js) and by the parameter that the
// refusal names. What it sends is recorded in sandbox/service/gateway/arrivals.json.

const FIRST = { imageSource: 'binary' };
const LAST = { role: 'lastFrame', imageSource: 'binary' };
const REFERENCE = { role: 'reference', imageSource: 'binary' };

/** Pictures that are refused for Image URL, First Frame or Images. */
export const PICTURES: Record<string, object> = {
	none: {},
	first: FIRST,
	'first by URL': { imageSource: 'url', image: '{pictures}/picture.png' },
	'no picture by URL': { imageSource: 'url', image: '{pictures}/page.html' },
	'first and last': { ...FIRST, images: [LAST] },
	last: { images: [LAST] },
	'two last': { ...FIRST, images: [LAST, LAST] },
	reference: { images: [REFERENCE] },
	'two references': { images: [REFERENCE, REFERENCE] },
	'first and reference': { ...FIRST, images: [REFERENCE] },
};

type Refused = Record<string, Array<string | number | boolean>>;

const EVERYWHERE: Refused = {
	Duration: [0, 5.5, '10s'],
	Seed: [1.5],
	Images: ['last', 'two last', 'first and reference'],
};

/** Pictures that only these columns take. */
const TAKEN: Record<string, unknown[] | undefined> = {
	'Hailuo 02': ['last'],
	'MiniMax H3': ['last'],
	'Grok Imagine': ['last', 'first and reference'],
};

const RATIOS = ['16:9', '9:16', '1:1', '4:3', '21:9', 'adaptive', '7:3'];
const RESOLUTIONS = ['480p', '512P', '540p', '720p', '720P', '768p', '1080p', '4k', '8k'];
const NO_LAST_FRAME: Refused = { 'Return Last Frame': [true] };
const NO_AUDIO: Refused = { 'Generate Audio': [true, false] };
const NO_NEGATIVE: Refused = { 'Negative Prompt': ['text'] };
const FIVE_OR_TEN = [1, 4, 6, 8, 12, 15, '8'];
const REFERENCES = ['reference', 'two references'];

const VEO: Refused = {
	'Aspect Ratio': ['1:1', '4:3', '21:9', 'adaptive', '7:3'],
	Duration: [1, 5, 10, 12, 15],
	Resolution: ['480p', '512P', '540p', '768p', '8k'],
	Seed: [-1],
	'Image URL': ['no picture by URL'],
	Images: ['first and last', ...REFERENCES],
	...NO_LAST_FRAME,
};

const WAN: Refused = {
	Duration: FIVE_OR_TEN,
	Resolution: ['512P', '540p', '768p', '4k', '8k'],
	Seed: [0, -1],
	Images: REFERENCES,
	...NO_LAST_FRAME,
};

const OF_COLUMN: Record<string, Refused> = {
	'Veo (Gemini API)': VEO,
	'Veo (Vertex AI)': VEO,
	Seedance: {
		'Aspect Ratio': ['7:3'],
		Duration: [1, 15],
		Resolution: ['512P', '540p', '768p', '4k', '8k'],
		Images: REFERENCES,
		...NO_NEGATIVE,
	},
	Kling: {
		'Aspect Ratio': ['4:3', '21:9', 'adaptive', '7:3'],
		Duration: FIVE_OR_TEN,
		Resolution: RESOLUTIONS,
		Seed: [0, 42, -1],
		Images: ['first and last', ...REFERENCES],
		...NO_AUDIO,
		...NO_LAST_FRAME,
	},
	Vidu: {
		'Aspect Ratio': ['21:9', 'adaptive', '7:3'],
		Duration: [12, 15],
		Resolution: ['480p', '512P', '768p', '4k', '8k'],
		Seed: [0, -1],
		...NO_NEGATIVE,
		...NO_LAST_FRAME,
	},
	Hailuo: {
		'Aspect Ratio': RATIOS,
		Duration: [1, 4, 5, 8, 12, 15, '8'],
		Resolution: ['480p', '512P', '540p', '720p', '720P', '4k', '8k'],
		Seed: [0, 42, -1],
		Images: ['first and last', ...REFERENCES],
		...NO_AUDIO,
		...NO_NEGATIVE,
		...NO_LAST_FRAME,
	},
	'Wan (text)': {
		...WAN,
		'Aspect Ratio': ['21:9', 'adaptive', '7:3'],
		'First Frame': ['first', 'first by URL', 'first and last'],
	},
	'Wan (image)': {
		...WAN,
		'Aspect Ratio': RATIOS,
		'First Frame': ['none'],
		Images: ['first and last', ...REFERENCES],
	},
	'Wan (frames)': {
		...WAN,
		Duration: [1, 4, 6, 8, 10, 12, 15, '8'],
		'First Frame': ['none'],
		Images: ['first', 'first by URL', ...REFERENCES],
	},
	'Hailuo 02': { Images: REFERENCES, ...NO_LAST_FRAME },
	'Hailuo S2V': {
		'First Frame': ['none', 'first', 'first by URL', 'first and last'],
		Images: ['two references'],
		...NO_LAST_FRAME,
	},
	Jimeng: {
		'Aspect Ratio': ['adaptive', '7:3'],
		Duration: FIVE_OR_TEN,
		Resolution: RESOLUTIONS,
		'Image URL': ['no picture by URL'],
		Images: REFERENCES,
		...NO_AUDIO,
		...NO_NEGATIVE,
		...NO_LAST_FRAME,
	},
	'Veo by its short name': {
		Seed: [-1],
		Images: ['first and last', ...REFERENCES],
		...NO_LAST_FRAME,
	},
	'Seedance 2.0': {
		'Aspect Ratio': ['7:3'],
		Duration: [1, 16],
		Resolution: ['540p', '768p', '8k'],
		...NO_NEGATIVE,
	},
	'Seedance 2.5': { Duration: [1, 31], Resolution: ['540p', '768p'], ...NO_NEGATIVE },
	'Kling 3.0': {
		'Aspect Ratio': ['4:3', '21:9', 'adaptive', '7:3'],
		Duration: [1, 16],
		Resolution: ['480p', '540p', '768p', '8k'],
		Seed: [0, 42, -1],
		Images: REFERENCES,
		...NO_LAST_FRAME,
	},
	'Vidu Q3': {
		'Aspect Ratio': ['21:9', 'adaptive', '7:3'],
		Duration: [17],
		Resolution: ['480p', '768p', '4k'],
		Seed: [0, -1],
		...NO_NEGATIVE,
		...NO_LAST_FRAME,
	},
	'MiniMax H3': {
		'Aspect Ratio': ['adaptive', '7:3'],
		Duration: [1, 16],
		Resolution: ['480p', '720p', '1080p', '4k'],
		Seed: [0, 42, -1],
		...NO_AUDIO,
		...NO_NEGATIVE,
		...NO_LAST_FRAME,
	},
	'Wan 2.7 (text)': {
		'Aspect Ratio': ['21:9', 'adaptive', '7:3'],
		Duration: [1, 16],
		'Generate Audio': [false],
		Resolution: ['480p', '540p', '4k'],
		Seed: [0, -1],
		'First Frame': ['first', 'first by URL', 'first and last'],
		...NO_LAST_FRAME,
	},
	'Wan 2.7 (image)': {
		'Aspect Ratio': RATIOS,
		Duration: [1, 16],
		'First Frame': ['none'],
		Images: REFERENCES,
	},
	'Wan 3.0': {
		'Aspect Ratio': ['21:9', '7:3'],
		Duration: [1, 31],
		Resolution: ['540p', '768p', '4k'],
		Seed: [0, -1],
		...NO_LAST_FRAME,
	},
	'Grok Imagine': {
		'Aspect Ratio': ['adaptive', '7:3'],
		Duration: [16],
		Resolution: ['540p', '768p', '4k'],
		Seed: [0, 42, -1],
		...NO_NEGATIVE,
		...NO_LAST_FRAME,
	},
};

/** Returns the name of a parameter by its label, such as `aspectRatio`. */
const toName = (label: string) => label[0].toLowerCase() + label.slice(1).replaceAll(' ', '');

/** A row for each: what is set is refused for this column, and the refusal names the parameter. */
export const REFUSED = Object.entries(OF_COLUMN).flatMap(([column, ofColumn]) =>
	[ofColumn, EVERYWHERE].flatMap((refused) =>
		Object.entries(refused).flatMap(([parameter, values]) =>
			values
				.filter((value) => !TAKEN[column]?.includes(value))
				.map((value) => {
					const set = PICTURES[String(value)] ?? { [toName(parameter)]: value };
					return { column, parameter, value, set: set as Record<string, unknown> };
				}),
		),
	),
);
