'use strict';

const { PICTURE } = require('../../../sandbox/service/media');
const { call } = require('./call');

// How a client that has read the page of a service asks for the video of its example.

const LINES = { '480p': 480, '720p': 720, '1080p': 1080 };

/** "1280x720" for 16:9 and 720p. */
function toPixels({ ratio = '16:9', resolution = '720p' }) {
	const [width, height] = ratio.split(':').map(Number);
	const scale = LINES[resolution] / Math.min(width, height);
	return `${width * scale}x${height * scale}`;
}

/** How a setting can be written into a field, the likeliest first. */
function spellings(setting, example, [at, type], isShared) {
	const { length, ratio, resolution } = example;
	if (at === 'model') return ['veo-3.1-landscape'];
	if (setting === 'length') return [type === 'text' ? String(length) : length];
	if (type === 'pixels' || isShared) return [toPixels(example), ratio];
	const word = setting === 'ratio' ? ratio : resolution;
	return [word, word.toUpperCase()];
}

const PICTURES = {
	file: () => new Blob([PICTURE], { type: 'image/png' }),
	url: (url) => url,
	picture: (url) => url,
	urls: (url) => [url],
	list: (url) => [{ url }],
	objects: (url) => [{ type: 'image_url', image_url: { url }, role: 'first_frame' }],
};

function write(fields, at, value) {
	const names = at.split('.');
	const last = names.pop();
	const inner = names.reduce((object, name) => (object[name] ??= {}), fields);
	inner[last] = value;
}

/**
 * The fields of a submit that asks for a record's example, with a picture, in documented spelling.
 * @param {import('../../../sandbox/services/records').ServiceRecord} record
 */
function toFields({ model, settings, example }, pictureUrl) {
	const fields = { model, prompt: 'A red bicycle' };
	for (const [setting, [first]] of Object.entries(settings)) {
		const [at, type, values] = first;
		const paths = at.split(',');
		if (setting === 'image') write(fields, at, PICTURES[type](pictureUrl));
		else if (example[setting] !== undefined) {
			const isShared = settings.ratio?.[0][0] === settings.resolution?.[0][0] && example.resolution;
			const all = spellings(setting, example, first, isShared);
			const value = all.find((one) => !values || values.some((v) => String(v) === String(one)));
			const parts = paths.length > 1 ? value.split('x').map(Number) : [value];
			paths.forEach((path, n) => write(fields, path, parts[n]));
		}
	}
	return fields;
}

const toText = (value) => (typeof value === 'object' ? JSON.stringify(value) : String(value));

/** @returns {Promise<{ body: any, headers: Record<string, string> }>} */
async function toBody(fields, encoding) {
	if (encoding === 'json') {
		return { body: JSON.stringify(fields), headers: { 'content-type': 'application/json' } };
	}
	const form = new FormData();
	for (const [name, value] of Object.entries(fields)) {
		form.set(name, value instanceof Blob ? value : toText(value));
	}
	const packed = new Response(form);
	const type = packed.headers.get('content-type') ?? '';
	return { body: Buffer.from(await packed.arrayBuffer()), headers: { 'content-type': type } };
}

/** A client of a stand-in. */
function clientOf({ url, key }, record) {
	const authorization = `Bearer ${key}`;
	return {
		/** @param {any} fields @param {string} [path] @param {Record<string, string>} [others] */
		async submit(fields, encoding, path = record.submitPaths[0], others = {}) {
			const { body, headers } = await toBody(fields, encoding);
			const all = { authorization, ...headers, ...others };
			return await call(`${url}${path}`, { method: 'POST', body, headers: all });
		},
		/** @param {string} path of this service, or an address @param {boolean} [isSigned] */
		get: async (path, isSigned = false) =>
			await call(path.startsWith('http') ? path : `${url}${path}`, {
				headers: isSigned ? {} : { authorization },
			}),
	};
}

const inside = (value, path) =>
	path
		.split(/[.[\]]+/)
		.filter(Boolean)
		.reduce((found, name) => found?.[name], value);

/**
 * The film of a task that is done, from the documented place.
 * @param {import('../../../sandbox/services/records').ServiceRecord} record
 * @param {ReturnType<typeof clientOf>} client
 * @param {object} poll the last one's answer
 * @param {string} id
 * @returns {Promise<Buffer>}
 */
async function filmOf({ file }, client, poll, id) {
	const [at] = file.at ?? [];
	const place = at ? inside(poll, at) : `/v1/videos/${encodeURIComponent(id)}/content`;
	if (/bytes/i.test(at ?? '')) return Buffer.from(place, 'base64');
	for (let n = 0; n < (file.lateBy ?? 0); n++) {
		const { status } = await client.get(place);
		if (status !== 400) throw new Error(`The file should be late: ${status}`);
	}
	const reply = await client.get(place, place.includes('signature='));
	return file.content === 'json' ? (await client.get(reply.json.url, true)).bytes : reply.bytes;
}

/**
 * An object without some of its fields.
 * @param {Record<string, unknown>} fields
 * @param {string[]} names
 */
const without = (fields, ...names) =>
	Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));

module.exports = { clientOf, filmOf, toFields, without };
