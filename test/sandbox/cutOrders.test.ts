import { createSandbox, type Sandbox } from '../../sandbox/service';
import { planned } from '../support/stage';
import { asker, setUp } from './support/ask';

// The moments at which an order can break off, and whether there is a task of it then.

let sandbox: Sandbox;
beforeAll(async () => {
	sandbox = await createSandbox({ renderMs: 0 });
});
afterAll(async () => await sandbox.close());

const ORDERS = {
	contract: ['v1/video/generations', { model: 'veo-3.1-fast-generate-001' }],
	replicate: ['v1/models/google/veo-3.1/predictions', {}],
} as const;
type Profile = keyof typeof ORDERS;

/** Returns the status of an order, or that it was cut. */
async function order(profile: Profile, prompt: string) {
	const [path, about] = ORDERS[profile];
	const body = profile === 'contract' ? { ...about, prompt } : { input: { prompt } };
	return await asker(() => sandbox, profile)(path, body).then(
		({ status }) => status,
		() => 'cut',
	);
}

/** When, the settings, the plan, and how many tasks there are of it. */
const CASES: Array<[string, object, object, number]> = [
	['before its body is read', { cutOrders: 1 }, {}, 0],
	['after its body, without a task', {}, { submit: 'reset' }, 0],
	['before the answer, with a task', {}, { submit: 'acceptThenReset' }, 1],
	['within the answer, with a task', {}, { submit: 'acceptThenCut' }, 1],
	['within an answer, without a task', {}, { submit: 'cut' }, 0],
	['by 502, without a task', {}, { submit: 'html502' }, 0],
	['by 502, with a task', {}, { submit: 'acceptThen502' }, 1],
];

describe.each(Object.keys(ORDERS) as Profile[])('%s', (profile) => {
	it.each(CASES)('an order breaks off %s', async (_when, settings, plan, tasks) => {
		setUp(sandbox, profile, { cutOrders: 0, ...settings });
		const prompt = planned('A boat', plan);
		// The page of a proxy is no JSON, so this client takes it as cut, too.
		expect(await order(profile, prompt)).toBe('cut');
		expect(sandbox.tasks()).toHaveLength(tasks);
		const [{ body, status, taskId }] = sandbox.submissions();
		expect(body === undefined).toBe('cutOrders' in settings);
		expect(taskId).toBe(sandbox.tasks()[0]?.task_id);
		expect(status).toBe(/502/.test(JSON.stringify(plan)) ? 502 : null);
		expect(await order(profile, prompt)).toBe(profile === 'contract' ? 200 : 201);
	});
});

it('cuts as many orders as it is told, and nothing else', async () => {
	setUp(sandbox, 'replicate', { cutOrders: 2 });
	expect((await asker(() => sandbox, 'replicate')('v1/predictions')).status).toBe(200);
	const ends = [await order('replicate', 'A boat'), await order('replicate', 'A boat')];
	expect([...ends, await order('replicate', 'A boat')]).toEqual(['cut', 'cut', 201]);
});
