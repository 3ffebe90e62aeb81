import { withoutGaps } from '../lib/json';
import type { Input, Model } from './readSchema';
import type { Choice, Role, SettingName, Value } from './takes';

/** What a person sets for a video. */
export type Setting = 'prompt' | SettingName | Role;

/** Where a model takes each setting. A list of images may be the field of both frames. */
export type Settings = Partial<Record<Setting, Input>>;

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

interface Field {
	is: (input: Input) => boolean;
	names: readonly string[];
}

/**
 * The names of each setting, the clearest first: beside an image that is named for the first frame,
 * `image_url` is another one. From 397 models of fal, Replicate and kie (2026-11). Nothing reads the last
 * frame from their answers.
 */
const NAMES: Record<Exclude<Setting, 'returnLastFrame'>, Field> = {
	prompt: { is: isTextOrNumber, names: ['prompt'] },
	first: {
		is: isFile,
		names: [
			...['start_image_url', 'start_image', 'first_frame_url', 'first_frame_image'],
			...['first_frame_image_url', 'first_image_url', 'first_frame'],
			...['image_url', 'image'],
		],
	},
	last: {
		is: isFile,
		names: [
			...['end_image_url', 'end_image', 'last_frame_url', 'last_frame_image'],
			...['last_frame_image_url', 'last_frame', 'last_image', 'tail_image_url'],
		],
	},
	image: {
		is: isFile,
		names: ['reference_image_urls', 'reference_images', 'reference_image', 'input_image_urls'],
	},
	video: {
		is: isFile,
		names: ['reference_video_urls', 'reference_videos', 'reference_video', 'video_urls'],
	},
	sound: { is: isFile, names: ['reference_audio_urls', 'reference_audios', 'audio_urls'] },
	duration: { is: isTextOrNumber, names: ['duration'] },
	aspectRatio: { is: isTextOrNumber, names: ['aspect_ratio', 'ratio'] },
	resolution: { is: isTextOrNumber, names: ['resolution', 'quality', 'mode', 'size'] },
	negativePrompt: { is: isTextOrNumber, names: ['negative_prompt'] },
	seed: { is: isTextOrNumber, names: ['seed'] },
	generateAudio: {
		is: isSwitch,
		names: [
			...['generate_audio', 'generate_audio_switch', 'sound', 'audio', 'enable_audio'],
			...['audio_enabled', 'save_audio'],
		],
	},
};

/** Models that take their list of images as references; so do those that take more than two. */
const REFERS = /reference|r2v|gemini-omni|pikascenes/i;

/** kie's pages do not say what a second image is for (2026-08). */
const SECOND_IS_UNCLEAR = /kling\/v3-turbo|pixverse-v6\/image/i;

export function findSettings({ id, inputs }: Model): Settings {
	const find = ({ is, names }: Field) =>
		names.flatMap((name) => inputs.filter((one) => one.name === name)).find(is);
	const all = Object.entries(NAMES);
	const found: Settings = Object.fromEntries(all.map(([name, field]) => [name, find(field)]));
	const images = inputs.find((one) => /^(image|input)_urls$/.test(one.name) && isFile(one));
	if (found.first || REFERS.test(id) || (images?.maxItems ?? 0) > 2) {
		return withoutGaps({ ...found, image: found.image ?? images });
	}
	const hasLast = images?.maxItems !== 1 && !SECOND_IS_UNCLEAR.test(id);
	const last = found.last ?? (hasLast ? images : undefined);
	return withoutGaps({ ...found, first: images, last });
}

const MAX_RANGE = 60;

/** Returns exactly what a model takes; `undefined` if its schema does not list that. */
export function listChoices(model: Model, choice: Choice): Value[] | undefined {
	const { list, type, minimum, maximum } = findSettings(model)[choice] ?? {};
	const isNumber = type === 'integer' || type === 'number';
	if (list || !isNumber || minimum === undefined || maximum === undefined) return list;
	if (maximum - minimum > MAX_RANGE) return undefined;
	const first = Math.ceil(minimum);
	const all = Array.from({ length: Math.floor(maximum) - first + 1 }, (_one, i) => first + i);
	// Seedance on Replicate takes -1 to 30, where -1 lets the model choose.
	return all.filter((one) => one !== 0);
}
