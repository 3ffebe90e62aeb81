import type { IExecuteFunctions } from 'n8n-workflow';

import { createEngine } from '../../support/engine';
import { planned, toInput } from '../../support/stage';
import { describeSleep, durable, jsonOf, useDurableStage } from './support/stage';

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
