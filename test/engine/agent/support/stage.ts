import type { IDataObject } from 'n8n-workflow';

import type { SandboxOptions } from '../../../../sandbox/service';
import type { EngineNode, RunRequest, RunResult } from '../../../support/engine';
import { to, toInput, useStage, type Stage } from '../../../support/stage';

/** A tool's name and what the agent calls it with. */
export interface Call {
	tool: string;
	input?: IDataObject;
}

interface AgentStage extends Stage {
	/** Runs an agent with these tools that calls them turn by turn. */
	call(
		tools: EngineNode[],
		turns: Call[][],
		agentVersion: number,
		more?: Partial<RunRequest>,
	): Promise<RunResult>;
	/** As `call`; what each call has answered, in order. */
	ask(...args: Parameters<AgentStage['call']>): Promise<IDataObject[]>;
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
	const toAgent = { ai_tool: [[{ node: 'Agent', type: 'ai_tool' as const, index: 0 }]] };
	const call: AgentStage['call'] = async (tools, turns, typeVersion, more) =>
		await stage.engine.run({
			nodes: [
				{ name: 'Click', type: 'n8n-nodes-base.manualTrigger' },
				...tools,
				{ name: 'Agent', type: '@n8n/n8n-nodes-langchain.agent', typeVersion },
			],
			connections: {
				Click: { main: [to('Agent')] },
				...Object.fromEntries(tools.map(({ name }) => [name, toAgent])),
			},
			items: toInput({ turns: turns as unknown as IDataObject }),
			credentials: stage.credentials,
			...more,
		});
	const ask: AgentStage['ask'] = async (...args) => {
		const result = await call(...args);
		expect([result.status, result.error]).toEqual(['success', undefined]);
		return result.outputs()[0].map(({ json }) => (json.answer as IDataObject[])[0]);
	};
	return Object.assign(stage, { call, ask });
}
