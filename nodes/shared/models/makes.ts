import type { IDataObject } from 'n8n-workflow';

import { kindOfName, type Made, type MediaKind } from '../lib/mediaType';
import { toObject } from '../lib/json';

/** Kinds in the order in which they count: of a film with its sound, the film. */
const KINDS: MediaKind[] = ['video', 'image', 'sound'];

const IS_TEXT = /^(output|text|results|transcription)$/;

/**
 * Returns what a model makes by the schema of its result: by the names of fields, or a text that is no address
 * (fal's `output`, `text` and `results`; Replicate, whose lists of words join to one, and its `transcription`).
 *
 * @param result with what it refers to
 */
export function madeByResult(result: IDataObject): Made | undefined {
	const fields = Object.entries(toObject(result.properties));
	const kinds = fields.map(([name]) => kindOfName(name));
	const isText = ({ type, format }: IDataObject) => type === 'string' && format !== 'uri';
	const texts = [result, toObject(result.items)];
	for (const [name, field] of fields) if (IS_TEXT.test(name)) texts.push(toObject(field));
	return KINDS.find((kind) => kinds.includes(kind)) ?? (texts.some(isText) ? 'text' : undefined);
}

/** How models that make images are named, or their fields; so are some that make a video of one. */
const IMAGE_NAME = /image|banana|seedream|flux|\bedit\b/i;
const IMAGE_FIELD = /^(num_images|max_images|number_of_images|image_size)$/;
/** Fields of models that speak, sing or play (elevenlabs/tts, minimax/speech, minimax/music). */
const SOUND_FIELD = /^(voice|voice_id|lyrics|lyrics_prompt|audio_format)$/;
/** Of models that make 3D, train weights or write down what is said. */
const OTHER_NAME = /\b3d\b|train|whisper|transcri/i;
const VIDEO_NAME = /video|i2v|r2v/i;
const VIDEO_FIELD = /^(duration|num_frames|fps|frames_per_second)$/;

/** A model's name and its fields, with the values that they take. */
interface Shown {
	id: string;
	inputs: Array<{ name: string; list?: unknown[] }>;
}

/** Returns what a model makes by its name and its fields, if neither looks like one that makes videos. */
export function madeByFields({ id, inputs }: Shown): Made | undefined {
	const has = (fields: RegExp) => inputs.some(({ name }) => fields.test(name));
	const writes = (format: string) =>
		inputs.some(({ name, list }) => name === 'output_format' && list?.includes(format));
	if (OTHER_NAME.test(id)) return 'task';
	if (VIDEO_NAME.test(id) || has(VIDEO_FIELD)) return undefined;
	if (IMAGE_NAME.test(id) || has(IMAGE_FIELD) || writes('png')) return 'image';
	// What speaks for a face or a clip makes a video.
	if (has(/image|video/)) return undefined;
	return has(SOUND_FIELD) || writes('mp3') ? 'sound' : undefined;
}
