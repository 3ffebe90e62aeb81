import type { IDataObject } from 'n8n-workflow';

import type { Made } from '../lib/mediaType';
import type { Input } from './readSchema';
import {
	type Choice,
	type Pictures,
	type ReferenceKind,
	type Role,
	type SettingName,
	type Value,
} from './settings';

/** What is known of one version of a family: for the lists of the form, and the page on models. */
export interface Version extends Partial<Record<Choice, readonly Value[]>> {
	/** As people call it, after the label of the family. */
	label: string;
	/** One of its models, as the vendor writes it. */
	model: string;
	/** Matches the plain names of its models (`toPlainName`). */
	matches: RegExp;
	/** When it was last compared with what. */
	checked: string;
	/** What the vendor takes if nothing is sent, where it is known. */
	byDefault?: Partial<Record<Choice, Value>>;
	/** How many references of each kind it takes. */
	references?: Partial<Record<ReferenceKind, number>>;
}

/** What versions may have in common. */
export type Lists = Omit<Version, 'label' | 'model' | 'matches'>;

/** Where a setting goes. Patterns match plain names of models (`toPlainName`). */
export interface Field {
	/** All the paths in the request that carry the value; none if `shape` of the row writes it. */
	at: string[];
	/** Other paths from which it is taken: what is written there by hand replaces it. */
	or?: string[];
	/** Returns what is sent for a value; the value itself if absent. */
	say?: (value: Value) => Value;
	/** Where -1 goes, which lets the model choose: alone, because the other paths refuse it. */
	auto?: string;
	/** As JSON Schema calls it, where it is known: 5 is no "5". */
	type?: string;
	/** Any other value is refused. */
	only?: readonly Value[];
	/** A lower number is refused; of a family, a length below 1. */
	min?: number;
	max?: number;
	/** Models without it. */
	not?: RegExp;
}

/** Where pictures go. */
export interface PictureFields {
	/**
	 * Where the service takes a picture from: one that is there by hand replaces those of the form, or the one
	 * of its role.
	 */
	at: string[] | Partial<Record<Role, string[]>>;
	/** The roles that the models take; others are refused. */
	takes?: Role[];
	/** More are refused. */
	most?: Partial<Record<Role, number>>;
	/** Writes all pictures, because vendors read them by their combination. `name`: the plain one of the model. */
	write?: (pictures: Pictures, name: string) => IDataObject;
	/** Models that do not take a role. */
	not?: Partial<Record<Role, RegExp>>;
	/** Models that take frames beside references. */
	mixes?: RegExp;
	/** A last frame needs no first one. */
	lastAlone?: boolean;
	/** Models whose page says that they take HEIC, as phones store photos. */
	heic?: RegExp;
}

/** Aspect Ratio and Resolution as they are set, in small letters. */
export interface Shape {
	ratio?: string;
	resolution?: string;
	/** The last of the resolutions that are known for the model. */
	highest?: string;
	/** The channel is another vendor's. */
	isForeign: boolean;
	/** The plain name of the model. */
	name: string;
}

/**
 * Judges a request.
 *
 * @param at returns the value at a path of it
 */
export type Judge = (
	at: (path: string) => unknown,
	about: { name: string; owner?: string },
) => string | false;

/** What a request has beside its settings. */
export interface BesideSettings {
	pictures: Pictures;
	modelFields?: IDataObject;
	byHand: IDataObject;
}

/** A request as a whole. */
export type Completed = { request: IDataObject } | { refusal: Refusal };

/** Why a video is not submitted, and what to do. */
export interface Refusal {
	message: string;
	advice: string;
}

/**
 * What a model takes, as data that `toRequest` writes by: that of a family (`families/`), that of a service
 * whose models are not known (`families/ways.ts`), or a model's own schema (`fromSchema`).
 */
