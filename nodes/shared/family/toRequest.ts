import type { IDataObject } from 'n8n-workflow';

import { toText } from '../lib/json';
import { hasValueAt, mergeByHand, valueAt, writeAt } from './body';
import {
	DOCUMENTED,
	type Family,
	type GivenPictures,
	hasReferences,
	isChoice,
	LENGTH_AT,
	type Part,
	PICTURE_LIMITS,
	type Setting,
	type SettingName,
	type Settings,
	type Value,
	type WrittenPictures,
} from './family';
import {
	accept,
	ANY_LENGTH,
	isOwnName,
	isResold,
	nameOf,
	namesPictures,
	settingsOf,
	toAllowed,
	toPlainName,
	versionOf,
} from './versions';

export const NOTHING_SENT = 'Nothing was submitted.';
export const WITHOUT_LAST_FRAME =
	'Only Seedance models return their last frame. With others, videos look alike if they have the same reference images or seed.';

/** Everything that was set for one video. */
export interface VideoSpec {
	model: string;
	prompt: string;
	settings: Partial<Record<SettingName, Value>>;
	pictures: WrittenPictures;
	/** Additional Fields (JSON). */
	byHand: IDataObject;
	/** The name of the route by which it goes. */
	route?: string;
}

/** The reader of the parameters: names settings as the editor does, and throws refusals. */
export interface Editor {
	label: (setting: SettingName) => string;
	refuse: (message: string, advice: string) => never;
	/** Tells the person what is sent without being known to arrive. */
	note: (words: string) => void;
}

const NOT_KNOWN = 'not known for this model, sent as given';
const RECENT = 'gateways from before autumn 2026 drop it';
const FIXED = "the model's name seems to fix it, sent all the same";
const RESOLD = 'a reseller of this model may drop it';

/** What resellers write into the name of a model that has a setting of its own; of Kling, its modes, too. */
export const FIXED_BY_NAME: Partial<Record<Part, RegExp>> = {
	aspectRatio: /[-_](landscape|portrait|square|(16|21)[x-]9|9[x-]16)(?![a-z0-9])/i,
	duration: /[-_](\d{1,2})s(?![a-z0-9])/i,
	resolution: /[-_](\d{3,4}p|[248]k|u?hd|(?:std|standard|pro)(?<=kling.*))(?![a-z0-9])/i,
};

/** What these words say. */
const FIXED_VALUES: Record<string, string> = {
	...{ landscape: '16:9', portrait: '9:16', square: '1:1' },
	...{ std: '720p', standard: '720p', pro: '1080p' },
};

/** Returns the value of a setting that a name fixes. */
function fixedValue(name: SettingName, model: string): string | undefined {
	const word = FIXED_BY_NAME[name]?.exec(model)?.[1].toLowerCase();
	return word && (FIXED_VALUES[word] ?? word.replace(/[x-]/, ':'));
}

/** Names of models that render from text alone, also where only a reseller has them. */
const FROM_TEXT = /(?<![a-z])t2v|text[-_]?(to|2)[-_]?video/i;

/** A setting that a person has set, and its value as it is sent, if it is accepted. */
interface SetValue {
	name: SettingName;
	setting: Setting;
	value: Value;
	accepted: ReturnType<typeof accept>;
}

/**
 * Returns the request for everything that was set, or refuses what is impossible. What is written by
 * hand wins: a setting or a picture that it also gives, if only by another name, is left out, because
 * the gateway would use one of the two and silently drop the other.
 */
export function toRequest(
	family: Family | undefined,
	video: VideoSpec,
	editor: Editor,
): IDataObject {
	if (!family) return toPlainRequest(video, editor);
	const { model, prompt, byHand, route } = video;
	const settings = settingsOf(family, model, hasReferences(video.pictures));
	const set = toSetValues(video, (name) => settings[name] ?? {});
	const wrong = set.filter(({ setting, accepted }) => !setting.at || !accepted);
	if (wrong.length > 0) refuseAll(wrong, editor, family, model);

	const { at: picturesAt } = family.pictures;
	const isByHand = hasValueAt(byHand, picturesAt);
	const pictures = isByHand ? { references: [] } : video.pictures;
	const { first, last } = video.pictures;
	if (isByHand && (first ?? last ?? hasReferences(video.pictures))) {
		editor.note('Images: Additional Fields (JSON) replaces them');
	}
	const parts = [
		{ model, prompt },
		placePictures(family, video, pictures, editor.note),
		...placeSettings(family, video, settings, set, editor),
	];
	const request = mergeByHand(parts, byHand);
	const at = (path: string) => valueAt(request, path);
	const hasPicture = hasValueAt(request, picturesAt);
	const rendered = (family.modelAt && toText(at(family.modelAt))) ?? model;
	const objection = objectTo(family, model, rendered, { ...pictures, hasPicture }, at);
	if (objection) editor.refuse(objection, NOTHING_SENT);
	if (hasPicture && FROM_TEXT.test(rendered)) {
		editor.note("The image: the model's name says that it renders from text, sent all the same");
	}
	const cautions = family.cautions?.(at, toPlainName(model), route, family.owner) ?? [];
	for (const caution of cautions) if (caution) editor.note(caution);
	const newFields = (family.newFields ?? []).filter((path) => hasValueAt(byHand, [path]));
	if (family.channel !== 'other') for (const path of newFields) editor.note(`${path}: ${RECENT}`);
	return request;
}

