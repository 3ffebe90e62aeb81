import { createSandbox, type Sandbox } from '../../sandbox/service';
import { planned } from '../support/stage';
import { asker, passTime, setUp } from './support/ask';

// What the services do with a task that is to end early.

let sandbox: Sandbox;
beforeAll(async () => {
	sandbox = await createSandbox();
});
afterAll(async () => await sandbox.close());

/** By profile: how a task is cancelled and asked for. */
const CANCELS = {
	fal: (id: string) => [`${id}/cancel`, 'PUT', `${id}/status`],
	google: (id: string) => [`v1beta/interactions/${id}/cancel`, 'POST', `v1beta/interactions/${id}`],
	replicate: (id: string) => [`v1/predictions/${id}/cancel`, 'POST', `v1/predictions/${id}`],
	runway: (id: string) => [`v1/tasks/${id}`, 'DELETE', `v1/tasks/${id}`],
};

const ended = { error: expect.any(String) as string, error_type: 'client_cancelled' };
const refund = { cost: { credits: 0 } };

it.each([
	// What is cancelled, the status of the answer and what it says, and what a look says after it.
	['replicate', 'queued', 200, { status: 'canceled', started_at: null }, { status: 'canceled' }],
	['replicate', 'IN_PROGRESS', 200, { status: 'canceled' }, { status: 'canceled', output: null }],
	['replicate', 'SUCCESS', 200, { status: 'succeeded' }, { status: 'succeeded' }],
	['fal', 'queued', 202, { status: 'CANCELLATION_REQUESTED' }, { status: 'COMPLETED', ...ended }],
	['fal', 'IN_PROGRESS', 202, { status: 'CANCELLATION_REQUESTED' }, { status: 'IN_PROGRESS' }],
	['fal', 'SUCCESS', 400, { status: 'ALREADY_COMPLETED' }, { status: 'COMPLETED' }],
	['google', 'IN_PROGRESS', 200, { status: 'cancelled' }, { status: 'cancelled' }],
	['google', 'SUCCESS', 400, { error: { code: 400 } }, { status: 'completed' }],
	['runway', 'queued', 204, undefined, { status: 'CANCELLED', ...refund }],
	['runway', 'IN_PROGRESS', 204, undefined, { status: 'CANCELLED', ...refund }],
	['runway', 'SUCCESS', 204, undefined, { error: 'Not found' }],
] as const)('cancels at %s what is %s', async (profile, state, status, answer, after) => {
	setUp(sandbox, profile);
	const ask = asker(() => sandbox, profile);
	const [id] = sandbox.addTasks(1, { state });
	const [path, method, look] = CANCELS[profile](id);
	const cancelled = await ask(path, undefined, method);
	expect(cancelled).toMatchObject({ status, json: answer });
	expect((await ask(look)).json).toMatchObject(after);
	expect(sandbox.submissions()).toEqual([]);
	expect(sandbox.tasks()).toHaveLength(1);
});

it.each([
	['fal', 404, { status: 'NOT_FOUND' }],
	['google', 400, { error: { message: 'Invalid interaction name' } }],
	['replicate', 404, { title: 'Not found' }],
	['runway', 404, { error: 'Not found' }],
] as const)('cancels nothing at %s that it does not know', async (profile, status, answer) => {
	setUp(sandbox, profile);
	const [path, method] = CANCELS[profile](profile === 'fal' ? 'a/b/requests/c' : 'none');
	const cancelled = await asker(() => sandbox, profile)(path, undefined, method);
	expect(cancelled).toMatchObject({ status, json: answer });
});

it('answers 499 for the result of a request that left the queue of fal', async () => {
	setUp(sandbox, 'fal');
	const ask = asker(() => sandbox, 'fal');
	const [id] = sandbox.addTasks(1, { state: 'CANCELLED' });
	expect(await ask(id)).toMatchObject({ status: 499, json: { error_type: 'client_cancelled' } });
	const model = sandbox.tasks()[0].model;
	const list = await ask(`v1/models/requests/by-endpoint?endpoint_id=${model}`);
	expect(list.json).toMatchObject({ items: [{ status_code: 499 }] });
});

it('removes a task of Runway that ends between a look and its cancel', async () => {
	setUp(sandbox, 'runway');
	const ask = asker(() => sandbox, 'runway');
	const order = { model: 'gen4.5', ratio: '1280:720', duration: 5 };
	const promptText = planned('A boat', { renderMs: 60_000 });
	const { id } = (await ask<{ id: string }>('v1/text_to_video', { ...order, promptText })).json;
	expect((await ask(`v1/tasks/${id}`)).json).toMatchObject({ id });
	passTime(60_000);
	expect((await ask(`v1/tasks/${id}`, undefined, 'DELETE')).status).toBe(204);
	expect((await ask(`v1/tasks/${id}`)).status).toBe(404);
	expect(sandbox.tasks()).toMatchObject([{ isRemoved: true, status: 'SUCCESS' }]);
});

it.each([
	['as if it had not been asked', 'json500', 'IN_PROGRESS'],
	['and is cancelled all the same', { fault: 'json500', accept: true }, 'CANCELLED'],
])('fails as planned, %s', async (_how, fault, status) => {
	setUp(sandbox, 'replicate', { plan: { cancel: [fault] } });
	const [id] = sandbox.addTasks(1, { state: 'IN_PROGRESS' });
	const [path, method] = CANCELS.replicate(id);
	expect((await asker(() => sandbox, 'replicate')(path, undefined, method)).status).toBe(500);
	expect(sandbox.tasks()).toMatchObject([{ status }]);
});
