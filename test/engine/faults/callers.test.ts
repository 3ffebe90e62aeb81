import type { IConnections, IDataObject } from 'n8n-workflow';

import type { Plan } from '../../../sandbox/service';
import type { EngineNode, RunRequest, RunResult } from '../../support/engine';
import { planned, toInput, useStage, videoGenerate } from '../../support/stage';

// "Retry execution" of a workflow that calls another one: n8n starts that one anew.

const stage = useStage();

const to = (...names: string[]) => ({
	main: [names.map((node) => ({ node, type: 'main' as const, index: 0 }))],
});
const chain = (...names: string[]): IConnections =>
	Object.fromEntries(names.slice(0, -1).map((name, i) => [name, to(names[i + 1])]));

const START = { name: 'Start', type: 'n8n-nodes-base.manualTrigger' };
const CALLED = { name: 'Called', type: 'n8n-nodes-base.executeWorkflowTrigger', typeVersion: 1 };
const LOOP = { name: 'Loop', type: 'n8n-nodes-base.splitInBatches' };

/** A workflow as a node calls it. */
const toCode = (...nodes: Array<Omit<EngineNode, 'parameters'> & { parameters?: object }>) => ({
	nodes: [CALLED, ...nodes].map((node, i) => ({
		id: `sub-${i}`,
		typeVersion: 1,
		position: [0, 0],
		parameters: {},
		credentials: { videoGenerationApi: { id: 'id-videoGenerationApi', name: 'Video' } },
		...node,
	})),
	connections: chain('Called', ...nodes.map(({ name }) => name as string)),
});
const call = (name: string, code: object, options: IDataObject = {}) => ({
	name,
	type: 'n8n-nodes-base.executeWorkflow',
	parameters: { workflowJson: JSON.stringify(code), options },
});
const video = (parameters: IDataObject = {}, name = 'Video') => ({
	...videoGenerate(parameters),
	name,
});
/** A node that fails at those of its runs that are told, in all executions. */
const failingAt = (...runs: number[]) => {
	const submit = [1, 2, 3, 4].map((run) => (runs.includes(run) ? 'forbidden' : { delayMs: 0 }));
	return video({ prompt: planned('other', { submit } as Plan), wait: 'none' }, 'Other');
};

const rows = (...plans: Plan[]) =>
	toInput(...plans.map((plan, i) => ({ prompt: planned(`video ${i}`, plan) })));
/** So many people want the same. */
const alike = (count: number) => toInput(...Array(count).fill({ prompt: 'the same video' }));

const run = async (nodes: object[], connections: IConnections, items = rows({}, {}, REFUSED)) =>
	await stage.engine.run({
		...({ nodes, connections } as Pick<RunRequest, 'nodes' | 'connections'>),
		...{ items, credentials: stage.credentials },
	} as RunRequest);

const REFUSED = { submit: ['forbidden', 'forbidden'] } as Plan;
const videos = () => stage.sandbox.tasks().filter(({ prompt }) => !prompt.startsWith('other'));
const given = (result: RunResult, name: string) =>
	result.runs(name).flatMap(({ data }) => data?.main[0] ?? []);

async function retryUntilDone(failed: RunResult, times = 2) {
	expect(failed.status).toBe('error');
	let last = failed;
	for (let time = 0; time < times; time++) last = await stage.engine.retry(last);
	expect(last.status).toBe('success');
	return last;
}

const CALLERS: Array<[what: string, nodes: object[]]> = [
	['its caller', [call('Call', toCode(video()))]],
	["its caller's caller", [call('Call', toCode(call('Middle', toCode(video()))))]],
];