/**
 * Returns the request for a model of no known family: gateways of all kinds read a length as it is
 * sent here, and nothing else of the form. Anything else would be dropped in silence, and billed.
 */
function toPlainRequest(video: VideoSpec, editor: Editor): IDataObject {
	const { label, refuse, note } = editor;
	const { model, prompt, settings, pictures, byHand } = video;
	const lacking = (Object.keys(settings) as SettingName[])
		.filter((name) => name !== 'duration')
		.map(label);
	if (pictures.first !== undefined && !hasValueAt(byHand, DOCUMENTED.at)) {
		lacking.unshift('First Frame');
	}
	if (lacking.length > 0) {
		refuse(
			`"${model.slice(0, 200)}" is of no family of models that this node knows: set Model Family in Options to send ${lacking.join(', ')}`,
			`If no family fits and the model takes OpenAI's form, as Sora does, set Settings to OpenAI in a credential of its own. Or write them into Additional Fields (JSON). ${NOTHING_SENT}`,
		);
	}
	const set = toSetValues(video, () => ({ at: LENGTH_AT, ...ANY_LENGTH }));
	const parts = set.map((duration) => {
		if (!duration.accepted) return refuseAll([duration], editor);
		note(`${label('duration')}: ${NOT_KNOWN}`);
		return writeAt(LENGTH_AT, duration.accepted.value);
	});
	return mergeByHand([{ model, prompt }, ...parts], byHand);
}

/** Returns what is set in the form, and not by hand. */
const toSetValues = (
	{ settings, byHand }: VideoSpec,
	settingOf: (name: SettingName) => Setting,
): SetValue[] =>
	(Object.entries(settings) as Array<[SettingName, Value]>)
		.map(([name, value]) => {
			const setting = settingOf(name);
			return { name, setting, value, accepted: accept(setting, value) };
		})
		.filter(({ setting: { at = [], or = [] } }) => !hasValueAt(byHand, [at, or].flat()));

/** Refuses at once all settings that the family lacks, or whose values it does not accept. */
function refuseAll(
	wrong: SetValue[],
	{ label, refuse }: Editor,
	family?: Family,
	model = '',
): never {
	const all = family ? `${family.label} models` : 'all models';
	const version = family ? nameOf(family, model) : all;
	const messages: string[] = [];
	const advice: string[] = [];
	for (const { name, setting, value } of wrong) {
		const shown = label(name);
		if (setting.at) {
			const whose = isChoice(name) ? version : all;
			messages.push(`${shown} must be ${toAllowed(setting)} for ${whose}`);
			advice.push(`${shown} is "${String(value).slice(0, 50)}".`);
		} else {
			const otherwise = name === 'returnLastFrame' ? ` ${WITHOUT_LAST_FRAME}` : '';
			const who = setting.instead ? `"${model}" has` : `${version} models have`;
			messages.push(`${who} no field for: ${shown}`);
			advice.push(setting.instead ?? `Remove ${shown}.${otherwise}`);
		}
	}
	return refuse(messages.join('; '), [...advice, NOTHING_SENT].join(' '));
}

/**
 * Returns the pictures as the family reads them; at a reseller, also where OpenAI reads the first. Notes
 * what is not known to arrive.
 */
function placePictures(
	family: Family,
	{ model, route }: VideoSpec,
	pictures: WrittenPictures,
	note: Editor['note'],
): IDataObject {
	const { first, last } = pictures;
	const isReseller = isResold(family, model);
	if (first === undefined && last === undefined && !hasReferences(pictures)) return {};
	const noteOn = createNoter(family, model, note);
	if (namesPictures(family, model)) {
		const wanted = /[-_/](components|r2v|reference)/i.test(model) ? 'references' : 'frames';
		const doubt =
			last !== undefined || hasReferences(pictures) ? '; a gateway may take the first alone' : '';
		note(`The image: the model's name asks for ${wanted}, sent as given${doubt}`);
	} else if (hasReferences(pictures)) noteOn('references', 'Images');
	else if (last !== undefined) {
		// At a reseller, neither is where OpenAI's form has the first one.
		noteOn('lastFrame', isReseller && first !== undefined ? 'First Frame and Images' : 'Images');
	} else noteOn('firstFrame', 'The image', true, true);
	const written = family.pictures.write(pictures, route, toPlainName(model));
	if (first === undefined || last !== undefined || isOwnName(family, model)) return written;
	return { ...written, image: first, input_reference: first };
}

