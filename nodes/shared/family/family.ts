import type { IDataObject } from 'n8n-workflow';

import { foldCase, isFilled, type HandField } from './byHand';

/** The settings of Video Generate that families spell in their own ways, or lack. */
export const FAMILY_OPTIONS = [
	'aspectRatio',
	'duration',
	'generateAudio',
	'negativePrompt',
	'resolution',
	'returnLastFrame',
	'seed',
] as const;

export type FamilyOption = (typeof FAMILY_OPTIONS)[number];

export type Value = string | number | boolean;

/** How a family accepts an option; without `at`, the option is refused. */
export interface Setting {
	/** The paths in the request that carry the value. */
	at?: string | string[];
	/** The values to accept, as the vendor spells them; if absent, any from `min` to `max`. */
	values?: readonly Value[];
	min?: number;
	max?: number;
	/** The value that the vendor takes if none is sent, where it is known. */
	byDefault?: Value;
	/** Where the vendor takes it from, if the family lacks the option. */
	instead?: string;
}

/** The sizes in pixels, by resolution and ratio, of a vendor that takes both as one field. */
export type SizeTable = Record<string, Record<string, string>>;

export interface Settings extends Partial<Record<FamilyOption, Setting>> {
	/** Aspect Ratio and Resolution are sent as one `size` of this table. */
	sizes?: SizeTable;
}

/** Returns the settings of a vendor that takes a size; what is not chosen is as the vendor has it. */
export const sizesOf = (
	sizes: SizeTable,
	byDefault: { aspectRatio: string; resolution: string },
): Settings => ({
	sizes,
	aspectRatio: {
		at: 'size',
		values: [...new Set(Object.values(sizes).flatMap((ratios) => Object.keys(ratios)))],
		byDefault: byDefault.aspectRatio,
	},
	resolution: { at: 'size', values: Object.keys(sizes), byDefault: byDefault.resolution },
});

/** Pictures in the form that the family reads: web addresses, data URIs or bare base64. */
export interface WrittenPictures {
	first?: string;
	last?: string;
	references: string[];
}

export interface PictureRules {
	/** The vendor opens web addresses itself. If not, the node loads the picture. */
	opensUrls?: boolean;
	/** How to encode a picture whose bytes are sent, if not as a data URI; `typed`: as it was given. */
	form?: 'base64' | 'typed';
	lastFrame?: boolean;
	/** How many reference pictures the family accepts. */
	references?: number;
	write: (pictures: WrittenPictures) => IDataObject;
}

/** Everything that was set for one video, besides its model. */
export interface VideoSpec {
	prompt: string;
	options: Partial<Record<FamilyOption, Value>>;
	pictures: WrittenPictures;
	byHand: HandField[];
}

/**
 * Models that read the same fields. The gateway translates the one documented request for each
 * vendor, and silently drops the fields that it does not read for that vendor. Each family lists
 * the fields that get through.
 */
export interface Family {
	label: string;
	/** Matches the names of its models. */
	matches: RegExp;
	/** `owned_by` in the service's list of models. */
	owners: readonly string[];
	/** The gateway asks the vendor at each fetch of a task's record. */
	hasLiveRecord?: true;
	settings: (model: string) => Settings;
	pictures: PictureRules;
	/**
	 * Groups of paths that name the same thing: the gateway uses one of them and silently drops the
	 * others.
	 */
	twins: string[][];
	/**
	 * Which pictures single models need or refuse, and which model to choose instead. A name that
	 * matches none may be that of a newer model, which may do more, and is not refused.
	 */
	models?: Array<[name: RegExp, keyof typeof PICTURE_LIMITS, instead?: string]>;
	/** Returns why settings, each accepted by itself, would together give another video than wanted. */
	objection?: (video: VideoSpec) => string | false | undefined;
}

/** Starts at 1: the gateway drops a 0, and the vendor would then choose a seed itself. */
export const SEED_ABOVE_ZERO = { min: 1, max: 2 ** 31 - 1 };

const PICTURE_BY_HAND =
	/^(images?|input_reference|metadata\.(images?|(first_frame_image|subject_reference|binary_data_base64|image_urls)|input\.(img_url|first_frame_url|images|media|ref_images_url|reference_urls)))(\.|$)/;

/** Returns whether no picture is given, neither by the image fields nor by hand. */
export const hasNoPicture = ({ pictures, byHand }: VideoSpec): boolean =>
	pictures.first === undefined &&
	pictures.references.length === 0 &&
	!byHand.some(({ path, value }) => PICTURE_BY_HAND.test(foldCase(path)) && isFilled(value));

/** Each returns, if a video breaks its limit, what a refusal says after the name of the model. */
export const PICTURE_LIMITS = {
	needsImage: (video) => hasNoPicture(video) && 'needs an image. Set First Frame',
	needsLastFrame: ({ pictures: { first, last } }) =>
		first && !last && 'needs a last frame. Add it to the option Images',
	needsReference: (video) =>
		(video.pictures.first || hasNoPicture(video)) &&
		'needs a reference image, and takes no other. Set First Frame to None and add one to the option Images',
	noImage: ({ pictures }) => pictures.first && 'takes no image. Set First Frame to None',
	noLastFrame: ({ pictures }) => pictures.last && 'takes no last frame. Remove it from Images',
	noReferences: ({ pictures }) =>
		pictures.references.length > 0 && 'takes no reference images. Remove them from Images',
} satisfies Record<string, (video: VideoSpec) => unknown>;
