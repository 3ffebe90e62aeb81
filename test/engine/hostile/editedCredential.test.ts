import { createSandbox, type Sandbox } from '../../../sandbox/service';
import { until } from '../../support/clock';
import { createEngine, type Engine } from '../../support/engine';
import { planned, toInput, videoDownload, videoGenerate } from '../../support/stage';

// Somebody edits the credential while a render is awaited: n8n reads it anew for each request.

const OLD = 'old-key-123456';
const NEW = 'new-key-654321';

let engine: Engine;
let before: Sandbox;
let after: Sandbox;

beforeAll(async () => {
	engine = await createEngine();
	before = await createSandbox({ renderMs: 0, key: OLD });
	after = await createSandbox({ renderMs: 0, key: NEW });
});
afterAll(async () => {
	engine.close();
	await Promise.all([before.close(), after.close()]);
});
beforeEach(() => [before, after].forEach((sandbox) => sandbox.reset()));

/** Edits the credential in place when the service has seen so many requests. */
async function runEdited(node: ReturnType<typeof videoGenerate>, json: object, requests: number) {
	const credential = { baseUrl: before.url, apiKey: OLD };
	const credentials = { videoGenerationApi: credential };
	const { done } = engine.start({ node, items: toInput({ ...json }), credentials });
	await until(() => before.requests.length >= requests);
	Object.assign(credential, { baseUrl: after.url, apiKey: NEW });
	return await done;
}

const keysAt = ({ requests }: Sandbox) =>
	new Set(requests.map(({ headers }) => headers.authorization));

it.each([1, 2, 3, 5])('after %i requests, the wait goes on with the new pair', async (requests) => {
	const prompt = planned('A boat', { outcome: 'never' });
	const node = videoGenerate({ options: { maxWait: 0.02 } }, { onError: 'continueErrorOutput' });
	const result = await runEdited(node, { prompt }, requests);
	expect(keysAt(before)).toEqual(new Set([`Bearer ${OLD}`]));
	expect(keysAt(after)).toEqual(new Set([`Bearer ${NEW}`]));
	const received = [before, after].flatMap((sandbox) => sandbox.requests);
	expect(JSON.stringify(received)).not.toContain('x-credential-reading');
	expect(before.tasks()).toHaveLength(1);
	expect(after.submissions()).toEqual([]);
	const shown = JSON.stringify([result.outputs().at(-1)![0].json.error, result.logs]);
	expect(shown).toContain(before.tasks()[0].task_id);
	expect(shown).not.toMatch(/old-key|new-key/);
});

it('a download goes on at the new host, without the old key', async () => {
	const prompt = planned('A boat', { content: { always: 'html502' } });
	const credentials = { videoGenerationApi: { baseUrl: before.url, apiKey: OLD } };
	await engine.run({ node: videoGenerate(), items: toInput({ prompt }), credentials });
	const [{ task_id }] = before.tasks();
	const seen = before.requests.length;
	const node = videoDownload({ options: { retries: 2 } }, { onError: 'continueErrorOutput' });
	await runEdited(node, { task_id }, seen + 1);
	expect(keysAt(before)).toEqual(new Set([`Bearer ${OLD}`]));
	expect(keysAt(after)).toEqual(new Set([`Bearer ${NEW}`]));
}, 20_000);
