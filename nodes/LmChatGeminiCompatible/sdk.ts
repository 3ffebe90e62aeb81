import type { ChatModel, ChatModelConfig, GenerateResult, Tool } from '@n8n/ai-node-sdk';
import type { ISupplyDataFunctions, SupplyData } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

// Types are gone after the build, so an n8n without the SDK never sees these.
export type { ChatModel, Message, MessageContent, Tool } from '@n8n/ai-node-sdk';

export type FunctionTool = Extract<Tool, { type: 'function' }>;

/** The options of each question; the SDK calls the signal `abortSignal`, LangChain `signal`. */
export interface AskOptions extends ChatModelConfig {
	signal?: AbortSignal;
	stop?: string[];
}

/** An answer; thoughts count as part of the completion. */
export type Generated = Required<Pick<GenerateResult, 'finishReason' | 'message' | 'usage'>>;

/** The functions used of n8n's SDK for models, which comes with n8n 2.16 and newer. */
export interface Sdk {
	/** Turns our model into what n8n's agents and chains take. */
	supplyModel: (context: ISupplyDataFunctions, model: ChatModel) => SupplyData;
	/** Returns the parameters of a tool as JSON Schema, even if the tool has a Zod schema. */
	getParametersJsonSchema: (tool: FunctionTool) => unknown;
}

/**
 * Loads n8n's SDK for models when it is used, and no sooner: n8n loads either all nodes of a package
 * or none, and an n8n that lacks the SDK shall have the others.
 *
 * @throws a sentence for a person if this n8n lacks it
 */
export async function loadSdk(context: ISupplyDataFunctions): Promise<Sdk> {
	try {
		const sdk = (await import('@n8n/ai-node-sdk')) as unknown as Partial<Sdk>;
		const { supplyModel, getParametersJsonSchema } = sdk;
		if (supplyModel && getParametersJsonSchema) return { supplyModel, getParametersJsonSchema };
	} catch {
		// An n8n without the SDK throws words about module paths, which help nobody.
	}
	throw new NodeOperationError(
		context.getNode(),
		'This version of n8n cannot use models of community nodes. Update n8n, or use Google Gemini Chat Model with the same base URL and key',
		// Without this, the agent says only which node it was.
		{ functionality: 'configuration-node' },
	);
}
