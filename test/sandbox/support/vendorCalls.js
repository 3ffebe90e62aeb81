'use strict';

const { call } = require('./call');

// How a gateway asks each of the vendors, and where it finds the answers: written from the vendors'
// documentation, independent of the code that answers.

const bearer = { authorization: 'Bearer secret-key' };
const veo = (prompt) => ({ instances: [{ prompt }], parameters: { durationSeconds: 8 } });
const ARK = '/api/v3/contents/generations/tasks';
const JIMENG = '/?Version=2022-08-31&Action=CVSync2Async';
const GOOGLE = '/v1/projects/p/locations/us-central1/publishers/google/models';
const DASHSCOPE = '/api/v1/services/aigc/video-generation/video-synthesis';

// Vendor, headers; submit: address, body, id; poll: address, film, and the body of one that is a POST.
/** @type {any[][]} */
const ROWS = [
	[
		...['gemini', { 'x-goog-api-key': 'secret-key' }],
		...['/v1beta/models/veo-3.1-generate-preview:predictLongRunning', veo, ({ name }) => name],
		(id) => `/v1beta/${id}`,
		({ response }) => response.generateVideoResponse.generatedSamples[0].video.uri,
	],
	[
		...['vertex', bearer],
		...[`${GOOGLE}/veo-3.1-generate-001:predictLongRunning`, veo, ({ name }) => name],
		(id) => `/v1/${id.replace(/\/operations\/.*/, '')}:fetchPredictOperation`,
		({ response }) => Buffer.from(response.videos[0].bytesBase64Encoded, 'base64'),
		(operationName) => ({ operationName }),
	],
	[
		...['ark', bearer, ARK],
		(text) => ({ model: 'seedance', content: [{ type: 'text', text }], duration: 10 }),
		...[({ id }) => id, (id) => `${ARK}/${id}`, ({ content }) => content.video_url],
	],
	[
		...['kling', bearer, '/v1/videos/text2video'],
		(prompt) => ({ model_name: 'kling-v1-6', prompt, duration: '10' }),
		...[({ data }) => data.task_id, (id) => `/v1/videos/text2video/${id}`],
		({ data }) => data.task_result.videos[0].url,
	],
	[
		...['vidu', { authorization: 'Token secret-key' }, '/ent/v2/text2video'],
		(prompt) => ({ model: 'viduq2', prompt, duration: 8 }),
		...[({ task_id }) => task_id, (id) => `/ent/v2/tasks/${id}/creations`],
		({ creations }) => creations[0].url,
	],
	[
		...['minimax', bearer, '/v1/video_generation'],
		(prompt) => ({ model: 'MiniMax-Hailuo-2.3', prompt, duration: 6 }),
		...[({ task_id }) => task_id, (id) => `/v1/query/video_generation?task_id=${id}`],
		({ file_id }) => `/v1/files/retrieve?file_id=${file_id}`,
	],
	[
		...['dashscope', { ...bearer, 'x-dashscope-async': 'enable' }, DASHSCOPE],
		(prompt) => ({ model: 'wan2.5', input: { prompt }, parameters: { duration: 10 } }),
		...[({ output }) => output.task_id, (id) => `/api/v1/tasks/${id}`],
		({ output }) => output.video_url,
	],
	[
		...['jimeng', { authorization: 'HMAC-SHA256 Credential=secret-key/x, Signature=y' }],
		`${JIMENG}SubmitTask`,
		(prompt) => ({ req_key: 'jimeng_t2v_v30', prompt, frames: 121 }),
		...[({ data }) => data.task_id, () => `${JIMENG}GetResult`, ({ data }) => data.video_url],
		(task_id) => ({ req_key: 'jimeng_t2v_v30', task_id }),
	],
];

const post = (value) => ({ method: 'POST', body: JSON.stringify(value) });

/** The vendors at an address, each with its name. */
const clientsOf = (url) =>
	ROWS.map(([vendor, headers, path, body, idOf, poll, filmOf, asking]) => {
		const at = (place) => (place.startsWith('http') ? place : `${url}/${vendor}${place}`);
		return {
			vendor,
			idOf,
			/** @param {string} prompt @param {Record<string, string>} [others] */
			submit: (prompt, others = headers) =>
				call(at(path), { ...post(body(prompt)), headers: others }),
			/** @param {string} id */
			poll: (id) => call(at(poll(id)), { ...(asking && post(asking(id))), headers }),
			/** The bytes of the film that a poll has told of. @param {any} json */
			async film(json) {
				const place = filmOf(json);
				if (Buffer.isBuffer(place)) return place;
				// A signed address opens without a key.
				const reply = await call(at(place), /X-Signature/.test(place) ? {} : { headers });
				return (vendor === 'minimax' ? await call(reply.json.file.download_url) : reply).bytes;
			},
		};
	});

module.exports = { clientsOf };
