import type { IDataObject } from 'n8n-workflow';

import {
	byId,
	CONTINUE,
	inLoop,
	PACKAGE,
	planned,
	to,
	toInput,
	useStage,
	videoDownload,
	videoGenerate,
	videoStatus,
} from '../../support/stage';
import { hurry, until } from '../../support/clock';
import type { EngineNode } from '../../support/engine';

// An item that comes with its failure is about the task of that failure. Without one, it goes on as failing.

const stage = useStage();
const run = async (node: EngineNode, items: IDataObject[]) =>
	await stage.run(node, toInput(...items));
const render = async (plan: object = {}, more: IDataObject = {}) => {
	const item = { ...more, prompt: planned('Boat', plan) };
	return (await run(videoGenerate({}, CONTINUE), [item])).outputs()[0][0].json;
};
/** Checks that are refused five times in a row end the wait for a task that goes on. */
const LOST = { poll: Array(5).fill('unauthorized') };
const REFUSED = { submit: 'forbidden' };

/** An item that has a finished draft, as it leaves Video Generate by the error output. */
async function failedAfterDraft(plan: object) {
	const draft = await render();
	const { error } = await render(plan, draft);
	const failed: IDataObject = { ...draft, error };
	return { draft, failed, error: error as IDataObject };
}

const NODES: Array<[string, EngineNode]> = [
	['Video Status', videoStatus({ routeByState: false })],
	['Video Download', videoDownload()],
];
const BY_URL = videoDownload({ source: 'url' });

it.each([...NODES, ['Video Download, by URL', BY_URL] as const])(
	'%s passes on what was not submitted, and works the others',
	async (_name, node) => {
		const [boat, tree] = [await render(), await render()];
		const { failed, error } = await failedAfterDraft(REFUSED);
		const result = await run(node, [boat, failed, tree]);
		expect(result.error).toBeUndefined();
		const [items] = result.outputs();
		expect(items.map(({ json }) => json.task_id)).toEqual([boat.task_id, undefined, tree.task_id]);
		expect(items[1]).toEqual({ json: { prompt: failed.prompt, error }, pairedItem: { item: 1 } });
	},
);

it.each(NODES)('%s takes the task of the failure, and not the draft', async (_name, node) => {
	const { draft, failed, error } = await failedAfterDraft(LOST);
	expect(error.task_id).not.toBe(draft.task_id);
	const [[item]] = (await run(node, [failed])).outputs();
	expect(item.json).toMatchObject({ task_id: error.task_id });
});

it('Video Download, by URL, does not take the address of the draft', async () => {
	const { failed, error } = await failedAfterDraft(LOST);
	expect((await run(BY_URL, [failed])).outputs()[0]).toMatchObject([{ json: { error } }]);
});

it('Video Download, by URL, tries again what it has failed to download itself', async () => {
	const video = await render();
	const node = videoDownload({ source: 'url', options: { retries: 0 } }, CONTINUE);
	const [[{ json }]] = (
		await run(node, [{ ...video, result_url: `${video.result_url}x` }])
	).outputs();
	const [[again]] = (await run(node, [{ ...video, error: json.error }])).outputs();
	expect(again.binary?.data.mimeType).toBe('video/mp4');
});

it('Generate Content leaves it its own task', async () => {
	const { failed, error } = await failedAfterDraft(LOST);
	const text = (prompt: string) =>
		({
			type: `${PACKAGE}.generateContent`,
			parameters: { model: byId('gemini-2.5-flash'), prompt },
			...CONTINUE,
		}) as EngineNode;
	const [[{ json }]] = (await run(text('A title'), [failed])).outputs();
	expect(json).toMatchObject({ text: expect.any(String), error });
});

it('an item without a task is refused, also beside the failure of another node', async () => {
	for (const item of [{ title: 'Boat' }, { error: 'No' }]) {
		const result = await run(videoStatus(), [item]);
		expect(result.error?.message).toBe('Task ID is empty [item 0]');
	}
});

it('Retry On Fail does not mistake it for a failure of this node', async () => {
	const { failed } = await failedAfterDraft(REFUSED);
	const haste = hurry(100);
	const retrying = { retryOnFail: true, maxTries: 3, waitBetweenTries: 0 };
	const result = await run(videoStatus({ routeByState: false }, retrying), [failed]);
	haste.restore();
	expect(result.error).toBeUndefined();
	expect(result.outputs()[0]).toHaveLength(1);
});

it('a later run in which Video Join did nothing is held, so that Stop is heard', async () => {
	const haste = hurry(1_000);
	const result = await stage.engine.run({
		...inLoop({ type: `${PACKAGE}.videoJoin`, onError: 'continueRegularOutput' }, 2),
		items: toInput({}, {}, {}, {}, {}, {}),
	});
	haste.restore();
	expect(result.runs('Node')).toHaveLength(3);
	expect(haste.delaysMs.filter((ms) => ms === 1_000)).toHaveLength(2);
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
		items: toInput({}),
		credentials: stage.credentials,
	});
	await until(() => haste.delaysMs.filter((ms) => ms === 1_000).length > 1);
	await execution.stop();
	haste.restore();
	expect((await execution.done).status).toBe('canceled');
});
