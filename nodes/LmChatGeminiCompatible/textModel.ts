import type { IDataObject, ISupplyDataFunctions } from 'n8n-workflow';

import { type Failure, toInputFailure } from '../shared/item/failure';
import { createError } from '../shared/item/output';
import { createReader } from '../shared/item/reader';
import { oneLine } from '../shared/lib/text';
import { createClock } from '../shared/lib/time';
import { createLimiter, relay } from '../shared/lib/turns';
import { openConnection } from '../shared/service/connection';
import { CANCELED } from '../shared/service/http';
import { sendPaid } from '../shared/service/paid';
import type { GenerateRequest } from '../shared/service/textApi';
import { createRedaction } from '../shared/service/redact';
import { askText } from '../shared/text/askText';
import { onlyFilled } from '../shared/text/names';
import { readModel, readNumbers, readThinking } from '../shared/text/settings';
import { toRequestFailure } from '../shared/text/textFailure';
import { toConversation, toTools } from './conversation';
import { chatModelFields } from './fields';
import { openSignatures, toGenerated } from './reply';
import type { AskOptions, ChatModel, Generated, Message, Sdk, Tool } from './sdk';

/** Opens the model for the agent or chain above the node; nothing is sent to the service yet. */
export async function openModel(
	context: ISupplyDataFunctions,
	itemIndex: number,
	sdk: Sdk,
): Promise<ChatModel<AskOptions>> {
	const parameters = context.getNode().parameters as IDataObject;
	const run = { context, parameters, fields: chatModelFields, items: [] };
	const read = createReader(run, itemIndex);
	const { options } = read;
	/** Holds only what the person set. */
	const config = onlyFilled({
		...readNumbers(options, ['maxOutputTokens', 'temperature', 'topP']),
		thinkingConfig: readThinking(options),
	});
	const model = readModel(read);
	const timeoutMs = options.numberOrDefault('timeout', { above: 0 }) * 1000;
	const redaction = createRedaction();
	const connection = await openConnection(context, 'geminiCompatibleApi', redaction);
	const stop = context.getExecutionCancelSignal() ?? new AbortController().signal;
	const signatures = openSignatures(context, redaction.redact);

	/** Returns an error that n8n shows both on the agent and in the log of the model. */
	const toError = (failure: Failure): Error => {
		const shown = redaction.show(failure);
		return createError(context.getNode(), shown, {
			...{ message: oneLine(shown.message), description: shown.description, itemIndex },
			functionality: 'configuration-node',
		});
	};

	/**
	 * Asks, and asks again after a refusal that may pass; throws if no usable answer comes.
	 *
	 * @param onWords receives the words as they come; without it, the answer comes whole
	 */
	const ask = async (
		messages: Message[],
		tools: Tool[],
		{ stop: stopSequences = [], ...asked }: AskOptions,
		onWords?: (words: string) => void,
	): Promise<Generated> => {
		const signals = [stop, asked.signal, asked.abortSignal].filter((one) => one !== undefined);
		const signal = AbortSignal.any(signals);
		const generationConfig = { ...config, ...(stopSequences.length > 0 && { stopSequences }) };
		let body: GenerateRequest;
		try {
			body = {
				...toConversation(messages, signatures),
				...toTools(tools, sdk),
				...(Object.keys(generationConfig).length > 0 && { generationConfig }),
			};
		} catch (error) {
			throw toError(toInputFailure(error));
		}
		const question = { model, body, timeoutMs, signal };
		const send = async () => await askText(connection, question, onWords);
		const limiter = createLimiter(Infinity, signal);
		const end = await sendPaid(send, { limiter, clock: createClock(signal), maxPauseMs: Infinity });
		if (!end) throw toError(toInputFailure(CANCELED));
		if (end.kind !== 'answered') throw toError(toRequestFailure(end));
		const generated = toGenerated(end.answer, signatures);
		if ('failure' in generated) throw toError(generated.failure);
		return generated;
	};

	const withTools = (tools: Tool[]): ChatModel<AskOptions> => ({
		provider: 'gemini-compatible',
		modelId: model,
		generate: async (messages, asked = {}) => await ask(messages, tools, asked),
		/** Yields words as they come, then the tool calls, which come whole. */
		async *stream(messages, asked: AskOptions = {}) {
			const left = new AbortController();
			const signal = AbortSignal.any([left.signal, ...(asked.signal ? [asked.signal] : [])]);
			const pieces = connection.redactPieces();
			let hasSaid = false;
			const words = relay<string, Generated>(async (tell) => {
				try {
					const onWords = (said: string) => tell(pieces.add(said));
					return await ask(messages, tools, { ...asked, signal }, onWords);
				} finally {
					tell(pieces.end());
				}
			});
			try {
				let next = await words.next();
				for (; !next.done; next = await words.next()) {
					if (next.value === '') continue;
					hasSaid = true;
					yield { type: 'text-delta', delta: next.value };
				}
				const { finishReason, usage, message } = next.value;
				for (const reply of message.content) {
					if (reply.type === 'tool-call') {
						const { toolCallId: id, toolName: name, input: argumentsDelta } = reply;
						yield { type: 'tool-call-delta', id, name, argumentsDelta };
					} else if (reply.type === 'text' && !hasSaid) {
						// The text is the output of the model's code, which was not part of the stream.
						yield { type: 'text-delta', delta: reply.text };
					}
				}
				yield { type: 'finish', finishReason, usage };
			} finally {
				left.abort();
			}
		},
		withTools: (more) => withTools([...tools, ...more]),
	});
	return withTools([]);
}
