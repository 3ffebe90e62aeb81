import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import path from 'node:path';
import fastify from 'fastify';
import { ROOT } from '../sandbox/n8n/folders.mjs';

const VIDEO = path.join(ROOT, 'sandbox', 'service', 'media', 'landscape.mp4');

/**
 * Veo's long-running operations, as n8n's Gemini node calls them: `:predictLongRunning` names an
 * operation, polling it tells when it is done, and its address gives the file.
 * https://ai.google.dev/gemini-api/docs/video
 */
export async function startVeo({ renderMs }) {
	const app = fastify();
	const operations = new Map();
	let requests = 0;
	let url = '';
	app.addHook('onRequest', async () => void (requests += 1));

	app.post('/v1beta/models/*', async (request, reply) => {
		const model = /^(.+):predictLongRunning$/.exec(request.params['*'])?.[1];
		const prompt = request.body?.instances?.[0]?.prompt;
		if (!model || !prompt)
			return await reply.code(400).send({ error: { message: 'Not a render' } });
		const name = `models/${model}/operations/${randomUUID()}`;
		operations.set(name, { readyAt: Date.now() + renderMs });
		return { name };
	});

	app.get('/v1beta/models/*', async (request, reply) => {
		const name = `models/${request.params['*']}`;
		const operation = operations.get(name);
		if (!operation) return await reply.code(404).send({ error: { message: 'No such operation' } });
		if (Date.now() < operation.readyAt) return { name };
		const uri = `${url}/v1beta/files/${randomUUID()}:download?alt=media`;
		const generateVideoResponse = { generatedSamples: [{ video: { uri } }] };
		return { name, done: true, response: { generateVideoResponse } };
	});

	app.get('/v1beta/files/*', async (_request, reply) => {
		return await reply.type('video/mp4').send(createReadStream(VIDEO));
	});

	url = await app.listen({ host: '127.0.0.1', port: 0 });
	return {
		url,
		counts: () => ({ renders: operations.size, requests }),
		reset() {
			operations.clear();
			requests = 0;
		},
		close: async () => await app.close(),
	};
}
