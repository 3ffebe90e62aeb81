import {
	CHOICES,
	type Family,
	type References,
	type Setting,
	type Settings,
	type Value,
	type Version,
} from './family';

/** The lengths that gateways take from a model of which nothing is known. */
export const ANY_LENGTH = { min: 1, max: 3_600 };

/** Returns a name as patterns expect it: people write `kling_3.0`, `vidu/q3`, `wan/v2.6/text-to-video` ... */
export const toPlainName = (model: string): string =>
	model
		.toLowerCase()
		.replace(/(?<=\b(?:wanx?|hailuo))[-_/ ]v?(?=\d)|[-_. ]+/g, '-')
		.replace(
			/\/(?:([a-z-]+-to-video)-)?(q\d[^/]*)/,
			(_all, way, name) => `-${name}${way ? `-${way}` : ''}`,
		)
		.replace(/[-/](text|image|reference)-to-video/, (_all, [letter]: string) => `-${letter}2v`)
		.replace(/\bkl-video-/, 'kl-video/kling-')
		.replace(/\bvd-video-/, 'vd-video/vidu-')
		.replace(/\bbytedance\/(?=v\d)/, '$&seedance-')
		// `kling-video-v2.6` to `-video/kling-v2-6`: with the slash, it is none of the vendor's own names.
		.replace(/kling(ai|(?:ai)?(-video)|(?=\/))[-/](?=v?\d)/, '$2/kling-');

export const versionOf = ({ versions }: Family, model: string): Version | undefined =>
	versions.find(({ name }) => name.test(toPlainName(model)));

/** Returns a family with the version of a model, as people call it. */
export const nameOf = (family: Family, model: string): string =>
	`${family.label} ${versionOf(family, model)?.label ?? ''}`.trim();

export const isOwnName = ({ ownNames, channel }: Family, model: string): boolean =>
	channel !== 'other' && !/to[-_. ]+video/i.test(model) && ownNames.test(toPlainName(model));

/** Returns whether the channel of a model may read nothing but OpenAI's form. */
export const isResold = (family: Family, model: string): boolean =>
	family.channel !== 'own' && !isOwnName(family, model);

/** Returns whether a reseller's name says which pictures its model takes. */
export const namesPictures = (family: Family, model: string): boolean =>
	isResold(family, model) && !!family.pictures.fixedByName?.test(model);

/** Returns a setting as it goes to a reseller's channel. */
const withoutSize = ({ at = [], or = [], ...setting }: Setting): Setting => ({
	...setting,
	at: [at].flat().flatMap((path) => (path === 'size' ? or.slice(0, 1) : [path])),
	or: [...or, 'size'],
});

/**
 * Returns the settings of a family with what is known of their values for a model.
 *
 * @param hasReferences it renders from references, or may
 */
export function settingsOf(family: Family, model: string, hasReferences = true): Settings {
	const version = versionOf(family, model);
	const settings = family.settings(toPlainName(model));
	for (const name of CHOICES) {
		const { [name]: written } = settings;
		if (!written?.at) continue;
		const isSize = [written.at].flat().includes('size');
		const setting = isSize && family.channel === 'other' ? withoutSize(written) : written;
		// A reseller's model may take more, as long as it can be written.
		const values = isResold(family, model) && !settings.sizes ? undefined : setting.values;
		const known = version && (version[name] ?? values);
		const isOpenHere = hasReferences && version?.openFromReferences?.includes(name);
		const newest = values ?? family.versions.find((one) => one[name])?.[name] ?? [];
		const defaults = { [name]: setting.byDefault, ...version?.byDefault };
		settings[name] = {
			...{ ...setting, ...toLimits(known ?? newest, setting.auto, values) },
			byDefault: defaults[name],
			isUnknown: !known,
			isOpen: !values && !(known && isOwnName(family, model) && !isOpenHere),
		};
	}
	return settings;
}

/**
 * @param auto where -1 goes
 * @param writable the values that the family can write, if not any
 */
function toLimits(
	listed: NonNullable<Version['duration']>,
	auto?: string,
	writable?: readonly Value[],
): Pick<Setting, 'values' | 'min' | 'max' | 'auto'> {
	if ('min' in listed) return { ...listed, values: undefined, auto: listed.auto && auto };
	const values = writable ? listed.filter((value) => writable.includes(value)) : listed;
	return { values, auto: undefined };
}

/**
 * Returns a value as it is sent, and whether a table has it for the model; `undefined` if it is refused.
 */
export function accept(
	setting: Setting,
	value: Value,
): { value: Value; isKnown: boolean } | undefined {
	const { letters, isUnknown, isOpen } = setting;
	const listed = findListed(setting, value);
	if (listed !== undefined) return { value: listed, isKnown: !isUnknown };
	if (!isOpen || !isInside(ANY_LENGTH, value)) return undefined;
	if (typeof value !== 'string') return { value, isKnown: false };
	const word = toWord(value);
	return { value: letters === 'capital' ? word.toUpperCase() : word, isKnown: false };
}

function findListed(setting: Setting, value: Value): Value | undefined {
	const { values, words, auto } = setting;
	if (words) return words[String(value)];
	if (auto !== undefined && value === -1) return value;
	if (values) return values.find((one) => toWord(one) === toWord(value));
	return isInside(setting, value) ? value : undefined;
}

const toWord = (value: Value) => String(value).trim().toLowerCase();

const isInside = ({ min = -Infinity, max = Infinity }: Setting, value: Value) =>
	!(Number(value) < min || Number(value) > max);

/** Returns the values that a refusal names. */
export function toAllowed({ isUnknown, isOpen, ...setting }: Setting): string {
	const isAny = isUnknown && isOpen;
	const { values, min, max, auto }: Setting = isAny
		? { ...ANY_LENGTH, auto: setting.auto }
		: setting;
	if (values) return values.length === 1 ? String(values[0]) : `one of: ${values.join(', ')}`;
	const range = max === undefined ? `${min} or more` : `from ${min} to ${max}`;
	return auto === undefined ? range : `${range}, or -1`;
}

/** Returns how many references of each kind a model accepts; of an unknown one, nobody knows how many. */
export function referencesOf(family: Family, model: string): References {
	const version = versionOf(family, model);
	const { references = {} } = family.pictures;
	if (version) return version.references ?? references;
	return Object.fromEntries(Object.keys(references).map((kind) => [kind, Infinity]));
}
