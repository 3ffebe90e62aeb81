import type { IDataObject } from 'n8n-workflow';

/** The settings of Video Generate that vendors spell in their own ways, or lack, with their kinds. */
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

/** The settings whose values differ between the versions of a family. */
export const CHOICES = ['aspectRatio', 'duration', 'resolution'] as const;

export type Choice = (typeof CHOICES)[number];

export const isChoice = (name: SettingName): name is Choice => CHOICES.some((one) => one === name);

/** Returns a setting as the editor calls it, such as "Negative Prompt". */
export const toLabel = (name: SettingName): string =>
	name.replace(/[A-Z]/g, ' $&').replace(/^./, (letter) => letter.toUpperCase());

/** Where a setting goes. */
export interface Field {
	/** All the paths in the request that carry the value. */
	at: string[];
	/**
	 * Other paths from which it is taken: what is written there by hand replaces the value. The first stands in
	 * for `size` on another vendor's channel, which takes pixels there.
	 */
	or?: string[];
	/** What is sent for a value. */
	say?: Record<string, Value>;
	/** A word is sent in capitals; in small letters if absent. */
	upper?: true;
	/** Where -1 goes, which lets the model choose: alone, because the other paths refuse it. */
	auto?: string;
	/** Any other value is dropped. */
	only?: Value[];
	/** Values that are dropped. */
	loses?: Value[];
	/** Matches the plain names of models without it. */
	not?: RegExp;
	/** Matches the plain names for which gateways from before autumn 2026 drop it. */
	since?: RegExp;
}

/** The kinds of references, which go without frames. Videos and sounds are addresses. */
export const REFERENCES = { references: 'image', videos: 'video', sounds: 'sound' } as const;

/** How many references of a kind there may be. */
export type References = Partial<Record<keyof typeof REFERENCES, number>>;

/** Pictures as the row reads them: web addresses, data URIs or bare base64. */
export interface Pictures {
	first?: string;
	last?: string;
	references: string[];
	videos?: string[];
	sounds?: string[];
	/** References of images and videos, as the rows of Images have them: prompts may count them. */
	inOrder?: string[];
}

export const hasReferences = ({ references, videos = [], sounds = [] }: Pictures): boolean =>
	references.length + videos.length + sounds.length > 0;

type Role = 'first' | 'last' | 'references';

/** @param name the plain name of the model */
type Write = (pictures: Pictures, name: string) => IDataObject;

/** Where pictures go. A role without a writer is refused. */
interface PictureFields {
	/** Where the gateway takes a picture from: one that is there by hand replaces those of the form. */
	at: string[];
	/** Writes a first frame that is alone. */
	first?: Write;
	/** Writes a last frame, and the first one with it. */
	last?: Write;
	/** Writes references, and the frames beside them. */
	references?: Write;
	/** Other references than images. */
	also?: Array<'videos' | 'sounds'>;
	/** Matches the plain names of models that take a frame beside references. */
	mixes?: Partial<Record<'first' | 'last', RegExp>>;
	/** A last frame needs no first one. */
	lastAlone?: true;
	/** Matches the plain names of models that do not take a role. */
	not?: Partial<Record<Role, RegExp>>;
	/** Matches the plain names for which gateways from before autumn 2026 drop pictures. */
	since?: RegExp;
}

/** Aspect Ratio and Resolution as they are set, in small letters. */
export interface Shape {
	ratio?: string;
	resolution?: string;
	/** The last of the resolutions that are known for the model. */
	highest?: string;
	hasPicture: boolean;
	/** The plain name of the model. */
	name: string;
}

/**
 * Judges a request.
 *
 * @param at returns the value at a path of it
 */
type Judge = (
	at: (path: string) => unknown,
	about: { name: string; owner?: string; route?: string },
) => string | false | undefined;

/**
 * Models that read the same fields, as New API translates its one documented request for their vendor: it
 * silently drops what it does not read. A row without `matches` is a way of writing for other services.
 */
export interface Row {
	/** The family as people know it, or the kind of service. Rows of one family share it. */
	label: string;
	/** Matches the plain names of its models (`toPlainName`). */
	matches?: RegExp;
	/** `owned_by` in New API's list of models, in small letters. */
	owners?: string[];
	fields: Partial<Record<SettingName, Field>>;
	pictures: PictureFields;
	/** Returns Aspect Ratio and Resolution as one, besides their fields; `undefined`: cannot be written. */
	shape?: (shape: Shape) => IDataObject | undefined;
	/** The vendor opens no web addresses, so the node loads the picture. */
	loads?: true;
	/** Bytes go as base64 without the head of a data URI. */
	bare?: true;
	/** The gateway asks the vendor at each fetch of a task's record. */
	isLive?: true;
	/** What a fixed price of New API is for, if that is known. */
	price?: 'second' | 'video';
	/** Matches the plain names of models that take the shape from a first frame, and drop Aspect Ratio. */
	frameShapes?: RegExp;
	/** The same, where it is not sure. */
	frameMayShape?: RegExp;
	/** The route on which plugins of New API tell a text, one image and several apart. */
	route?: 'openAiVideos';
	/** Nobody knows what becomes of what is set. */
	isGuess?: true;
	/** What to do in place of a setting that has no field. */
	instead?: Partial<Record<SettingName, string>>;
	/** What to do about all that has no field, if not to remove it. */
	advice?: string;
	/** Returns what would be dropped and billed, and what to do. */
	whatIsLost?: Judge;
	/** Returns what is sent and may be dropped. */
	doubt?: Judge;
}

/** The documented paths of a picture. */
export const PICTURE_AT = ['image', 'images', 'input_reference'];

/** No vendor's channel minds `seconds`, and one of OpenAI's kind reads it alone. */
export const LENGTH_AT = ['duration', 'seconds'];

/** Plugins read the list alone of what comes by `/v1/videos`, and all read it by the other route. */
export const toImages = ({ first, last }: Pictures): IDataObject => ({
	images: [first, last].filter((one) => one !== undefined),
});

/** Returns pictures, videos and sounds as Seedance and H3 list them, each with its role. */
export function toContent({ first, last, references, videos = [], sounds = [] }: Pictures) {
	const all = [
		['image', 'first_frame', first],
		['image', 'last_frame', last],
		...references.map((url) => ['image', 'reference_image', url]),
		...videos.map((url) => ['video', 'reference_video', url]),
		...sounds.map((url) => ['audio', 'reference_audio', url]),
	];
	// The gateway adds the prompt itself.
	const content = all
		.filter(([, , url]) => url !== undefined)
		.map(([kind, role, url]) => ({ type: `${kind}_url`, [`${kind}_url`]: { url }, role }));
	return { metadata: { content } };
}

/** What to do in place of Aspect Ratio. */
export const SHAPE_OF_FIRST_FRAME =
	'The shape comes from the first frame. Remove Aspect Ratio, and set First Frame to an image of that shape.';
