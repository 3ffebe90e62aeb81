import { withoutGaps } from '../lib/json';
import type { Input, Model } from './readSchema';
import {
	type Role,
	ROLE_NAMES,
	ROLES,
	type SettingName,
	SETTING_NAMES,
	SETTINGS,
} from './settings';

/** Where a model takes each setting. A list of images may be the field of both frames. */
export type Inputs = Partial<Record<'prompt' | SettingName | Role, Input>>;

/** What `mode` and `size` hold if they are a resolution: Kling's 720p, 1080p and 4K, or Wan's 1280*720. */
const RESOLUTIONS: Record<string, RegExp | undefined> = {
	mode: /^(std|standard|pro|4k)$/i,
	size: /^\d+[*x]\d+$/,
};

const isTextOrNumber = ({ name, type, isList, list = [] }: Input) =>
	!isList &&
	type !== 'object' &&
	type !== 'boolean' &&
	(!RESOLUTIONS[name] ||
		(list.length > 0 && list.every((one) => RESOLUTIONS[name]!.test(String(one)))));

/** The `audio` of Wan is a file. */
const isSwitch = ({ type, isList }: Input) => !isList && type === 'boolean';

const isFile = ({ type = 'string' }: Input) => type === 'string';

/** Models that take their list of images as references; so do those that take more than two. */
const REFERS = /reference|r2v|gemini-omni|pikascenes/i;

/** kie's pages do not say what a second image is for (2026-08). */
const SECOND_IS_UNCLEAR = /kling\/v3-turbo|pixverse-v6\/image/i;

export function findSettings({ id, inputs }: Model): Inputs {
	const find = (names: readonly string[], is: (input: Input) => boolean) =>
		names.flatMap((name) => inputs.filter((one) => one.name === name)).find(is);
	const found: Inputs = { prompt: find(['prompt'], isTextOrNumber) };
	for (const name of SETTING_NAMES) {
		const { kind, names } = SETTINGS[name];
		found[name] = find(names, kind === 'boolean' ? isSwitch : isTextOrNumber);
	}
	for (const role of ROLE_NAMES) found[role] = find(ROLES[role].names, isFile);
	const images = inputs.find(
		(one) => /^(images|(image|input)_urls)$/.test(one.name) && isFile(one),
	);
	if (found.first || REFERS.test(id) || (images?.maxItems ?? 0) > 2) {
		return withoutGaps({ ...found, image: found.image ?? images });
	}
	const hasLast = images?.isList && images.maxItems !== 1 && !SECOND_IS_UNCLEAR.test(id);
	return withoutGaps({
		...found,
		first: images,
		last: found.last ?? (hasLast ? images : undefined),
	});
}
