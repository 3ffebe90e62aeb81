import type { IExecuteFunctions } from 'n8n-workflow';

import { hurry } from '../../support/clock';
import { createEngine } from '../../support/engine';
import { CONTINUE, planned, toInput } from '../../support/stage';
import { describeSleep, durable, errorOf, jsonOf, useDurableStage } from './support/stage';

// NODES_EXCLUDE can take the Wait node from an instance; the worker cannot be started then.

const stage = useDurableStage();
const WAIT = 'n8n-nodes-base.wait';
const items = (renderMs: number) => toInput({ prompt: planned('video 0', { renderMs }) });

describeSleep(stage, 'an instance without the Wait node', () => {
	it('waits in process, and says why', async () => {
		const engine = await createEngine({ [WAIT]: undefined });
		const { credentials, sandbox } = stage;
		const result = await engine.run({ node: durable(), items: items(500), credentials });
		expect(jsonOf(result.outputs()[0])).toMatchObject([{ status: 'SUCCESS' }]);
		const message = expect.stringContaining('no Wait node');
		expect(result.hints()).toContainEqual(expect.objectContaining({ message }));
		expect(sandbox.submissions()).toHaveLength(1);
		expect(engine.executions()).toHaveLength(1);
		engine.close();
	});
});

describeSleep(stage, 'an instance whose Wait node holds the process', () => {
	it('gives the video of the first check, without another launch', async () => {
		const holding = Object.assign(Object.create(stage.engine.nodeTypes.getByName(WAIT)), {
			async execute(this: IExecuteFunctions) {
				stage.skip(66_000);
				return [this.getInputData()];
			},
		});
		const engine = await createEngine({ [WAIT]: holding });
		const { credentials, sandbox } = stage;
		const result = await engine.run({ node: durable(), items: items(500), credentials });
		expect(jsonOf(result.outputs()[0])).toMatchObject([{ status: 'SUCCESS' }]);
		expect(sandbox.submissions()).toHaveLength(1);
		// The caller, the Keeper and one Checker.
		expect(engine.executions()).toHaveLength(3);
		engine.close();
	});
});

/** From some moment on, n8n cannot make the Wait node for so many starts. */
function loseWait(starts: number, from: () => boolean) {
	const { nodeTypes } = stage.engine;
	const find = nodeTypes.getByNameAndVersion.bind(nodeTypes);
	jest.spyOn(nodeTypes, 'getByNameAndVersion').mockImplementation((name, version) => {
		if (name === WAIT && from() && starts-- > 0) throw new Error('Where is Wait?');
		return find(name, version);
	});
}

describeSleep(stage, 'a worker that cannot be started', () => {
	it('is tried once; the caller waits in process and says why', async () => {
		loseWait(Infinity, () => true);
		const result = await stage.begin({ node: durable({}, CONTINUE), items: items(500) });
		expect(jsonOf(result.outputs()[0])).toMatchObject([{ status: 'SUCCESS' }]);
		const message = expect.stringContaining('Where is Wait?');
		expect(result.hints()).toContainEqual(expect.objectContaining({ message }));
		expect(stage.sandbox.submissions()).toHaveLength(1);
		const { paid } = result.contextData['node:Node Under Test'];
		expect(JSON.stringify(paid)).toContain(stage.taskIds()[0]);
		expect(stage.subExecutions().length).toBeLessThanOrEqual(2);
	});
});

describeSleep(stage, 'a worker that cannot be started again after n8n died', () => {
	let haste = { restore: () => {} };
	beforeEach(() => (haste = hurry(300)));
	afterEach(() => haste.restore());

	const afterCrash = () => stage.subExecutions().some(({ status }) => status === 'crashed');
	const begin = async () =>
		await stage.begin({ node: durable({}, CONTINUE), items: items(130_000) });

	it('is started a little later', async () => {
		loseWait(3, afterCrash);
		const result = await stage.toEnd(await stage.engine.crash(await begin()));
		expect(jsonOf(result.outputs()[0])).toMatchObject([{ status: 'SUCCESS' }]);
		expect(stage.pauses().filter((ms) => ms >= 700 && ms < 10_000)).toHaveLength(3);
		expect(stage.sandbox.submissions()).toHaveLength(1);
	});

	it('at last ends the wait, with the task ID and the reason', async () => {
		loseWait(Infinity, afterCrash);
		const result = await stage.engine.crash(await begin());
		const [item] = result.outputs()[0];
		expect(errorOf(item)).toMatchObject({
			task_id: stage.taskIds()[0],
			message: expect.stringMatching(/was interrupted 20 times: .*Where is Wait/),
		});
		expect(stage.sandbox.submissions()).toHaveLength(1);
	});
});
