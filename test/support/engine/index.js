'use strict';

const path = require('node:path');

const { makeBinaryData } = require('./binaryData');
const { loadCore, projectVersion } = require('./core');
const { makeCredentialsHelper } = require('./credentialsHelper');
const { searchList, testByRequest } = require('./editor');
const { makeExecutions } = require('./executions');
const { loadTypes } = require('./nodeTypes');
const { buildWorkflow, firstRunData } = require('./workflow');

const PACKAGE_ROOT = path.resolve(__dirname, '..', '..', '..');

/** n8n's real engine with built nodes in it; index.d.ts describes each member. */
async function createEngine(moreTypes = {}) {
	const loaded = loadCore();
	const { nodeTypes, getCredential } = await loadTypes(loaded, PACKAGE_ROOT, moreTypes);
	const binaryData = makeBinaryData(loaded);
	const executions = makeExecutions(loaded);
	const helperFor = (credentials = {}) => makeCredentialsHelper(loaded, getCredential, credentials);

	async function begin(request) {
		await binaryData.use(request.binaryMode);
		const { startNode, ...built } = buildWorkflow(request, nodeTypes);
		const items = structuredClone(request.items ?? [{ json: {} }]);
		return executions.start({
			...built,
			nodeTypes,
			mode: request.mode ?? 'trigger',
			streaming: request.streaming,
			onChunk: request.onChunk,
			credentialsHelper: helperFor(request.credentials),
			runExecutionData: firstRunData(startNode, items),
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
		await binaryData.use(request.binaryMode);
		const fields = {};
		if (request.credentials) fields.credentialsHelper = helperFor(request.credentials);
		if (request.node ?? request.nodes) {
			fields.workflowData = buildWorkflow(request, nodeTypes).workflowData;
		}
		return await executions.retry(previous, fields).done;
	}

	async function listSearch(node, method, { credentials, filter }) {
		const { workflowData } = buildWorkflow({ node, credentials }, nodeTypes);
		const credentialsHelper = helperFor(credentials);
		const job = { node: workflowData.nodes.at(-1), nodeTypes, credentialsHelper };
		return await searchList(loaded, method, job, filter);
	}

	return {
		...executions,
		version: loaded.version,
		nodeTypes,
		start,
		run: async (request) => await start(request).done,
		retry,
		testCredential: async (name, data) =>
			await testByRequest(loaded, name, getCredential(name).test, helperFor({ [name]: data })),
		listSearch,
		readBinary: binaryData.read,
		storedSizes: (result) => binaryData.sizesOf(result?.executionId),
		forget: async ({ executionId, workflowData }) =>
			await binaryData.forget(workflowData.id, executionId),
		close: binaryData.close,
	};
}

module.exports = { createEngine, projectVersion };
