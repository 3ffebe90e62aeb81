'use strict';

const { about, addControlRoutes } = require('./controlRoutes');
const { FAULTS } = require('./faults');
const { KEYS } = require('./keys');
const { makePicture } = require('./picture');
const { stateOf } = require('./tasks');

/** The tasks that were really created, which is to say charged. */
const listTasks = ({ tasks, deployment }) =>
	[...tasks.values()].map((task) => ({
		...task,
		status: stateOf(task, deployment.refreshMs).status,
	}));

/** @param {import('fastify').FastifyInstance} app */
function addControl(app, { state, set, reset }) {
	addControlRoutes(app, { state, set, reset, faults: FAULTS, listTasks });
	app.get('/_sandbox/keys', () => about(KEYS));
	app.get('/_sandbox/picture.png', (_request, reply) =>
		reply.type('image/png').send(makePicture()),
	);
	app.post('/_sandbox/release', () => {
		state.gate.open();
		return { ok: true };
	});
}

module.exports = { addControl, listTasks };
