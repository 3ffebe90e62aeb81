import type { IDataObject } from 'n8n-workflow';

/** The settings of Video Generate that families spell in their own ways, or lack, with their kinds. */
export const SETTINGS = {
	aspectRatio: 'text',
	duration: 'number',
	generateAudio: 'boolean',
	negativePrompt: 'text',
	resolution: 'text',
	returnLastFrame: 'boolean',
	seed: 'number',
} as const;

export type SettingName = keyof typeof SETTINGS;

export type Value = string | number | boolean;

/** How a family takes a setting; without `at`, the setting is refused. */
export interface Setting {
	/** The paths in the request that carry the value. */
	at?: string | string[];
	/**
	 * Other paths from which the gateway takes it: what is written there by hand replaces the value. The first
	 * stands in for `size` at a reseller's channel, which takes four sizes in pixels there and refuses all others.
	 */
	or?: string[];
	/** The values to accept, as the vendor spells them; if absent, any from `min` to `max`. */
	values?: readonly Value[];
	min?: number;
	max?: number;
	/** The value that the vendor takes if none is sent, where it is known. */
	byDefault?: Value;
	/** The same at gateways from before autumn 2026, where it is another. */
	byDefaultBefore?: Value;
	/** What is sent for a value. */
	words?: Record<string, Value>;
	/** The letters of a word that no list has, such as `1440P`; small if absent. */
	letters?: 'capital';
	/** Where -1 goes, which lets the model choose: alone, because the other fields refuse it. */
	auto?: string;
	/** Nobody knows what the model takes: the values are those of the newest known version. */
	isUnknown?: boolean;
	/** Other values are sent, too: the model is unknown, or a reseller's. */
	isOpen?: boolean;
	/** Where the vendor takes it from, if the family lacks the setting. */
	instead?: string;
}

/** The settings whose values differ between the versions of a family. */
export const CHOICES = ['aspectRatio', 'duration', 'resolution'] as const;

export type Choice = (typeof CHOICES)[number];

export const isChoice = (name: SettingName): name is Choice => CHOICES.some((one) => one === name);

/** What a note may be about: a setting, or a kind of picture. */
export type Part = SettingName | 'firstFrame' | 'lastFrame' | 'references';

/** What is known of one version of a family. A setting without a list is not known. */
export interface Version extends Partial<
	Record<Choice, readonly Value[] | { min: number; max: number; auto?: true }>
> {
	/** As people call it, after the label of the family. */
	label: string;
	/** Matches the plain names of its models (`toPlainName`). */
	name: RegExp;
	/** One of them, as its vendor writes it. */
	model: string;
	/** When the row was last compared with what, if not when and with what its family was. */
	checked?: string;
	/** The values that the vendor takes if none is sent, where they differ from the family's. */
	byDefault?: Partial<Record<Choice, Value>>;
	/** How many references of each kind it accepts, if not as many as the family. */
	references?: References;
	/** It takes a first frame beside references; `both`: also a last one. */
	mixesFrame?: true | 'both';
	/** Only gateways since autumn 2026 read these; older ones drop them. */
	recent?: readonly Part[];
	/** Settings that take other values than those of its lists where it renders from references. */
	openFromReferences?: readonly Choice[];
	/** What nobody has seen arrive for it, although the family has it. */
	unsure?: readonly Part[];
}

export interface Settings extends Partial<Record<SettingName, Setting>> {
	/** Aspect Ratio and Resolution are sent as one `size`: pixels, by resolution and ratio. */
	sizes?: Record<string, Record<string, string>>;
}

/** The kinds of references, which go without frames. Videos and sounds are addresses. */
export const REFERENCES = { references: 'image', videos: 'video', sounds: 'sound' } as const;

/** How many references of a kind there may be. */
export type References = Partial<Record<keyof typeof REFERENCES, number>>;

/** Pictures in the form that the family reads: web addresses, data URIs or bare base64. */
export interface WrittenPictures extends Partial<Record<keyof typeof REFERENCES, string[]>> {
	first?: string;
	last?: string;
	/** Those of images and videos, as the rows have them: prompts may count them. */
	inOrder?: string[];
	references: string[];
}

export const hasReferences = (pictures: WrittenPictures): boolean =>
	Object.keys(REFERENCES).some((kind) => pictures[kind as keyof typeof REFERENCES]?.length);

export interface PictureRules {
	/** Where the gateway takes a picture from: one that is there by hand replaces those of the form. */
	at: string[];
	/** The vendor opens web addresses itself. If not, the node loads the picture. */
	opensUrls?: boolean;
	/** How to encode a picture whose bytes are sent, if not as a data URI; `typed`: as it was given. */
	form?: 'base64' | 'typed';
	/** Matches names by which a reseller's model takes more pictures than the vendor's channel. */
	fixedByName?: RegExp;
	/** The types of files that it takes, if not all that the node knows. */
	types?: readonly string[];
	/** `alone`: also without a first frame. */
	lastFrame?: true | 'alone';
	/** How many references the family accepts. */
	references?: References;
	/** Where a model takes a sound that is no reference, if only by hand. */
	ownSoundAt?: (name: string) => string | undefined;
	/**
	 * @param route of the submit, where it makes a difference
	 * @param name the plain name of the model
	 */
	write: (pictures: WrittenPictures, route: string | undefined, name: string) => IDataObject;
}

