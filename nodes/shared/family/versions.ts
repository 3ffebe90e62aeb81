import {
	type Choice,
	CHOICES,
	type Family,
	type Limits,
	type References,
	type Setting,
	type Settings,
	type Value,
	type Version,
} from './family';

/** The lengths that gateways take from a model of which nothing is known. */
export const ANY_LENGTH = { min: 1, max: 3_600 };

/** Returns a name as patterns expect it: people write `kling_3.0`, `Kling-3-0` and `kling 3.0`. */
export const toPlainName = (model: string): string => model.toLowerCase().replace(/[-_. ]+/g, '-');

export const versionOf = ({ versions }: Family, model: string): Version | undefined =>
	versions.find(({ name }) => name.test(toPlainName(model)));

/** Returns a family with the version of a model, as people call it. */
export const nameOf = (family: Family, model: string): string =>
	`${family.label} ${versionOf(family, model)?.label ?? ''}`.trim();

export const isOwnName = ({ ownNames, channel }: Family, model: string): boolean =>
	channel !== 'other' && ownNames.test(toPlainName(model));

/** Returns whether the channel of a model may read nothing but OpenAI's form. */
export const isResold = (family: Family, model: string): boolean =>
	family.channel !== 'own' && !isOwnName(family, model);

/** Returns a setting as it goes to a reseller's channel. */
const withoutSize = ({ at = [], or = [], ...setting }: Setting): Setting => ({
	...setting,
	at: [at].flat().flatMap((path) => (path === 'size' ? or.slice(0, 1) : [path])),
	or: [...or, 'size'],
});

/** Returns the settings of a family with the values that its table lists for a model. */
export function settingsOf(family: Family, model: string): Settings {
	const version = versionOf(family, model);
	const settings = family.settings(toPlainName(model));
	const limited = CHOICES.flatMap((name) => {
		const { [name]: own } = settings;
		if (!own?.at) return [];
		const isSize = [own.at].flat().includes('size');
		const setting = isSize && family.channel === 'other' ? withoutSize(own) : own;
		const { auto } = setting;
		// A reseller's model may take more, as long as it can be written.
		const values = isResold(family, model) && !settings.sizes ? undefined : setting.values;
		const defaults = { [name]: setting.byDefault, ...version?.byDefault };
		const { [name]: byDefault } = defaults as Partial<Record<Choice, Value>>;
		const listed = toLimits(version?.[name], values, auto);
		const [newest = {}] = family.versions.flatMap((one) => toLimits(one[name], values, auto) ?? []);
		const isKnown = listed !== undefined || (values !== undefined && version !== undefined);
		const isOpen = isKnown && !values && !isOwnName(family, model) ? { isOpen: true } : {};
		const limits = isKnown ? listed : { notKnown: values ? { values } : newest };
		const lengths = name === 'duration' && !isKnown ? ANY_LENGTH : {};
		const hasAuto = isKnown ? listed?.auto : auto;
		const known = { ...setting, values, byDefault, ...lengths, ...limits };
		return [[name, { ...known, ...isOpen, auto: hasAuto }]];
	});
	return { ...settings, ...(Object.fromEntries(limited) as Settings) };
}

/**
 * @param all the values that the family can write, if not any
 * @param auto where -1 goes
 */
function toLimits(
	listed: Version['duration'],
	all?: readonly Value[],
	auto?: string,
): Limits | undefined {
	if (!listed) return undefined;
	if ('min' in listed) return { ...listed, auto: listed.auto && auto };
	return { values: all ? listed.filter((value) => all.includes(value)) : listed };
}

/** Returns how many references of each kind a model accepts; of an unknown one, nobody knows how many. */
export function referencesOf(family: Family, model: string): References {
	const version = versionOf(family, model);
	const { references = {} } = family.pictures;
	if (version) return version.references ?? references;
	return Object.fromEntries(Object.keys(references).map((kind) => [kind, Infinity]));
}
