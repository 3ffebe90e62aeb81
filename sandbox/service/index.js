'use strict';

const { addTasks } = require('./addTasks');
const { changeDeployment, DEFAULTS } = require('./deployment');
const { contentRoutes, foreignRoutes } = require('./contentRoutes');
const { listingRoutes, notFound, unknownPath } = require('./listings');
const { NAMED_PATHS } = require('./namedRoutes');
const { HOST, addControlRoutes, createListener, createState, matches } = require('./server');
const { textRoutes } = require('./textRoutes');
const { stateOf } = require('./taskRecord');
const { videoRoutes } = require('./videoRoutes');

/**
 * What the sandbox checks when it reads it: `npm run sandbox -- --help` lists the keys of plans and answers,
 * and the settings of deployments.
 * @typedef {Record<string, unknown>} Plan
 * @typedef {Record<string, unknown>} LiteralAnswer
 * @typedef {string | LiteralAnswer} Entry `"ok"`, the name of a fault, or an answer
 * @typedef {Record<string, unknown>} DeploymentChanges
 * @typedef {DeploymentChanges & { logger?: false | ((record: RequestRecord) => void) }} SandboxOptions
 *   also what `createSandbox` takes itself; `logger` hears of each request once its answer has ended
 * @typedef {Awaited<ReturnType<typeof createSandbox>>} Sandbox
 *
 * @typedef {object} RequestBody the JSON that was sent, whole: also the fields that the service drops
 * @property {string} [model]
 * @property {string} [prompt]
 * @property {string | { length: number, sha256: string }} [image]
 * @property {Record<string, unknown>} [metadata]
 * @property {Array<{ role?: string, parts: Array<Record<string, unknown>> }>} [contents]
 *
 * @typedef {object} RequestRecord a request as it came, and what was answered
 * @property {number} n
 * @property {number} at milliseconds since 1970
 * @property {'service' | 'foreign'} origin the storage host is `foreign`
 * @property {string} method
 * @property {string} url
 * @property {string} path
 * @property {Record<string, string | string[]>} query
 * @property {Record<string, string | string[] | undefined>} headers
 * @property {(RequestBody & Record<string, unknown>) | undefined} body a text where it was no JSON;
 *   of base64 over 1 kB its length and hash
 * @property {string | undefined} taskId
 * @property {number | null} status `null` if nothing was answered, or the answer was cut
 * @property {'bearer' | 'header' | 'query' | 'none'} key the credential that was read
 * @property {boolean} aborted the client left before it had the whole answer
 * @property {number} sentBytes of the body
 *
 * @typedef {object} SandboxTask a task that was created, and so would have been billed
 * @property {string} task_id
 * @property {string} model
 * @property {string} prompt
 * @property {Record<string, unknown>} request the fields that were read
 * @property {string[]} dropped the names of those that were dropped in silence
 * @property {'text-to-video' | 'image-to-video'} mode `text-to-video` also where an image was ignored
 * @property {number} seconds the length that is billed
 * @property {string} video
 * @property {number} polls
 * @property {number} downloads
 * @property {TaskState} status
 * @property {number} at when it began, in milliseconds since 1970
 * @property {number} [cancelledAt]
 * @property {boolean} [isRemoved] its service no longer knows it
 * @typedef {'queued' | 'IN_PROGRESS' | 'SUCCESS' | 'FAILURE' | 'CANCELLED'} TaskState
 *
 * @typedef {object} AddedTasks what `addTasks` adds
 * @property {string} [model] by default, the first one of the service
 * @property {TaskState} [state] by default `SUCCESS`; `queued` and `IN_PROGRESS` last
 * @property {number} [beginsAgoMs] how long ago the first of them began; by default a minute
 * @property {number} [everyMs] from the beginning of one to that of the next; by default 1
 * @property {Record<string, unknown> | ((number: number) => Record<string, unknown>)} [input] what was sent,
 *   as the service's list tells it, for all of them or by number; without it, a prompt
 *
 * @typedef {object} RequestFilter
 * @property {string} [origin]
 * @property {string} [method]
 * @property {number | null} [status]
 * @property {string | RegExp} [path] the start of the path, or a pattern
 * @property {string} [taskId]
 */

