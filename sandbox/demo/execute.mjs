import { Refusal } from '../n8n/refusal.mjs';

/** Starts a production execution and returns it when it is over; refuses one that failed. */
export async function executeInProduction(api, { id, webhookPath }, name, withinMs) {
	const response = await api.callWebhook(webhookPath);
	const text = await response.text();
	const executionId = /\d+/.exec(text)?.[0];
	if (!response.ok || !executionId) {
		throw new Refusal(`n8n did not start "${name}" (status ${response.status}): ${text}`);
	}
	const execution = await api.waitForExecution(executionId, withinMs);
	if (execution.status !== 'success') {
		throw new Refusal(
			`"${name}" ended with ${execution.status} (workflow ${id}, execution ${executionId}):\n` +
				reasonOf(execution),
		);
	}
	return execution;
}

function reasonOf({ data }) {
	const error = data?.resultData?.error;
	if (!error) return 'n8n gives no reason.';
	const node = error.node?.name ? `${error.node.name}: ` : '';
	return `${node}${[error.message, error.description].filter(Boolean).join('\n')}`;
}
