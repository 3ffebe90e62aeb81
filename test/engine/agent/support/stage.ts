import type { IDataObject } from 'n8n-workflow';

import type { SandboxOptions } from '../../../../sandbox/service';
import { type BinaryMode, type EngineNode } from '../../../support/engine';
import { toInput, useStage, type Stage } from '../../../support/stage';

/** A tool's name and what the agent calls it with. */
export interface Call {
	tool: string;
	input?: IDataObject;
}

interface AgentStage extends Stage {
	/** An agent with these tools that calls them turn by turn; what each call has answered, in order. */
	ask(
		tools: EngineNode[],
		turns: Call[][],
		agentVersion: number,
		binaryMode?: BinaryMode,
	): Promise<IDataObject[]>;
}

/** Agents that call their tools themselves, and those for which n8n's engine does. */
export const AGENTS = [
	['which calls its tools', 2],
	['for which n8n calls them', 3],
] as const;

/** A node as an agent's tool, which n8n saves under a type of its own. */
export const asTool = (node: EngineNode, name: string): EngineNode => ({
	...node,
	name,
	type: `${node.type}Tool`,
});

/** As `useStage`, with an agent on it. */
export function useAgentStage(options: SandboxOptions = {}): AgentStage {
	const stage = useStage(options) as AgentStage;
	const toAgent = { ai_tool: [[{ node: 'Agent', type: 'ai_tool', index: 0 }]] } as const;
	return Object.assign(stage, {
		ask: async (
			tools: EngineNode[],
			turns: Call[][],
			typeVersion: number,
			binaryMode?: BinaryMode,
		) => {
			const agent = { name: 'Agent', type: '@n8n/n8n-nodes-langchain.agent', typeVersion };
			const start = { name: 'Click', type: 'n8n-nodes-base.manualTrigger' };
			const result = await stage.engine.run({
				nodes: [start, ...tools, agent],
				connections: {
					Click: { main: [[{ node: 'Agent', type: 'main', index: 0 }]] },
					...Object.fromEntries(tools.map(({ name }) => [name, toAgent])),
				} as never,
				items: toInput({ turns: turns as unknown as IDataObject }),
				credentials: stage.credentials,
				resultNode: 'Agent',
				binaryMode,
			});
			expect([result.status, result.error]).toEqual(['success', undefined]);
			return result.outputs()[0].map(({ json }) => (json.answer as IDataObject[])[0]);
		},
	});
}
