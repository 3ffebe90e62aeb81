import type { Family, FamilyOption, Instead, Setting, Settings, Value } from './family';

const BY_HAND = "Or send it through Metadata (JSON) in the vendor's own spelling.";

type SetOptions = Array<[FamilyOption, Value]>;
type LabelOf = (option: FamilyOption) => string;

export const isSetting = (setting: Setting | Instead | undefined): setting is Setting =>
	setting !== undefined && 'write' in setting;

/** Why single options cannot be had, all of them; `undefined` if each can be. */
export function findWrongOptions(
	{ label }: Family,
	settings: Settings,
	set: SetOptions,
	labelOf: LabelOf,
): { message: string; advice: string[] } | undefined {
	const unknown = set.map(([option]) => option).filter((option) => !isSetting(settings[option]));
	const wrong = set.flatMap(([option, value]) => {
		const setting = settings[option];
		if (!isSetting(setting) || findTaken(setting, value) !== undefined) return [];
		return [{ name: labelOf(option), must: describe(setting), is: String(value).slice(0, 50) }];
	});
	if (unknown.length + wrong.length === 0) return undefined;
	const message = [
		...(unknown.length > 0
			? [`${label} models have no field for: ${unknown.map(labelOf).join(', ')}`]
			: []),
		...wrong.map(({ name, must }) => `${name} must be ${must} for ${label} models`),
	].join('; ');
	const isAlone = unknown.length + wrong.length === 1;
	const advice = [
		...wrong.map(({ name, is }) => `${isAlone ? 'It' : name} is "${is}".`),
		...adviceFor(unknown, settings, isAlone ? undefined : labelOf),
	];
	return { message, advice };
}

/** What to do in place of options that the family does not have; `labelOf` where there are several faults. */
function adviceFor(unknown: FamilyOption[], settings: Settings, labelOf?: LabelOf): string[] {
	if (unknown.length === 0) return [];
	const insteadOf = (option: FamilyOption) => (settings[option] as Instead | undefined)?.instead;
	const replaced = unknown.flatMap((option) => {
		const instead = insteadOf(option);
		if (instead === undefined) return [];
		return [labelOf ? `${labelOf(option)}: ${instead}` : instead];
	});
	const rest = unknown.filter((option) => insteadOf(option) === undefined);
	if (!labelOf) return [...replaced, ...(rest.length > 0 ? ['Remove this option.'] : []), BY_HAND];
	const remove = rest.length > 0 ? [`Remove ${rest.map(labelOf).join(', ')}.`] : [];
	return [...replaced, ...remove, BY_HAND];
}

/** The value in the spelling of the family. */
export function findTaken({ values, min, max }: Setting, given: Value): Value | undefined {
	if (Number(given) < (min ?? -Infinity) || Number(given) > (max ?? Infinity)) return undefined;
	if (!values) return given;
	const wanted = String(given).trim().toLowerCase();
	return values.find((value) => String(value).toLowerCase() === wanted);
}

function describe({ values, min, max }: Setting): string {
	if (values) return values.length === 1 ? String(values[0]) : `one of: ${values.join(', ')}`;
	return max === undefined ? `${min} or more` : `from ${min} to ${max}`;
}
