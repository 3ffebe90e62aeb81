import { chain, node, until, webhook } from '../../e2e/support/workflows.mjs';

const OVER = new Set(['success', 'error', 'canceled', 'crashed']);

/**
 * Webhook -> items -> the node. `runItems(items)` starts an execution and gives its id; `over(id)` waits
 * for its end.
 */
export async function publishWorkflow(api, measured) {
	const entry = webhook({ options: { responseData: '={{ $execution.id }}' } });
	const split = { fieldToSplitOut: 'body.items', options: {} };
	const nodes = [entry, node('Items', 'n8n-nodes-base.splitOut', 1, split), measured];
	const { id } = await api.createWorkflow({
		name: measured.name,
		settings: { executionOrder: 'v1' },
		nodes,
		connections: chain(...nodes.map(({ name }) => name)),
	});
	await api.activate(id);
	const filter = encodeURIComponent(JSON.stringify({ workflowId: id }));
	return {
		async runItems(items) {
			const response = await api.callWebhook(entry.parameters.path, { items });
			const text = await response.text();
			if (!response.ok) throw new Error(`The webhook answered ${response.status}: ${text}`);
			return JSON.parse(text);
		},
		/** Asks for the status only: reading the run's data would be work for n8n while we measure. */
		async over(executionId) {
			const isOver = async () => {
				// An n8n with gigabytes in its memory drops connections at times: it is asked again.
				const { results } = await api
					.rest('GET', `/executions?filter=${filter}`)
					.catch(() => ({ results: [] }));
				return OVER.has(results.find(({ id }) => Number(id) === Number(executionId))?.status);
			};
			await until(isOver, `the end of execution ${executionId}`);
		},
	};
}

/** When a node ran (ms since 1970), and the items that it put out. */
export function nodeRun(execution, name) {
	const [run] = execution.data.resultData.runData[name] ?? [];
	if (!run || execution.status !== 'success') {
		const { message } = execution.data.resultData.error ?? {};
		throw new Error(`Execution ${execution.id}: ${execution.status}. ${message ?? ''}`);
	}
	const startedAt = run.startTime;
	return { startedAt, endedAt: startedAt + run.executionTime, items: run.data.main[0] };
}
