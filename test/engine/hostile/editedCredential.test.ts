import { createSandbox, type Sandbox } from '../../../sandbox/service';
import { until } from '../../support/clock';
import { createEngine, type Engine } from '../../support/engine';
import { planned, toInput, videoGenerate } from '../../support/stage';

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

it('a key never goes to another address than its own', async () => {
	const credential = { baseUrl: before.url, apiKey: OLD };
	const { done } = engine.start({
		node: videoGenerate(
			{ options: { polling: { pollInterval: 0.2 }, maxWait: 0.02 } },
			{ onError: 'continueErrorOutput' },
		),
		items: toInput({ prompt: planned('A boat', { outcome: 'never' }) }),
		credentials: { videoGenerationApi: credential },
	});
	await until(() => before.requests.length >= 2);
	Object.assign(credential, { baseUrl: after.url, apiKey: NEW });
	const result = await done;
	expect(new Set(before.requests.map(({ headers }) => headers.authorization))).toEqual(
		new Set([`Bearer ${OLD}`]),
	);
	expect(after.requests).toEqual([]);
	const [{ task_id }] = before.tasks();
	expect(result.outputs().at(-1)![0].json.error).toMatchObject({ task_id, next: 'followTask' });
	expect(JSON.stringify(result.outputs())).toContain('has another Base URL now');
});
