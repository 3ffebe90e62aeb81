'use strict';

const http = require('node:http');
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

module.exports = { call };
