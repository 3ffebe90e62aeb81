import type { IDataObject } from 'n8n-workflow';

import { parseJson, toObject, toObjects, toText, valueAt, withoutGaps } from '../lib/json';
import { toPathSegment } from '../lib/text';
import { placeOf } from '../lib/url';
import { MINUTE_MS, toBearer } from './common';
import type { Service } from './contract';

const VIDEOS_PATH = '/api/v1/videos';
/** With what each model takes, and no paging. */
const LIST_OF_MODELS = { path: `${VIDEOS_PATH}/models` };

/** Its page of a model, with tabs. */
const PAGE = /^openrouter\.ai\/(?!api\/|docs\/)([^/]+\/[^/]+)(?:\/|$)/;

const toVideoPath = (task_id: string) => `${VIDEOS_PATH}/${toPathSegment(task_id)}`;

/** openrouter.ai/docs, video generation; its SDK 1.3.19, 2026-11. */
export const openRouter: Service = {
	name: 'openRouter',
	label: 'OpenRouter',
	description: 'Your account at openrouter.ai',
	origins: ['https://openrouter.ai'],
	headers: toBearer,
	writing: 'schema',
	toSubmit({ model, fields }) {
		const { first_frame, last_frame, ...others } = fields;
		const { reference_image_urls, reference_video_urls, reference_audio_urls, ...body } = others;
		const frame_images = toFiles({ first_frame, last_frame }).map(([frame_type, url]) => ({
			...toUrlPart('image_url', url),
			frame_type,
		}));
		const input_references = toFiles({
			image_url: reference_image_urls,
			video_url: reference_video_urls,
			audio_url: reference_audio_urls,
		}).map(([type, url]) => toUrlPart(type, url));
		// A list that is written by hand has taken the place of the form's (`partOf`), unless it is empty.
		const ofForm = Object.entries({ frame_images, input_references }).filter(
			([, list]) => list.length > 0,
		);
		return { path: VIDEOS_PATH, body: { model, ...body, ...Object.fromEntries(ofForm) } };
	},
	taskPath: toVideoPath,
	// `unsigned_urls` of a record have the same address, and need the key in spite of their name.
	contentPath: (task_id) => `${toVideoPath(task_id)}/content`,
	/** Its 403 may also say that a filter flagged the prompt, with reasons (openrouter.ai/docs/errors). */
	toAnswer(answer) {
		const isFlagged =
			answer.status === 403 && valueAt(parseJson(answer.body), 'error.metadata.reasons');
		return isFlagged ? { ...answer, status: 400 } : answer;
	},
	keyTest: { path: '/api/v1/key' },
	modelAt: (address) => PAGE.exec(placeOf(address))?.[1],
	price: {
		at: () => ({ at: LIST_OF_MODELS }),
		// By length, sound and resolution, such as `duration_seconds_without_audio_720p: "0.03"` (its list of 2026-10).
		read(answer, { model }) {
			const listed = toObjects(valueAt(answer, 'data')).find(({ id }) => id === model);
			const skus = Object.entries(toObject(listed?.pricing_skus));
			const words = skus.map(([name, value]) => `${name.replaceAll('_', ' ')}: ${String(value)}`);
			return words.length > 0 ? { words: words.join('; ') } : undefined;
		},
	},
	lists: [LIST_OF_MODELS],
	// Those that edit, upscale or speak have no durations (its list of 2026-10).
	readList: ({ data }) =>
		toObjects(data).flatMap(({ id: model, name, supported_durations: durations }) => {
			const id = toText(model);
			return id && durations ? [{ id, name: toText(name) }] : [];
		}),
	schema: {
		at: () => LIST_OF_MODELS,
		keepMs: 10 * MINUTE_MS,
		find(answer, model) {
			const listed = toObjects(valueAt(answer, 'data')).find(({ id }) => id === model);
			return { input: listed && toSchema(listed, model) };
		},
	},
};

/** Returns the addresses that are set, each with the name of its field. */
const toFiles = (fields: IDataObject): Array<[string, unknown]> =>
	Object.entries(fields).flatMap(([name, urls]) =>
		[urls ?? []].flat().map((url): [string, unknown] => [name, url]),
	);

const toUrlPart = (type: string, url: unknown): IDataObject => ({ type, [type]: { url } });

/** Others ignore such references, and bill the video (its SDK, `InputReference`). */
const TAKES_VIDEO_AND_SOUND = /^bytedance\/seedance-(?!1)/;

/**
 * Returns the JSON Schema of what the list says of a model, with a field for each image. The service refuses
 * whatever is not listed; null means that the model lacks it.
 */
function toSchema(listed: IDataObject, model: string): IDataObject {
	const choice = (type: string, list: unknown) =>
		Array.isArray(list) && list.length > 0 ? { type, enum: list } : undefined;
	const text = { type: 'string' };
	const texts = { type: 'array', items: text, partOf: 'input_references' };
	const [first_frame, last_frame] = ['first_frame', 'last_frame'].map((name) =>
		[listed.supported_frame_images].flat().includes(name)
			? { ...text, partOf: 'frame_images' }
			: undefined,
	);
	const more = TAKES_VIDEO_AND_SOUND.test(model) ? texts : undefined;
	const references = {
		reference_image_urls: texts,
		reference_video_urls: more,
		reference_audio_urls: more,
	};
	const properties = {
		prompt: text,
		...{ first_frame, last_frame, ...references },
		duration: choice('integer', listed.supported_durations),
		aspect_ratio: choice('string', listed.supported_aspect_ratios),
		resolution: choice('string', listed.supported_resolutions),
		size: choice('string', listed.supported_sizes),
		generate_audio: listed.generate_audio === true ? { type: 'boolean' } : undefined,
		seed: listed.seed === true ? { type: 'integer' } : undefined,
		// Written by hand: what the vendor takes beside all these.
		provider: { type: 'object' },
	};
	// "If you provide both, OpenRouter treats the request as image-to-video" (its cookbook, 2026-11).
	const pairs = ['first_frame', 'last_frame'].flatMap((frame) =>
		Object.keys(references).map((reference) => ({ required: [frame, reference] })),
	);
	return { properties: withoutGaps(properties), required: ['prompt'], not: { anyOf: pairs } };
}
