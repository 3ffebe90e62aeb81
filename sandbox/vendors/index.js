'use strict';

const { HOST, createListener } = require('../service/server');
const { matches } = require('../service/records');
const { addControl, listTasks } = require('./control');
const { DEFAULTS, changeDeployment } = require('./deployment');
const { serveTokens } = require('./googleTokens');
const { routeOf } = require('./handle');
const { VENDORS, channelsAt } = require('./vendors');

const ROUTES = VENDORS.flatMap((vendor) => vendor.routes.map((route) => routeOf(vendor, route)));

const nowhere = ({ record }) => ({
	status: 404,
	json: { error: `No vendor here has the address ${record.path}` },
});

/** Everything that the vendors remember; in the form that the sandbox service's listener reads. */
function createState({ logger, ...settings }) {
	const atStart = changeDeployment(DEFAULTS, settings);
	const state = {
		log: typeof logger === 'function' ? logger : undefined,
		url: '',
		deployment: atStart,
		records: [],
		tasks: new Map(),
		counters: new Map(),
		requestCount: 0,
		reset() {
			state.deployment = atStart;
			state.records.length = 0;
			state.tasks.clear();
			state.counters.clear();
			state.requestCount = 0;
		},
	};
	return state;
}

/** @param {import('.').VendorsOptions} [options] @returns {Promise<import('.').Vendors>} */
async function createVendors(options = {}) {
	const { port = 0, logger = false, ...settings } = options;
	const state = createState({ logger, ...settings });
	const set = (changes) => (state.deployment = changeDeployment(state.deployment, changes));
	const listener = createListener(state, 'vendors', ROUTES, nowhere);
	addControl(listener.app, { state, set, reset: state.reset });
	const endTokens = serveTokens(listener.app.server);
	state.url = `http://${HOST}:${await listener.listen(port)}`;
	const find = (filter) => state.records.filter((record) => matches(record, filter));
	return {
		url: state.url,
		channels: channelsAt(state.url),
		requests: state.records,
		find,
		tasks: () => listTasks(state),
		set,
		reset: state.reset,
		async close() {
			endTokens();
			await listener.close();
		},
	};
}

module.exports = { createVendors };