export interface Takes {
	/** The family as people know it, or the kind of service. Rows of one family share it. */
	label: string;
	/** What is known of its versions, the newest first. The first that matches counts. */
	versions?: readonly Version[];
	/** What its models make, if that is known; mostly videos. */
	makes?: Made;
	fields: Partial<Record<SettingName, Field>>;
	pictures: PictureFields;
	/** The field of the prompt, if it has one, and whether it may be empty. Without a row: `prompt`, which may not. */
	prompt?: { at?: string; isOptional: boolean };
	/** Returns Aspect Ratio and Resolution as one, besides their fields; `undefined`: cannot be written. */
	shape?: (shape: Shape) => IDataObject | undefined;
	/** Returns where settings go in a request, if what it has beside them decides that. */
	placesOf?: (beside: BesideSettings) => Pick<Takes, 'fields' | 'shape'>;
	/** The vendor opens no web addresses, so the node loads the picture. */
	loads?: true;
	/** Bytes go as base64 without the head of a data URI. */
	bare?: true;
	/** Models that take the shape from a first frame, and drop Aspect Ratio. */
	frameShapes?: RegExp;
	/** The same, where it is not sure. */
	frameMayShape?: RegExp;
	/** The service publishes it: what it rules out is refused, and there is no doubt about the rest. */
	isExact?: true;
	/** Nobody knows what becomes of what is set. */
	isGuess?: true;
	/** What to do in place of a setting that has no field. */
	instead?: Partial<Record<SettingName, string>>;
	/** What to do about all that has no field, if not to remove it. */
	advice?: string | ((lacking: string) => string);
	/** Returns what would be dropped and billed, and what to do. */
	whatIsLost?: Judge;
	/** Returns what is sent and may be dropped. */
	doubt?: Judge;
	/** All that the model takes, by its schema. */
	modelFields?: Input[];
	/** Of these, what the form has no setting for. */
	otherFields?: Input[];
	/** Adds what the model cannot do without, or says what is missing. */
	complete?: (request: IDataObject, byHand: IDataObject, modelFields: IDataObject) => Completed;
}

/**
 * Models that read the same fields, as New API translates its one documented request for their vendor: it
 * silently drops what it does not read. Patterns match plain names of models (`toPlainName`).
 */
export interface Family extends Takes {
	matches: RegExp;
	/** `owned_by` in New API's list of models, in small letters. */
	owners?: string[];
	/** New API asks the vendor at each fetch of a task's record. */
	isLive?: true;
	/** What a fixed price of New API is for, if that is known. */
	price?: 'second' | 'video';
	/** It goes to `/v1/videos`, where plugins of New API tell a text, one image and several apart. */
	onVideos?: true;
}

export const isFamily = (takes: Takes): takes is Family => 'matches' in takes;

/** Returns what to do in place of a setting that there is no field for. */
export const insteadOf = (takes: Takes, setting: SettingName): string | undefined =>
	takes.instead?.[setting] ??
	(isFamily(takes) && setting === 'aspectRatio' ? SHAPE_OF_FIRST_FRAME : undefined);

const SHAPE_OF_FIRST_FRAME =
	'The shape comes from the first frame. Remove Aspect Ratio, and set First Frame to an image of that shape.';

/** Matches the name of each model. */
export const ALL = /./;

/** The documented paths of a picture. */
export const PICTURE_AT = ['image', 'images', 'input_reference'];

/** No vendor's channel minds `seconds`, and one of OpenAI's kind reads it alone. */
export const LENGTH_AT = ['duration', 'seconds'];

/** How some vendors spell a resolution. */
export const toCapitals = (value: Value) => String(value).toUpperCase();

/** Plugins read the list alone of what comes by `/v1/videos`, and all read it by the other route. */
export const toImages = ({ first, last }: Pictures): IDataObject => ({
	images: [first, last].filter((one) => one !== undefined),
});

/** Returns the addresses of the references of a kind, in their order; `undefined` if there are none. */
export function urlsOf({ references }: Pictures, kind: ReferenceKind): string[] | undefined {
	const urls = references.filter((one) => one.kind === kind).map(({ url }) => url);
	return urls.length > 0 ? urls : undefined;
}

const CONTENT_TYPES = { image: 'image', video: 'video', sound: 'audio' };

/** Returns pictures, videos and sounds as Seedance and H3 list them, each with its role. */
export function toContent({ first, last, references }: Pictures) {
	// The gateway adds the prompt itself.
	const toPart = (type: string, role: string, url: string) => ({
		...{ type: `${type}_url`, [`${type}_url`]: { url }, role },
	});
	const content = [
		...(first ? [toPart('image', 'first_frame', first)] : []),
		...(last ? [toPart('image', 'last_frame', last)] : []),
		...references.map(({ kind, url }) => {
			const type = CONTENT_TYPES[kind];
			return toPart(type, `reference_${type}`, url);
		}),
	];
	return { metadata: { content } };
}
