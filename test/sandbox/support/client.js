'use strict';

const { readFileSync } = require('node:fs');
const { join } = require('node:path');
const { gunzipSync } = require('node:zlib');
const { call } = require('./call');

/** @typedef {import('./call').CallOptions} CallOptions */

const pauseMs = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

const VIDEO_MODEL = 'veo-3.1-fast-generate-001';

/**
 * The documented calls, as a client of the service makes them.
 * @param {{ url: string }} sandbox
 */
function clientOf(sandbox, key = 'sandbox-key') {
	const bearer = { authorization: `Bearer ${key}` };
	const json = { 'content-type': 'application/json' };
	/** @param {string} path @param {CallOptions} [options] */
	const at = (path, options) => call(sandbox.url + path, options);
	/** @param {object} fields @param {CallOptions} [options] */
	const submitFields = (fields, options = {}) =>
		at('/v1/video/generations', {
			method: 'POST',
			body: JSON.stringify(fields),
			...options,
			headers: { ...bearer, ...json, ...options.headers },
		});
	/** @param {string} prompt @param {object} [fields] @param {CallOptions} [options] */
	const submit = (prompt, fields = {}, options = {}) =>
		submitFields({ model: VIDEO_MODEL, prompt, ...fields }, options);
	/** @param {string} id @param {CallOptions} [options] */
	const poll = (id, options = {}) =>
		at(`/v1/video/generations/${encodeURIComponent(id)}`, { headers: bearer, ...options });
	/** @param {string} id @param {CallOptions} [options] */
	const download = (id, { headers = {}, ...options } = {}) =>
		at(`/v1/videos/${encodeURIComponent(id)}/content`, {
			...options,
			headers: { ...bearer, ...headers },
		});
	/** @param {object} body @param {CallOptions & { action?: string, query?: string }} [options] */
	const generate = (body, { action = 'generateContent', query = '', ...options } = {}) =>
		at(`/v1beta/models/gemini-2.5-flash:${action}${query}`, {
			method: 'POST',
			body: JSON.stringify(body),
			...options,
			headers: { 'x-goog-api-key': key, ...json, ...options.headers },
		});
	return { at, submit, submitFields, poll, download, generate };
}

/** A prompt with a plan behind it. */
const prompt = (words, plan) => `${words} sandbox:${JSON.stringify(plan)}`;

/** One user turn of the native protocol. */
const ask = (text) => ({ contents: [{ role: 'user', parts: [{ text }] }] });

/** Waits, for at most 5 s, until a condition holds. */
async function until(condition) {
	for (let round = 0; round < 1000 && !condition(); round++) {
		await pauseMs(5);
	}
	return condition();
}

/** The bytes of a file of the repository. */
const readFile = (name) => readFileSync(join(__dirname, '..', '..', '..', name));

module.exports = { VIDEO_MODEL, ask, clientOf, gunzipSync, pauseMs, prompt, readFile, until };
