import { Refusal } from '../n8n/refusal.mjs';

const ASK_EVERY_MS = 100;

/** Starts a production execution and returns it when it is over; refuses one that failed. */
export async function executeInProduction(api, { id, webhookPath }, name, withinMs) {
	const [earlier] = await api.callersOf(id);
	const response = await api.callWebhook(webhookPath);
	const text = await response.text();
	if (!response.ok) {
		throw new Refusal(`n8n did not start "${name}" (status ${response.status}): ${text}`);
	}
	const executionId = await idAfter(api, id, earlier?.id, withinMs);
	const execution = await api.waitForExecution(executionId, withinMs);
	if (execution.status !== 'success') {
		throw new Refusal(
			`"${name}" ended with ${execution.status} (workflow ${id}, execution ${executionId}):\n` +
				reasonOf(execution),
		);
	}
	return execution;
}

/** n8n 1 answers a webhook before it gives the execution its id. */
async function idAfter(api, workflowId, earlierId, withinMs) {
	const deadline = Date.now() + withinMs;
	while (Date.now() < deadline) {
		const [newest] = await api.callersOf(workflowId);
		if (newest && newest.id !== earlierId) return newest.id;
		await new Promise((resolve) => setTimeout(resolve, ASK_EVERY_MS));
	}
	throw new Refusal(`n8n lists no execution of workflow ${workflowId}.`);
}

function reasonOf({ data }) {
	const error = data?.resultData?.error;
	if (!error) return 'n8n gave no reason.';
	const node = error.node?.name ? `${error.node.name}: ` : '';
	return `${node}${[error.message, error.description].filter(Boolean).join('\n')}`;
}
