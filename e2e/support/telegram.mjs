import fastify from 'fastify';

const LARGEST_BODY_BYTES = 64_000_000;
/** Of what a bot sends. */
const LARGEST_FILE_BYTES = 50_000_000;
const LONGEST_TEXT = 4_096;

/**
 * Telegram, as a bot of n8n's meets it at the Base URL of its credential. Every photo there is
 * `photo`; `said` is what the bot did, in order: `{ method, body, bytes }`. `send` gives the bot a
 * message.
 */
export async function startTelegram(photo) {
	const said = [];
	let hook;
	const app = fastify({ bodyLimit: LARGEST_BODY_BYTES, forceCloseConnections: true });
	app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, bytes, done) =>
		done(null, bytes),
	);

	app.get('/file/:bot/*', async (_request, reply) => await reply.type('image/png').send(photo));
	app.all('/:bot/:method', async ({ params: { method }, query, body = {} }, reply) => {
		if (method === 'setWebhook') hook = body;
		if (method !== 'getFile') {
			const isTooLong = body.length > LARGEST_FILE_BYTES || body.text?.length > LONGEST_TEXT;
			if (isTooLong) return await reply.code(413).send({ ok: false, description: 'Too large' });
			said.push(Buffer.isBuffer(body) ? { method, body: {}, bytes: body } : { method, body });
			return { ok: true, result: { message_id: said.length } };
		}
		const file_id = body.file_id ?? query.file_id;
		if (file_id) return { ok: true, result: { file_id, file_path: 'photos/file_1.png' } };
		return await reply.code(400).send({ ok: false, description: 'Bad Request: invalid file_id' });
	});

	const baseUrl = await app.listen({ host: '127.0.0.1', port: 0 });
	const data = { accessToken: '123:bot', baseUrl };
	return {
		said,
		credential: { name: 'Telegram', type: 'telegramApi', data },
		/** `chat.id` is the chat that it comes from. */
		send: async (message) =>
			await fetch(hook.url, {
				method: 'POST',
				headers: {
					'content-type': 'application/json',
					'x-telegram-bot-api-secret-token': hook.secret_token,
				},
				body: JSON.stringify({ update_id: 1, message }),
			}),
		close: async () => await app.close(),
	};
}