/** Submits and polls where the deployment takes them. */
const toVideos = ({ profile, routes }) => {
	const named = NAMED_PATHS[profile];
	if (named) {
		return {
			submit: { origin: 'service', method: 'POST', path: named.submit },
			poll: { origin: 'service', method: 'GET', path: named.poll },
		};
	}
	const isSecond = routes === 'openAiVideos';
	const [submit, poll] = isSecond
		? [/^\/v1\/videos$/, /^\/v1\/videos\/[^/]+$/]
		: [/^\/v1\/(video\/generations|videos)$/, /^\/v1\/video\/generations\/[^/]+$/];
	return {
		submit: { origin: 'service', method: 'POST', path: submit },
		poll: { origin: 'service', method: 'GET', path: poll },
	};
};

const TEXTS = { method: 'POST', path: /^\/v1beta\/models\/./ };

/** Both listeners on their ports, or none. */
async function listen(service, foreign, port) {
	try {
		return [await service.listen(port), await foreign.listen(0)];
	} catch (error) {
		await Promise.all([service.close(), foreign.close()]);
		throw error;
	}
}

/** @returns {SandboxTask[]} those that were really created, and so charged */
const listTasks = ({ tasks, deployment }) =>
	[...tasks.values()].map(({ input, ...task }) => ({
		...task,
		status: stateOf(task, deployment.refreshMs).status,
	}));

function addControl(app, state) {
	addControlRoutes(app, state, listTasks);
	app.post('/_sandbox/release', () => {
		state.gate.emit('open');
		return { ok: true };
	});
}

/** @param {SandboxOptions} [options] */
async function createSandbox(options = {}) {
	const {
		port = 0,
		foreignHost = 'localhost',
		key = 'sandbox-key',
		logger = false,
		...settings
	} = options;
	const atStart = changeDeployment(DEFAULTS, settings);
	const state = Object.assign(createState(logger, atStart, changeDeployment), {
		key,
		isOrder: (record) =>
			matches(record, toVideos(state.deployment).submit) || matches(record, TEXTS),
	});
	const routes = [...videoRoutes, ...contentRoutes, ...textRoutes, ...listingRoutes];
	const service = createListener(state, 'service', routes, unknownPath);
	const foreign = createListener(state, 'foreign', foreignRoutes, notFound);
	addControl(service.app, state);
	const [ownPort, otherPort] = await listen(service, foreign, port);
	state.url = `http://${HOST}:${ownPort}`;
	state.foreignUrl = `http://${foreignHost}:${otherPort}`;
	state.otherPortUrl = `http://${HOST}:${otherPort}`;
	const { find } = state;
	return {
		url: state.url,
		foreignUrl: state.foreignUrl,
		/** Always the same array; `reset` empties it. @type {RequestRecord[]} */
		requests: state.records,
		tasks: () => listTasks(state),
		/**
		 * Adds tasks that no request made, such as another workflow's; the first one is the oldest.
		 * @type {(count: number, about?: AddedTasks) => string[]} their IDs, as polls have them
		 */
		addTasks: (count, about = {}) => addTasks(state, count, about),
		/** What was uploaded, in its order. @type {() => Array<{ contentType: string, size: number, sha256: string }>} */
		files: () => [...state.files.values()],
		/** @type {(filter?: RequestFilter) => number} */
		count: (filter = {}) => find(filter).length,
		/** @type {() => RequestRecord[]} */
		submissions: () => find(toVideos(state.deployment).submit),
		/** @type {(taskId?: string) => RequestRecord[]} */
		polls: (taskId) => find({ ...toVideos(state.deployment).poll, taskId }),
		/** @type {(changes: DeploymentChanges) => unknown} */
		set: state.set,
		/** Lets streams go on that `holdAfterChunks` holds. */
		release: () => void state.gate.emit('open'),
		reset: state.reset,
		/** Ends open connections at once. */
		close: async () => {
			await Promise.all([service.close(), foreign.close()]);
		},
	};
}

module.exports = { createSandbox };
