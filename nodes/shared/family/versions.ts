import {
	CHOICES,
	type Family,
	type Limits,
	type Settings,
	type Value,
	type Version,
} from './family';

/** The lengths that gateways take from a model of which nothing is known. */
export const ANY_LENGTH = { min: 1, max: 3_600 };

export const versionOf = ({ versions }: Family, model: string): Version | undefined =>
	versions.find(({ name }) => name.test(model));

/** Returns the settings of a family with the values that its table lists for a model. */
export function settingsOf(family: Family, model: string): Settings {
	const version = versionOf(family, model);
	const settings = family.settings(model);
	const limited = CHOICES.flatMap((name) => {
		const { [name]: setting } = settings;
		if (!setting?.at) return [];
		const byDefault = version?.byDefault?.[name] ?? setting.byDefault;
		const listed = toLimits(version?.[name], setting.values);
		const [newest = {}] = family.versions.flatMap((one) => toLimits(one[name]) ?? []);
		const { values } = setting;
		const isKnown = listed !== undefined || (values !== undefined && version !== undefined);
		const limits = isKnown ? listed : { notKnown: values ? { values } : newest };
		const lengths = name === 'duration' && !isKnown ? ANY_LENGTH : {};
		return [[name, { ...setting, byDefault, ...lengths, ...limits }]];
	});
	return { ...settings, ...(Object.fromEntries(limited) as Settings) };
}

/** @param all the values that the family can write, if not any */
function toLimits(listed: Version['duration'], all?: readonly Value[]): Limits | undefined {
	if (!listed || 'min' in listed) return listed;
	return { values: all ? listed.filter((value) => all.includes(value)) : listed };
}

/** Returns how many reference pictures a model accepts; of an unknown one, as many as any. */
export function referencesOf(family: Family, model: string): number {
	const { references = 0 } = family.pictures;
	return versionOf(family, model)?.references ?? references;
}
