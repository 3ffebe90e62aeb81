import type { IDataObject } from 'n8n-workflow';

import { isObject, toObject } from '../lib/json';
import { findClash, flatten } from './byHand';
import {
	type Family,
	type FamilyOption,
	PICTURE_LIMITS,
	type Setting,
	type Settings,
	type SizeTable,
	type Value,
	type VideoSpec,
} from './family';

const NOTHING_SENT = 'Nothing was submitted.';

/** The words of a refusal. */
type Words = [message: string, advice: string];

/** The reader of the options: names them as the editor does, and throws refusals. */
interface OptionReader {
	label: (option: string) => string;
	refuse: (...words: Words) => never;
}

/** Returns the request's fields for everything that was set, or refuses what is impossible. */
export function toFields(
	family: Family | undefined,
	model: string,
	video: VideoSpec,
	read: OptionReader,
): IDataObject {
	const { refuse } = read;
	const settings = family?.settings(model) ?? {};
	const set = (Object.entries(video.options) as Array<[FamilyOption, Value]>).map(
		([option, value]) => {
			const setting = settings[option] ?? {};
			const label = read.label(option);
			return { option, label, setting, value, taken: toTaken(setting, value) };
		},
	);
	const wrong = set.filter(({ setting, taken }) => !setting.at || taken === undefined);
	if (wrong.length > 0) refuse(...explainOptions(family, model, wrong));

	const { pictures, byHand } = video;
	const size = settings.sizes && toSize(settings.sizes, settings, video.options, read);
	const written = set.map(({ option, label, setting, taken }) => ({
		label,
		// Whoever writes the setting by hand under its own name means the same.
		alike: [option as string, `metadata.${option}`],
		fields: writeOption(setting, size && setting.at === 'size' ? size : taken!),
	}));
	const hasPicture = pictures.first !== undefined || pictures.references.length > 0;
	if (hasPicture) {
		const fields = family ? family.pictures.write(pictures) : { image: pictures.first };
		// The gateway would use only one of this picture and one by hand in `image`.
		written.unshift({ label: 'The image', alike: ['image'], fields });
	}
	const claims = written.map(({ label, alike, fields }) => ({
		label,
		paths: [...alike, ...flatten(fields).map(({ path }) => path)],
	}));
	claims.unshift({ label: 'Prompt', paths: ['prompt'] }, { label: 'Model', paths: ['model'] });
	const clash = findClash(claims, byHand, family?.twins);
	if (clash) refuse(...contradict(clash.one, clash.other));
	for (const [name, limit, instead] of family?.models ?? []) {
		const reason = name.test(model) && PICTURE_LIMITS[limit](video);
		const orElse = instead ? `, or choose ${instead}` : '';
		if (reason) refuse(`"${model}" ${reason}${orElse}.`, NOTHING_SENT);
	}
	const objection = family?.objection?.(video);
	if (objection) refuse(objection, NOTHING_SENT);
	return written.reduce<IDataObject>((all, { fields }) => merge(all, fields), {});
}

/** Returns the refusal of a setting and a field by hand, of which one would replace the other. */
export const contradict = (one: string, other: string): Words => [
	`${one} and "${other}" by hand contradict each other`,
	`Remove "${other}" from Additional Fields (JSON), or leave out what it contradicts. ${NOTHING_SENT}`,
];

type SetOption = { option: FamilyOption; label: string; setting: Setting; value: Value };

const labelsOf = (set: SetOption[]) => set.map(({ label }) => label).join(', ');

