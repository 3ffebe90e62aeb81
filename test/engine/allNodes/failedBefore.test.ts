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

// An item that comes with its failure, and without a task, goes on as failing; the others are worked.

const stage = useStage();
const run = async (node: EngineNode, items: IDataObject[]) =>
	await stage.run(node, toInput(...items));

/** Two good items, and between them one that failed for lack of a prompt. */
async function generated(): Promise<IDataObject[]> {
	const node = videoGenerate({}, CONTINUE);
	const prompts = [planned('A boat', {}), '', planned('A tree', {})].map((prompt) => ({ prompt }));
	const [items] = (await run(node, prompts)).outputs();
	return items.map(({ json }) => json);
}

describe.each(['stopWorkflow', 'continueRegularOutput'] as const)('On Error: %s', (onError) => {
	it.each([
		['Video Status', videoStatus({ routeByState: false }, { onError })],
		['Video Download', videoDownload({}, { onError })],
		['Video Download, by URL', videoDownload({ source: 'url' }, { onError })],
	])('%s works the others', async (_name, node) => {
		const [boat, failed, tree] = await generated();
		const result = await run(node, [boat, { ...failed, title: 'from the error output' }, tree]);
		expect(result.error).toBeUndefined();
		const [items] = result.outputs();
		expect(items.map(({ json }) => json.task_id)).toEqual([boat.task_id, undefined, tree.task_id]);
		expect(items[1]).toEqual({
			json: { ...failed, title: 'from the error output' },
			pairedItem: { item: 1 },
		});
	});
});

it('Video Status sends it to Failed', async () => {
	const [boat, failed] = await generated();
	const outputs = (await run(videoStatus(), [boat, failed])).outputs();
	expect(outputs.map((items) => items.length)).toEqual([1, 0, 1]);
	expect(outputs[2][0].json).toEqual(failed);
});

it('a task that the failure names is looked at, if Task ID says so', async () => {
	const [{ task_id }] = await generated();
	const node = videoStatus({ taskId: '={{ $json.error.task_id }}' });
	const [[item]] = (await run(node, [{ error: { task_id } }])).outputs();
	expect(item.json).toMatchObject({ task_id, status: 'SUCCESS' });
});

describe('an item that failed after an earlier draft of it', () => {
	const FROM_ERROR_OUTPUT = { onError: 'continueErrorOutput' } as const;
	/** An item that has a finished draft, as it leaves Video Generate by the error output. */
	async function failedAfterDraft(plan: object) {
		const [[{ json: draft }]] = (
			await run(videoGenerate(), [{ prompt: planned('Draft', {}) }])
		).outputs();
		const row = { ...draft, prompt: planned('Final', plan) };
		const result = await run(videoGenerate({}, FROM_ERROR_OUTPUT), [row]);
		const [{ json }] = result.outputs()[1];
		expect(json).toMatchObject({ task_id: draft.task_id, result_url: draft.result_url });
		return { draft, failed: json, error: json.error as IDataObject };
	}
	const EXPRESSIONS = ['{{ $json.task_id }}', '{{ $json.task_id || $json.error.task_id }}'];
	const NODES: Array<[string, EngineNode]> = [
		...EXPRESSIONS.flatMap((taskId): Array<[string, EngineNode]> => [
			[`Video Status, ${taskId}`, videoStatus({ taskId: `=${taskId}`, routeByState: false })],
			[`Video Download, ${taskId}`, videoDownload({ taskId: `=${taskId}` })],
		]),
	];

	it.each(NODES)('%s takes the task of its own', async (_name, node) => {
		// Checks that are refused five times in a row end the wait for a task that goes on.
		const { draft, failed, error } = await failedAfterDraft({
			poll: Array(5).fill('unauthorized'),
		});
		expect(error.task_id).not.toBe(draft.task_id);
		const [[item]] = (await run(node, [failed])).outputs();
		expect(item.json).toMatchObject({ task_id: error.task_id });
	});

	it.each([...NODES, ['Video Download, by URL', videoDownload({ source: 'url' })] as const])(
		'%s passes it on if it has no task of its own',
		async (_name, node) => {
			const { failed, error } = await failedAfterDraft({ submit: 'forbidden' });
			expect(error.task_id).toBeUndefined();
			const result = await run(node, [failed]);
			const json = { prompt: failed.prompt, error };
			expect(result.outputs()[0]).toEqual([{ json, pairedItem: { item: 0 } }]);
		},
	);

	it('Generate Content leaves it its own task', async () => {
		const { failed, error } = await failedAfterDraft({ poll: Array(5).fill('unauthorized') });
		const node = {
			type: `${PACKAGE}.generateContent`,
			parameters: { model: byId('gemini-2.5-flash'), prompt: 'A title' },
		};
		const [[{ json }]] = (await run(node, [failed])).outputs();
		expect(json).toMatchObject({ text: expect.any(String), error });
		const [[item]] = (
			await run(videoDownload({ taskId: '={{ $json.task_id }}' }), [json])
		).outputs();
		expect(item.json).toMatchObject({ task_id: error.task_id });
		const answered = { ...json, error: { message: 'No text', next: 'retry' } };
		expect((await run(node, [answered])).outputs()[0][0].json).not.toHaveProperty('error');
	});

	it('Video Download, by URL, does not take the address of the draft', async () => {
		const plan = { poll: Array(5).fill('unauthorized') };
		const { failed, error } = await failedAfterDraft(plan);
		const result = await run(videoDownload({ source: 'url' }), [failed]);
		expect(result.outputs()[0]).toMatchObject([{ json: { error } }]);
	});

	it('Video Download, by URL, tries again what it has failed to download itself', async () => {
		const [[{ json }]] = (await run(videoGenerate(), [{ prompt: planned('Boat', {}) }])).outputs();
		const url = String(json.result_url);
		const node = videoDownload({ source: 'url', options: { retries: 0 } }, FROM_ERROR_OUTPUT);
		const failed = (await run(node, [{ ...json, result_url: `${url}x` }])).outputs()[1][0].json;
		const { error } = failed;
		const [[again]] = (await run(node, [{ ...json, error }])).outputs();
		expect(again.binary?.data.mimeType).toBe('video/mp4');
	});
});

it('without such an item, a missing Task ID still ends the node', async () => {
	const result = await run(videoStatus(), [{ title: 'Boat' }]);
	expect(result.error?.message).toBe('Task ID is empty [item 0]');
});

it('Retry On Fail does not mistake it for a failure of this node', async () => {
	const [boat, failed] = await generated();
	const haste = hurry(100);
	const retrying = { retryOnFail: true, maxTries: 3, waitBetweenTries: 0 };
	const result = await run(videoStatus({ routeByState: false }, retrying), [failed, boat]);
	haste.restore();
	expect(result.error).toBeUndefined();
	const [items] = result.outputs();
	expect(items.map(({ json }) => json.task_id)).toEqual([undefined, boat.task_id]);
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

it('one that a loop sends in circles is held a moment, so that Stop is heard', async () => {
	const haste = hurry(1_000);
	const execution = stage.engine.start({
		nodes: [
			{ name: 'Click', type: 'n8n-nodes-base.manualTrigger' },
			{ ...videoStatus(), name: 'Status' },
		],
		connections: {
			Click: { main: [to('Status')] },
			Status: { main: [[], [], to('Status')] },
		},
		items: toInput({ error: 'No' }),
		credentials: stage.credentials,
	});
	await until(() => haste.delaysMs.filter((ms) => ms === 1_000).length > 1);
	await execution.stop();
	haste.restore();
	expect((await execution.done).status).toBe('canceled');
});
