/** Saves and publishes a workflow; gives its id. */
export async function publish(api, workflow) {
	const { id } = await api.createWorkflow(workflow);
	await api.activate(id);
	return id;
}

/** The newest execution of a workflow, once it has ended. */
export async function lastExecution(api, workflowId) {
	const filter = encodeURIComponent(JSON.stringify({ workflowId }));
	const { results } = await api.rest('GET', `/executions?filter=${filter}`);
	return await api.waitForExecution(results[0].id, 30_000);
}

/** Sends a message to a public chat, as its page does. */
export const sendChat = async (url, webhookId, chatInput) =>
	await fetch(`${url}/webhook/${webhookId}/chat`, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify({ action: 'sendMessage', sessionId: webhookId, chatInput }),
	});
