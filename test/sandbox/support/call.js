'use strict';

const http = require('node:http');
const https = require('node:https');

// A plain HTTP client that says how an answer ended, which fetch and axios hide.

/**
 * @typedef {{ status: number | undefined, headers: Record<string, string | undefined>,
 *   bytes: Buffer, text: string, json: any, end: 'whole' | 'cut' | 'reset' | 'gaveUp' }} Reply
 * @typedef {{ method?: string, headers?: Record<string, string>, body?: string, giveUpAfterBytes?: number,
 *   giveUpWhen?: Promise<unknown> }} CallOptions without any of them the client waits for ever
 */

const parse = (text) => {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
};

/** @returns {Promise<Reply>} never rejects: a broken connection is a reply's `end` */
const call = (
	address,
	/** @type {CallOptions} */ { method = 'GET', headers = {}, body, ...patience } = {},
) =>
	new Promise((resolve) => {
		const chunks = [];
		const { giveUpWhen, giveUpAfterBytes = Infinity } = patience;
		let received = 0;
		let answer;
		let timer;
		const finish = (end) => {
			// Only the first end counts: a connection that we give up ends once more.
			clearTimeout(timer);
			const bytes = Buffer.concat(chunks);
			const text = bytes.toString('utf8');
			const { statusCode: status, headers: given = {} } = answer ?? {};
			resolve({ status, headers: given, bytes, text, json: parse(text), end });
		};
		const request = http.request(address, { method, headers, agent: false });
		const giveUp = () => {
			finish('gaveUp');
			request.destroy();
		};
		giveUpWhen?.then(giveUp);
		request.on('error', () => finish(answer ? 'cut' : 'reset'));
		request.on('response', (response) => {
			answer = response;
			response.on('data', (chunk) => {
				chunks.push(chunk);
				received += chunk.length;
				// A moment more, in which bytes that should not come would come.
				if (received >= giveUpAfterBytes) timer ??= setTimeout(giveUp, 50);
			});
			response.on('error', () => finish('cut'));
			response.on('end', () => finish(response.complete ? 'whole' : 'cut'));
		});
		request.end(body);
	});

/**
 * Starts a download and never reads it.
 * @returns {{ abandon: () => void }}
 */
function ignore(address, headers) {
	const request = http.get(address, { headers, agent: false }, (response) => response.pause());
	request.on('error', () => undefined);
	return { abandon: () => request.destroy() };
}

/**
 * The status of an https address, for a client that trusts `certificate` and no other.
 * @returns {Promise<number | undefined>}
 */
const getSecure = (address, certificate) =>
	new Promise((resolve, reject) => {
		const options = { agent: false, ca: certificate };
		const request = https.get(address, options, (response) => {
			response.resume().on('end', () => resolve(response.statusCode));
		});
		request.on('error', reject);
	});

module.exports = { call, getSecure, ignore };
