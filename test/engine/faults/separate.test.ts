import type { Plan } from '../../../sandbox/service';
import type { RunResult } from '../../support/engine';
import { planned, toInput, useStage, videoGenerate } from '../../support/stage';

const RETRY_ON_FAIL = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };
/** Five in a row end a try. */
const REFUSED_ONCE: Plan = { poll: Array(5).fill('unauthorized') };

const stage = useStage();
const taskIds = () => stage.sandbox.tasks().map(({ task_id }) => task_id);
const jsonOf = (result: RunResult) => result.outputs()[0].map(({ json }) => json);

describe('what only looks like a retry', () => {
	it('two identical items are two videos, also after a retry', async () => {
		const { engine, credentials, sandbox } = stage;
		const prompt = planned('the same', REFUSED_ONCE);
		const items = toInput({ prompt }, { prompt });
		const node = videoGenerate({}, { ...RETRY_ON_FAIL, onError: 'continueRegularOutput' });
		const result = await engine.run({ node, items, credentials });
		expect(new Set(jsonOf(result).map(({ task_id }) => task_id))).toEqual(new Set(taskIds()));
		expect(sandbox.submissions()).toHaveLength(2);
	});

	const to = (node: string) => ({ node, type: 'main' as const, index: 0 });
	const loop = async (...prompts: string[]) =>
		await stage.engine.run({
			nodes: [
				{ name: 'Click', type: 'n8n-nodes-base.manualTrigger' },
				{ name: 'Loop', type: 'n8n-nodes-base.splitInBatches' },
				{ ...videoGenerate(), name: 'Render' },
				{ name: 'End', type: 'n8n-nodes-base.noOp' },
			],
			connections: {
				Click: { main: [[to('Loop')]] },
				Loop: { main: [[to('End')], [to('Render')]] },
				Render: { main: [[to('Loop')]] },
			},
			items: toInput(...prompts.map((prompt) => ({ prompt }))),
			credentials: stage.credentials,
		});

	it('the passes of a loop are separate videos', async () => {
		const result = await loop('the same', 'the same', 'the same');
		const ids = result.outputs('End')[0].map(({ json }) => json.task_id);
		expect(new Set(ids).size).toBe(3);
		expect(ids).toEqual(taskIds());
	});

	it('a loop that failed in a later pass goes on there', async () => {
		const failed = await loop('the same', planned('refused', REFUSED_ONCE), 'the same');
		expect(failed.status).toBe('error');
		const retried = await stage.engine.retry(failed);
		const items = retried.outputs('End')[0].map(({ json }) => json);
		expect(items.map(({ reused }) => reused)).toEqual([false, true, false]);
		expect(items.map(({ task_id }) => task_id)).toEqual(taskIds());
	});
});