/** Returns the fields of all that is set. Notes what is not known to arrive. */
function placeSettings(
	family: Family,
	video: VideoSpec,
	settings: Settings,
	set: SetValue[],
	editor: Editor,
): IDataObject[] {
	const noteOn = createNoter(family, video.model, editor.note);
	const isSized = set.some(({ setting: { at = [] } }) => [at].flat().some(isSizePath));
	const size = settings.sizes && isSized && sizeFor(settings.sizes, settings, video, editor);
	const shape = toOpenAiSize(family, video, settings, set);
	const fields = set.flatMap(({ name, setting: { at = [], auto }, accepted }) => {
		const { value, isKnown } = accepted!;
		const paths = [auto !== undefined && value === -1 ? auto : at].flat();
		const isShape = 'size' in shape && ['aspectRatio', 'resolution'].includes(name);
		if (fixedValue(name, video.model) !== String(value).toLowerCase()) {
			noteOn(name, editor.label(name), isKnown, isShape || paths.includes('seconds'));
		}
		return paths.map((path) => writeAt(path, (isSizePath(path) && size) || value));
	});
	return [shape, ...fields];
}

const isSizePath = (path: string) => /(^|\.)size$/.test(path);

/** Returns the size for the chosen ratio and resolution; for one not chosen, the vendor's default counts. */
function sizeFor(
	sizes: NonNullable<Settings['sizes']>,
	{ aspectRatio = {}, resolution = {} }: Settings,
	{ settings: chosen }: VideoSpec,
	{ label, refuse }: Editor,
): string {
	const ratio = String(accept(aspectRatio, chosen.aspectRatio ?? aspectRatio.byDefault!)?.value);
	const lines = String(accept(resolution, chosen.resolution ?? resolution.byDefault!)?.value);
	const values = (resolution.values ?? []).filter((one) => ratio in (sizes[String(one)] ?? {}));
	return (
		sizes[lines][ratio] ??
		refuse(
			`${label('resolution')} must be ${toAllowed({ values })} where ${label('aspectRatio')} is ${ratio}`,
			`It is "${lines}". ${NOTHING_SENT}`,
		)
	);
}

/**
 * Returns the shape as OpenAI's form has it, for a reseller whose channel may read nothing else: in the
 * sizes that each channel of this kind takes, and where the family's own channel reads the same from it.
 */
function toOpenAiSize(
	family: Family,
	{ model, settings: chosen, byHand }: VideoSpec,
	{ sizes, resolution }: Settings,
	set: SetValue[],
): IDataObject {
	const ratio = set.find(({ name }) => name === 'aspectRatio');
	const isFixed = FIXED_BY_NAME.aspectRatio!.test(model);
	// Alibaba's channel takes pixels for a resolution.
	const isRead = family.owner !== 'ali' && !isFixed && isResold(family, model);
	if (!ratio?.setting.or?.includes('size') || sizes || !isRead) {
		return {};
	}
	const named = fixedValue('resolution', model);
	const byDefault = named ?? resolution?.byDefault ?? '720p';
	const lines = valueAt(byHand, 'metadata.resolution') ?? chosen.resolution ?? byDefault;
	const ofRatio: Record<string, string> = { '16:9': '1280x720', '9:16': '720x1280' };
	const size = ofRatio[String(ratio.accepted?.value)];
	const isSame = [lines, named ?? lines].every(
		(one) => toText(one)?.trim().toLowerCase() === '720p',
	);
	return size && isSame ? { size } : {};
}

/**
 * Returns what tells the person if a part of a video is not known to arrive.
 * `isOpenAi`: it also stands where OpenAI's form has it.
 */
function createNoter(family: Family, model: string, note: Editor['note']) {
	const version = versionOf(family, model);
	const { recent = [], unsure = [] } = version ?? {};
	return (part: Part, label: string, isKnown = true, isOpenAi = false): void => {
		if (FIXED_BY_NAME[part]?.test(model)) note(`${label}: ${FIXED}`);
		else if (!version || !isKnown || unsure.includes(part)) note(`${label}: ${NOT_KNOWN}`);
		else if (!isOpenAi && isResold(family, model)) note(`${label}: ${RESOLD}`);
		else if (recent.includes(part) && family.channel !== 'other') note(`${label}: ${RECENT}`);
	};
}

/** Returns why a request would give another video than wanted. */
function objectTo(
	family: Family,
	model: string,
	rendered: string,
	pictures: GivenPictures,
	at: (path: string) => unknown,
): string | false | undefined {
	for (const [name, limit, instead] of family.models ?? []) {
		const reason = name.test(toPlainName(rendered)) && PICTURE_LIMITS[limit](pictures, at);
		if (reason) return `"${rendered}" ${reason}${instead ? `, or choose ${instead}` : ''}.`;
	}
	return family.objection?.(at, toPlainName(model), isResold(family, model));
}
