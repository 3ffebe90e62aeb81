'use strict';

const { call } = require('./call');

// How a gateway asks each of the vendors, and where it finds the answers: written from the vendors'
// documentation, independent of the code that answers.

/**
 * @typedef {object} VendorCalls
 * @property {string} vendor
 * @property {string} path of a submit
 * @property {Record<string, string>} headers
 * @property {(prompt: string) => any} body
 * @property {(json: any) => string} idOf
 * @property {(id: string) => string} poll its address
 * @property {(id: string) => object} [asking] the body of a poll that is a POST
 * @property {string[]} words that an answer has: queued, running, done, failed, filtered
 * @property {(json: any, id: string) => string | Buffer} filmOf where the film is; bytes where it is in
 *   the answer
 */

const bearer = { authorization: 'Bearer secret-key' };
const veo = (prompt) => ({
	instances: [{ prompt }],
	parameters: { durationSeconds: 8, aspectRatio: '16:9', sampleCount: 1 },
});
const VEO_WORDS = ['"name"', '"name"', '"response"', '"code":13', 'raiMediaFilteredReasons'];

/** @type {VendorCalls[]} */
const VENDOR_CALLS = [
	{
		vendor: 'gemini',
		path: '/v1beta/models/veo-3.1-generate-preview:predictLongRunning',
		headers: { 'x-goog-api-key': 'secret-key' },
		body: veo,
		idOf: ({ name }) => name,
		poll: (id) => `/v1beta/${id}`,
		words: VEO_WORDS,
		filmOf: ({ response }) => response.generateVideoResponse.generatedSamples[0].video.uri,
	},
	{
		vendor: 'vertex',
		path: '/v1/projects/p/locations/us-central1/publishers/google/models/veo-3.1-generate-001:predictLongRunning',
		headers: bearer,
		body: veo,
		idOf: ({ name }) => name,
		poll: (id) => `/v1/${id.replace(/\/operations\/.*/, '')}:fetchPredictOperation`,
		asking: (operationName) => ({ operationName }),
		words: VEO_WORDS,
		filmOf: ({ response }) => Buffer.from(response.videos[0].bytesBase64Encoded, 'base64'),
	},
	{
		vendor: 'ark',
		path: '/api/v3/contents/generations/tasks',
		headers: bearer,
		body: (text) => ({
			model: 'doubao-seedance-1-5-pro-251215',
			content: [{ type: 'text', text }],
			duration: 10,
		}),
		idOf: ({ id }) => id,
		poll: (id) => `/api/v3/contents/generations/tasks/${id}`,
		words: [
			...['queued', 'running', 'succeeded'],
			...['InternalServiceError', 'OutputVideoSensitiveContentDetected'],
		],
		filmOf: ({ content }) => content.video_url,
	},
	{
		vendor: 'openai',
		path: '/v1/videos',
		headers: bearer,
		body: (prompt) => ({ model: 'sora-2', prompt, seconds: '8', size: '1280x720' }),
		idOf: ({ id }) => id,
		poll: (id) => `/v1/videos/${id}`,
		words: [
			...['queued', 'in_progress', 'completed'],
			...['video_generation_failed', 'moderation_blocked'],
		],
		filmOf: (_json, id) => `/v1/videos/${id}/content`,
	},
	{
		vendor: 'kling',
		path: '/v1/videos/text2video',
		headers: bearer,
		body: (prompt) => ({ model_name: 'kling-v1-6', prompt, duration: '10' }),
		idOf: ({ data }) => data.task_id,
		poll: (id) => `/v1/videos/text2video/${id}`,
		words: ['submitted', 'processing', 'succeed', 'Generation failed', 'risk control system'],
		filmOf: ({ data }) => data.task_result.videos[0].url,
	},
	{
		vendor: 'vidu',
		path: '/ent/v2/text2video',
		headers: { authorization: 'Token secret-key' },
		body: (prompt) => ({ model: 'viduq2', prompt, duration: 8, resolution: '720p' }),
		idOf: ({ task_id }) => task_id,
		poll: (id) => `/ent/v2/tasks/${id}/creations`,
		words: ['queueing', 'processing', 'success', 'SystemThrottling', 'CreationPolicyViolation'],
		filmOf: ({ creations }) => creations[0].url,
	},
	{
		vendor: 'minimax',
		path: '/v1/video_generation',
		headers: bearer,
		body: (prompt) => ({ model: 'MiniMax-Hailuo-2.3', prompt, duration: 6 }),
		idOf: ({ task_id }) => task_id,
		poll: (id) => `/v1/query/video_generation?task_id=${id}`,
		words: ['Queueing', 'Processing', 'Success', '"status_code":1000', '"status_code":1027'],
		filmOf: ({ file_id }) => `/v1/files/retrieve?file_id=${file_id}`,
	},
	{
		vendor: 'dashscope',
		path: '/api/v1/services/aigc/video-generation/video-synthesis',
		headers: { ...bearer, 'x-dashscope-async': 'enable' },
		body: (prompt) => ({
			model: 'wan2.5-t2v-preview',
			input: { prompt },
			parameters: { size: '1280*720', duration: 10 },
		}),
		idOf: ({ output }) => output.task_id,
		poll: (id) => `/api/v1/tasks/${id}`,
		words: ['PENDING', 'RUNNING', 'SUCCEEDED', 'InternalError', 'DataInspectionFailed'],
		filmOf: ({ output }) => output.video_url,
	},
	{
		vendor: 'jimeng',
		path: '/?Action=CVSync2AsyncSubmitTask&Version=2022-08-31',
		headers: { authorization: 'HMAC-SHA256 Credential=secret-key/x, Signature=y' },
		body: (prompt) => ({ req_key: 'jimeng_t2v_v30', prompt, frames: 121, aspect_ratio: '' }),
		idOf: ({ data }) => data.task_id,
		poll: () => '/?Action=CVSync2AsyncGetResult&Version=2022-08-31',
		asking: (task_id) => ({ req_key: 'jimeng_t2v_v30', task_id }),
		words: ['in_queue', 'generating', '"done"', '"code":50500', '"code":50412'],
		filmOf: ({ data }) => data.video_url,
	},
];

const post = (value) => ({ method: 'POST', body: JSON.stringify(value) });

/**
 * A client of one vendor, with its key.
 * @param {{ url: string }} vendors
 * @param {VendorCalls} calls
 */
function clientOfVendor(vendors, { vendor, path, headers, body, poll, asking, filmOf }) {
	const at = (place) => (place.startsWith('http') ? place : `${vendors.url}/${vendor}${place}`);
	const client = {
		/** @param {object} fields @param {Record<string, string>} [others] */
		send: (fields, others = headers) => call(at(path), { ...post(fields), headers: others }),
		/** @param {string} prompt */
		submit: (prompt) => client.send(body(prompt)),
		/** @param {string} id */
		poll: (id) => call(at(poll(id)), { ...(asking && post(asking(id))), headers }),
		/**
		 * The bytes of a film that a poll has told of.
		 * @param {any} json @param {string} id
		 */
		async film(json, id) {
			const place = filmOf(json, id);
			if (Buffer.isBuffer(place)) return { status: 200, bytes: place, end: 'whole' };
			// A signed address opens without a key.
			const reply = await call(at(place), /X-Signature/.test(place) ? {} : { headers });
			return vendor === 'minimax' ? await call(reply.json.file.download_url) : reply;
		},
	};
	return client;
}

module.exports = { VENDOR_CALLS, clientOfVendor };
