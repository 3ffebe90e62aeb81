'use strict';

const path = require('node:path');

const { makeBinaryData } = require('./binaryData');
const { loadCore } = require('./core');
const { makeCredentialsHelper } = require('./credentialsHelper');
const { searchList, testByNode } = require('./editor');
const { makeExecutions } = require('./executions');
const { loadTypes } = require('./nodeTypes');
const { buildWorkflow, firstRunData } = require('./workflow');

const PACKAGE_ROOT = path.resolve(__dirname, '..', '..', '..');

/**
 * @typedef {import('n8n-workflow').INode} INode
 * @typedef {import('n8n-workflow').IDataObject} IDataObject
 * @typedef {import('n8n-workflow').INodeExecutionData} INodeExecutionData
 * @typedef {import('./execution').RunResult} RunResult
 * @typedef {import('./interrupted').CrashDetails} CrashDetails
 * @typedef {import('./interrupted').KillDetails} KillDetails
 * @typedef {Awaited<ReturnType<typeof createEngine>>} Engine
 * @typedef {Record<string, IDataObject>} CredentialData decrypted data by credential name; what a
 *   test writes into it during a run, people have edited
 * @typedef {'default' | 'filesystem' | 'database'} BinaryMode where files go: into the item, a folder
 *   of the engine's own, or rows in memory
 *
 * A node as n8n saves it, of which only `type` has to be given. Without `typeVersion` it is the
 * newest; without `credentials` it uses what the run's `credentials` hold for its type
 * (`credentials: {}` is a node without any).
 * @typedef {Pick<INode, 'type'> & Partial<Omit<INode, 'type'>>} EngineNode
 *
 * @typedef {object} RunRequest one node (run as Start -> node, named "Node Under Test") or `nodes`:
 *   a whole workflow, as exported
 * @property {EngineNode} [node]
 * @property {EngineNode[]} [nodes]
 * @property {import('n8n-workflow').IConnections} [connections]
 * @property {INodeExecutionData[]} [items] what the first node gets; one empty item without
 * @property {CredentialData} [credentials]
 * @property {BinaryMode} [binaryMode] for all runs that go on at the time; 'default' without
 * @property {import('n8n-workflow').WorkflowExecuteMode} [mode] 'trigger' without; only 'manual' sends
 *   messages to the editor
 * @property {import('n8n-workflow').IWorkflowSettings} [settings] besides `executionOrder: 'v1'`
 * @property {boolean} [streaming] offers streaming as a Webhook in streaming mode does; needs `mode:
 *   'webhook'` or 'manual'
 * @property {(chunk: import('n8n-workflow').StructuredChunk) => void} [onChunk] hears each chunk of
 *   `streaming` in the moment it is sent
 * @property {string} [startNode] the first node's name; without, the first one that no connection
 *   leads to
 * @property {string} [resultNode] what `outputs()`, `runs()` and `hints()` are about; without, the
 *   last node
 */

/**
 * n8n's real engine in this process, with node types from the built package and small stand-ins for
 * n8n's own Manual Trigger, Webhook, Chat Trigger, Execute Workflow with its trigger, No Op, Wait and
 * Loop Over Items. An AI Agent (version 2: by itself, 3: by the engine) calls its tools as the `turns`
 * of its first item say: a list of turns, each a list of `{ tool, input }`. A type whose name ends in `Tool` is a node as an agent's tool.
 * @param {Record<string, import('n8n-workflow').INodeType | undefined>} [moreTypes] by full name;
 *   `undefined` for one that this n8n lacks
 */
async function createEngine(moreTypes = {}) {
	const loaded = loadCore();
	const types = await loadTypes(loaded, PACKAGE_ROOT, moreTypes);
	const { nodeTypes, getCredential } = types;
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

	/**
	 * Begins a run, with n8n's Stop: `done` resolves once the node has returned. A sleeping execution
	 * can be stopped, too; what it waits for sleeps on.
	 * @param {RunRequest} request
	 * @returns {{ done: Promise<RunResult>, stop(): Promise<void> }}
	 */
	function start(request) {
		const begun = begin(request);
		return {
			done: begun.then(async ({ done }) => await done),
			stop: async () => (await begun).stop(),
		};
	}

	/**
	 * n8n's "Retry execution": the stored stack again, in mode 'retry'. With a node or workflow in the
	 * request it is "Retry with currently saved workflow". Credentials stay unless given.
	 * @param {RunResult} previous
	 * @param {RunRequest} [request]
	 * @returns {Promise<RunResult>}
	 */
	async function retry(previous, request = {}) {
		await binaryData.use(request.binaryMode);
		const fields = {};
		if (request.credentials) fields.credentialsHelper = helperFor(request.credentials);
		if (request.node ?? request.nodes) {
			fields.workflowData = buildWorkflow(request, nodeTypes).workflowData;
		}
		return await executions.retry(previous, fields).done;
	}

	/**
	 * Calls a method of `methods.listSearch` as the editor's list does.
	 * @param {EngineNode} node
	 * @param {string} method
	 * @param {{ credentials: CredentialData, filter?: string }} request
	 * @returns {Promise<import('n8n-workflow').INodeListSearchResult>}
	 */
	async function listSearch(node, method, { credentials, filter }) {
		const { workflowData } = buildWorkflow({ node, credentials }, nodeTypes);
		const credentialsHelper = helperFor(credentials);
		const job = { node: workflowData.nodes.at(-1), nodeTypes, credentialsHelper };
		return await searchList(loaded, method, job, filter);
	}

	return {
		...executions,
		start,
		/**
		 * Runs to the end. A run that n8n refuses to start is a result with status 'error'.
		 * @type {(request: RunRequest) => Promise<RunResult>}
		 */
		run: async (request) => await start(request).done,
		retry,
		/** What n8n's database keeps of processed items, for spies. */
		deduplicator: loaded.deduplicator,
		/**
		 * Tests a credential as n8n does: with the request in its type, or else by a node's function.
		 * @type {(name: string, data: IDataObject) =>
		 *   Promise<import('n8n-workflow').INodeCredentialTestResult>}
		 */
		testCredential: async (name, data) =>
			await testByNode(loaded, types.getCredentialTest(name), { type: name, data }),
		listSearch,
		/**
		 * The bytes of a file, in whichever mode it was kept.
		 * @type {(binaryData: import('n8n-workflow').IBinaryData) => Promise<Buffer>}
		 */
		readBinary: binaryData.read,
		/**
		 * Bytes of each file in n8n's storage, whole or not: those of an execution, or all.
		 * @type {(result?: RunResult) => number[]}
		 */
		storedSizes: (result) => binaryData.sizesOf(result?.executionId),
		/** Takes the disk away under n8n's storage, also from files that it is writing. */
		loseStorage: () => binaryData.lose(),
		/**
		 * Deletes the files of an execution as n8n does when it deletes the execution.
		 * @param {RunResult} result
		 */
		forget: async ({ executionId, workflowData }) =>
			await binaryData.forget(workflowData.id, executionId),
		/** Removes the engine's files. @type {() => void} */
		close: () => binaryData.close(),
	};
}

module.exports = { createEngine };
