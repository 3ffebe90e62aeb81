'use strict';

/**
 * @param {object} run what n8n-core's WorkflowExecute resolved to
 * @param {object} seen what the hooks recorded, and the node the result is about
 * @returns {import('.').RunResult}
 */
function toRunResult(run, seen) {
	const { resultData, executionData } = run.data;
	const runs = (nodeName = seen.nodeName) => resultData.runData[nodeName] ?? [];
	return {
		...seen,
		status: run.status,
		error: resultData.error,
		runs,
		outputs(nodeName) {
			return (runs(nodeName).at(-1)?.data?.main ?? []).map((items) => items ?? []);
		},
		hints: (nodeName) => runs(nodeName).flatMap(({ hints }) => hints ?? []),
		customData: resultData.metadata ?? {},
		contextData: executionData?.contextData ?? {},
		lastNodeExecuted: resultData.lastNodeExecuted,
		waitTill: run.waitTill,
		run,
	};
}

module.exports = { toRunResult };
