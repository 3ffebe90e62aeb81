'use strict';

const { fastify } = require('fastify');
const { gateway } = require('./errorShapes');
const { serve } = require('./exchange');

const HOST = '127.0.0.1';

const OPTIONS = {
	// Closing must not wait for answers that never come.
	forceCloseConnections: true,
	// An idle connection that ends while a client reuses it would look like a fault of its own.
	keepAliveTimeout: 120_000,
	// Ids are opaque and long; the router's own limit is 100 characters.
	routerOptions: { maxParamLength: 8192 },
	exposeHeadRoutes: false,
};

const unused = () => undefined;

/**
 * A listener where Fastify finds the handler and `serve` does the rest, before Fastify looks at a
 * request's type or body: what it would refuse itself, this service answers in its own way.
 * @param {{ key: string, cert: string }} [certificate] speaks https where there is one
 */
function createListener(state, origin, routes, otherwise, certificate) {
	const broken = (error) => () => gateway(400, '', error.message);
	const app = fastify({
		...OPTIONS,
		...(certificate && { https: certificate }),
		frameworkErrors: (error, request, reply) => serve(state, origin, broken(error), request, reply),
	});
	app.addHook('onRequest', async (request, reply) => {
		const handler = request.is404 ? otherwise : request.routeOptions.config.answer;
		if (handler) await serve(state, origin, handler, request, reply);
	});
	for (const [method, url, answer] of routes) {
		app.route({ method, url, config: { answer }, handler: unused });
	}
	app.setNotFoundHandler(unused);
	return {
		app,
		/** @returns {Promise<number>} the port */
		async listen(port) {
			await app.listen({ port, host: HOST });
			return app.server.address().port;
		},
		close: async () => await app.close(),
	};
}

module.exports = { createListener, HOST };
