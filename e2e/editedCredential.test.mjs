import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { after, before, test } from 'node:test';
import { openSandbox } from './support/sandbox.mjs';
import {
	chain,
	createStudio,
	planned,
	until,
	videoGenerate,
	webhook,
} from './support/workflows.mjs';

// Somebody edits a credential while a render is awaited: the old host never gets the new key.

const { createSandbox } = createRequire(import.meta.url)('../sandbox/service');
const NEW_KEY = 'another-key-654321';

let sandbox;
let elsewhere;

before(async () => {
	sandbox = await openSandbox();
	elsewhere = await createSandbox({ port: 0, key: NEW_KEY });
});
after(async () => {
	await elsewhere?.close();
	await sandbox?.close();
});

const keysAt = ({ requests }) => [
	...new Set(requests.map(({ headers }) => headers.authorization).filter(Boolean)),
];

test('an edited credential: the wait goes on with the new pair', async () => {
	const studio = await createStudio(sandbox);
	const { id } = studio.credentials.videoGenerationApi;
	const parameters = {
		prompt: planned('A boat', { outcome: 'never' }),
		options: { polling: { pollInterval: 0.3 } },
	};
	const rest = { onError: 'continueRegularOutput' };
	const nodes = [webhook(), videoGenerate(studio.credentials, parameters, rest)];
	const row = chain(...nodes.map(({ name }) => name));
	const workflow = await studio.publish('Edited', nodes, row);
	await sandbox.api.callWebhook(workflow.path);
	const polled = () => sandbox.service.polls().length > 1;
	await until(polled, 'the first polls');
	await sandbox.api.updateCredential(id, {
		name: 'Video',
		type: 'videoGenerationApi',
		data: { baseUrl: elsewhere.url, apiKey: NEW_KEY },
	});
	const execution = await studio.ended(workflow.id);
	assert.deepEqual(keysAt(sandbox.service), ['Bearer sandbox-key']);
	assert.deepEqual(keysAt(elsewhere), [`Bearer ${NEW_KEY}`]);
	assert.equal(elsewhere.submissions().length, 0);
	const received = JSON.stringify([sandbox.service.requests, elsewhere.requests]);
	assert.ok(!received.includes('x-credential-reading'));
	const [{ json }] = studio.itemsOf(execution, 'Video Generate');
	const [{ task_id }] = sandbox.service.tasks();
	assert.ok(JSON.stringify(json.error).includes(task_id));
	assert.ok(!JSON.stringify(execution).includes(NEW_KEY));
});
