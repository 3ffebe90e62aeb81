import { createEngine, projectVersion } from '../../support/engine';
import { fixture, isVersion1, json, useFixtureStage } from './support/stage';

const stage = useFixtureStage();

describe('running', () => {
	it('loads the version that the Jest project names, and no other', async () => {
		const other = isVersion1 ? '2' : '1';
		expect(stage.engine.version).toBe(projectVersion());
		await expect(createEngine(other)).rejects.toThrow(`project for n8n ${other}`);
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
