import fastify from 'fastify';

function createDeferred() {
	let resolve = () => {};
	const promise = new Promise<void>((done) => (resolve = done));
	return { promise, resolve: () => resolve() };
}

/** What the fixture package's nodes talk to; `key` is the only API key it takes. */
export async function startFixtureService() {
	const server = fastify();
	const polled = createDeferred();
	const seen = { paid: 0, failReceipts: 0 };

	server.addHook('onRequest', async (request, reply) => {
		const key = request.headers.authorization;
		if (key !== 'Bearer key') await reply.code(401).send({ message: 'Who?' });
	});
	server.get('/ok', async () => ({ ok: true }));
	server.get('/bad', async (_request, reply) => await reply.code(422).send({ message: 'Bad' }));
	server.get('/me', async () => ({ state: 'open' }));
	server.get('/poll', async () => {
		polled.resolve();
		return {};
	});
	server.post('/pay', async () => ({ receipt: ++seen.paid }));
	server.get('/receipts/:index', async (_request, reply) => {
		if (seen.failReceipts === 0) return { ok: true };
		seen.failReceipts -= 1;
		return await reply.code(500).send({ message: 'Later' });
	});

	const url = await server.listen({ port: 0, host: '127.0.0.1' });
	return {
		url,
		seen,
		polled: async () => await polled.promise,
		close: async () => await server.close(),
	};
}
