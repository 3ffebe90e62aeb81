import type { IDataObject } from 'n8n-workflow';

import { isObject, merge, toObject, toText } from '../lib/json';
import {
	CHOICES,
	DOCUMENTED,
	type Family,
	type GivenPictures,
	hasReferences,
	isChoice,
	LENGTH,
	type Part,
	PICTURE_LIMITS,
	type Setting,
	type SettingName,
	type Settings,
	type Value,
	type WrittenPictures,
} from './family';
import {
	ANY_LENGTH,
	isOwnName,
	isResold,
	nameOf,
	settingsOf,
	toPlainName,
	versionOf,
} from './versions';
import type { Way } from './ways';

const NOTHING_SENT = 'Nothing was submitted.';
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
interface Editor {
	label: (setting: SettingName) => string;
	refuse: (message: string, advice: string) => never;
	/** Tells the person what is sent without being known to arrive. */
	note: (words: string) => void;
}

const NOT_KNOWN = 'not known for this model, sent as given';
const RECENT = 'gateways from before autumn 2026 drop it';
const FIXED = "the model's name seems to fix it, sent all the same";
const RESOLD = 'a reseller of this model may drop it';

/** What resellers write into the name of a model that has a setting of its own. */
export const FIXED_BY_NAME: Partial<Record<SettingName | 'image', RegExp>> = {
	aspectRatio: /[-_](landscape|portrait|square|\d+[x-]9)(?![a-z0-9])/i,
	duration: /[-_]\d{1,2}s(?![a-z0-9])/i,
	resolution: /[-_](\d{3,4}p|[248]k|u?hd)(?![a-z0-9])/i,
	image: /[-_](fl|components)(?![a-z0-9])/i,
};

/**
 * Returns the request for everything that was set, or refuses what is impossible. What is written by
 * hand wins: a setting or a picture that it also gives, if only by another name, is left out, because
 * the gateway would use one of the two and silently drop the other.
 */
export function toRequest(
	family: Family | undefined,
	video: VideoSpec,
	{ label, refuse, note }: Editor,
): IDataObject {
	if (!family) return toPlainRequest(video, { label, refuse, note });
	const { model, prompt, settings, pictures, byHand, route } = video;
	const isByHand = handIn(video);
	const own = settingsOf(family, model);
	const set = (Object.entries(settings) as Array<[SettingName, Value]>)
		.map(([name, value]) => {
			const setting = own[name] ?? {};
			return { name, label: label(name), setting, value, taken: toTaken(setting, value) };
		})
		.filter(({ setting: { at = [], or = [] } }) => !isByHand(at, or));
	const wrong = set.filter(({ setting, taken }) => !setting.at || taken === undefined);
	if (wrong.length > 0) refuse(...explain(wrong, family, model));

	const isSized = set.some(({ setting: { at = [] } }) => [at].flat().some(isSizePath));
	const size = own.sizes && isSized && sizeFor(own.sizes, own, settings, { label, refuse });
	const noteOn = toNoter(family, model, note);
	const { at: picturePaths } = family.pictures;
	const sent = isByHand(picturePaths) ? { references: [] } : pictures;
	const parts: IDataObject[] = [{ model, prompt }];
	if (sent.first !== undefined || hasReferences(sent)) {
		parts.push(placePictures(family, video, sent));
		if (FIXED_BY_NAME.image!.test(model)) {
			const asked = /[-_]fl/i.test(model) ? 'frames' : 'references';
			note(`The image: the model's name asks for ${asked}, sent as given`);
		} else if (hasReferences(sent)) noteOn('references', 'Images');
		else if (sent.last !== undefined) noteOn('lastFrame', 'Images');
		else noteOn('firstFrame', 'The image', true, true);
	}
	const shape = toOpenAiSize(family, video, own, set);
	parts.push(shape);
	for (const { name, setting, value, taken } of set) {
		const { at } = setting;
		parts.push(writeValue(setting, taken!, size || undefined));
		const isShape = 'size' in shape && ['aspectRatio', 'resolution'].includes(name);
		const isOpenAi = isShape || [at].flat().includes('seconds');
		noteOn(name, label(name), isKnown(setting, value), isOpenAi);
	}
	const request = mergeByHand(parts, byHand);
	const at = (path: string) => valueAt(request, path);
	const hasPicture = picturePaths.some((path) => holdsValue(at(path)));
	const objection = objectTo(family, model, { ...sent, hasPicture }, at);
	if (objection) refuse(objection, NOTHING_SENT);
	const caution = family.caution?.(at, toPlainName(model), route);
	if (caution) note(caution);
	return request;
}

