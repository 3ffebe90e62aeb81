import type { IDataObject } from 'n8n-workflow';

import { readStatement } from '../failure/statement';
import type { ServiceAnswer } from '../http/answer';
import { readReference } from '../lib/heldFile';
import { isFilled, merge, parseJson, toObject, toObjects, toText } from '../lib/json';
import { toPathSegment } from '../lib/text';
import { toHttpUrl } from '../lib/url';
import { GOOGLE_KEY_HEADER, MINUTE_MS, readModels, withBody } from './common';
import type { Service } from './contract';

const ORIGIN = 'https://generativelanguage.googleapis.com';
const INTERACTIONS = '/v1beta/interactions';
/** All models on one page, which has 50 otherwise. */
const MODELS = { path: '/v1beta/models?pageSize=1000' };

/** Those that render videos; the list has their names, and not what they take. */
const OF_VIDEO = /^gemini-omni\b/;
/** Renders up to 15 seconds, if not between two frames (a client of it, 2026-10). */
const LONGER = /^gemini-omni-1\.2\b/;
/** ai.google.dev/gemini-api/docs/deprecations, 2026-10. */
const VEO_IS_CLOSED =
	'Google closed Veo in the Gemini API on 22 October 2026, and names gemini-omni-1.1-flash in its place';
/** The form has no field for a video, because one goes into another task than pictures. */
const EDITS =
	'To edit a video, write it into Additional Fields (JSON): { "input": [{ "type": "video", "uri": "..." }] }.';

/**
 * Gemini Omni by the Interactions of the Gemini API: ai.google.dev, and the types of its SDK 2.32.0 (2026-11). Vertex
 * AI takes no such key.
 */
export const google: Service = {
	name: 'google',
	label: 'Google (Gemini API)',
	description: 'Your key of Google AI Studio: Gemini Omni',
	origins: [ORIGIN],
	headers: (key) => ({ [GOOGLE_KEY_HEADER]: key }),
	writing: 'schema',
	// It refuses addresses of pictures: they go as base64 with their type.
	takesBytes: true,
	toSubmit: ({ model, fields }) => ({ path: INTERACTIONS, body: toBody(model, fields) }),
	taskPath: (task_id) => `${INTERACTIONS}/${toPathSegment(task_id)}`,
	keepsFiles: '2 days',
	recordAt: '',
	toRecord,
	usagePage: 'https://aistudio.google.com/usage',
	cancel: {
		at: (task_id) => ({
			path: `${INTERACTIONS}/${toPathSegment(task_id)}/cancel`,
			method: 'POST',
		}),
		note: 'Google says nothing of what a canceled one costs.',
	},
	keyTest: { path: '/v1beta/models?pageSize=1' },
	lists: [MODELS],
	readList: (answer) =>
		readModels(answer).flatMap(({ id }) => (OF_VIDEO.test(id) ? [{ id, makes: 'video' }] : [])),
	schema: {
		at: () => MODELS,
		keepMs: 10 * MINUTE_MS,
		adviseLacking: (labels) => (labels.includes('Reference Video') ? EDITS : undefined),
		adviseUnknown: (model) => (/\bveo\b/i.test(model) ? VEO_IS_CLOSED : undefined),
		find(answer, model) {
			const isListed = readModels(toObject(answer)).some(({ id }) => id === model);
			if (!isListed || !OF_VIDEO.test(model)) return {};
			if (!LONGER.test(model)) return { input: toSchema(10) };
			const betweenFrames = { begins: 'last_frame', schema: toSchema(10) };
			return { input: toSchema(15), ways: [betweenFrames, { schema: toSchema(15) }] };
		},
	},
};

