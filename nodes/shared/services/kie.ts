import { isNoAnswer } from '../http/answer';
import { parseJson, toObject, toObjects, toText, valueAt } from '../lib/json';
import { madeByKind } from '../lib/mediaType';
import { placeOf } from '../lib/url';
import {
	fileNameOf,
	MINUTE_MS,
	toBearer,
	toModelPath,
	uploadAsForm,
	withBody,
	withCodeAsStatus,
} from './common';
import type { Service } from './contract';
import { unlessEmpty } from './taskFiles';

const UPLOADS = 'https://kieai.redpandaai.co';
/** Their page of Suno says "too often" by them; elsewhere, 405 is an address that is not there. */
const TOO_OFTEN = [405, 430];

const VEO = 'veo-3-1';
/**
 * What its page does not list: createTask takes the tier as `input.model`, and renders Fast without it (2026-09-16,
 * 2026-10-08). Credits of 720p, 1080p and 4k: 2026-10-02.
 */
const VEO_TIER = {
	type: 'string',
	enum: ['veo3_lite', 'veo3_fast', 'veo3'],
	default: 'veo3_fast',
	description:
		'The tier. Credits at 720p, 1080p and 4k: Lite 30, 35, 150; Fast 60, 65, 180; veo3 250, 255, 370',
};

/** Returns what JSON in a text is; the text itself if it is none. */
const parseText = (value: unknown): unknown =>
	typeof value === 'string' ? (parseJson(value) ?? value) : value;

/** docs.kie.ai, August to November 2026. */
export const kie: Service = {
	name: 'kie',
	label: 'kie.ai',
	description: 'Your account at kie.ai',
	origins: ['https://api.kie.ai', UPLOADS],
	headers: toBearer,
	writing: 'schema',
	toSubmit: ({ model, fields: input }) => ({
		path: '/api/v1/jobs/createTask',
		body: { model, input },
	}),
	// It overwrites a file of the same name, with delays of its cache. The file is kept for a day.
	upload: async (file, ask) =>
		await uploadAsForm(
			{ file: file.bytes, uploadPath: 'files', fileName: fileNameOf(file) },
			async (form) => await ask({ origin: UPLOADS, path: '/api/file-stream-upload' }, form),
			'data.downloadUrl',
		),
	taskPath: (task_id) => `/api/v1/jobs/recordInfo?taskId=${encodeURIComponent(task_id)}`,
	keepsFiles: '14 days',
	recordAt: 'data',
	output: ({ resultJson, response }) => unlessEmpty(parseText(resultJson)) ?? unlessEmpty(response),
	/** Holds for 20 minutes. */
	async freshUrl(url, ask) {
		const answer = await ask({ path: '/api/v1/common/download-url' }, { url });
		const isDone = !isNoAnswer(answer) && answer.status < 300;
		return isDone ? toText(valueAt(parseJson(answer.body), 'data')) : undefined;
	},
	/** HTTP says 200 of a refusal, too; the code in the body decides. */
	toAnswer(answer) {
		const meant = withCodeAsStatus(answer, 'data.state');
		return TOO_OFTEN.includes(meant.status) ? { ...meant, status: 429 } : meant;
	},
	toRecord(answer) {
		const { code, msg, data } = toObject(parseJson(answer.body));
		const { state, failMsg } = toObject(data);
		if (toText(state)) return answer;
		// "recordInfo is null", for some seconds after the submit.
		if (code === 422) return { ...answer, status: 404 };
		// The model's vendor was silent for ten minutes, or the render has failed.
		return code === 408 || code === 501
			? withBody(answer, { data: { state: 'fail', failMsg: failMsg ?? msg, failCode: code } })
			: answer;
	},
	// The model's vendor was silent. The rest has codes that say nothing (its users, 2026-10).
	broke: /^(408$|upstream api service timed out)/i,
	// "Internal Error, Please try again later."
	brokeOrFiltered: /^internal error\b/i,
	usagePage: 'https://kie.ai/logs',
	keyTest: { path: '/api/v1/chat/credit' },
	// A page may be of several models, one of which it names (kie.ai/bytedance-v1?model=..., 2026-09).
	modelAt: (address) => {
		const [, path] = /^kie\.ai\/(.+?)\/?$/.exec(placeOf(address)) ?? [];
		return path && (address.searchParams.get('model') ?? path);
	},
	price: {
		at: ({ model }) => ({ at: { path: `/api/v1/models/${toModelPath(model)}/price` } }),
		read(answer) {
			const words = toText(valueAt(answer, 'data.pricingDesc'));
			return words ? { words } : undefined;
		},
	},
	lists: [{ path: '/api/v1/models' }],
	readList: ({ data }) =>
		toObjects(toObject(data).models).flatMap(({ model, title, taskType, pricingDesc }) => {
			const id = toText(model);
			const kinds = [taskType].flat().map(String).map(madeByKind);
			const makes = kinds.includes('video') ? 'video' : kinds[0];
			return id ? [{ id, name: toText(title), makes, price: toText(pricingDesc) }] : [];
		}),
	schema: {
		at: (model) => ({ path: `/api/v1/models/${toModelPath(model)}/schema` }),
		// It answers 429 after a few calls.
		keepMs: 24 * 60 * MINUTE_MS,
		find(answer, model) {
			const document = valueAt(answer, 'data.openapi');
			const submit = valueAt(document, ['paths', '/api/v1/jobs/createTask']);
			const schema = valueAt(submit, 'post.requestBody.content.application/json.schema');
			const input = valueAt(schema, 'properties.input');
			if (model !== VEO) return { input, document };
			const properties = { ...toObject(valueAt(input, 'properties')), model: VEO_TIER };
			return { input: { ...toObject(input), properties }, document };
		},
	},
};
