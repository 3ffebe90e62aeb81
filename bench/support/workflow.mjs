import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';

const OVER = new Set(['success', 'error', 'canceled', 'crashed']);
const ASK_EVERY_MS = 1000;

/** The first true value that `find` gives, asked every so often. */
export async function until(find, withinMs, what, everyMs = 200) {
	const deadline = Date.now() + withinMs;
	for (;;) {
		const value = await find();
		if (value) return value;
		if (Date.now() > deadline) throw new Error(`Waited ${withinMs / 1000} s in vain for ${what}`);
		await pause(everyMs);
	}
}

/**
 * Webhook -> items -> the node. `runItems(items)` starts an execution and gives its id; `over(id)` waits
 * for its end.
 */
export async function publishWorkflow(api, node) {
	const path = randomUUID();
	const entry = [
		{
			name: 'Webhook',
			type: 'n8n-nodes-base.webhook',
			typeVersion: 2.1,
			webhookId: path,
			parameters: {
				path,
				httpMethod: 'POST',
				responseMode: 'onReceived',
				options: { responseData: '={{ $execution.id }}' },
			},
		},
		{
			name: 'Prompts',
			type: 'n8n-nodes-base.splitOut',
			typeVersion: 1,
			parameters: { fieldToSplitOut: 'body.items', options: {} },
		},
	];
	const nodes = [...entry, node].map((one, i) => ({
		...one,
		id: randomUUID(),
		position: [i * 220, 0],
	}));
	const to = (name) => ({ main: [[{ node: name, type: 'main', index: 0 }]] });
	const { id } = await api.createWorkflow({
		name: node.name,
		settings: { executionOrder: 'v1' },
		nodes,
		connections: { Webhook: to('Prompts'), Prompts: to(node.name) },
	});
	await api.activate(id);
	const filter = encodeURIComponent(JSON.stringify({ workflowId: id }));
	return {
		async runItems(items) {
			const response = await api.callWebhook(path, { items });
			const text = await response.text();
			if (!response.ok) throw new Error(`The webhook answered ${response.status}: ${text}`);
			return JSON.parse(text);
		},
		/** Asks for the status only: reading the run's data would be work for n8n while we measure. */
		async over(executionId, withinMs) {
			const isOver = async () => {
				// An n8n with gigabytes in its memory drops connections at times: it is asked again.
				const { results } = await api
					.rest('GET', `/executions?filter=${filter}`)
					.catch(() => ({ results: [] }));
				return OVER.has(results.find(({ id }) => Number(id) === Number(executionId))?.status);
			};
			await until(isOver, withinMs, `the end of execution ${executionId}`, ASK_EVERY_MS);
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
	const tookMs = run.executionTime;
	return { startedAt, tookMs, endedAt: startedAt + tookMs, items: run.data.main[0] };
}
