import type { IDataObject } from 'n8n-workflow';

import { handAt, isFilled, type HandField, type Twins } from './byHand';

/** The options of Video Generate that families spell in their own ways, or do not have. */
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

/** How a family takes an option: the fields of the request that carry it. */
export interface Setting {
	/** The values that can be had, where that is known; written in the spelling of this list. */
	values?: readonly Value[];
	/** The smallest and the largest number that arrive. */
	min?: number;
	max?: number;
	write: (value: Value) => IDataObject;
}

/** What to do in place of an option that the family does not take. */
export interface Instead {
	instead: string;
}

export type Settings = Partial<Record<FamilyOption, Setting | Instead>>;

export const isSetting = (setting: Setting | Instead | undefined): setting is Setting =>
	setting !== undefined && 'write' in setting;

/** Pictures as the family reads them: web addresses, data URIs or bare base64. */
export interface WrittenPictures {
	first?: string;
	last?: string;
	references: string[];
}

export interface PictureRules {
	/** The vendor opens web addresses itself. Otherwise the node loads the picture. */
	opensUrls: boolean;
	/** How a picture is written that goes along; `typed`: as the person gave it. */
	form: 'dataUri' | 'base64' | 'typed';
	lastFrame: boolean;
	/** How many reference pictures it takes. */
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
 * Models that take their fields alike. Behind the one documented request stands a gateway that turns
 * it into each vendor's own: it reads other fields for each vendor, and drops the rest in silence. So
 * each family says what arrives.
 */
export interface Family {
	label: string;
	/** Matches the names of its models. */
	matches: RegExp;
	/** `owned_by` in the service's list of models. */
	owners: readonly string[];
	/** Each poll of a task is a question to the vendor. */
	asksVendor?: true;
	settings: (model: string) => Settings;
	pictures: PictureRules;
	twins: Twins;
	/** Returns why these wishes would give something else than is wanted, though each can be had. */
	objection?: (wishes: Wishes, model: string) => string | undefined;
}

/** A setting that goes into `metadata`; `path` has dots where it lies deeper. */
export const inMetadata = (path: string, values?: readonly Value[]): Setting => ({
	values,
	write: (value) => ({
		metadata: path
			.split('.')
			.reduceRight<unknown>((inner, name) => ({ [name]: inner }), value) as IDataObject,
	}),
});

/** A seed where the gateway drops a zero: the vendor would take a seed of its own. */
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

/** Returns whether no picture is set, and no field by hand may be one. */
export const hasNoPicture = ({ pictures, byHand }: Wishes): boolean =>
	pictures.first === undefined &&
	pictures.references.length === 0 &&
	!PICTURES_BY_HAND.some((path) => handAt(byHand, path).some(({ value }) => isFilled(value)));