/**
 * Returns the request for a model of no known family: gateways of all kinds read a length as it is
 * sent here, and nothing else of the form. Anything else would be dropped in silence, and billed.
 */
function toPlainRequest(video: VideoSpec, { label, refuse, note }: Editor): IDataObject {
	const { model, prompt, settings, pictures, byHand } = video;
	const isByHand = handIn(video);
	const { duration, ...others } = settings;
	const lacking = (Object.keys(others) as SettingName[]).map(label);
	if (pictures.first !== undefined && !isByHand(DOCUMENTED.at)) lacking.unshift('First Frame');
	if (lacking.length > 0) {
		refuse(
			`"${model.slice(0, 200)}" is of no family of models that this node knows: set Model Family in Options to send ${lacking.join(', ')}`,
			`If no family fits and the model takes OpenAI's form, as Sora does, set Settings to OpenAI in a credential of its own. Or write them into Additional Fields (JSON). ${NOTHING_SENT}`,
		);
	}
	const parts: IDataObject[] = [{ model, prompt }];
	if (duration !== undefined && !isByHand(LENGTH)) {
		const setting = { at: LENGTH, ...ANY_LENGTH };
		const wrong = { name: 'duration' as const, label: label('duration'), setting, value: duration };
		if (toTaken(setting, duration) === undefined) refuse(...explain([wrong]));
		parts.push(writeValue(setting, duration));
		note(`${label('duration')}: ${NOT_KNOWN}`);
	}
	return mergeByHand(parts, byHand);
}

/**
 * Returns the shape as OpenAI's form has it, for a reseller whose channel may read nothing else: in the
 * sizes that each channel of this kind takes, and where the family's own channel reads the same from it.
 */
function toOpenAiSize(
	family: Family,
	{ model, settings, byHand }: VideoSpec,
	own: Settings,
	set: Array<{ name: SettingName; setting: Setting; taken?: Value }>,
): IDataObject {
	const ratio = set.find(({ name }) => name === 'aspectRatio');
	const { aspectRatio, resolution } = FIXED_BY_NAME;
	if (aspectRatio!.test(model) || resolution!.test(model)) return {};
	if (!ratio?.setting.or?.includes('size') || own.sizes || !isResold(family, model)) return {};
	const byDefault = own.resolution?.byDefault ?? '720p';
	const lines = valueAt(byHand, 'metadata.resolution') ?? settings.resolution ?? byDefault;
	const sizes: Record<string, string> = { '16:9': '1280x720', '9:16': '720x1280' };
	const size = sizes[String(ratio.taken)];
	return size && toText(lines)?.trim().toLowerCase() === '720p' ? { size } : {};
}

/**
 * Returns what tells the person if a part of a video is not known to arrive.
 * `isOpenAi`: it also stands where OpenAI's form has it.
 */
function toNoter(family: Family, model: string, note: Editor['note']) {
	const version = versionOf(family, model);
	const { recent = [], unsure = [] } = version ?? {};
	return (part: Part, label: string, isListed = true, isOpenAi = false): void => {
		const fixed = FIXED_BY_NAME[part as SettingName];
		if (fixed?.test(model)) note(`${label}: ${FIXED}`);
		else if (!version || !isListed || unsure.includes(part)) note(`${label}: ${NOT_KNOWN}`);
		else if (!isOpenAi && isResold(family, model)) note(`${label}: ${RESOLD}`);
		else if (recent.includes(part) && family.channel !== 'other') note(`${label}: ${RECENT}`);
	};
}

/** Returns the pictures as the family reads them; at a reseller, also where OpenAI reads the first. */
function placePictures(
	family: Family,
	{ model, route }: VideoSpec,
	pictures: WrittenPictures,
): IDataObject {
	const written = family.pictures.write(pictures, route);
	const { first, last } = pictures;
	if (first === undefined || last !== undefined || isOwnName(family, model)) return written;
	return { ...written, image: first, input_reference: first };
}

/** Returns the parts merged with what was written by hand; a null there leaves its field out. */
function mergeByHand(parts: IDataObject[], byHand: IDataObject): IDataObject {
	const merged = [...parts, byHand].reduce(merge, {});
	return Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== null));
}

