'use strict';

const http = require('node:http');
const https = require('node:https');
const axios = require('axios');

/**
 * An answer as far as it was read: `json` where it is an object, `cut` where it went on. `trouble`
 * is a few words for what kept a whole answer from coming, `unsent` where nothing was asked.
 * @typedef {{ status: number, headers: Record<string, string | undefined>, text: string,
 *   json?: Record<string, any>, cut: boolean, trouble?: undefined } | { trouble: string, unsent?: boolean }} Answer
 */

const MAX_BYTES = 4_000_000;

/**
 * Sends each request once, on a connection of its own: a connection that is used again may send a
 * request again. Redirects are not followed, since they would carry the key along, and proxies are
 * not used, since a request by https would go through them in the clear.
 */
const client = axios.create({
	headers: { 'User-Agent': 'n8n-nodes-video-generation', 'Content-Type': false },
	transformRequest: (body) => body,
	responseType: 'stream',
	validateStatus: null,
	maxRedirects: 0,
	proxy: false,
	httpAgent: new http.Agent(),
	httpsAgent: new https.Agent(),
});

/** As far as `maxBytes`, counted after unpacking; the rest is not waited for. */
async function readStart(stream, maxBytes) {
	const chunks = [];
	let size = 0;
	for await (const chunk of stream) {
		chunks.push(chunk);
		size += chunk.length;
		if (size >= maxBytes) return { bytes: Buffer.concat(chunks).subarray(0, maxBytes), cut: true };
	}
	return { bytes: Buffer.concat(chunks), cut: false };
}

function toObject(text) {
	try {
		const value = JSON.parse(text);
		return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
	} catch {
		return undefined;
	}
}

/**
 * One request, bounded in time and in what is read of its answer. Never rejects.
 * @param {string} url
 * @param {{ method?: string, headers?: object, body?: object, timeoutMs: number, maxBytes?: number }} how
 * @returns {Promise<Answer>}
 */
async function request(
	url,
	{ method = 'GET', headers = {}, body, timeoutMs, maxBytes = MAX_BYTES },
) {
	const signal = AbortSignal.timeout(timeoutMs);
	const type = body === undefined ? {} : { 'Content-Type': 'application/json' };
	const data = body === undefined ? undefined : JSON.stringify(body);
	try {
		const answer = await client.request({
			url,
			method,
			headers: { ...headers, ...type },
			data,
			signal,
		});
		const { bytes, cut } = await readStart(answer.data, maxBytes);
		const text = bytes.toString('latin1', 0, 8).includes('ftyp')
			? bytes.toString('latin1')
			: bytes.toString('utf8');
		const { status } = answer;
		return {
			status,
			headers: { ...answer.headers },
			text,
			json: cut ? undefined : toObject(text),
			cut,
		};
	} catch (error) {
		if (signal.aborted) return { trouble: `no whole answer within ${timeoutMs / 1000} s` };
		return { trouble: `no whole answer (${error.code ?? error.name})` };
	}
}

module.exports = { request };
