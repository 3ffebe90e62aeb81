import { chain, node, until, webhook } from '../../e2e/support/workflows.mjs';

/** Of an execution that n8n did not save. */
const GONE = 'gone';
const OVER = new Set(['success', 'error', 'canceled', 'crashed', GONE]);

/**
 * Webhook -> items -> the nodes. `runItems(items)` starts an execution and gives its id; `over(id)` waits
 * for its end.
 *
 * @param aside nodes that are not in the row, and connections that are added to it
 */
export async function publishWorkflow(api, measured, { settings, aside } = {}) {
	const entry = webhook({ options: { responseData: '={{ $execution.id }}' } });
	const split = { fieldToSplitOut: 'body.items', options: {} };
	const nodes = [entry, node('Items', 'n8n-nodes-base.splitOut', 1, split), ...measured];
	const connections = chain(...nodes.map(({ name }) => name));
	for (const [from, target] of aside?.connections ?? []) {
		connections[from] ??= { main: [[]] };
		connections[from].main[0].push(target);
	}
	const { id } = await api.createWorkflow({
		name: measured.at(-1).name,
		settings: { executionOrder: 'v1', ...settings },
		nodes: [...nodes, ...(aside?.nodes ?? [])],
		connections,
	});
	await api.activate(id);
	/** Asks for the status only: reading the run's data would be work for n8n while we measure. */
	const statusOf = async (executionId) => {
		// An n8n with gigabytes in its memory drops connections at times: it is asked again.
		const all = await api.executionsOf(id).catch(() => undefined);
		return all && (all.find((one) => Number(one.id) === Number(executionId))?.status ?? GONE);
	};
	return {
		async runItems(items) {
			// "Database is not ready!", of an n8n on a busy machine: it has begun nothing.
			const answer = async () => {
				const one = await api.callWebhook(entry.parameters.path, { items });
				return one.status !== 503 && one;
			};
			const response = await until(answer, 'the webhook');
			const text = await response.text();
			if (!response.ok) throw new Error(`The webhook answered ${response.status}: ${text}`);
			return JSON.parse(text);
		},
		async over(executionId) {
			const isOver = async () => OVER.has(await statusOf(executionId));
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
