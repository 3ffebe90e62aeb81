import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { PREVIOUS } from '../sandbox/n8n/folders.mjs';
import { agentWorkflow } from './support/agent.mjs';
import { publish, putTextCredential } from './support/agentRuns.mjs';
import { openSandbox } from './support/sandbox.mjs';
import { chatModel, webhook } from './support/textWorkflows.mjs';

// Gemini-Compatible Chat Model in an n8n that lacks the SDK for models. That the other nodes are there all
// the same is tested by nodes.test.mjs.

let sandbox;
before(async () => (sandbox = await openSandbox({ major: PREVIOUS })));
after(() => sandbox?.close());

test('the agent says what is missing, and nothing is asked of the service', async () => {
	const path = randomUUID();
	const workflow = agentWorkflow({
		trigger: webhook(path, 'lastNode'),
		text: 'Hi',
		chatModel: chatModel({}, await putTextCredential(sandbox)),
		agentVersion: 3,
	});
	const workflowId = await publish(sandbox.api, workflow);
	await (await sandbox.api.callWebhook(path)).text();
	const { status, data } = await sandbox.api.lastExecution(workflowId);
	assert.equal(status, 'error');
	assert.match(
		data.resultData.error.message,
		/^This version of n8n cannot use models of community/,
	);
	assert.deepEqual(sandbox.service.requests, []);
});
