import type { IDataObject } from 'n8n-workflow';

import { hurry, until } from '../../support/clock';
import type { EngineNode } from '../../support/engine';
import {
	CONTINUE,
	planned,
	to,
	toInput,
	useStage,
	videoDownload,
	videoGenerate,
	videoStatus,
} from '../../support/stage';

// An item that comes with its failure is about the task of that failure. Without one, it goes on as failing.

const stage = useStage();
const run = async (node: EngineNode, items: IDataObject[]) =>
	await stage.run(node, toInput(...items));
/** The only item of a run. */
const give = async (node: EngineNode, item: IDataObject) =>
	(await run({ ...node, ...CONTINUE }, [item])).outputs().flat()[0].json;
const render = async (plan: object = {}, more: IDataObject = {}) =>
	await give(videoGenerate(), { ...more, prompt: planned('Boat', plan) });
/** Checks that are refused five times in a row end the wait for a task that goes on. */
const LOST = { poll: Array(5).fill('unauthorized') };
const REFUSED = { submit: 'forbidden' };

/** An item that has a finished draft, as it leaves Video Generate by the error output. */
async function failedAfterDraft(plan: object) {
	const draft = await render();
	const { error } = await render(plan, draft);
	return { failed: { ...draft, error }, error: error as IDataObject };
}

const STATUS = videoStatus({ routeByState: false });
const NODES: Array<[string, EngineNode]> = [
	['Video Status', STATUS],
	['Video Download', videoDownload()],
];

it.each(NODES)('%s passes on what was not submitted, and works the others', async (...row) => {
	const [, node] = row;
	const boat = await render();
	const { failed, error } = await failedAfterDraft(REFUSED);
	const [items] = (await run(node, [boat, failed])).outputs();
	expect(items[0].json).toMatchObject({ task_id: boat.task_id });
	const json = { prompt: (failed as IDataObject).prompt, error };
	expect(items[1]).toEqual({ json, pairedItem: { item: 1 } });
});

it.each(NODES)('%s takes the task of the failure, and not the draft', async (_name, node) => {
	const { failed, error } = await failedAfterDraft(LOST);
	expect(await give(node, failed)).toMatchObject({ task_id: error.task_id });
});

describe("with a Task ID of the person's own", () => {
	const typed = (node: EngineNode, taskId: string): EngineNode => ({
		...node,
		parameters: { ...node.parameters, taskId },
	});
	/** n8n's Chat Trigger makes an item of any JSON that is posted. */
	const posted = (task_id: unknown, more: IDataObject = {}) =>
		({ error: { next: 'followTask', task_id, ...more } }) as IDataObject;

	it.each(NODES)('%s does not take the task of an error', async (_name, node) => {
		const [own, others] = [await render(), await render()];
		const item = { id: own.task_id, ...posted(others.task_id) };
		for (const taskId of [own.task_id as string, '={{ $json.id }}']) {
			expect(await give(typed(node, taskId), item)).toMatchObject({ task_id: own.task_id });
		}
	});

	it.each(NODES)('%s passes on a failure where it gives none', async (_name, node) => {
		const { error } = posted('task_of_another');
		expect(await give(typed(node, '={{ $json.id }}'), { error })).toEqual({ error });
	});

	it('Video Generate does not take a task that it has not submitted', async () => {
		const others = await render();
		for (const item of [posted(others.task_id), { ...others, status: 'IN_PROGRESS' }]) {
			const { task_id, reused } = await render({}, item);
			expect([task_id === others.task_id, reused]).toEqual([false, false]);
		}
	});
});

it('without a task, an error of another node is refused', async () => {
	const result = await run(videoStatus(), [{ error: 'No' }]);
	expect(result.error?.message).toBe('Task ID is empty [item 0]');
});

it('Retry On Fail does not mistake it for a failure of this node', async () => {
	const { failed } = await failedAfterDraft(REFUSED);
	const haste = hurry(100);
	const retrying = { retryOnFail: true, maxTries: 3, waitBetweenTries: 0 };
	const result = await run({ ...STATUS, ...retrying }, [failed]);
	haste.restore();
	expect(result.outputs()[0]).toHaveLength(1);
});

it('one that comes back to the node again and again is held, so that Stop is heard', async () => {
	const haste = hurry(1_000);
	const execution = stage.engine.start({
		nodes: [
			{ name: 'Click', type: 'n8n-nodes-base.manualTrigger' },
			{ ...videoStatus({}, CONTINUE), name: 'Status' },
		],
		connections: {
			Click: { main: [to('Status')] },
			Status: { main: [[], [], to('Status')] },
		},
		credentials: stage.credentials,
	});
	await until(() => haste.delaysMs.filter((ms) => ms === 1_000).length > 1);
	await execution.stop();
	haste.restore();
	expect((await execution.done).status).toBe('canceled');
});