/**
 * Returns the request for a service of whose models nothing is known: no value is refused, because
 * only the service knows which it takes. Refuses settings and pictures that the way has no field for.
 *
 * @param family of the model by its name
 */
export function toRequestInWay(
	way: Way,
	video: VideoSpec,
	{ label, refuse }: Editor,
	family?: Family,
): IDataObject {
	const { model, prompt, settings, pictures, byHand } = video;
	const isByHand = handIn(video);
	const hasPicture = pictures.first !== undefined && !isByHand(way.pictures.at);
	const written = way.write(settings, hasPicture);
	const lacking = (Object.keys(settings) as SettingName[]).filter(
		(name) => !written.some(({ of }) => of.includes(name)),
	);
	if (lacking.length > 0) {
		const labels = lacking.map(label).join(', ');
		const needsRatio = way.needsRatio && lacking.includes('resolution') && !settings.aspectRatio;
		refuse(
			`${way.label} has no field for: ${labels}`,
			needsRatio
				? `${label('resolution')} and ${label('aspectRatio')} are sent as one size in pixels: set both. ${NOTHING_SENT}`
				: `Remove ${labels}, or write it into Additional Fields (JSON) as the service spells it. ${NOTHING_SENT}`,
		);
	}
	// A picture leaves out a size, which may be written by hand all the same.
	const taken = way
		.write(settings, false)
		.filter(({ fields }) => isByHand(leavesOf(fields)))
		.flatMap(({ of }) => of);
	const parts = [
		{ model, prompt },
		...(hasPicture ? [way.pictures.write(pictures)] : []),
		...written.flatMap(({ of, fields }) => (of.some((one) => taken.includes(one)) ? [] : [fields])),
		...(family && way.hasMetadata
			? toVendorsFields(family, video).filter((fields) => !isByHand(leavesOf(fields)))
			: []),
	];
	return mergeByHand(parts, byHand);
}

/**
 * Returns the settings that the vendor of a model has in `metadata`: a fork of New API that does not name
 * itself hands it on.
 */
const toVendorsFields = (family: Family, { model, settings }: VideoSpec): IDataObject[] =>
	CHOICES.flatMap((name) => {
		const { at = [], ...setting } = settingsOf(family, model)[name] ?? {};
		const value = settings[name];
		const taken = value === undefined ? undefined : toTaken(setting, value);
		const own = [at].flat().filter((path) => /^metadata\.\w+$/.test(path));
		return taken === undefined ? [] : own.map((path) => writeValue({ at: path }, taken));
	});

/** Returns the paths of all values in an object. */
const leavesOf = (fields: IDataObject): string[] =>
	Object.entries(fields).flatMap(([name, value]) =>
		isObject(value) ? leavesOf(value).map((path) => `${name}.${path}`) : [name],
	);

type SetValue = { name: SettingName; label: string; setting: Setting; value: Value };

/** Returns one refusal of all settings that the family lacks, or whose values it does not accept. */
function explain(
	wrong: SetValue[],
	family?: Family,
	model = '',
): [message: string, advice: string] {
	const whose = family ? `${family.label} models` : 'all models';
	const exactly = family ? nameOf(family, model) : whose;
	const lacking = exactly === family?.label ? whose : `${exactly} models`;
	const words = wrong.map(({ name, label, setting, value }) => {
		if (setting.at) {
			const advice = `${label} is "${String(value).slice(0, 50)}".`;
			const who = isChoice(name) ? exactly : whose;
			return [`${label} must be ${toAllowed(setting)} for ${who}`, advice];
		}
		const otherwise = name === 'returnLastFrame' ? ` ${WITHOUT_LAST_FRAME}` : '';
		const advice = setting.instead ?? `Remove ${label}.${otherwise}`;
		return [`${lacking} have no field for: ${label}`, advice];
	});
	const advice = [...words.map(([, todo]) => todo), NOTHING_SENT].join(' ');
	return [words.map(([message]) => message).join('; '), advice];
}

/** Returns why a request would give another video than wanted. */
function objectTo(
	family: Family,
	model: string,
	pictures: GivenPictures,
	at: (path: string) => unknown,
): string | false | undefined {
	const rendered = (family.modelAt && toText(at(family.modelAt))) ?? model;
	for (const [name, limit, instead] of family.models ?? []) {
		const reason = name.test(toPlainName(rendered)) && PICTURE_LIMITS[limit](pictures);
		if (reason) return `"${rendered}" ${reason}${instead ? `, or choose ${instead}` : ''}.`;
	}
	return family.objection?.(at, toPlainName(model));
}