/** Returns a first frame for both routes: plugins read only the list of what comes by `/v1/videos`. */
export const toOneImage = (image: string | undefined, route?: string): IDataObject =>
	route === 'openAiVideos' && image !== undefined ? { images: [image] } : { image };

/** The pictures of the form that are sent, and whether there is any, if only by hand. */
export interface GivenPictures extends WrittenPictures {
	hasPicture: boolean;
}

/** Each returns, if a video breaks its limit, what a refusal says after the name of the model. */
export const PICTURE_LIMITS = {
	needsImage: ({ hasPicture }) => !hasPicture && 'needs an image. Set First Frame',
	// An effect of Wan renders from the first frame alone.
	needsLastFrame: ({ first, last }, at) =>
		first &&
		!last &&
		at('metadata.input.template') === undefined &&
		'needs a last frame. Add it to the option Images',
	needsReference: (pictures) =>
		!hasReferences(pictures) &&
		(pictures.first || !pictures.hasPicture) &&
		'needs a reference, which First Frame is not. Add one to the option Images',
	needsOwnInput: (pictures) =>
		(pictures.first || hasReferences(pictures) || !pictures.hasPicture) &&
		'takes its files from metadata.input in Additional Fields (JSON) alone. Write them there, and remove all images',
	noImage: ({ first, last }) =>
		(first ?? last) &&
		'takes no image. Set First Frame to None, and remove a last frame from Images',
	noLastFrame: ({ last }) => last && 'takes no last frame. Remove it from Images',
	noReferences: (pictures) =>
		hasReferences(pictures) && 'takes no references. Remove them from Images',
} satisfies Record<string, (pictures: GivenPictures, at: (path: string) => unknown) => unknown>;

/**
 * Models that read the same fields. The gateway translates the one documented request for each
 * vendor, and silently drops the fields that it does not read for that vendor. Each family lists
 * the fields that get through.
 */
export interface Family {
	label: string;
	/** Matches the names of its models. */
	matches: RegExp;
	/**
	 * Matches the plain names that the vendor's own channel has. A reseller's name mostly hangs on a channel
	 * of OpenAI's kind, so its picture goes to where that reads it, too, and its lists are no limits.
	 */
	ownNames: RegExp;
	/** `owned_by` in the service's list of models. */
	owners: readonly string[];
	/** Whose channel serves the model, if the service tells. */
	channel?: 'own' | 'other';
	/** `owned_by` of the model in small letters, if the service tells. */
	owner?: string;
	/** The gateway asks the vendor at each fetch of a task's record. */
	hasLiveRecord?: true;
	/** What a fixed price of New API is for, if that is known. */
	price?: 'second' | 'video';
	/**
	 * Where each setting goes, by the plain name of a model. Values that stand here hold for all versions,
	 * also for unknown ones.
	 */
	settings: (name: string) => Settings;
	/** When the versions were last compared with what. */
	checked: string;
	/** The newest first. The first whose name matches counts; a name without a version is not known. */
	versions: readonly Version[];
	pictures: PictureRules;
	/**
	 * Which pictures single models need or refuse, and which model to choose instead. A name that
	 * matches none may be that of a newer model, which may do more, and is not refused.
	 */
	models?: Array<[name: RegExp, keyof typeof PICTURE_LIMITS, instead?: string]>;
	/** Models whose vendor refuses a ratio beside a frame, which decides the shape. */
	shapeOfFrame?: RegExp;
	/** What is written by hand and only gateways since autumn 2026 read; older ones drop it. */
	newFields?: string[];
	/** A path by which a person chooses another model of the vendor by hand. */
	modelAt?: string;
	/**
	 * Returns what would be dropped for sure of a request, and what to do.
	 *
	 * @param at returns the value at a path of the request
	 * @param name the plain name of its model
	 * @param isResold its channel may be a reseller's
	 */
	objection?: (
		at: (path: string) => unknown,
		name: string,
		isResold: boolean,
	) => string | false | undefined;
	/**
	 * Returns whether a video has to go by `/v1/videos` at New API: on the other route, plugins take each
	 * video for one from a single image.
	 */
	needsOpenAiRoute?: (at: (path: string) => unknown, name: string) => boolean;
	/** Returns what may become of a request on a route, if it is not known to arrive. */
	cautions?: (
		at: (path: string) => unknown,
		name: string,
		route?: string,
		owner?: string,
	) => Array<string | false>;
}

/** The documented paths of a picture. */
export const PICTURE_AT = ['image', 'images', 'input_reference'];

/** Where a length goes: no vendor's channel minds `seconds`, and one of OpenAI's kind reads it alone. */
export const LENGTH_AT = ['duration', 'seconds'];

/** What is documented of pictures, for a model of which nothing is known. */
export const DOCUMENTED: PictureRules = {
	at: PICTURE_AT,
	opensUrls: true,
	form: 'typed',
	write: ({ first }) => ({ image: first }),
};

/** What to do in place of Aspect Ratio. */
export const SHAPE_OF_FIRST_FRAME =
	'The shape comes from the first frame. Remove Aspect Ratio, and set First Frame to an image of that shape.';

/** Starts at 1: the gateway drops a 0, and the vendor would then choose a seed itself. */
export const SEED_ABOVE_ZERO = { min: 1, max: 2 ** 31 - 1 };
