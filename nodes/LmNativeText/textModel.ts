import type { Failure } from '../shared/item/failure';
import { relay } from '../shared/lib/turns';
import type { Connection } from '../shared/service/connection';
import type { GenerateRequest } from '../shared/service/textApi';
import { ask } from './ask';
import type { ModelSetting } from './modelSetting';
import type { AskOptions, Chunk, Generated, Message, TextModel, Tool } from './protocol';
import { toContents } from './toContents';
import { toTools } from './toDeclarations';

/** A model that n8n's SDK hands to an agent or a chain, with the tools that it may call. */
export function createTextModel(setting: ModelSetting, tools: Tool[] = []): TextModel {
	const question = (messages: Message[], options: AskOptions = {}) => ({
		body: toBody(setting, messages, { tools, ...options }),
		signals: [setting.stop, options.signal, options.abortSignal].filter((one) => one !== undefined),
	});
	return {
		provider: 'native-text',
		modelId: setting.model,
		async generate(messages, options) {
			const { body, signals } = question(messages, options);
			const generated = await ask(setting, body, AbortSignal.any(signals));
			return shown(toWhole(setting, generated), setting.connection);
		},
		async *stream(messages, options) {
			const { body, signals } = question(messages, options);
			const left = new AbortController();
			try {
				yield* streamAnswer(setting, body, AbortSignal.any([...signals, left.signal]));
			} finally {
				left.abort();
			}
		},
		withTools: (more) => createTextModel(setting, [...tools, ...more]),
	};
}

function toBody(
	{ sdk, generationConfig }: ModelSetting,
	messages: Message[],
	{ tools, stop = [] }: AskOptions & { tools: Tool[] },
): GenerateRequest {
	const config = { ...generationConfig, ...(stop.length > 0 && { stopSequences: stop }) };
	return {
		...toContents(messages),
		...toTools(tools, sdk),
		...(Object.keys(config).length > 0 && { generationConfig: config }),
	};
}

/** Its words as they come, then the calls of tools, which come whole. */
async function* streamAnswer(
	setting: ModelSetting,
	body: GenerateRequest,
	signal: AbortSignal,
): AsyncGenerator<Chunk> {
	const pieces = setting.connection.redactPieces();
	const words = relay<string, Generated | { failure: Failure }>(
		async (tell) => await ask(setting, body, signal, (piece) => tell(pieces.add(piece))),
	);
	let said = false;
	const toDelta = (delta: string): Chunk[] => {
		said ||= delta !== '';
		return delta === '' ? [] : [{ type: 'text-delta', delta }];
	};
	let next = await words.next();
	for (; !next.done; next = await words.next()) yield* toDelta(next.value);
	yield* toDelta(pieces.end());
	const whole = shown(toWhole(setting, next.value), setting.connection);
	for (const reply of whole.message.content) {
		if (reply.type === 'text') {
			// What its code has printed is no word of the stream.
			if (!said) yield* toDelta(reply.text);
		} else {
			const { toolCallId: id, toolName: name, input: argumentsDelta } = reply;
			yield { type: 'tool-call-delta', id, name, argumentsDelta };
		}
	}
	const { finishReason, usage } = whole;
	yield { type: 'finish', finishReason, usage };
}

/** @throws the failure, as an error of the node */
function toWhole(
	{ toError }: ModelSetting,
	generated: Generated | { failure: Failure },
): Generated {
	if ('failure' in generated) throw toError(generated.failure);
	return generated;
}

/** Agents hand on what a model says: to people, tools and memories. */
function shown(generated: Generated, { redact }: Connection): Generated {
	const content = generated.message.content.map((reply) =>
		reply.type === 'text'
			? { ...reply, text: redact(reply.text) }
			: { ...reply, toolName: redact(reply.toolName), input: redact(reply.input) },
	);
	return { ...generated, message: { ...generated.message, content } };
}
