'use strict';

const { matches } = require('../service/records');
const { FAULTS } = require('./faults');
const { stateOf } = require('./jobs');
const { channelsAt } = require('./vendors');

// What a test does in-process, for other processes. These requests stay out of the records. The
// words are those of the sandbox service's control.

/** The renders that were really begun, which is to say that the vendor would charge for them. */
const listTasks = ({ tasks, deployment }) =>
	[...tasks.values()].map((task) => ({ ...task, state: stateOf(task, deployment) }));

function listRequests({ records }, { status, ...query }) {
	const filter = status === undefined ? query : { ...query, status: Number(status) };
	return records.filter((record) => matches(record, filter));
}

const aboutFaults = () =>
	Object.fromEntries(Object.entries(FAULTS).map(([name, { about }]) => [name, about]));

/** @param {import('fastify').FastifyInstance} app */
function addControl(app, { state, set, reset }) {
	app.removeAllContentTypeParsers();
	// Whatever type curl says: the body is JSON or it is refused below.
	app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));
	app.get('/_sandbox/health', () => ({
		ok: true,
		url: state.url,
		requests: state.requestCount,
		tasks: state.tasks.size,
	}));
	app.get('/_sandbox/channels', () => channelsAt(state.url));
	app.get('/_sandbox/requests', ({ query }) => listRequests(state, query));
	app.get('/_sandbox/tasks', () => listTasks(state));
	app.get('/_sandbox/faults', () => aboutFaults());
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

module.exports = { addControl, listTasks };
