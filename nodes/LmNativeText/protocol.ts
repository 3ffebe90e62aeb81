/**
 * The part of n8n's SDK for models that is used here, as types: code and types of a package that
 * some n8n lack stay out of the build. `test/nodes/LmNativeText` compares them with the SDK's own.
 */
export interface Message {
	role: 'system' | 'user' | 'assistant' | 'tool';
	content: Content[];
	id?: string;
	name?: string;
}

/** A piece of a message; each kind has its own fields, and further kinds are left out. */
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

/** What comes with each question: the SDK's name for the signal, and LangChain's. */
export interface AskOptions {
	abortSignal?: AbortSignal;
	signal?: AbortSignal;
	stop?: string[];
}

export type FinishReason = 'stop' | 'tool-calls' | 'other';

/** In tokens; thoughts are part of the completion. */
export interface Usage {
	promptTokens: number;
	completionTokens: number;
	totalTokens: number;
}

export interface Generated {
	finishReason: FinishReason;
	usage: Usage;
	message: { role: 'assistant'; content: Reply[] };
}

export type Reply =
	| { type: 'text'; text: string }
	| { type: 'tool-call'; toolCallId: string; toolName: string; input: string };

export type Chunk =
	| { type: 'text-delta'; delta: string }
	| { type: 'tool-call-delta'; id: string; name: string; argumentsDelta: string }
	| { type: 'finish'; finishReason: FinishReason; usage: Usage };

/** A model as the SDK takes it. */
export interface TextModel {
	provider: string;
	modelId: string;
	generate: (messages: Message[], options?: AskOptions) => Promise<Generated>;
	stream: (messages: Message[], options?: AskOptions) => AsyncGenerator<Chunk>;
	withTools: (tools: Tool[]) => TextModel;
}
