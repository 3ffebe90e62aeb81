import { createSandbox, type Sandbox } from '../../sandbox/service';
import { ask, clientOf } from './support/client';

// Who may do what, and which of several credentials counts.

let sandbox: Sandbox;
let taskId: string;

beforeAll(async () => {
	sandbox = await createSandbox({ renderMs: 0 });
});
beforeEach(async () => {
	sandbox.reset();
	taskId = (await clientOf(sandbox).submit('A red bicycle')).json.id;
});
afterAll(async () => await sandbox.close());

/** What a key meets on submit, poll, download, text and the listing. */
async function statuses(key: string) {
	const client = clientOf(sandbox, key);
	const list = { headers: { authorization: `Bearer ${key}` } };
	const replies = [
		await client.submit('Another one'),
		await client.poll(taskId),
		await client.download(taskId),
		await client.generate(ask('Hello')),
		await client.at('/v1/models', list),
	];
	return replies.map(({ status }) => status);
}

it.each([
	['sandbox-key', [200, 200, 200, 200, 200]],
	['sandbox-unheard-of', [401, 401, 401, 401, 401]],
	['sandbox-disabled', [401, 401, 401, 401, 401]],
	['sandbox-expired', [401, 401, 401, 401, 401]],
	['sandbox-used-up', [401, 401, 401, 401, 401]],
	['sandbox-banned', [403, 403, 403, 403, 403]],
	['sandbox-address', [403, 403, 403, 403, 403]],
	['sandbox-no-quota', [403, 200, 200, 403, 200]],
	['sandbox-little-quota', [403, 200, 200, 403, 200]],
	['sandbox-model-forbidden', [403, 200, 200, 403, 200]],
	['sandbox-poll-forbidden', [200, 403, 200, 200, 200]],
	['sandbox-budget-0', [401, 401, 401, 401, 401]],
	['toString', [401, 401, 401, 401, 401]],
])('%s: submit, poll, download, text, listing answer %j', async (key, expected) => {
	expect(await statuses(key)).toEqual(expected);
});

it('lets a budget run dry because of the jobs that it paid for', async () => {
	const client = clientOf(sandbox, 'sandbox-budget-2');
	const first = await client.submit('One');
	expect((await client.poll(first.json.id)).status).toBe(200);
	expect((await client.submit('Two')).status).toBe(200);
	const refused = await client.poll(first.json.id);
	expect(refused.status).toBe(401);
	expect(refused.json.error.message).toBe('Invalid token');
	expect((await client.submit('Three')).status).toBe(401);
	expect((await client.download(first.json.id)).status).toBe(401);
	expect(sandbox.tasks()).toHaveLength(3);
});
