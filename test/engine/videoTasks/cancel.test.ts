import type { IDataObject } from 'n8n-workflow';

import type { Plan, Sandbox } from '../../../sandbox/service';
import { createSandbox } from '../../../sandbox/service';
import { deviations } from '../allNodes/support/outputSchema';
import { hurry } from '../../support/clock';
import { KEY, PACKAGE, toInput, useStage } from '../../support/stage';

// Cancel at each service that has one, and what it must not send.

const stage = useStage();

const CANCELS = [
	{ api: 'fal', note: /fal removes a request that waits in its queue/, cancelled: /\/cancel$/ },
	{ api: 'google', note: /Google says nothing/, cancelled: /\/cancel$/ },
	{ api: 'replicate', note: /Replicate charges for the time/, cancelled: /\/cancel$/ },
	{ api: 'runway', note: /Runway removes a task that ends/, cancelled: /^\/v1\/tasks\// },
] as const;

const node = (parameters: IDataObject = {}) => ({
	...{ name: 'Tasks', type: `${PACKAGE}.videoTasks` },
	parameters: { operation: 'cancel', ...parameters },
});

async function cancel(
	api: string,
	before: (sandbox: Sandbox) => string,
	{ plan, more = {} }: { plan?: Plan; more?: object } = {},
) {
	const profile = api as 'fal';
	const sandbox = await createSandbox({ renderMs: 600_000, profile });
	const haste = hurry(100);
	try {
		if (plan) sandbox.set({ plan });
		const task_id = before(sandbox);
		const access = { api, baseUrl: sandbox.url, proxyUrl: sandbox.url, apiKey: KEY };
		const result = await stage.engine.run({
			node: { ...node(), ...more },
			items: toInput({ task_id }),
			credentials: { videoGenerationApi: access } as never,
		});
		const sent = sandbox.requests.filter(({ method }) => method !== 'GET').map(({ url }) => url);
		const item: IDataObject = result.outputs()[0]?.[0]?.json ?? {};
		const [task] = sandbox.tasks();
		return { ...result, item, sent, task };
	} finally {
		haste.restore();
		await sandbox.close();
	}
}

const addOne = (state: 'queued' | 'IN_PROGRESS' | 'SUCCESS' | 'FAILURE') => (sandbox: Sandbox) =>
	sandbox.addTasks(1, { state })[0];

describe.each(CANCELS)('$api', ({ api, note, cancelled }) => {
	it('cancels a task that waits, and says what it costs', async () => {
		const { item, sent } = await cancel(api, addOne('queued'));
		expect(item).toMatchObject({ status: 'FAILURE' });
		expect(deviations('VideoTasks', item, 'cancel')).toEqual([]);
		expect(item.message).toMatch(/^The task is canceled\./);
		expect(item.message).toMatch(note);
		expect(sent).toHaveLength(1);
		expect(sent[0]).toMatch(cancelled);
	});

	it.each(['SUCCESS', 'FAILURE'] as const)('sends nothing to one that is %s', async (state) => {
		const { item, sent, task } = await cancel(api, addOne(state));
		expect(item).toMatchObject({ status: state, message: expect.stringMatching(/before[,.]/) });
		expect(sent).toEqual([]);
		expect(task).not.toHaveProperty('isRemoved', true);
	});

	it('sends nothing to a task that is not there', async () => {
		const { error, sent } = await cancel(api, (sandbox) =>
			addOne('queued')(sandbox).replace(/.{4}$/, 'none'),
		);
		expect(error?.message).toMatch(/^The task could not be checked: the service does not know/);
		expect(sent).toEqual([]);
	});

	it('finds out by a look what became of one whose answer was lost', async () => {
		const plan = { cancel: [{ fault: 'json500', accept: true }] } as Plan;
		const { item, sent } = await cancel(api, addOne('queued'), { plan });
		expect(item).toMatchObject({ status: 'FAILURE' });
		expect(sent).toHaveLength(1);
	});

	it('says that one was not heard', async () => {
		const plan = { cancel: ['json500'] } as Plan;
		const { error, sent } = await cancel(api, addOne('IN_PROGRESS'), { plan });
		expect(error?.message).toMatch(/^The task could not be cancelled: .*\(task .+\) \[item 0\]$/);
		expect(sent).toHaveLength(1);
	});
});

it.each(['kie', 'openRouter', 'wavespeed'])('sends nothing at %s, which has none', async (api) => {
	const { error, sent } = await cancel(api, addOne('queued'));
	expect(error?.message).toMatch(
		/^The task could not be cancelled: the service \(.+\) has no way to do so/,
	);
	expect(sent).toEqual([]);
});

it('sends nothing for tasks that it has not seen, where the first item ends the run', async () => {
	const sandbox = await createSandbox({ renderMs: 60, profile: 'runway' });
	const haste = hurry(100);
	try {
		sandbox.set({ plan: { poll: [{ always: 'html502' }] } });
		const done = sandbox.addTasks(2, { state: 'SUCCESS' });
		const access = { api: 'runway', proxyUrl: sandbox.url, apiKey: KEY };
		const { status } = await stage.engine.run({
			node: node(),
			items: toInput(...['unknown', ...done].map((task_id) => ({ task_id }))),
			credentials: { videoGenerationApi: access } as never,
		});
		expect(status).toBe('error');
		expect(sandbox.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
	} finally {
		haste.restore();
		await sandbox.close();
	}
});

it('lets a task of fal go on that has begun', async () => {
	const { item } = await cancel('fal', addOne('IN_PROGRESS'));
	expect(item).toMatchObject({ status: 'IN_PROGRESS' });
	expect(item.message).toMatch(/^fal was told to cancel the task\. .*its model decides/);
});

it('tells an agent in few words', async () => {
	const tool = { type: `${PACKAGE}.videoTasksTool` };
	const { item } = await cancel('replicate', addOne('queued'), { more: tool });
	expect(Object.keys(item)).toEqual(['task_id', 'status', 'progress', 'fail_reason', 'message']);
	expect(item.message).toMatch(/canceled/);
});

it('names the tasks that were told to end before one failed, and none that does not exist', async () => {
	const sandbox = await createSandbox({ renderMs: 600_000, profile: 'replicate' });
	const haste = hurry(100);
	try {
		const ids = [...sandbox.addTasks(2, { state: 'queued' }), 'gone0000000000000000000000'];
		const { error } = await stage.engine.run({
			node: node(),
			items: toInput(...ids.map((task_id) => ({ task_id }))),
			credentials: {
				videoGenerationApi: { api: 'replicate', proxyUrl: sandbox.url, apiKey: KEY },
			} as never,
		});
		expect(error?.description).toContain(`Done: [item 0] ${ids[0]}, [item 1] ${ids[1]}.`);
		expect(error?.description).not.toMatch(/billed/);
	} finally {
		haste.restore();
		await sandbox.close();
	}
});
