'use strict';

const { makeCertificate } = require('./certificate');
const { contentRoutes, foreignRoutes } = require('./contentRoutes');
const { addControl, listTasks } = require('./control');
const { changeDeployment } = require('./deployment');
const { listingRoutes, notFound, unknownPath } = require('./listings');
const { matches } = require('./records');
const { createListener, HOST } = require('./server');
const { createState } = require('./state');
const { textRoutes } = require('./textRoutes');
const { usageRoutes } = require('./usageRoutes');
const { videoRoutes } = require('./videoRoutes');

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
	const state = createState({ key, logger, ...settings });
	const set = (changes) => (state.deployment = changeDeployment(state.deployment, changes));
	const ofModels = [...videoRoutes, ...contentRoutes, ...textRoutes];
	const routes = [...ofModels, ...listingRoutes, ...usageRoutes];
	const certificate = https || foreignHttps ? makeCertificate() : undefined;
	const service = createListener(state, 'service', routes, unknownPath, https && certificate);
	const foreignTls = foreignHttps && certificate;
	const foreign = createListener(state, 'foreign', foreignRoutes, notFound, foreignTls);
	addControl(service.app, { state, set, reset: state.reset });
	const [ownPort, otherPort] = await listen(service, foreign, { port, foreignPort });
	const [scheme, foreignScheme] = [https, foreignHttps].map((tls) => (tls ? 'https' : 'http'));
	state.url = `${scheme}://${HOST}:${ownPort}`;
	state.foreignUrl = `${foreignScheme}://${foreignHost}:${otherPort}`;
	state.otherPortUrl = `${foreignScheme}://${HOST}:${otherPort}`;
	const find = (filter) => state.records.filter((record) => matches(record, filter));
	return {
		url: state.url,
		foreignUrl: state.foreignUrl,
		certificate: certificate?.cert,
		requests: state.records,
		tasks: () => listTasks(state),
		count: (filter = {}) => find(filter).length,
		submissions: () => find(SUBMIT),
		polls: (taskId) => find({ ...POLL, taskId }),
		set,
		release: state.gate.open,
		reset: state.reset,
		close: async () => {
			await Promise.all([service.close(), foreign.close()]);
		},
	};
}

module.exports = { createSandbox };
