import { CHOICES, SETTING_NAMES, type SettingName, SETTINGS } from '../settings';
import { type Field, LENGTH_AT, PICTURE_AT, type Takes, type Shape } from '../takes';

// Ways of writing for a service whose models' own rules are not known: only the service knows which
// values it takes.

/** What New API reads for a model of which nothing is known: anything else would be dropped in silence. */
export const UNKNOWN_MODEL: Takes = {
	label: 'A model of no known family',
	isGuess: true,
	fields: { duration: { at: LENGTH_AT } },
	pictures: { at: PICTURE_AT },
	advice:
		"Set Model Family in Options to send them. If no family fits, write them into Additional Fields (JSON) as the model's vendor spells them.",
};

/**
 * A model that its service may have, and of which nothing is known: all but the prompt is written by hand.
 *
 * @param at where its prompt goes
 */
export const byHandAlone = (model: string, at: string): Takes => ({
	label: `The node, which does not know "${model.slice(0, 200)}",`,
	makes: 'video',
	fields: {},
	pictures: { at: [], takes: [] },
	prompt: { at, isOptional: true },
	advice: (lacking) =>
		`Remove ${lacking}, or write it into Additional Fields (JSON) as the service spells it.`,
});

/** Where a picture may be; one by hand replaces that of the form. */
const ALL_PICTURES_AT = [...PICTURE_AT, 'image_url', 'image_urls', 'frame_images'];

const ADVICE =
	'Remove them, or write them into Additional Fields (JSON) as the service spells them.';

/** OpenAI's own API for videos: `seconds` is a text, `size` is in pixels. */
export const OPENAI: Takes = {
	label: "OpenAI's API for videos",
	fields: {
		duration: { at: ['seconds'], auto: 'seconds' },
		aspectRatio: { at: [], or: ['size'] },
		resolution: { at: [], or: ['size'] },
	},
	shape(shape) {
		const size = shape.ratio && toPixels(shape);
		return size ? { size: size.join('x') } : undefined;
	},
	pictures: {
		at: ALL_PICTURES_AT,
		takes: ['first'],
		write: ({ first }) => ({ input_reference: first }),
	},
	advice: ADVICE,
};

/** Returns paths at the top and in `metadata`, where resellers pass them on to the vendor. */
const both = (...names: string[]) => names.flatMap((name) => [name, `metadata.${name}`]);

const SIZES_AT = ['size', 'width', 'height'];

/**
 * All names that pages give to a setting, side by side. A service takes the ones it knows; one that
 * refuses unknown fields says so before it bills, whereas a field too few would be dropped in silence.
 */
export const SIDE_BY_SIDE: Takes = {
	label: 'A service of unknown kind',
	isGuess: true,
	fields: {
		duration: { at: ['duration', 'seconds', 'duration_seconds'], auto: 'duration' },
		aspectRatio: { at: both('aspect_ratio', 'ratio'), or: SIZES_AT },
		resolution: { at: both('resolution'), or: SIZES_AT },
		negativePrompt: { at: both('negative_prompt') },
		generateAudio: { at: both('generate_audio') },
		returnLastFrame: { at: both('return_last_frame') },
		seed: { at: both('seed') },
	},
	shape(shape) {
		const isNamed = !shape.resolution && NAMED_RESOLUTION.test(shape.name);
		const [width, height] = (shape.ratio && !isNamed && toPixels(shape)) || [];
		return width ? { size: `${width}x${height}`, width, height } : {};
	},
	pictures: {
		at: ALL_PICTURES_AT,
		takes: ['first'],
		write: ({ first = '' }) => ({
			...{ image: first, images: [first], input_reference: first },
			frame_images: [{ type: 'image_url', image_url: { url: first }, frame_type: 'first_frame' }],
			// Those who have it take addresses alone.
			...(/^https?:/i.test(first) && { image_url: first, image_urls: [first] }),
		}),
	},
	advice: ADVICE,
};

/** The names that most pages give to settings, each once. What is written by hand at another one replaces it, too. */
export const PLAIN: Takes = {
	label: 'A service that takes plain names alone',
	fields: Object.fromEntries(
		SETTING_NAMES.flatMap((name): Array<[SettingName, Field]> => {
			const { at = [], or = [] } = SIDE_BY_SIDE.fields[name] ?? {};
			const [plain] = SETTINGS[name].names;
			return plain === undefined ? [] : [[name, { at: [plain], or: [...at, ...or], auto: plain }]];
		}),
	),
	pictures: { at: ALL_PICTURES_AT, takes: ['first'], write: ({ first }) => ({ image: first }) },
	advice: ADVICE,
};

/** Returns a way with what a vendor reads from `metadata`, as CHNLLM shows it (docs.chnllm.com/api/video, 2026-11). */
export function withVendor(way: Takes, vendor?: Takes): Takes {
	const fields = CHOICES.map((name): [string, Field] => {
		const { at = [], or = [] } = vendor?.fields[name] ?? {};
		const own = way.fields[name]!;
		const more = at.filter((path) => /^metadata\.\w+$/.test(path) && !own.at.includes(path));
		return [name, { ...own, at: [...own.at, ...more], or: [...(own.or ?? []), ...or] }];
	});
	return {
		...way,
		fields: { ...way.fields, ...Object.fromEntries(fields) },
		pictures: { ...way.pictures, heic: vendor?.pictures.heic },
	};
}

/** Lines of the short side, by the words that have no number of lines. */
const LINES = new Map(Object.entries({ '2k': 1_440, '4k': 2_160, '8k': 4_320 }));

/** What resellers write into the name of a model that has a resolution of its own. */
const NAMED_RESOLUTION = /[-_](\d{3,4}p|[248]k|u?hd)(?![a-z0-9])/;

/**
 * Returns the width and height of a ratio such as `16:9` at a resolution such as `720p`, whose number counts
 * the short side and which is what most pages begin with; `undefined` if one of them is another word.
 */
function toPixels({ ratio, resolution = '720p' }: Shape): number[] | undefined {
	const [, across, down] = (/^(\d+):(\d+)$/.exec(ratio ?? '') ?? []).map(Number);
	const short = LINES.get(resolution) ?? Number(/^(\d{3,4})p?$/.exec(resolution)?.[1]);
	if (!across || !down || !short) return undefined;
	const long = 2 * Math.round((short * Math.max(across, down)) / Math.min(across, down) / 2);
	return across >= down ? [long, short] : [short, long];
}