describe.each(CALLERS)('retried: %s', (_what, nodes) => {
	const connections = chain('Start', 'Call');

	it('picks up what was paid for', async () => {
		const failed = await run([START, ...nodes], connections);
		expect(videos()).toHaveLength(2);
		const last = await retryUntilDone(failed);
		expect(given(last, 'Call').map(({ json }) => json.reused)).toEqual([true, true, false]);
		expect(videos()).toHaveLength(3);
	});

	it('each retry of the same one gives the same video', async () => {
		const failed = await run([START, ...nodes], connections, rows({}, { submit: ['forbidden'] }));
		const [first] = videos();
		for (let time = 0; time < 2; time++) {
			const retried = await retryUntilDone(failed, 1);
			expect(given(retried, 'Call')[0].json.task_id).toBe(first.task_id);
		}
	});

	it('what is unclear stays unclear', async () => {
		const unclear = { submit: 'acceptThen500' } as Plan;
		let last = await run([START, ...nodes], connections, rows(unclear));
		for (let time = 0; time < 2; time++) last = await stage.engine.retry(last);
		expect(last.error?.message).toMatch(/may or may not have been accepted/);
		expect(stage.sandbox.submissions()).toHaveLength(1);
	});

	it('a task that ended in FAILURE is submitted anew', async () => {
		const failed = await run(
			[START, ...nodes],
			connections,
			rows({ outcome: 'FAILURE', renderMs: 0 }),
		);
		await stage.engine.retry(failed);
		expect(videos()).toHaveLength(2);
	});

	it('a new execution pays', async () => {
		const items = rows({}, { submit: { always: 'forbidden' } });
		for (let time = 0; time < 2; time++) await run([START, ...nodes], connections, items);
		expect(videos()).toHaveLength(2);
	});
});

describe('several want the same', () => {
	/** A video, and behind it a node that may fail once the video is paid for. */
	const withRisk = (...failing: number[]) => toCode(video(), failingAt(...failing));
	/** The tasks that the last sub-execution gave. */
	const lastGiven = () => {
		const subs = stage.engine
			.executions()
			.filter((one) => one.workflowData.name === 'Sub-Workflow');
		return given(subs.at(-1)!, 'Video').map(({ json }) => json.task_id);
	};

	it('in two runs of one call, of which the second fails: that one gives its own', async () => {
		const connections = {
			...chain('Start', 'Loop'),
			Loop: { main: [[], to('Call').main[0]] },
			Call: to('Loop'),
		};
		const failed = await run([START, LOOP, call('Call', withRisk(2))], connections, alike(2));
		expect(videos()).toHaveLength(2);
		// What the first call gave is another node's; the loop ends with the retry.
		await stage.engine.retry(failed);
		expect(lastGiven()).toContain(videos()[1].task_id);
	});

	it('in three calls, of which the second fails: the third one pays', async () => {
		const code = withRisk(2);
		const nodes = [START, call('A', code), call('B', code), call('C', code)];
		const failed = await run(nodes, { Start: to('A', 'B', 'C') }, alike(1));
		expect(videos()).toHaveLength(2);
		await retryUntilDone(failed, 1);
		expect(videos()).toHaveLength(3);
		expect(lastGiven()).toEqual([videos()[2].task_id]);
	});

	it('in one call: each item has its own', async () => {
		const failed = await run([START, call('Call', withRisk(1))], chain('Start', 'Call'), alike(3));
		await retryUntilDone(failed, 1);
		expect(videos()).toHaveLength(3);
		expect(lastGiven().sort()).toEqual(
			videos()
				.map(({ task_id }) => task_id)
				.sort(),
		);
	});

	it('one that nobody waits for keeps its own', async () => {
		const nodes = [
			START,
			call('A', toCode(video()), { waitForSubWorkflow: false }),
			call('B', toCode(failingAt(1), video({ prompt: 'the same video' }))),
		];
		const failed = await run(nodes, chain('Start', 'A', 'B'), alike(1));
		await retryUntilDone(failed, 1);
		expect(videos()).toHaveLength(2);
	});
});

it('a random number in the prompt changes nothing', async () => {
	const moving = video({ prompt: '={{ Math.random() }} {{ $json.prompt }}' });
	const items = rows({}, { submit: { always: 'forbidden' } });
	let last = await run([START, call('Call', toCode(moving))], chain('Start', 'Call'), items);
	for (let time = 0; time < 2; time++) last = await stage.engine.retry(last);
	expect(last.error?.message).toMatch(/was not submitted/);
	expect(videos()).toHaveLength(1);
});

it('another prompt in the saved sub-workflow is another wish', async () => {
	const connections = chain('Start', 'Call');
	const failed = await run([START, call('Call', toCode(video()))], connections, rows({}, REFUSED));
	const changed = toCode(video({ prompt: 'Another boat' }));
	const retried = await stage.engine.retry(failed, {
		nodes: [START, call('Call', changed)] as EngineNode[],
		connections,
		credentials: stage.credentials,
	});
	expect(given(retried, 'Call').map(({ json }) => json.reused)).toEqual([false, false]);
	expect(videos()).toHaveLength(3);
});