/** Returns the body of an order. Without `background`, the request would last for the whole render. */
function toBody(model: string, fields: IDataObject): IDataObject {
	const { prompt, first_frame, last_frame, reference_image_urls, ...withoutMedia } = fields;
	const { aspect_ratio, resolution, duration, ...byHand } = withoutMedia;
	const { input, response_format, generation_config, ...others } = byHand;
	const frames = [first_frame, last_frame].filter((one) => one !== undefined);
	const references = [reference_image_urls ?? []].flat();
	const pictures = [...frames, ...references].map((one) => toPicture(String(one)));
	// Two frames may also be references, so the task is named wherever there is a picture.
	const task = references.length > 0 ? 'reference_to_video' : 'image_to_video';
	const text = prompt === undefined ? [] : [{ type: 'text', text: prompt }];
	const own = [input].flat().filter(isFilled);
	const ownParts = own.map((one) => (typeof one === 'string' ? { type: 'text', text: one } : one));
	const parts = [...pictures, ...(ownParts as IDataObject[]), ...text];
	const config = pictures.length > 0 ? { video_config: { task } } : {};
	const format = { aspect_ratio, resolution, duration };
	const set = Object.entries(format).filter(([, value]) => value !== undefined);
	const generation = merge(config, toObject(generation_config));
	return {
		model,
		input: parts.length === text.length ? prompt : parts,
		background: true,
		response_format: {
			...{ type: 'video', delivery: 'uri', ...Object.fromEntries(set) },
			...toObject(response_format),
		},
		...(Object.keys(generation).length > 0 && { generation_config: generation }),
		...others,
	};
}

function toPicture(text: string): IDataObject {
	const held = readReference(text);
	return held
		? { type: 'image', data: text, mime_type: held.mimeType }
		: { type: 'image', uri: text };
}

/** Returns the record of a task with its file, or with why there is none, where others have them. */
function toRecord(answer: ServiceAnswer): ServiceAnswer {
	// Other answers of 400 to a look have passed by themselves (a client of it, 2026-09).
	const isUnknown =
		answer.status === 400 &&
		/\binvalid interaction name\b/i.test(readStatement(answer.body).words ?? '');
	if (isUnknown) return { ...answer, status: 404 };
	const { steps, ...record } = toObject(parseJson(answer.body));
	if (answer.status >= 300 || toText(record.status) === undefined) return answer;
	const [error = record.error] = toObjects(record.errors);
	if (record.status !== 'completed') {
		// Any other state tells more than the number of its error.
		const { status } = record;
		const told = status === 'failed' ? error : { ...toObject(error), code: status };
		return withBody(answer, { ...record, error: told } as IDataObject);
	}
	const parts = toObjects(steps)
		.filter(({ type }) => type === 'model_output')
		.flatMap(({ content }) => toObjects(content));
	const uri = [...parts, toObject(record.output_video)]
		.filter(({ type }) => type === 'video')
		.flatMap((part) => toText(part.uri) ?? [])[0];
	if (uri !== undefined) return withBody(answer, { ...record, video_url: toFileUrl(uri) });
	// A filter ends an order so: completed, with words alone (its users, 2026-09).
	const words = parts.flatMap(({ text }) => toText(text) ?? []).join(' ');
	if (words === '') return withBody(answer, record);
	return withBody(answer, { ...record, status: 'failed', error: { message: words } });
}

/** A relay writes the address of a file with a host of its own. */
const OF_FILE = /\/v1beta\/files\/[^/]+$/;

/** Without `alt=media`, Google's address tells of the file, and does not give it; a signed one elsewhere would break. */
function toFileUrl(uri: string): string {
	const url = toHttpUrl(uri);
	if (!url || url.searchParams.has('alt')) return uri;
	if (url.origin !== ORIGIN && !OF_FILE.test(url.pathname)) return uri;
	url.searchParams.set('alt', 'media');
	return url.href;
}

/** Returns the JSON Schema of what a model takes, with a field for each picture (its SDK's types; a client of it, 2026-10). */
function toSchema(longest: number): IDataObject {
	const text = { type: 'string' };
	const frame = { ...text, partOf: 'input' };
	const oneOf = (...list: string[]) => ({ ...text, enum: list });
	const lengths = Array.from({ length: longest - 2 }, (_one, i) => `${i + 3}s`);
	return {
		properties: {
			prompt: text,
			...{ first_frame: frame, last_frame: frame },
			reference_image_urls: { type: 'array', items: text, partOf: 'input' },
			aspect_ratio: oneOf('16:9', '9:16'),
			resolution: oneOf('360p', '720p', '1080p', '4k'),
			duration: oneOf(...lengths),
		},
		required: ['prompt'],
		// It counts them: a last frame alone would be the first.
		dependentRequired: { last_frame: ['first_frame'] },
		// An order has one task.
		not: {
			anyOf: ['first_frame', 'last_frame'].map((one) => ({
				required: [one, 'reference_image_urls'],
			})),
		},
	};
}
