'use strict';

const { randomBytes } = require('node:crypto');
const { fastify } = require('fastify');
const { openVideo, PICTURE, videoFor } = require('../service/media');
const { ERRORS, UNKNOWN_PATHS, fill } = require('./answers');
const { problemOf, readBody, valueAt } = require('./body');

// A hosted service as its page describes it: reads what is documented, ignores the rest, and bills.

const HOST = '127.0.0.1';
const KEY = 'service-key';
const LARGEST_BODY_BYTES = 64 * 1024 ** 2;
const REASON = 'The render was stopped by the content policy';

/**
 * @typedef {object} Submit what came by POST, at whatever path
 * @property {string} path
 * @property {'json' | 'form' | 'none'} encoding
 * @property {Record<string, any>} fields texts of a form that are JSON are parsed; files are `FormFile`
 * @property {number} status what was answered
 * @property {string} [taskId] of the task that it made, and that is billed
 *
 * @typedef {{ id: string, polls: number, fields: Record<string, any> }} Task
 *
 * @typedef {object} ServiceOptions
 * @property {number} [pollsUntilDone] 2 without
 * @property {'fail' | 'filtered'} [fault] `filtered`: it is done, and there is no file
 * @property {number} [port]
 */

/** Fastify's spelling of a path. */
const toRoute = (path) => path.replace(/\?.*/, '').replace('{id}', ':id');

/** An app that hands bodies on as they came. */
function createApp(record) {
	const app = fastify({
		...{ forceCloseConnections: true, bodyLimit: LARGEST_BODY_BYTES, exposeHeadRoutes: false },
		routerOptions: { maxParamLength: 8192 },
	});
	app.removeAllContentTypeParsers();
	app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
	app.addHook('onRequest', async (_request, reply) => {
		if (!record.isNewApi) return;
		reply.header('x-new-api-version', 'v0.9.0');
		reply.header('x-oneapi-request-id', randomBytes(8).toString('hex'));
	});
	return app;
}

const send = async (reply, status, body) =>
	await reply
		.code(status)
		.type(typeof body === 'string' ? 'text/html' : 'application/json')
		.send(typeof body === 'string' ? body : JSON.stringify(body));

/** The film that fits what was asked for. */
function filmOf(record, { fields }) {
	const [at] = record.settings.ratio?.[0] ?? ['size'];
	const { length, read } = openVideo(videoFor(String(valueAt(fields, at) ?? '1:1')));
	return Buffer.concat([...read(0, length)]);
}

/**
 * The store of files, on a port of its own: `/picture.png`, and films at signed addresses, which open
 * without a key and refuse one.
 */
function createStore(record, tasks) {
	const store = createApp(record);
	store.get('/picture.png', async (_request, reply) => await reply.type('image/png').send(PICTURE));
	store.get('/files/:id', async ({ params, query, headers }, reply) => {
		const task = tasks.get(params.id.replace(/\.mp4$/, ''));
		if (!task || !query.signature) return await send(reply, 404, 'NoSuchKey');
		if (headers.authorization) return await send(reply, 400, 'Only one auth mechanism allowed');
		return await reply.type('video/mp4').send(filmOf(record, task));
	});
	return store;
}

/**
 * Starts the stand-in of a service.
 * @param {import('./records').ServiceRecord} record
 * @param {ServiceOptions} [options]
 */
