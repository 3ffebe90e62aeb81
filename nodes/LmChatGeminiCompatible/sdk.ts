import type { ISupplyDataFunctions, SupplyData } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

// These types copy what is used here of n8n's SDK for models: some n8n versions lack it, so the
// build must not need it. `test/nodes/LmChatGeminiCompatible` compares the types with the SDK's own.

export interface Message {
	role: 'system' | 'user' | 'assistant' | 'tool';
	content: Content[];
}

/** A piece of a message. The kinds without fields exist in the SDK, but are not sent. */
export type Content =
	| { type: 'text'; text: string }
	| { type: 'file'; mediaType?: string; data: string | Uint8Array }
	| { type: 'tool-call'; toolCallId?: string; toolName: string; input: string }
	| { type: 'tool-result'; toolCallId: string; result: unknown; isError?: boolean }
	| { type: 'reasoning' | 'citation' | 'provider' | 'invalid-tool-call' };

export interface Tool {
	type: 'function' | 'provider';
	name: string;
	description?: string;
}

/** The options of each question; the SDK calls the signal `abortSignal`, LangChain `signal`. */
export interface AskOptions {
	abortSignal?: AbortSignal;
	signal?: AbortSignal;
	stop?: string[];
}

export interface ToolCall {
	type: 'tool-call';
	toolCallId: string;
	toolName: string;
	input: string;
}

export interface Generated {
	finishReason: 'stop' | 'tool-calls' | 'other';
	/** In tokens; thoughts count as part of the completion. */
	usage: { promptTokens: number; completionTokens: number; totalTokens: number };
	message: { role: 'assistant'; content: Array<{ type: 'text'; text: string } | ToolCall> };
}

export type Chunk =
	| { type: 'text-delta'; delta: string }
	| { type: 'tool-call-delta'; id: string; name: string; argumentsDelta: string }
	| ({ type: 'finish' } & Pick<Generated, 'finishReason' | 'usage'>);

/** A model in the form that the SDK takes. */
export interface TextModel {
	provider: string;
	modelId: string;
	generate: (messages: Message[], options?: AskOptions) => Promise<Generated>;
	stream: (messages: Message[], options?: AskOptions) => AsyncGenerator<Chunk>;
	withTools: (tools: Tool[]) => TextModel;
}

/** The functions used of `@n8n/ai-node-sdk`, which comes with n8n 2.16 and newer. */
export interface Sdk {
	/** Turns our model into what n8n's agents and chains take. */
	supplyModel: (context: ISupplyDataFunctions, model: TextModel) => SupplyData;
	/** Returns the parameters of a tool as JSON Schema, even if the tool has a Zod schema. */
	getParametersJsonSchema: (tool: Tool) => unknown;
}

/**
 * Loads n8n's SDK for models. It is not a dependency, not even a peer: either n8n brings it, or it
 * is missing.
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
