import type { IDataObject } from 'n8n-workflow';

import { findAt, isFilled } from './namesByHand';

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
	/** What can be had, where that is known; written in the spelling of this list. */
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

/** Pictures as the family reads them: web addresses, data URIs or bare base64. */
export interface WrittenPictures {
	first?: string;
	last?: string;
	references: string[];
}

export interface PictureRules {
	/** The vendor opens web addresses itself. Otherwise the picture goes along. */
	opensUrls: boolean;
	/** How a picture that goes along is written; `typed`: as the person gave it. */
	form: 'dataUri' | 'base64' | 'typed';
	lastFrame: boolean;
	/** How many reference pictures it takes. */
	references: number;
	write: (pictures: WrittenPictures) => IDataObject;
}

/**
 * Fields under other names that say the same as one that is written, all as paths with dots: the gateway
 * reads them first, or reads them alone.
 */
export type Twins = Readonly<Record<string, readonly string[]>>;

/** All that was set of one item. */
export interface Wishes {
	options: Partial<Record<FamilyOption, Value>>;
	pictures: WrittenPictures;
	/** What the person wrote into `metadata` by hand. */
	metadata: IDataObject;
	/** And into the rest of the request. */
	extra?: IDataObject;
	prompt?: string;
}

/**
 * Models that take their fields alike. Behind the one documented request stands a gateway that
 * turns it into each vendor's own: what it reads for which vendor is its own matter, and it drops
 * the rest in silence. So each family says what arrives.
 */
export interface Family {
	label: string;
	/** Of the model's name. */
	matches: RegExp;
	/** `owned_by` in the service's list of models. */
	owners: readonly string[];
	/** Each poll of a task is a question to the vendor. */
	asksVendor?: true;
	settings: (model: string) => Settings;
	pictures: PictureRules;
	/** What must not be written by hand with another value, beside its field. */
	twins: Twins;
	/** Of `metadata`: anything but an object there would take the rest with it. */
	objects?: readonly string[];
	/** Options that say the same and must not be set together. */
	exclusive?: ReadonlyArray<readonly [FamilyOption, FamilyOption]>;
	/** Why these wishes would give something else than is wanted, though each can be had. */
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
	...['metadata.first_frame_image', 'metadata.subject_reference'],
	...['img_url', 'first_frame_url', 'images', 'media'].map((name) => `metadata.input.${name}`),
	...['ref_images_url', 'reference_urls'].map((name) => `metadata.input.${name}`),
];

/** No picture is set, and nothing by hand that may be one. */
export const hasNoPicture = ({ pictures, metadata, extra }: Wishes): boolean =>
	pictures.first === undefined &&
	pictures.references.length === 0 &&
	!PICTURES_BY_HAND.some((path) =>
		findAt({ ...extra, metadata }, path).some(({ value }) => isFilled(value)),
	);
