'use strict';

const { changeDeployment, DEFAULTS } = require('./plan');
const { makeCertificate } = require('./certificate');
const { contentRoutes, foreignRoutes } = require('./contentRoutes');
const { listingRoutes, notFound, unknownPath, usageRoutes } = require('./listings');
const { FAULTS } = require('./faults');
const { KEYS } = require('./keys');
const { HOST, about, addControlRoutes, createListener, createState } = require('./server');
const { textRoutes } = require('./textRoutes');
const { stateOf, videoRoutes } = require('./videoRoutes');

const SUBMIT = { origin: 'service', method: 'POST', path: /^\/v1\/video\/generations$/ };
const POLL = { origin: 'service', method: 'GET', path: /^\/v1\/video\/generations\/[^/]+$/ };

/** Both listeners on their ports, or none. */
async function listen(service, foreign, { port, foreignPort }) {
	try {
		return [await service.listen(port), await foreign.listen(foreignPort)];
	} catch (error) {
		await Promise.all([service.close(), foreign.close()]);
		throw error;
	}
}

/** Returns the tasks that were really created, and so charged. */
const listTasks = ({ tasks, deployment }) =>
	[...tasks.values()].map((task) => ({
		...task,
		status: stateOf(task, deployment.refreshMs).status,
	}));

function addControl(app, state) {
	addControlRoutes(app, { state, faults: FAULTS, listTasks });
	app.get('/_sandbox/keys', () => about(KEYS));
	app.post('/_sandbox/release', () => {
		state.gate.open();
		return { ok: true };
	});
}

/** @param {import('.').SandboxOptions} [options] @returns {Promise<import('.').Sandbox>} */
async function createSandbox(options = {}) {
	const {
		port = 0,
		foreignPort = 0,
		foreignHost = 'localhost',
		key = 'sandbox-key',
		logger = false,
		https = false,
		foreignHttps = false,
		...settings
	} = options;
	const atStart = changeDeployment(DEFAULTS, settings);
	const state = Object.assign(createState(logger, atStart, changeDeployment), { key });
	const ofModels = [...videoRoutes, ...contentRoutes, ...textRoutes];
	const routes = [...ofModels, ...listingRoutes, ...usageRoutes];
	const certificate = https || foreignHttps ? makeCertificate() : undefined;
	const service = createListener(state, 'service', routes, unknownPath, https && certificate);
	const foreignTls = foreignHttps && certificate;
	const foreign = createListener(state, 'foreign', foreignRoutes, notFound, foreignTls);
	addControl(service.app, state);
	const [ownPort, otherPort] = await listen(service, foreign, { port, foreignPort });
	const [scheme, foreignScheme] = [https, foreignHttps].map((tls) => (tls ? 'https' : 'http'));
	state.url = `${scheme}://${HOST}:${ownPort}`;
	state.foreignUrl = `${foreignScheme}://${foreignHost}:${otherPort}`;
	state.otherPortUrl = `${foreignScheme}://${HOST}:${otherPort}`;
	const { find } = state;
	return {
		url: state.url,
		foreignUrl: state.foreignUrl,
		certificate: certificate?.cert,
		requests: state.records,
		tasks: () => listTasks(state),
		count: (filter = {}) => find(filter).length,
		submissions: () => find(SUBMIT),
		polls: (taskId) => find({ ...POLL, taskId }),
		set: state.set,
		release: state.gate.open,
		reset: state.reset,
		close: async () => {
			await Promise.all([service.close(), foreign.close()]);
		},
	};
}

module.exports = { createSandbox };
