import { createEngine, projectVersion } from '../../support/engine';
import { fixture, isVersion1, json, useFixtureStage } from './support/stage';

const stage = useFixtureStage();

describe('running', () => {
	it('loads the version that the Jest project names, and no other', async () => {
		const other = isVersion1 ? '2' : '1';
		expect(stage.engine.version).toBe(projectVersion());
		await expect(createEngine(other)).rejects.toThrow(`project for n8n ${other}`);
	});

	it('runs a node with its credential and pairs its items', async () => {
		const items = [{ json: { n: 1 } }, { json: { n: 2 } }];
		const result = await stage.engine.run({
			node: fixture('Request'),
			items,
			credentials: stage.credentials,
		});
		expect(result).toMatchObject({ status: 'success', error: undefined });
		expect(result.outputs()).toEqual([
			[
				{ json: { ok: true }, pairedItem: { item: 0 } },
				{ json: { ok: true }, pairedItem: { item: 1 } },
			],
		]);
	});

	it('reads expressions from the items', async () => {
		const items = [{ json: { path: '/me' } }];
		const node = fixture('Request', { parameters: { path: '={{ $json.path }}' } });
		const result = await stage.engine.run({ node, items, credentials: stage.credentials });
		expect(json(result.outputs()[0])).toEqual([{ state: 'open' }]);
	});

	it('runs a whole workflow with a loop', async () => {
		const to = (node: string) => ({ node, type: 'main' as const, index: 0 });
		const result = await stage.engine.run({
			nodes: [
				{ name: 'Click', type: 'n8n-nodes-base.manualTrigger' },
				{ name: 'Loop', type: 'n8n-nodes-base.splitInBatches' },
				fixture('Request', { name: 'Request' }),
				{ name: 'End', type: 'n8n-nodes-base.noOp' },
			],
			connections: {
				Click: { main: [[to('Loop')]] },
				Loop: { main: [[to('End')], [to('Request')]] },
				Request: { main: [[to('Loop')]] },
			},
			items: [{ json: {} }, { json: {} }, { json: {} }],
			credentials: stage.credentials,
		});
		expect(result.runs('Request')).toHaveLength(3);
		expect(json(result.outputs('End')[0])).toEqual([{ ok: true }, { ok: true }, { ok: true }]);
	});

	it('turns a run that n8n refuses to start into a failed one', async () => {
		const node = fixture('Request', { parameters: { path: '' } });
		const result = await stage.engine.run({ node, credentials: stage.credentials });
		expect(result.status).toBe('error');
		expect(result.error?.message).toContain('has issues');
	});
});

describe('Stop', () => {
	it('cancels, and keeps what the node returns', async () => {
		const execution = stage.engine.start({ node: fixture('Slow'), credentials: stage.credentials });
		await stage.service.polled();
		await execution.stop();
		const result = await execution.done;
		expect(result.status).toBe('canceled');
		expect(json(result.outputs()[0])).toEqual([{ taskId: 'task-1' }]);
		// n8n calls its storing hooks at once, before the node has returned.
		expect(result.saved.status).toBe('canceled');
		expect(Object.keys(result.saved.data.resultData.runData)).toEqual(['Start']);
	});
});
