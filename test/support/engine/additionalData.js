'use strict';

/** n8n's URLs; the node helpers parse some of them, so they must be valid. */
const BASE = 'http://localhost:5678';
const URLS = {
	restApiUrl: `${BASE}/rest`,
	instanceBaseUrl: `${BASE}/`,
	formWaitingBaseUrl: `${BASE}/form-waiting`,
	formBaseUrl: `${BASE}/form`,
	formTestBaseUrl: `${BASE}/form-test`,
	webhookBaseUrl: `${BASE}/webhook`,
	webhookWaitingBaseUrl: `${BASE}/webhook-waiting`,
	webhookTestBaseUrl: `${BASE}/webhook-test`,
	mcpBaseUrl: `${BASE}/mcp`,
	mcpTestBaseUrl: `${BASE}/mcp-test`,
};

/**
 * What n8n hands to every node besides the workflow (`IWorkflowExecuteAdditionalData`), as
 * `getBase` in packages/cli/src/workflow-execute-additional-data.ts makes it.
 * @param {object} fields what differs from run to run: hooks, executionId, credentialsHelper, ...
 */
function makeAdditionalData(fields) {
	return {
		...URLS,
		currentNodeExecutionIndex: 0,
		userId: 'user1',
		variables: {},
		externalSecretsProxy: { getSecret: () => undefined, listSecrets: () => [] },
		setExecutionStatus() {},
		logAiEvent() {},
		getRunnerStatus: () => ({ available: false, reason: 'no task runner in tests' }),
		async executeWorkflow() {
			throw new Error('This context runs no sub-workflows');
		},
		...fields,
	};
}

module.exports = { makeAdditionalData };
