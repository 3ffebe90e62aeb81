import { withoutGaps } from '../lib/json';
import type { Input, Model } from './readSchema';
import {
	IMAGE_LISTS,
	PROMPTS,
	type Role,
	ROLE_NAMES,
	ROLES,
	type SettingName,
	SETTING_NAMES,
	SETTINGS,
} from './settings';

/** Where a model takes each setting. A list of images may be the field of both frames. */
export type Inputs = Partial<Record<'prompt' | SettingName | Role, Input>>;

/**
 * What these hold if they are a resolution, such as Kling's 720p, 1080p and 4K, or Wan's 1280*720; or the
 * shape: ratios, or fal's names of sizes. Gemini's image_size of 1K, 2K and 4K is none.
 */
const VALUES: Record<string, RegExp | undefined> = {
	mode: /^(std|standard|pro|4k)$/i,
	quality: /^\d+[kp]$/i,
	size: /^\d+[*x]\d+$/,
	image_size: /^(\d+:\d+|auto(_\dk)?|(square|portrait|landscape)(_\w+)?)$/i,
	video_size: /^(auto|(square|portrait|landscape)(_\w+)?)$/i,
};

const isTextOrNumber = ({ name, type, isList, list = [] }: Input) =>
	!isList &&
	type !== 'object' &&
	type !== 'boolean' &&
	(!VALUES[name] || (list.length > 0 && list.every((one) => VALUES[name]!.test(String(one)))));

/** The `audio` of Wan is a file. */
const isSwitch = ({ type, isList }: Input) => !isList && type === 'boolean';

/** The `audio` of Vidu is a switch, and the `video` of two models of fal an object (2026-11). */
const isFile = ({ type = 'string', list }: Input) => type === 'string' && !list;

const isNeededFile = (input: Input) => input.required && isFile(input);

/** Models that take their list of images as references; so do those that take more than two. */
const REFERS = /reference|r2v|gemini-omni|pikascenes/i;

/** kie's pages do not say what a second image is for (2026-08). */
const SECOND_IS_UNCLEAR = /kling\/v3-turbo|pixverse-v6\/image/i;

export function findSettings(model: Model): Inputs {
	const { inputs } = model;
	const find = (names: readonly string[], is: (input: Input) => boolean) =>
		names.flatMap((name) => inputs.filter((one) => one.name === name)).find(is);
	const isNeeded = (input: Input) => input.required && isTextOrNumber(input);
	const found: Inputs = { prompt: find(PROMPTS, isNeeded) ?? find(PROMPTS, isTextOrNumber) };
	for (const name of SETTING_NAMES) {
		const { kind, names } = SETTINGS[name];
		found[name] = find(names, kind === 'boolean' ? isSwitch : isTextOrNumber);
	}
	for (const role of ROLE_NAMES) {
		const { names } = ROLES[role];
		// The clip or the sound that a model cannot do without comes before further ones.
		const own = role === 'video' || role === 'sound' ? find(names, isNeededFile) : undefined;
		found[role] = own ?? find(names, isFile);
	}
	return withoutGaps({ ...found, ...findImages(model, found) });
}

/** Returns what is filled from a model's list of images, beside what `found` has. */
function findImages(model: Model, found: Inputs): Inputs {
	const { id, inputs } = model;
	const byList = inputs.find((one) => IMAGE_LISTS.includes(one.name) && isFile(one));
	// It has no frames, and works from whatever images it is given; fal's nano-banana-2 may look at a video, too.
	if (model.makes && model.makes !== 'video' && !found.video?.required) {
		const first = found.first ?? byList;
		const others = byList ?? (first?.isList ? first : undefined);
		return { first, image: found.image ?? others };
	}
	// What follows a video has no frames of its own: its images show whom to put there.
	const refers = REFERS.test(id) || found.video?.required === true || (byList?.maxItems ?? 0) > 2;
	if (found.first || refers) {
		return { image: found.image ?? byList };
	}
	const hasLast = byList?.isList && byList.maxItems !== 1 && !SECOND_IS_UNCLEAR.test(id);
	return { first: byList, last: found.last ?? (hasLast ? byList : undefined) };
}
