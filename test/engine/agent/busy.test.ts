import type { EngineNode } from '../../support/engine';
import { byId, planned, videoGenerate, videoStatus } from '../../support/stage';
import { TEXT_MODEL, TYPE } from '../generateContent/support/stage';
import { AGENTS, asTool, useAgentStage } from './support/stage';

// A busy service may ask for minutes of patience. An agent is told so instead of being kept waiting.

const stage = useAgentStage();

const BUSY = { always: { status: 429, headers: { 'retry-after': '60' }, json: {} } };
const NAME = 'Tool';
const prompt = "={{ $fromAI('prompt', 'What to make', 'string') }}";

describe.each(AGENTS)('an agent %s', (_name, version) => {
	/** The answer of a tool whose service is busy, and how many requests it has cost. */
	async function tell(node: EngineNode, text: string) {
		const before = stage.sandbox.count({ status: 429 });
		const call = { tool: NAME, input: { prompt: text } };
		const [{ error }] = await stage.ask([asTool(node, NAME)], [[call]], version);
		return { error, requests: stage.sandbox.count({ status: 429 }) - before };
	}

	it('is told after one request, by each node', async () => {
		const submit = await tell(videoGenerate({ prompt }), planned('A boat', { submit: BUSY }));
		const ask = { type: TYPE, parameters: { model: byId(TEXT_MODEL), prompt } };
		const text = await tell(ask, planned('Hi', { text: BUSY }));
		const node = videoGenerate({ wait: 'none', prompt: planned('A boat', { poll: BUSY }) });
		const [[{ json }]] = (await stage.run(node)).outputs();
		const look = await tell(videoStatus({ taskId: prompt }), String(json.task_id));
		expect([submit, text, look]).toEqual([
			{ error: expect.stringMatching(/not submitted.*Nothing is billed/), requests: 1 },
			{ error: expect.stringMatching(/^Nothing was generated.*Nothing is billed/), requests: 1 },
			{ error: expect.stringContaining(`(task ${String(json.task_id)})`), requests: 1 },
		]);
	});
});
