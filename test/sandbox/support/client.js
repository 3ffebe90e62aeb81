'use strict';

const http = require('node:http');
const { gunzipSync } = require('node:zlib');
const axios = require('axios');

/**
 * @typedef {{ method?: string, headers?: Record<string, string>, body?: string, giveUpAfterBytes?: number,
 *   giveUpWhen?: Promise<unknown> }} CallOptions without any of them the client waits for ever
 */

/** Sends what it is told and nothing of its own, and hands on whatever comes, byte for byte. */
const client = axios.create({
	headers: { Accept: false, 'Accept-Encoding': false, 'Content-Type': false, 'User-Agent': false },
	transformRequest: (body) => body,
	responseType: 'stream',
	decompress: false,
	validateStatus: null,
	maxRedirects: 0,
	proxy: false,
	// One connection for each request.
	httpAgent: new http.Agent(),
});

const parse = (text) => {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
};

/** Never rejects: a broken connection is a reply's `end`. */
async function call(
	address,
	/** @type {CallOptions} */ { body, giveUpAfterBytes = Infinity, giveUpWhen, ...options } = {},
) {
	const patience = new AbortController();
	const giveUp = () => patience.abort();
	giveUpWhen?.then(giveUp);
	const { signal } = patience;
	const chunks = [];
	let received = 0;
	let timer;
	let answer;
	let end;
	try {
		answer = await client.request({ url: address, data: body, signal, ...options });
		for await (const chunk of answer.data) {
			chunks.push(chunk);
			received += chunk.length;
			// A moment more, in which bytes that should not come would come.
			if (received >= giveUpAfterBytes) timer ??= setTimeout(giveUp, 50);
		}
		end = answer.data.complete ? 'whole' : 'cut';
	} catch {
		end = signal.aborted ? 'gaveUp' : answer ? 'cut' : 'reset';
	}
	clearTimeout(timer);
	const bytes = Buffer.concat(chunks);
	const text = bytes.toString('utf8');
	const { status, headers } = answer ?? {};
	return { status, headers: { ...headers }, bytes, text, json: parse(text), end };
}

/**
 * The documented calls, as a client of the service makes them.
 * @param {{ url: string }} sandbox
 */
function clientOf(sandbox, key = 'sandbox-key') {
	const bearer = { authorization: `Bearer ${key}` };
	const json = { 'content-type': 'application/json' };
	/** @param {string} path @param {CallOptions} [options] */
	const at = (path, options) => call(sandbox.url + path, options);
	/** @param {string} prompt @param {CallOptions} [options] */
	const submit = (prompt, options = {}) =>
		at('/v1/video/generations', {
			...{ method: 'POST', headers: { ...bearer, ...json }, ...options },
			body: JSON.stringify({ model: 'veo-3.1-fast-generate-001', prompt }),
		});
	/** @param {string} id @param {CallOptions} [options] */
	const poll = (id, options = {}) =>
		at(`/v1/video/generations/${encodeURIComponent(id)}`, { headers: bearer, ...options });
	/** @param {string} id @param {CallOptions} [options] */
	const download = (id, options = {}) =>
		at(`/v1/videos/${encodeURIComponent(id)}/content`, { headers: bearer, ...options });
	/** The key is in the header and in the address. @param {string} text */
	const generate = (text) =>
		at(`/v1beta/models/gemini-2.5-flash:generateContent?key=${key}`, {
			...{ method: 'POST', headers: { 'x-goog-api-key': key, ...json } },
			body: JSON.stringify({ contents: [{ role: 'user', parts: [{ text }] }] }),
		});
	return { submit, poll, download, generate };
}

module.exports = { call, clientOf, gunzipSync };