async function startService(record, { pollsUntilDone = 2, fault, port = 0 } = {}) {
	/** @type {Submit[]} */
	const submits = [];
	/** @type {Array<{ method: string, path: string, status: number }>} */
	const requests = [];
	/** By ID, and by the ID that polls show. @type {Map<string, Task>} */
	const tasks = new Map();
	/** @type {Task[]} */
	const made = [];
	let url = '';
	let storeUrl = '';
	const app = createApp(record);
	const refuse = async (reply, status, message, code) =>
		await send(reply, status, ERRORS[record.errors](message, code));
	const unknown = async ({ method, url: place }, reply) =>
		await send(reply, ...UNKNOWN_PATHS[record.unknownPath]({ method, url: place.split('?')[0] }));

	app.addHook('onResponse', async ({ method, url: path }, { statusCode: status }) => {
		requests.push({ method, path: path.split('?')[0], status });
	});
	/** Answers what keys other than the right one get. */
	const withKey = (answer) => async (request, reply) =>
		request.headers.authorization === `Bearer ${KEY}`
			? await answer(request, reply)
			: await refuse(reply, 401, 'Invalid token', 'invalid_api_key');

	function valuesOf(task) {
		const { model, prompt, seconds, size } = task.fields;
		const at = (setting) => {
			const fields = record.settings[setting] ?? [];
			return fields.map(([path]) => valueAt(task.fields, path)).find((one) => one !== undefined);
		};
		const [ratio, resolution] = [at('ratio'), at('resolution')];
		const isThere = fault !== 'filtered';
		return {
			...{ id: task.id, pollId: task.pollId, model, prompt, seconds, size, ratio, resolution },
			...{ reason: REASON, created: Math.floor(task.at / 1000) },
			file: isThere ? `${storeUrl}/files/${encodeURIComponent(task.id)}.mp4?signature=a` : '',
			content: `${url}${(record.file.contentPath ?? '/v1/videos/{id}/content').replace('{id}', encodeURIComponent(task.id))}`,
			bytes: isThere ? filmOf(record, task).toString('base64') : '',
		};
	}

	function createTask({ fields }) {
		const n = randomBytes(12).toString('hex');
		const [id, pollId] = [record.id ?? 'task_$n', record.pollId ?? record.id ?? 'task_$n'].map(
			(template) => fill(template, { n, model: fields.model }),
		);
		const task = { ...{ id, pollId, fields, at: Date.now() }, polls: 0, early: 0 };
		made.push(task);
		tasks.set(id, task).set(pollId, task);
		return task;
	}

	/** Why a body is refused, if it is. */
	function objectTo(body) {
		if (body.encoding === 'json' && !record.encodings.includes('json')) {
			const isStrict = record.jsonRefusal === 'needsForm';
			return isStrict ? 'multipart/form-data required' : 'prompt is required';
		}
		if (body.encoding === 'none' || !record.encodings.includes(body.encoding)) {
			return 'invalid character in the body, a JSON object is required';
		}
		return problemOf(record, body);
	}

	async function submit(request, reply) {
		const { submit: kept } = request;
		const objection = objectTo(kept);
		if (objection) return await refuse(reply, record.refusal ?? 400, objection, 'invalid_request');
		const task = createTask(kept);
		kept.taskId = task.id;
		return await send(reply, 200, fill(record.submitted, valuesOf(task)));
	}

	function stateOf(task) {
		if (task.polls <= pollsUntilDone) return task.polls > 1 ? 'rendering' : 'queued';
		return fault === 'fail' ? 'failed' : 'done';
	}

	async function poll({ params, query }, reply) {
		const task = tasks.get(params.id ?? query.id);
		if (!task || task.isForgotten) {
			const status = record.errors === 'envelope' ? 400 : 404;
			return await refuse(reply, status, 'task_not_exist', 'task_not_exist');
		}
		task.polls++;
		const state = stateOf(task);
		if (state === 'done' && record.file.toldOnce) task.isForgotten = true;
		return await send(reply, 200, fill(record.poll[state], valuesOf(task)));
	}

	async function content({ params }, reply) {
		const task = tasks.get(params.id);
		if (!task) return await refuse(reply, 404, 'Video not found', 'not_found');
		const isLate = stateOf(task) === 'done' && task.early++ < (record.file.lateBy ?? 0);
		if (stateOf(task) !== 'done' || isLate) {
			return await refuse(reply, 400, 'Video is not ready yet', 'not_ready');
		}
		if (fault === 'filtered') return await refuse(reply, 502, 'Failed to fetch video content', '');
		const { file } = valuesOf(task);
		if (record.file.content === 'json')
			return await send(reply, 200, { url: file, video_url: file });
		return await reply.type('video/mp4').send(filmOf(record, task));
	}

	app.addHook('preHandler', async (request, reply) => {
		if (request.method !== 'POST') return;
		const body = await readBody(request.body ?? Buffer.alloc(0), request.headers['content-type']);
		/** @type {Submit} */
		const kept = { path: request.url, ...body, status: 0 };
		submits.push(kept);
		request.submit = kept;
		reply.raw.once('finish', () => (kept.status = reply.statusCode));
	});
	for (const path of record.submitPaths) app.post(path, withKey(submit));
	for (const path of record.pollPaths) app.get(toRoute(path), withKey(poll));
	const { contentPath = '/v1/videos/{id}/content' } = record.file;
	if (record.file.content) app.get(toRoute(contentPath), withKey(content));
	app.setNotFoundHandler(unknown);

	const store = createStore(record, tasks);
	storeUrl = await store.listen({ host: HOST, port: 0 });
	url = await app.listen({ host: HOST, port });
	return {
		url,
		key: KEY,
		/** A picture that opens without a key. */
		pictureUrl: `${storeUrl}/picture.png`,
		submits,
		requests,
		/** What is billed. */
		tasks: made,
		close: async () => {
			await Promise.all([app.close(), store.close()]);
		},
	};
}

module.exports = { startService };
