import type { IDataObject } from 'n8n-workflow';

import type { PictureRules, SettingName, Value } from './family';

/** Settings as they were set, by name. */
type SetValues = Partial<Record<SettingName, Value>>;

/** A way of writing settings for a service whose models' own rules are not known. */
export interface Way {
	/** As people know it. */
	label: string;
	/** A resolution is sent only together with a ratio, as pixels. */
	needsRatio?: true;
	/** What the vendor of a model reads from `metadata` is written there, too. */
	hasMetadata?: true;
	/** Returns the fields of each setting; one that it has no fields for is refused. */
	write: (set: SetValues, hasPicture: boolean) => Array<{ of: SettingName[]; fields: IDataObject }>;
	pictures: PictureRules;
}

/** Where a picture of an unknown service may be; `image` of a request by hand replaces them all. */
const PICTURE_FIELDS = [
	'image',
	'images',
	'image_url',
	'image_urls',
	'input_reference',
	'frame_images',
];

/** Lines of the short side, by the words that have no number of lines. */
const LINES: Record<string, number> = { '2k': 1_440, '4k': 2_160, '8k': 4_320 };

/**
 * Returns the width and height of a ratio such as `16:9` at a resolution such as `720p`, whose number
 * counts the short side; `undefined` for ratios and resolutions that are other words.
 */
export function toPixels(ratio: string, resolution: string) {
	const [, across, down] = (/^\s*(\d+):(\d+)\s*$/.exec(ratio) ?? []).map(Number);
	const word = resolution.trim().toLowerCase();
	const short = LINES[word] ?? Number(/^(\d{3,4})p?$/.exec(word)?.[1]);
	if (!across || !down || !short) return undefined;
	const toEven = (pixels: number) => 2 * Math.round(pixels / 2);
	const long = toEven((short * Math.max(across, down)) / Math.min(across, down));
	return across >= down ? { width: long, height: short } : { width: short, height: long };
}

/** Of a size of which only one is set: what the pages that write sizes begin with. */
const USUAL = { ratio: '16:9', resolution: '720p' };

function toSize({ aspectRatio, resolution }: SetValues) {
	if (aspectRatio === undefined && resolution === undefined) return undefined;
	return toPixels(String(aspectRatio ?? USUAL.ratio), String(resolution ?? USUAL.resolution));
}

type Written = ReturnType<Way['write']>;

/** Returns the fields of a setting if it is set. */
const field = (
	set: SetValues,
	name: SettingName,
	fields: (value: Value) => IDataObject,
): Written => (set[name] === undefined ? [] : [{ of: [name], fields: fields(set[name]) }]);

/** OpenAI's own API for videos: `seconds` is a text, `size` is in pixels. */
export const OPENAI: Way = {
	label: "OpenAI's API for videos",
	needsRatio: true,
	write(set) {
		const size = set.aspectRatio === undefined ? undefined : toSize(set);
		return [
			...field(set, 'duration', (value) => ({ seconds: String(value) })),
			...(size
				? [
						{
							of: ['aspectRatio' as const, 'resolution' as const],
							fields: { size: `${size.width}x${size.height}` },
						},
					]
				: []),
		];
	},
	pictures: {
		at: PICTURE_FIELDS,
		opensUrls: true,
		write: ({ first }) => ({ input_reference: first }),
	},
};

/** The names that most pages give to settings, each once. */
export const PLAIN: Way = {
	label: 'The plain way of writing settings (Settings in the credential)',
	write: (set) => [
		...field(set, 'duration', (duration) => ({ duration })),
		...field(set, 'aspectRatio', (aspect_ratio) => ({ aspect_ratio })),
		...field(set, 'resolution', (resolution) => ({ resolution })),
		...field(set, 'negativePrompt', (negative_prompt) => ({ negative_prompt })),
		...field(set, 'generateAudio', (generate_audio) => ({ generate_audio })),
		...field(set, 'seed', (seed) => ({ seed })),
	],
	pictures: {
		at: PICTURE_FIELDS,
		opensUrls: true,
		write: ({ first }) => ({ image: first }),
	},
};

/** Returns fields both at the top and in `metadata`, where resellers pass them on to the vendor. */
const both = (fields: IDataObject): IDataObject => ({ ...fields, metadata: fields });

/**
 * All names that pages give to a setting, side by side. A service takes the ones it knows; one that
 * refuses unknown fields says so before it bills, whereas a field too few would be dropped in silence.
 */
export const SIDE_BY_SIDE: Way = {
	label: 'A service of unknown kind',
	hasMetadata: true,
	write(set, hasPicture) {
		// A picture decides the shape of its video.
		const size = hasPicture && set.aspectRatio === undefined ? undefined : toSize(set);
		const sizes = size && { size: `${size.width}x${size.height}`, ...size };
		return [
			...field(set, 'duration', (duration) => ({
				...{ duration, seconds: String(duration), duration_seconds: duration },
			})),
			...field(set, 'aspectRatio', (ratio) => both({ aspect_ratio: ratio, ratio })),
			...field(set, 'resolution', (resolution) => both({ resolution })),
			...(sizes ? [{ of: ['aspectRatio' as const, 'resolution' as const], fields: sizes }] : []),
			...field(set, 'negativePrompt', (negative_prompt) => both({ negative_prompt })),
			...field(set, 'generateAudio', (generate_audio) => both({ generate_audio })),
			...field(set, 'returnLastFrame', (value) => both({ return_last_frame: value })),
			...field(set, 'seed', (seed) => both({ seed })),
		];
	},
	pictures: {
		at: PICTURE_FIELDS,
		opensUrls: true,
		write: ({ first = '' }) => ({
			...{ image: first, images: [first], input_reference: first },
			// Those who have it take addresses alone.
			...(/^https?:/i.test(first) && { image_url: first, image_urls: [first] }),
		}),
	},
};

/** The same on OpenAI's route, where a size is what most pages show, and portrait without one. */
export const SIDE_BY_SIDE_WITH_SIZE: Way = {
	...SIDE_BY_SIDE,
	needsRatio: true,
	write: (set, hasPicture) =>
		SIDE_BY_SIDE.write(
			set.aspectRatio === undefined ? { ...set, resolution: undefined } : set,
			hasPicture,
		),
	pictures: {
		...SIDE_BY_SIDE.pictures,
		write: (pictures) => ({
			...SIDE_BY_SIDE.pictures.write(pictures),
			frame_images: [
				{
					type: 'image_url',
					...{ image_url: { url: pictures.first }, frame_type: 'first_frame' },
				},
			],
		}),
	},
};
