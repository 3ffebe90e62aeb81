import type { IDataObject } from 'n8n-workflow';

import { hasValueAt, mergeByHand, pathsOf, writeAt } from './body';
import { CHOICES, type Family, type SettingName } from './family';
import { type Editor, FIXED_BY_NAME, NOTHING_SENT, type VideoSpec } from './toRequest';
import { accept, settingsOf } from './versions';

/** A way of writing settings for a service whose models' own rules are not known. */
export interface Way {
	/** As people know it. */
	label: string;
	/** A resolution is sent only together with a ratio, as pixels. */
	needsRatio?: true;
	/** The paths of each setting; one without a path, and without pixels, is refused. */
	at: Partial<Record<SettingName, readonly string[]>>;
	/** The fields that take Aspect Ratio and Resolution as pixels, in one or in two numbers. */
	pixels?: ReadonlyArray<'size' | 'width' | 'height'>;
	/** @param picture an address or a data URI */
	writePicture: (picture: string) => IDataObject;
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

/** OpenAI's own API for videos: `seconds` is a text, `size` is in pixels. */
export const OPENAI: Way = {
	label: "OpenAI's API for videos",
	needsRatio: true,
	at: { duration: ['seconds'] },
	pixels: ['size'],
	writePicture: (input_reference) => ({ input_reference }),
};

/** The names that most pages give to settings, each once. */
export const PLAIN: Way = {
	label: 'The plain way of writing settings (Settings in the credential)',
	at: {
		duration: ['duration'],
		aspectRatio: ['aspect_ratio'],
		resolution: ['resolution'],
		negativePrompt: ['negative_prompt'],
		generateAudio: ['generate_audio'],
		seed: ['seed'],
	},
	writePicture: (image) => ({ image }),
};

/** Returns paths at the top and in `metadata`, where resellers pass them on to the vendor. */
const both = (...names: string[]) => names.flatMap((name) => [name, `metadata.${name}`]);

/**
 * All names that pages give to a setting, side by side. A service takes the ones it knows; one that
 * refuses unknown fields says so before it bills, whereas a field too few would be dropped in silence.
 */
export const SIDE_BY_SIDE: Way = {
	label: 'A service of unknown kind',
	at: {
		duration: ['duration', 'seconds', 'duration_seconds'],
		aspectRatio: both('aspect_ratio', 'ratio'),
		resolution: both('resolution'),
		negativePrompt: both('negative_prompt'),
		generateAudio: both('generate_audio'),
		returnLastFrame: both('return_last_frame'),
		seed: both('seed'),
	},
	pixels: ['size', 'width', 'height'],
	writePicture: (image) => ({
		...{ image, images: [image], input_reference: image },
		// Those who have it take addresses alone.
		...(/^https?:/i.test(image) && { image_url: image, image_urls: [image] }),
	}),
};

/** The same on OpenAI's route, where a size is what most pages show, and portrait without one. */
export const SIDE_BY_SIDE_WITH_SIZE: Way = {
	...SIDE_BY_SIDE,
	needsRatio: true,
	writePicture: (url) => ({
		...SIDE_BY_SIDE.writePicture(url),
		frame_images: [{ type: 'image_url', image_url: { url }, frame_type: 'first_frame' }],
	}),
};

/**
 * Returns the request for a service of whose models nothing is known: no value is refused but a length
 * that is none, because only the service knows which it takes. Refuses settings and pictures that the way has no field for.
 *
 * @param family what its vendor reads from `metadata` is written there, too
 */
export function toRequestInWay(
	way: Way,
	video: VideoSpec,
	{ label, refuse }: Editor,
	family?: Family,
): IDataObject {
	const { model, prompt, settings, pictures, byHand } = video;
	const isByHand = (fields: IDataObject) => hasValueAt(byHand, pathsOf(fields));
	const { duration = 1 } = settings;
	// Some take -1 for a length that the model chooses.
	if (Number(duration) < 1 && duration !== -1) {
		refuse(`${label('duration')} must be 1 or more`, `It is "${duration}". ${NOTHING_SENT}`);
	}
	const picture = hasValueAt(byHand, PICTURE_FIELDS) ? undefined : pictures.first;
	const written = writeInWay(way, video, picture !== undefined);
	const lacking = (Object.keys(settings) as SettingName[]).filter(
		(name) => !written.some(({ names }) => names.includes(name)),
	);
	if (lacking.length > 0) {
		const labels = lacking.map(label).join(', ');
		if (way.needsRatio && lacking.includes('resolution') && !settings.aspectRatio) {
			refuse(
				`${label('resolution')} needs ${label('aspectRatio')} beside it`,
				`Most services take both as one size in pixels on this route. Set both, or write the resolution into Additional Fields (JSON). ${NOTHING_SENT}`,
			);
		}
		refuse(
			`${way.label} has no field for: ${labels}`,
			`Remove ${labels}, or write it into Additional Fields (JSON) as the service spells it. ${NOTHING_SENT}`,
		);
	}
	const vendors = family ? writeForVendor(family, video) : [];
	const setByHand = [...written, ...vendors].flatMap(({ names, fields, others = [] }) =>
		isByHand(fields) || hasValueAt(byHand, others) ? names : [],
	);
	const isInForm = ({ names }: Written) => !names.some((name) => setByHand.includes(name));
	const inForm = written.filter(isInForm);
	// A picture decides the shape of its video.
	const isShaped = picture !== undefined && settings.aspectRatio === undefined;
	const parts = [
		{ model, prompt },
		...(picture === undefined ? [] : [way.writePicture(picture)]),
		...inForm.filter(({ isPixels }) => !isPixels || !isShaped).map(({ fields }) => fields),
		...vendors.filter(isInForm).map(({ fields }) => fields),
	];
	return mergeByHand(parts, byHand);
}

interface Written {
	/** The settings that the fields say. */
	names: SettingName[];
	fields: IDataObject;
	/** Other paths at which the vendor takes the same. */
	others?: readonly string[];
	isPixels?: true;
}

/** Returns the fields of the settings that are set; a picture stands for a ratio. */
function writeInWay(
	{ at, needsRatio, pixels }: Way,
	{ model, settings: set }: VideoSpec,
	hasPicture: boolean,
): Written[] {
	const isAlone = needsRatio && set.aspectRatio === undefined;
	const sent = isAlone && !hasPicture ? { ...set, resolution: undefined } : set;
	const words = (Object.keys(at) as SettingName[])
		.filter((name) => sent[name] !== undefined)
		.map((name): Written => ({ names: [name], fields: writeAt(at[name]!, sent[name]) }));
	// Pixels would say another shape or resolution than the name, where that one is not set.
	const isNamed = (['aspectRatio', 'resolution'] as const).some(
		(name) => sent[name] === undefined && FIXED_BY_NAME[name]!.test(model),
	);
	const size = !isAlone && !(isNamed && at.aspectRatio) && pixels && toPixels(sent);
	if (!size) return words;
	const fields = Object.fromEntries(pixels.map((name) => [name, size[name]]));
	return [...words, { names: ['aspectRatio', 'resolution'], fields, isPixels: true }];
}

/** Lines of the short side, by the words that have no number of lines. */
const LINES: Record<string, number> = { '2k': 1_440, '4k': 2_160, '8k': 4_320 };

/**
 * Returns the pixels of a ratio such as `16:9` at a resolution such as `720p`, whose number counts the
 * short side; `undefined` if neither is set, and for ratios and resolutions that are other words.
 */
function toPixels({ aspectRatio, resolution }: VideoSpec['settings']) {
	if (aspectRatio === undefined && resolution === undefined) return undefined;
	// Where only one is set, the other is what the pages that write sizes begin with.
	const ratio = /^\s*(\d+):(\d+)\s*$/.exec(String(aspectRatio ?? '16:9')) ?? [];
	const [, across, down] = ratio.map(Number);
	const word = String(resolution ?? '720p')
		.trim()
		.toLowerCase();
	const short = LINES[word] ?? Number(/^(\d{3,4})p?$/.exec(word)?.[1]);
	if (!across || !down || !short) return undefined;
	const long = 2 * Math.round((short * Math.max(across, down)) / Math.min(across, down) / 2);
	const [width, height] = across >= down ? [long, short] : [short, long];
	return { size: `${width}x${height}`, width, height };
}

/**
 * Returns the settings that the vendor of a model has in `metadata`: a fork of New API that does not name
 * itself hands it on.
 */
const writeForVendor = (family: Family, { model, settings }: VideoSpec): Written[] =>
	CHOICES.flatMap((name) => {
		const { at = [], or = [], ...setting } = settingsOf(family, model)[name] ?? {};
		const { [name]: value } = settings;
		const accepted = value === undefined ? undefined : accept(setting, value);
		if (!accepted) return [];
		const paths = [at].flat().filter((path) => /^metadata\.\w+$/.test(path));
		return { names: [name], fields: writeAt(paths, accepted.value), others: or };
	});