/** Returns one refusal of all options that the family lacks, or whose values it does not accept. */
function explainOptions(family: Family | undefined, model: string, wrong: SetOption[]): Words {
	if (!family) {
		return [
			`"${model.slice(0, 200)}" is not a video model that this node knows, so these options cannot be sent: ${labelsOf(wrong)}`,
			`Choose a video model or set Model Family, or send them through Additional Fields (JSON) in the vendor's own spelling. ${NOTHING_SENT}`,
		];
	}
	const missing = wrong.filter(({ setting }) => !setting.at);
	const isOne = wrong.length === 1;
	const messages: string[] = [];
	const advice: string[] = [];
	for (const { label, setting, value } of wrong.filter(({ setting: { at } }) => at)) {
		messages.push(`${label} must be ${toAllowed(setting)} for ${family.label} models`);
		advice.push(`${isOne ? 'It' : label} is "${String(value).slice(0, 50)}".`);
	}
	if (missing.length > 0) {
		messages.unshift(`${family.label} models have no field for: ${labelsOf(missing)}`);
		for (const { label, setting } of missing) {
			if (setting.instead) advice.push(isOne ? setting.instead : `${label}: ${setting.instead}`);
		}
		const removed = labelsOf(missing.filter(({ setting }) => !setting.instead));
		if (removed) advice.push(`Remove ${isOne ? 'it' : removed}.`);
		if (missing.some(({ option }) => option === 'returnLastFrame')) {
			advice.push(adviseWithoutLastFrame(family, model));
		}
	}
	return [messages.join('; '), [...advice, NOTHING_SENT].join(' ')];
}

/** Returns how videos of a family that returns no last frame can still look alike. */
export function adviseWithoutLastFrame({ pictures, models = [], settings }: Family, model: string) {
	const isBare = models.some(([name, limit]) => limit === 'noReferences' && name.test(model));
	const same = [
		...(pictures.references && !isBare ? ['reference images'] : []),
		...(settings(model).seed?.at ? ['seed'] : []),
	].join(' and ');
	const only = 'Only Seedance models return their last frame.';
	return same ? `${only} Videos look alike if they have the same ${same}.` : only;
}

/** Returns the value as the family's list spells it; `undefined` if it is not accepted. */
function toTaken({ values, min, max }: Setting, given: Value): Value | undefined {
	if (Number(given) < (min ?? -Infinity) || Number(given) > (max ?? Infinity)) return undefined;
	if (!values) return given;
	const wanted = String(given).trim().toLowerCase();
	return values.find((value) => String(value).toLowerCase() === wanted);
}

function toAllowed({ values, min, max }: Setting): string {
	if (!values) return `from ${min} to ${max}`;
	return values.length === 1 ? String(values[0]) : `one of: ${values.join(', ')}`;
}

/** Returns the size for the chosen ratio and resolution; for one not chosen, the vendor's default counts. */
function toSize(
	sizes: SizeTable,
	settings: Settings,
	chosen: VideoSpec['options'],
	{ label, refuse }: OptionReader,
): string {
	const [ratio, lines] = (['aspectRatio', 'resolution'] as const).map((option) => {
		const { [option]: setting = {} } = settings;
		const given = chosen[option];
		return String(given === undefined ? setting.byDefault : toTaken(setting, given));
	});
	const values = Object.keys(sizes).filter((one) => ratio in sizes[one]);
	return (
		sizes[lines][ratio] ??
		refuse(
			`${label('resolution')} must be ${toAllowed({ values })} where ${label('aspectRatio')} is ${ratio}`,
			`It is "${lines}". ${NOTHING_SENT}`,
		)
	);
}

function writeOption({ at = [] }: Setting, value: Value): IDataObject {
	const fields = [at].flat().map((path) =>
		path.split('.').reduceRight<unknown>(
			(inner, name) => ({ [name]: inner }),
			// The gateways declare `seconds` as a text.
			path === 'seconds' ? String(value) : value,
		),
	);
	return (fields as IDataObject[]).reduce(merge, {});
}

/** Returns both objects merged level by level; `over` wins, except where it has `undefined`. */
export function merge(under: IDataObject, over: IDataObject): IDataObject {
	const merged = new Map(Object.entries(under));
	for (const [name, value] of Object.entries(over)) {
		const before = merged.get(name);
		if (isObject(value)) merged.set(name, merge(toObject(before), value));
		else if (value !== undefined) merged.set(name, value);
	}
	return Object.fromEntries(merged);
}
