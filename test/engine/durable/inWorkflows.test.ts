import type { EngineNode } from '../../support/engine';
import { inLoop, promptsOf, to } from '../../support/stage';
import { durable, rows, useDurableStage } from './support/stage';

const stage = useDurableStage();

describe('inside other workflows', () => {
	it('sleeps in each pass of a loop, and pays for each once', async () => {
		const result = await stage.runThrough({
			...inLoop(durable()),
			items: rows({}, {}, {}),
		});
		expect(result.status).toBe('success');
		expect(promptsOf(stage, result.outputs('End')[0])).toEqual(
			rows({}, {}, {}).map(({ json }) => json.prompt),
		);
		expect(result.runs('Node')).toHaveLength(3);
		expect(stage.sandbox.submissions()).toHaveLength(3);
		expect(stage.subExecutions()).toHaveLength(6);
	});

	it('lets a workflow that called it as a sub-workflow wait, too', async () => {
		const credentials = { videoGenerationApi: { id: 'id-videoGenerationApi', name: 'Video' } };
		const start = { name: 'Start', type: 'n8n-nodes-base.executeWorkflowTrigger' };
		const node: EngineNode = { ...durable(), name: 'Video Generate', credentials };
		const at = { typeVersion: 1, position: [0, 0] };
		const called = {
			nodes: [
				{ id: '1', parameters: {}, ...start, ...at },
				{ id: '2', ...node, ...at },
			],
			connections: { Start: { main: [to('Video Generate')] } },
		};
		const begun = await stage.begin({
			nodes: [
				{ name: 'Click', type: 'n8n-nodes-base.manualTrigger' },
				{
					name: 'Call',
					type: 'n8n-nodes-base.executeWorkflow',
					parameters: { workflowJson: JSON.stringify(called) },
				},
				{ name: 'End', type: 'n8n-nodes-base.noOp' },
			],
			connections: { Click: { main: [to('Call')] }, Call: { main: [to('End')] } },
			items: rows({}, {}),
		});
		expect(begun.status).toBe('waiting');
		const result = await stage.toEnd(begun);
		expect(result.status).toBe('success');
		expect(promptsOf(stage, result.outputs('End')[0])).toEqual(
			rows({}, {}).map(({ json }) => json.prompt),
		);
		expect(stage.sandbox.submissions()).toHaveLength(2);
	});
});
