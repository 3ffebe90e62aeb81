'use strict';

const { FAULTS } = require('./faults');
const { KEYS } = require('./keys');
const { matches } = require('./records');
const { stateOf } = require('./tasks');

// What a test does in-process, for other processes. These requests stay out of the records.

/** The tasks that were really created, which is to say charged. */
const listTasks = ({ tasks, deployment }) =>
	[...tasks.values()].map((task) => ({
		...task,
		status: stateOf(task, deployment.refreshMs).status,
	}));

function listRequests({ records }, { status, ...query }) {
	const filter = status === undefined ? query : { ...query, status: Number(status) };
	return records.filter((record) => matches(record, filter));
}

const about = (table) =>
	Object.fromEntries(Object.entries(table).map(([name, { about: text }]) => [name, text]));

/** @param {import('fastify').FastifyInstance} app */
function addControl(app, { state, set, reset }) {
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
	app.get('/_sandbox/faults', () => about(FAULTS));
	app.get('/_sandbox/keys', () => about(KEYS));
	app.get('/_sandbox/deployment', () => state.deployment);
	app.post('/_sandbox/deployment', async ({ body }, reply) => {
		try {
			return set(JSON.parse(body));
		} catch (error) {
			return await reply.code(400).send({ ok: false, message: error.message });
		}
	});
	app.post('/_sandbox/release', () => {
		state.gate.open();
		return { ok: true };
	});
	app.post('/_sandbox/reset', () => {
		reset();
		return { ok: true };
	});
}

module.exports = { addControl, listTasks };
