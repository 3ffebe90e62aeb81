'use strict';

const path = require('node:path');

const { makeBinaryData } = require('./binaryData');
const { loadCore, projectVersion } = require('./core');
const { testByRequest } = require('./credentialTest');
const { makeCredentialsHelper } = require('./credentialsHelper');
const { makeExecutions } = require('./executions');
const { searchList } = require('./nodeMethods');
const { loadTypes } = require('./nodeTypes');
const { buildWorkflow, firstRunData } = require('./workflow');

const PACKAGE_ROOT = path.resolve(__dirname, '..', '..', '..');
const FIXTURE_PACKAGE = path.join(__dirname, '..', 'fixture-package');

/** n8n's real engine with built nodes in it. What each member does stands in index.d.ts. */
async function createEngine(version = projectVersion(), options = {}) {
	const loaded = loadCore(version);
	const { packages = [PACKAGE_ROOT], nodeTypes: extra } = options;
	const { nodeTypes, getCredential } = await loadTypes(loaded, packages, extra);
	const binaryData = makeBinaryData(loaded);
	const executions = makeExecutions(loaded);

	const helperFor = (credentials = {}, edited) =>
		makeCredentialsHelper(loaded, getCredential, edited ?? structuredClone(credentials));
	const useBinaryMode = async ({ binaryMode }) =>
		await binaryData.use(binaryMode ?? options.binaryMode ?? 'default');

	async function begin(request) {
		await useBinaryMode(request);
		const { startNode, ...built } = buildWorkflow(request, nodeTypes);
		const items = structuredClone(request.items ?? [{ json: {} }]);
		return executions.start({
			...built,
			nodeTypes,
			mode: request.mode ?? 'trigger',
			streaming: request.streaming,
			onChunk: request.onChunk,
			credentialsHelper: helperFor(request.credentials, request.editedCredentials),
			runExecutionData: request.startRunData ?? firstRunData(startNode, items),
		});
	}

	function start(request) {
		const begun = begin(request);
		return {
			done: begun.then(async ({ done }) => await done),
			stop: async () => (await begun).stop(),
		};
	}

	async function retry(previous, request = {}) {
		await useBinaryMode(request);
		const fields = {};
		if (request.credentials) fields.credentialsHelper = helperFor(request.credentials);
		if (request.node ?? request.nodes) {
			fields.workflowData = buildWorkflow(request, nodeTypes).workflowData;
		}
		return await executions.retry(previous, fields).done;
	}

	async function wake({ executionId }) {
		await executions.wake(executionId);
		return executions.get(executionId);
	}

	async function crash({ executionId }, how) {
		await executions.crash(executionId, how);
		return executions.get(executionId);
	}

	async function settle(result) {
		await executions.settle();
		return result && executions.get(result.executionId);
	}

	async function testCredential(name, data) {
		return await testByRequest(loaded, name, getCredential(name), helperFor({ [name]: data }));
	}

	async function listSearch(node, method, request = {}) {
		const built = buildWorkflow({ node, credentials: request.credentials }, nodeTypes);
		const job = { nodeTypes, credentialsHelper: helperFor(request.credentials) };
		job.node = built.workflowData.nodes.at(-1);
		return await searchList(loaded, method, job, [request.filter, request.paginationToken]);
	}

	return {
		version,
		nodeTypes,
		start,
		run: async (request) => await start(request).done,
		retry,
		wake,
		crash,
		kill: ({ executionId }, how) => executions.kill(executionId, how),
		settle,
		die: executions.die,
		takeForDead: executions.takeForDead,
		loseProgress: executions.loseProgress,
		sleeper: ({ executionId }) => executions.sleeperOf(executionId),
		remove: ({ executionId }) => void executions.remove(executionId),
		executions: () => [...executions.table.values()],
		testCredential,
		listSearch,
		readBinary: binaryData.read,
		storedSizes: (result) => binaryData.sizesOf(result?.executionId),
		forget: async ({ executionId, workflowData }) =>
			await binaryData.forget(workflowData.id, executionId),
		close: binaryData.close,
	};
}

module.exports = { createEngine, projectVersion, FIXTURE_PACKAGE };
