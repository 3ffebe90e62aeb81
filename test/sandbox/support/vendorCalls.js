'use strict';

const { call } = require('./call');

// How a gateway asks each of the vendors, and where it finds the answers: written from the vendors'
// documentation, independent of the code that answers.

/**
 * @typedef {object} VendorCalls
 * @property {string} vendor
 * @property {{ path: string, headers: Record<string, string>, body: (prompt) => any }} submit
 * @property {(json: any) => string} idOf
 * @property {(id) => { path: string, method?: string, body?: object }} poll
 * @property {(json: any) => string} stateOf the vendor's own word, or what stands for one
 * @property {string[]} words of stateOf: queued, running, done, failed, filtered
 * @property {(json: any, id) => string | Buffer} filmOf where the film is; bytes where it is in
 *   the answer
 * @property {(json: any) => unknown} codeOf a refusal
 */

const bearer = { authorization: 'Bearer secret-key' };
const google = {
	body: (prompt) => ({
		instances: [{ prompt }],
		parameters: { durationSeconds: 8, aspectRatio: '16:9', sampleCount: 1 },
	}),
	stateOf: ({ done, error, response = {} }) => {
		if (!done) return 'not done';
		if (error) return `error ${error.code}`;
		const filtered = response.raiMediaFilteredCount ?? response.generateVideoResponse;
		return filtered === 1 || filtered?.raiMediaFilteredCount === 1 ? 'taken away' : 'done';
	},
	words: ['not done', 'not done', 'done', 'error 13', 'taken away'],
	codeOf: ({ error }) => error.status,
};

