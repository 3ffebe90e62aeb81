import type { KillDetails } from '../../support/engine';
import { videoGenerate } from '../../support/stage';
import { AGENTS, asTool, useAgentStage } from './support/stage';

// An agent's execution that was killed or stopped has not stored what its tool had paid for.

const TOOL = 'Video Generate';
const stage = useAgentStage();
const tool = asTool(videoGenerate({ prompt: "={{ $fromAI('prompt', 'What', 'string') }}" }), TOOL);

describe.each(AGENTS)('an agent %s', (_name, version) => {
	it.each<[string, Partial<KillDetails>]>([
		['stopped', { stopped: true }],
		['killed, and no event log', { eventLog: false }],
	])('%s after its tool has paid: a retry pays for nothing', async (_what, how) => {
		const call = { tool: TOOL, input: { prompt: 'A boat' } };
		const result = await stage.call([tool], [[call]], version);
		expect([result.status, stage.sandbox.submissions().length]).toEqual(['success', 1]);
		await stage.engine.retry(stage.engine.kill(result, { inNode: 'Agent', ...how }));
		expect(stage.sandbox.submissions()).toHaveLength(1);
	});
});