/** Returns what tells whether Additional Fields (JSON) gives a value at one of some paths. */
const handIn =
	({ byHand }: VideoSpec) =>
	(...paths: Array<string | string[]>): boolean =>
		paths.flat().some((path) => holdsValue(valueAt(byHand, path)));

/** Returns the value as the family spells it; `undefined` if it is not accepted. */
function toTaken(setting: Setting, value: Value): Value | undefined {
	const { values, words, letters, notKnown, isOpen, auto } = setting;
	if (words) return words[String(value)];
	if (auto !== undefined && value === -1) return value;
	const { min = -Infinity, max = Infinity } = isOpen ? ANY_LENGTH : setting;
	if (Number(value) < min || Number(value) > max) return undefined;
	const wanted = String(value).trim().toLowerCase();
	const found = find(values, wanted);
	if (found !== undefined || (values && !isOpen)) return found;
	if (typeof value !== 'string' || !(notKnown ?? isOpen)) return value;
	return letters === 'capital' ? wanted.toUpperCase() : wanted;
}

const find = (values: Setting['values'], wanted: string) =>
	values?.find((one) => String(one).toLowerCase() === wanted);

/** Returns whether a table has the value for the model. */
function isKnown(
	{ values, min = -Infinity, max = Infinity, notKnown, auto }: Setting,
	value: Value,
) {
	if (notKnown) return false;
	if (auto !== undefined && value === -1) return true;
	const isInside = !(Number(value) < min || Number(value) > max);
	return isInside && (!values || find(values, String(value).trim().toLowerCase()) !== undefined);
}

function toAllowed({ values, min, max, auto }: Setting): string {
	if (!values) {
		const range = max === undefined ? `${min} or more` : `from ${min} to ${max}`;
		return auto === undefined ? range : `${range}, or -1`;
	}
	return values.length === 1 ? String(values[0]) : `one of: ${values.join(', ')}`;
}

/** Returns the size for the chosen ratio and resolution; for one not chosen, the vendor's default counts. */
function sizeFor(
	sizes: NonNullable<Settings['sizes']>,
	{ aspectRatio = {}, resolution = {} }: Settings,
	chosen: VideoSpec['settings'],
	{ label, refuse }: Pick<Editor, 'label' | 'refuse'>,
): string {
	const ratio = String(toTaken(aspectRatio, chosen.aspectRatio ?? aspectRatio.byDefault!));
	const lines = String(toTaken(resolution, chosen.resolution ?? resolution.byDefault!));
	const values = Object.keys(sizes).filter((one) => ratio in sizes[one]);
	return (
		sizes[lines][ratio] ??
		refuse(
			`${label('resolution')} must be ${toAllowed({ values })} where ${label('aspectRatio')} is ${ratio}`,
			`It is "${lines}". ${NOTHING_SENT}`,
		)
	);
}

const isSizePath = (path: string) => /(^|\.)size$/.test(path);

/** Returns a value at each of its paths. @param size what stands at `size` in its place */
function writeValue({ at = [], auto }: Setting, value: Value, size?: string): IDataObject {
	const paths = auto !== undefined && value === -1 ? auto : at;
	const fields = [paths].flat().map((path) =>
		path.split('.').reduceRight<unknown>(
			(inner, name) => ({ [name]: inner }),
			// The gateways declare `seconds` as a text.
			path === 'seconds' ? String(value) : isSizePath(path) ? (size ?? value) : value,
		),
	);
	return (fields as IDataObject[]).reduce(merge, {});
}

/** Returns the value at a path. Letter case does not count, because gateways read names so. */
export function valueAt(object: IDataObject, path: string): unknown {
	return path.split('.').reduce<unknown>((inner, name) => {
		const entries = Object.entries(toObject(inner));
		return entries.find(([one]) => one.toLowerCase() === name.toLowerCase())?.[1];
	}, object);
}

/** Returns whether a value holds anything, however deep. */
function holdsValue(value: unknown): boolean {
	if (value === undefined || value === null) return false;
	if (typeof value === 'object') return Object.values(value).some(holdsValue);
	return typeof value !== 'string' || value.trim() !== '';
}
