'use strict';

const { matches } = require('./records');

// What a test does in-process, for other processes. These requests stay out of the records. The
// stand-ins for the service and for the vendors behind it share these.

function listRequests({ records }, { status, ...query }) {
	const filter = status === undefined ? query : { ...query, status: Number(status) };
	return records.filter((record) => matches(record, filter));
}

const about = (table) =>
	Object.fromEntries(Object.entries(table).map(([name, { about: text }]) => [name, text]));

/**
 * @param {import('fastify').FastifyInstance} app
 * @param {object} of `state`, `set`, `reset`, the table of `faults`, and `listTasks`
 */
function addControlRoutes(app, { state, set, reset, faults, listTasks }) {
	app.removeAllContentTypeParsers();
	// Whatever type curl says: the body is JSON or it is refused below.
	app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));
	app.get('/_sandbox/health', () => ({
		ok: true,
		url: state.url,
		foreignUrl: state.foreignUrl,
		requests: state.requestCount,
		tasks: state.tasks.size,
	}));
	app.get('/_sandbox/requests', ({ query }) => listRequests(state, query));
	app.get('/_sandbox/tasks', () => listTasks(state));
	app.get('/_sandbox/faults', () => about(faults));
	app.get('/_sandbox/deployment', () => state.deployment);
	app.post('/_sandbox/deployment', async ({ body }, reply) => {
		try {
			return set(JSON.parse(body));
		} catch (error) {
			return await reply.code(400).send({ ok: false, message: error.message });
		}
	});
	app.post('/_sandbox/reset', () => {
		reset();
		return { ok: true };
	});
}

module.exports = { addControlRoutes, about };
