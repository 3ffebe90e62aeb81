import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { prepareWorkflow, readExample } from '../sandbox/demo/examples.mjs';
import { publish, sendChat } from './support/agentRuns.mjs';
import { createAgents, planCalls, status, toldBy, video } from './support/agentTools.mjs';
import { listen, wordsOf } from './support/chunks.mjs';
import { openToAll } from './support/examples.mjs';
import { openSandbox } from './support/sandbox.mjs';

// The example as people import it, in a chat that streams.

let sandbox;
before(async () => (sandbox = await openSandbox()));
after(() => sandbox?.close());

test('agent-tools.json makes a video and says so, word by word', { timeout: 90_000 }, async () => {
	const { credentials } = await createAgents(sandbox);
	const webhookId = randomUUID();
	const example = prepareWorkflow(await readExample('agent-tools.json'), { credentials });
	await publish(sandbox.api, openToAll(example, webhookId));
	const prompt = planCalls([video('A boat')], [status('told:task_id')]);
	const chunks = await listen(await sendChat(sandbox.url, webhookId, prompt));
	const [{ body }] = sandbox.service.submissions();
	assert.deepEqual([body.prompt, body.duration], ['A boat', 4]);
	assert.equal(sandbox.service.submissions().length, 1);
	const told = toldBy(sandbox.service).flatMap((said) => JSON.parse(said));
	const [{ task_id }] = sandbox.service.tasks();
	assert.deepEqual(
		told.map((answer) => [answer.task_id, answer.status]),
		[
			[task_id, 'SUCCESS'],
			[task_id, 'SUCCESS'],
		],
	);
	assert.match(wordsOf(chunks), /The sandbox answers instead of a real model/);
	assert.equal(chunks.at(-1).type, 'end');
});
