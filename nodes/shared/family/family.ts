import type { IDataObject } from 'n8n-workflow';

import { foldCase, isFilled, type HandField } from './byHand';

/** The options of Video Generate that families spell in their own ways, or lack. */
export const FAMILY_OPTIONS = [
	...(['aspectRatio', 'cameraFixed', 'duration', 'generateAudio', 'negativePrompt'] as const),
	...(['personGeneration', 'resolution', 'seed', 'size', 'watermark'] as const),
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
	/** Returns the value in the form that the request needs, if it differs from `values`. */
	spell?: (value: Value) => Value;
	/** The advice for a person who set the option although the family lacks it. */
	instead?: string;
}

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
	/** The gateway asks the vendor at every poll, so the node polls seldom. */
	asksVendor?: true;
	settings: (model: string) => Partial<Record<FamilyOption, Setting>>;
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
	needsImage: (video) => hasNoPicture(video) && 'needs an image. Set Image Source',
	needsLastFrame: ({ pictures: { first, last } }) =>
		first && !last && 'needs a last frame. Add it to Further Images',
	needsReference: (video) =>
		(video.pictures.first || hasNoPicture(video)) &&
		'needs a reference image, and takes no other. Set Image Source to None and add one to Further Images',
	noImage: ({ pictures }) => pictures.first && 'takes no image. Set Image Source to None',
	noLastFrame: ({ pictures }) =>
		pictures.last && 'takes no last frame. Remove it from Further Images',
	noReferences: ({ pictures }) =>
		pictures.references.length > 0 && 'takes no reference images. Remove them from Further Images',
} satisfies Record<string, (video: VideoSpec) => unknown>;
