import type { IDataObject } from 'n8n-workflow';

import type { KillDetails, RunRequest } from '../../support/engine';
import { toInput, videoGenerate } from '../../support/stage';
import { AGENTS, asTool, type Call, useAgentStage } from './support/stage';

// An agent's execution that was killed or stopped has not stored what its tool had paid for.

const TOOL = 'Video Generate';
const stage = useAgentStage();

const boat: Call = { tool: TOOL, input: { prompt: 'A boat' } };
const tool = asTool(videoGenerate({ prompt: "={{ $fromAI('prompt', 'What', 'string') }}" }), TOOL);

describe.each(AGENTS)('an agent %s', (_name, typeVersion) => {
	it.each<[string, Partial<RunRequest>, Partial<KillDetails>]>([
		['stopped', {}, { stopped: true }],
		['killed, and no event log', {}, { eventLog: false }],
	])('%s after its tool has paid: a retry pays for nothing', async (_what, more, how) => {
		const result = await stage.engine.run({
			nodes: [
				{ name: 'Click', type: 'n8n-nodes-base.manualTrigger' },
				tool,
				{ name: 'Agent', type: '@n8n/n8n-nodes-langchain.agent', typeVersion },
			],
			connections: {
				Click: { main: [[{ node: 'Agent', type: 'main', index: 0 }]] },
				[TOOL]: { ai_tool: [[{ node: 'Agent', type: 'ai_tool', index: 0 }]] },
			} as never,
			items: toInput({ turns: [[boat]] as unknown as IDataObject }),
			credentials: stage.credentials,
			...more,
		});
		expect([result.status, stage.sandbox.submissions().length]).toEqual(['success', 1]);
		await stage.engine.retry(stage.engine.kill(result, { inNode: 'Agent', ...how }));
		expect(stage.sandbox.submissions()).toHaveLength(1);
	});
});
