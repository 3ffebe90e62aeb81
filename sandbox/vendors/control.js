'use strict';

const { addControlRoutes } = require('../service/controlRoutes');
const { FAULTS } = require('./faults');
const { stateOf } = require('./jobs');
const { channelsAt } = require('./vendors');

/** The renders that were really begun, which is to say that the vendor would charge for them. */
const listTasks = ({ tasks, deployment }) =>
	[...tasks.values()].map((task) => ({ ...task, state: stateOf(task, deployment) }));

/** @param {import('fastify').FastifyInstance} app */
function addControl(app, { state, set, reset }) {
	addControlRoutes(app, { state, set, reset, faults: FAULTS, listTasks });
	app.get('/_sandbox/channels', () => channelsAt(state.url));
}

module.exports = { addControl, listTasks };
