import type { IDataObject, ISupplyDataFunctions } from 'n8n-workflow';

import { LmChatGeminiCompatible } from '../../../../nodes/LmChatGeminiCompatible/LmChatGeminiCompatible.node';

export const KEY = 'secret-key-4711';

/** What LangChain asks of a model, as far as tests do. */
interface ChatModel {
	invoke: (messages: unknown[], options?: object) => Promise<Said>;
	stream: (messages: unknown[], options?: object) => Promise<AsyncIterable<Said>>;
	bindTools: (tools: unknown[]) => ChatModel;
}

export interface Said {
	text: string;
	tool_calls?: Array<{ id: string; name: string; args: object }>;
	usage_metadata?: object;
}

interface Setting {
	parameters?: IDataObject;
	/** One body for each request, in order; a number is a status, and `SILENCE` nothing at all. */
	answers?: unknown[];
	/** What n8n stores of the node with the execution. */
	stored?: object;
	/** Stops the execution; somebody does so while `SILENCE` is the answer. */
	halt?: AbortController;
}

export const SILENCE = Symbol('silence');

/** A body as n8n's HTTP helper gives it, as far as the node reads it. */
export function toStream(text: string) {
	const pieces = async function* () {
		yield Buffer.from(text);
	};
	return Object.assign(pieces(), { on: () => {} });
}

const untilEnded = async (signal?: AbortSignal, halt?: AbortController) =>
	await new Promise<never>((_resolve, reject) => {
		const end = () => reject(Object.assign(new Error('canceled'), { code: 'ERR_CANCELED' }));
		signal?.addEventListener('abort', end, { once: true });
		halt?.abort();
	});

/** One answer of the native protocol. */
export const answerWith = (parts: IDataObject[], more: IDataObject = {}) => ({
	candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP', ...more }],
	usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 2, thoughtsTokenCount: 1 },
});

export const asEvents = (...chunks: object[]) =>
	chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\r\n\r\n`).join('');

/** The node's model through n8n's own SDK, and the requests that it has sent. */
export async function supplyModel(setting: Setting = {}) {
	const { parameters = {}, answers = [], stored = {}, halt } = setting;
	const sent: Array<{ url: string; body: IDataObject; abortSignal?: AbortSignal }> = [];
	const left = [...answers];
	const context = {
		getNode: () => ({ name: 'Model', type: 'videos.lmChatGeminiCompatible', parameters: {} }),
		getNodeParameter: (name: string, _itemIndex: number, fallback: unknown) =>
			({ model: 'gemini-2.5-flash', ...parameters })[name] ?? fallback,
		getCredentials: async () => ({ baseUrl: 'https://api.example.com', apiKey: KEY }),
		getContext: () => stored,
		getExecutionCancelSignal: () => halt?.signal,
		getNextRunIndex: () => 0,
		addInputData: () => ({ index: 0 }),
		addOutputData: () => {},
		logAiEvent: () => {},
		setMetadata: () => {},
		helpers: {
			httpRequestWithAuthentication: async (_type: string, options: (typeof sent)[0]) => {
				sent.push({ ...options, body: JSON.parse(String(options.body)) as IDataObject });
				const answer = left.shift();
				if (answer === SILENCE) return await untilEnded(options.abortSignal, halt);
				const statusCode = typeof answer === 'number' ? answer : 200;
				const text = typeof answer === 'string' ? answer : JSON.stringify(answer);
				return { statusCode, headers: {}, body: toStream(text) };
			},
		},
	} as unknown as ISupplyDataFunctions;
	const { response } = await new LmChatGeminiCompatible().supplyData.call(context, 0);
	return { model: response as ChatModel, sent };
}

export async function readStream(stream: AsyncIterable<Said>) {
	const words: string[] = [];
	const calls: NonNullable<Said['tool_calls']> = [];
	for await (const chunk of stream) {
		if (chunk.text !== '') words.push(chunk.text);
		calls.push(...(chunk.tool_calls ?? []));
	}
	return { words, calls };
}