/** @type {VendorCalls[]} */
const VENDOR_CALLS = [
	{
		...google,
		vendor: 'gemini',
		submit: {
			path: '/v1beta/models/veo-3.1-generate-preview:predictLongRunning',
			headers: { 'x-goog-api-key': 'secret-key' },
			body: google.body,
		},
		idOf: ({ name }) => name,
		poll: (id) => ({ path: `/v1beta/${id}` }),
		filmOf: ({ response }) => response.generateVideoResponse.generatedSamples[0].video.uri,
	},
	{
		...google,
		vendor: 'vertex',
		submit: {
			path: '/v1/projects/p/locations/us-central1/publishers/google/models/veo-3.1-generate-001:predictLongRunning',
			headers: bearer,
			body: google.body,
		},
		idOf: ({ name }) => name,
		poll: (id) => ({
			path: `/v1/${id.replace(/\/operations\/.*/, '')}:fetchPredictOperation`,
			method: 'POST',
			body: { operationName: id },
		}),
		filmOf: ({ response }) => Buffer.from(response.videos[0].bytesBase64Encoded, 'base64'),
	},
	{
		vendor: 'ark',
		submit: {
			path: '/api/v3/contents/generations/tasks',
			headers: bearer,
			body: (text) => ({
				model: 'doubao-seedance-1-5-pro-251215',
				content: [{ type: 'text', text }],
				duration: 10,
			}),
		},
		idOf: ({ id }) => id,
		poll: (id) => ({ path: `/api/v3/contents/generations/tasks/${id}` }),
		stateOf: ({ status, error }) => (error ? `${status} ${error.code}` : status),
		words: [
			'queued',
			'running',
			'succeeded',
			'failed InternalServiceError',
			'failed OutputVideoSensitiveContentDetected',
		],
		filmOf: ({ content }) => content.video_url,
		codeOf: ({ error }) => error.code,
	},
	{
		vendor: 'openai',
		submit: {
			path: '/v1/videos',
			headers: bearer,
			body: (prompt) => ({ model: 'sora-2', prompt, seconds: '8', size: '1280x720' }),
		},
		idOf: ({ id }) => id,
		poll: (id) => ({ path: `/v1/videos/${id}` }),
		stateOf: ({ status, error }) => (error ? `${status} ${error.code}` : status),
		words: [
			'queued',
			'in_progress',
			'completed',
			'failed video_generation_failed',
			'failed moderation_blocked',
		],
		filmOf: (_json, id) => `/v1/videos/${id}/content`,
		codeOf: ({ error }) => error.code,
	},
	{
		vendor: 'kling',
		submit: {
			path: '/v1/videos/text2video',
			headers: bearer,
			body: (prompt) => ({ model_name: 'kling-v1-6', prompt, duration: '10' }),
		},
		idOf: ({ data }) => data.task_id,
		poll: (id) => ({ path: `/v1/videos/text2video/${id}` }),
		stateOf: ({ data }) => `${data.task_status} ${data.task_status_msg}`.trim(),
		words: [
			'submitted',
			'processing',
			'succeed',
			'failed Generation failed',
			'failed Failure to pass the risk control system',
		],
		filmOf: ({ data }) => data.task_result.videos[0].url,
		codeOf: ({ code }) => code,
	},
	{
		vendor: 'vidu',
		submit: {
			path: '/ent/v2/text2video',
			headers: { authorization: 'Token secret-key' },
			body: (prompt) => ({ model: 'viduq2', prompt, duration: 8, resolution: '720p' }),
		},
		idOf: ({ task_id }) => task_id,
		poll: (id) => ({ path: `/ent/v2/tasks/${id}/creations` }),
		stateOf: ({ state, err_code }) => `${state} ${err_code}`.trim(),
		words: [
			'queueing',
			'processing',
			'success',
			'failed SystemThrottling',
			'failed CreationPolicyViolation',
		],
		filmOf: ({ creations }) => creations[0].url,
		codeOf: ({ reason }) => reason,
	},
	{
		vendor: 'minimax',
		submit: {
			path: '/v1/video_generation',
			headers: bearer,
			body: (prompt) => ({ model: 'MiniMax-Hailuo-2.3', prompt, duration: 6 }),
		},
		idOf: ({ task_id }) => task_id,
		poll: (id) => ({ path: `/v1/query/video_generation?task_id=${id}` }),
		stateOf: ({ status, base_resp: { status_code } }) => `${status} ${status_code}`,
		words: ['Queueing 0', 'Processing 0', 'Success 0', 'Fail 1000', 'Fail 1027'],
		filmOf: ({ file_id }) => `/v1/files/retrieve?file_id=${file_id}`,
		codeOf: ({ base_resp }) => base_resp.status_code,
	},
	{
		vendor: 'dashscope',
		submit: {
			path: '/api/v1/services/aigc/video-generation/video-synthesis',
			headers: { ...bearer, 'x-dashscope-async': 'enable' },
			body: (prompt) => ({
				model: 'wan2.5-t2v-preview',
				input: { prompt },
				parameters: { size: '1280*720', duration: 10 },
			}),
		},
		idOf: ({ output }) => output.task_id,
		poll: (id) => ({ path: `/api/v1/tasks/${id}` }),
		stateOf: ({ output: { task_status, code = '' } }) => `${task_status} ${code}`.trim(),
		words: [
			'PENDING',
			'RUNNING',
			'SUCCEEDED',
			'FAILED InternalError',
			'FAILED DataInspectionFailed',
		],
		filmOf: ({ output }) => output.video_url,
		codeOf: ({ code }) => code,
	},
	{
		vendor: 'jimeng',
		submit: {
			path: '/?Action=CVSync2AsyncSubmitTask&Version=2022-08-31',
			headers: { authorization: 'HMAC-SHA256 Credential=secret-key/x, Signature=y' },
			body: (prompt) => ({ req_key: 'jimeng_t2v_v30', prompt, frames: 121, aspect_ratio: '' }),
		},
		idOf: ({ data }) => data.task_id,
		poll: (task_id) => ({
			path: '/?Action=CVSync2AsyncGetResult&Version=2022-08-31',
			method: 'POST',
			body: { req_key: 'jimeng_t2v_v30', task_id },
		}),
		stateOf: ({ code, data }) => data?.status ?? String(code),
		words: ['in_queue', 'generating', 'done', '50500', '50412'],
		filmOf: ({ data }) => data.video_url,
		codeOf: ({ code }) => code,
	},
];

const plain = (value) => ({ method: 'POST', body: JSON.stringify(value) });

/**
 * A client of one vendor, with its key.
 * @param {{ url: string }} vendors
 * @param {VendorCalls} calls
 */
function clientOfVendor(vendors, calls) {
	const { vendor, submit, poll, filmOf } = calls;
	const at = (path) => (path.startsWith('http') ? path : `${vendors.url}/${vendor}${path}`);
	const { headers } = submit;
	const client = {
		/** @param {object} body @param {Record<string, string>} [others] */
		send: (body, others = headers) => call(at(submit.path), { ...plain(body), headers: others }),
		/** @param {string} prompt */
		submit: (prompt) => client.send(submit.body(prompt)),
		/** @param {string} id */
		poll: (id) => {
			const { path, body } = poll(id);
			return call(at(path), { ...(body && plain(body)), headers });
		},
		/**
		 * The bytes of a film that a poll has told of.
		 * @param {any} json @param {string} id
		 */
		async film(json, id) {
			const place = filmOf(json, id);
			if (Buffer.isBuffer(place)) return { status: 200, bytes: place, end: 'whole' };
			// A signed address opens without a key.
			const options = /X-Signature/.test(place) ? {} : { headers };
			const reply = await call(at(place), options);
			return vendor === 'minimax' ? await call(reply.json.file.download_url) : reply;
		},
	};
	return client;
}

module.exports = { VENDOR_CALLS, clientOfVendor };
