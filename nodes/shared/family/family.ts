import type { IDataObject } from 'n8n-workflow';

import { handAt, isFilled, type HandField, type Twins } from './byHand';

/** The options of Video Generate that families spell in their own ways, or lack. */
export const FAMILY_OPTIONS = [
	'aspectRatio',
	'cameraFixed',
	'duration',
	'generateAudio',
	'negativePrompt',
	'personGeneration',
	'resolution',
	'seed',
	'size',
	'watermark',
] as const;

export type FamilyOption = (typeof FAMILY_OPTIONS)[number];

export type Value = string | number | boolean;

/** How a family accepts an option: its values, and the fields of the request that carry them. */
export interface Setting {
	/** The accepted values, where known. `write` gets a value in the spelling of this list. */
	values?: readonly Value[];
	/** The smallest and the largest accepted number. */
	min?: number;
	max?: number;
	write: (value: Value) => IDataObject;
}

/** The advice for an option that the family does not have. */
export interface Instead {
	instead: string;
}

export type Settings = Partial<Record<FamilyOption, Setting | Instead>>;

export const isSetting = (setting: Setting | Instead | undefined): setting is Setting =>
	setting !== undefined && 'write' in setting;

/** Pictures in the form that the family reads: web addresses, data URIs or bare base64. */
export interface WrittenPictures {
	first?: string;
	last?: string;
	references: string[];
}

export interface PictureRules {
	/** Whether the vendor opens web addresses itself. If not, the node loads the picture. */
	opensUrls: boolean;
	/** How to encode a picture whose bytes are sent; `typed`: as the person gave it. */
	form: 'dataUri' | 'base64' | 'typed';
	lastFrame: boolean;
	/** How many reference pictures the family accepts. */
	references: number;
	write: (pictures: WrittenPictures) => IDataObject;
}

/** Everything that was set for one item. */
export interface Wishes {
	prompt: string;
	options: Partial<Record<FamilyOption, Value>>;
	pictures: WrittenPictures;
	byHand: HandField[];
}

/**
 * Models that read the same fields. Behind the one documented request, a gateway translates it for
 * each vendor, and silently drops the fields that it does not read for that vendor. Each family
 * lists the fields that get through.
 */
export interface Family {
	label: string;
	/** Matches the names of its models. */
	matches: RegExp;
	/** `owned_by` in the service's list of models. */
	owners: readonly string[];
	/** The gateway asks the vendor at every poll, so poll seldom. */
	asksVendor?: true;
	settings: (model: string) => Settings;
	pictures: PictureRules;
	twins: Twins;
	/**
	 * Returns why these wishes together would give something else than is wanted, although each alone
	 * is accepted.
	 */
	objection?: (wishes: Wishes, model: string) => string | undefined;
}

/** Returns a setting that goes into `metadata`; dots in `path` nest. */
export const inMetadata = (path: string, values?: readonly Value[]): Setting => ({
	values,
	write: (value) => ({
		metadata: path
			.split('.')
			.reduceRight<unknown>((inner, name) => ({ [name]: inner }), value) as IDataObject,
	}),
});

/**
 * Returns a seed of at least 1: the gateway drops a 0, and the vendor would then choose a seed
 * itself.
 */
export const seedAboveZero = (path: string): Setting => ({
	...inMetadata(path),
	min: 1,
	max: 2 ** 31 - 1,
});

const PICTURES_BY_HAND = [
	...['image', 'images', 'input_reference'],
	...['image', 'images', 'first_frame_image', 'subject_reference'].map(
		(name) => `metadata.${name}`,
	),
	...['binary_data_base64', 'image_urls'].map((name) => `metadata.${name}`),
	...['img_url', 'first_frame_url', 'images', 'media'].map((name) => `metadata.input.${name}`),
	...['ref_images_url', 'reference_urls'].map((name) => `metadata.input.${name}`),
];

/**
 * Returns whether no picture is given, neither by the image fields nor by hand in the JSON fields.
 */
export const hasNoPicture = ({ pictures, byHand }: Wishes): boolean =>
	pictures.first === undefined &&
	pictures.references.length === 0 &&
	!PICTURES_BY_HAND.some((path) => handAt(byHand, path).some(({ value }) => isFilled(value)));
