'use strict';

const { createHash, randomUUID } = require('node:crypto');
const { extname } = require('node:path');
const { changeDue, withChange } = require('./answers');
const { ok } = require('./namedTasks');
const { parseJson } = require('./server');

// Where fal, Replicate and Runway take files, as fal-js 1.10, replicate-javascript 1.4 and @runwayml/sdk 4.20 send
// them.

/** Returns what a file is, by which a test knows it again. */
const toFile = (bytes, contentType) => ({
	contentType,
	size: bytes.length,
	sha256: createHash('sha256').update(bytes).digest('hex'),
});

/** Names the address that takes the bytes, at a host that knows no keys, and the file's own. */
function falInitiate(exchange) {
	const { state, body } = exchange;
	const { content_type, file_name } = parseJson(body.toString()) ?? {};
	if (!content_type || !file_name) return ok({ detail: 'Field required' }, 422);
	const change = changeDue(exchange, 'content', 'initiate', state.deployment.plan.content);
	const name = `${randomUUID()}${extname(file_name)}`;
	const answer = ok({
		upload_url: `${state.foreignUrl}/uploads/${name}?signature=1`,
		file_url: `${state.foreignUrl}/files/${name}`,
	});
	return withChange(answer, change);
}

/** The host of the address: a key beside the signature is refused. */
function falPut(exchange) {
	const { state, body, headers, params } = exchange;
	const change = changeDue(exchange, 'upload', 'put', state.deployment.plan.upload);
	if (headers.authorization) return { status: 400, text: 'Only one auth mechanism allowed' };
	state.files.set(params.file, toFile(body, headers['content-type']));
	return withChange(ok({}), change);
}

async function replicateUpload(exchange) {
	const { state, body, headers } = exchange;
	const init = { headers: { 'content-type': headers['content-type'] ?? '' } };
	const form = await new Response(body, init).formData().catch(() => undefined);
	const file = form?.get('content');
	if (!(file instanceof Blob)) return ok({ detail: 'content is required', status: 400 }, 400);
	const change = changeDue(exchange, 'content', 'upload', state.deployment.plan.content);
	const id = randomUUID();
	state.files.set(id, toFile(Buffer.from(await file.arrayBuffer()), file.type));
	const urls = { get: `${state.url}/v1/files/${id}` };
	const answer = { id, name: file.name, content_type: file.type, size: file.size, urls };
	return withChange(ok(answer, 201), change);
}

/** The host of Runway's second step: a form with the fields of the first one, and the file at its end. */
async function runwayPost(exchange) {
	const { state, body, headers, params } = exchange;
	const change = changeDue(exchange, 'upload', 'post', state.deployment.plan.upload);
	if (headers.authorization) return { status: 400, text: 'Only one auth mechanism allowed' };
	const init = { headers: { 'content-type': headers['content-type'] ?? '' } };
	const form = await new Response(body, init).formData().catch(() => undefined);
	const [key, policy, file] = ['key', 'policy', 'file'].map((name) => form?.get(name));
	if (key !== params.file || !policy || !(file instanceof Blob)) {
		return { status: 403, text: '<Error><Code>AccessDenied</Code></Error>' };
	}
	state.files.set(params.file, toFile(Buffer.from(await file.arrayBuffer()), file.type));
	return withChange({ status: 204, text: '' }, change);
}

module.exports = { falInitiate, falPut, replicateUpload, runwayPost };
