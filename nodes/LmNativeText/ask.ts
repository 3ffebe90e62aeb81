import type { Failure } from '../shared/item/failure';
import { createClock } from '../shared/lib/time';
import { createLimiter } from '../shared/lib/turns';
import { CANCELED } from '../shared/service/http';
import { sendPaid } from '../shared/service/paid';
import { type GenerateRequest, type GenerateResult, streamGenerateContent } from '../shared/service/textApi';
import { streamText } from '../shared/text/streamText';
import { toRequestFailure } from '../shared/text/textFailure';
import { wholeText } from '../shared/text/wholeText';
import type { ModelSetting } from './modelSetting';
import type { Generated } from './protocol';
import { toGenerated } from './toGenerated';

/**
 * Asks until there is an answer or a clear end; the same rules as everywhere: a clear refusal is
 * tried again, what may be paid for is not.
 *
 * @param signal ends the request
 * @param onWords hears the words as they come; without it the answer comes whole
 */
export async function ask(
	{ connection, model, timeoutMs }: ModelSetting,
	body: GenerateRequest,
	signal: AbortSignal,
	onWords?: (words: string) => void,
): Promise<Generated | { failure: Failure }> {
	const question = { model, body, timeoutMs };
	const stream = async (tell: (words: string) => void): Promise<GenerateResult> =>
		await streamText({
			open: async (end) =>
				await streamGenerateContent(connection, question, AbortSignal.any([signal, end])),
			onWords: async (words) => tell(words),
			idleTimeoutMs: timeoutMs,
		});
	const send = async () =>
		onWords ? await stream(onWords) : await wholeText(connection, question);
	const sending = {
		limiter: createLimiter(Infinity, signal),
		clock: createClock(signal),
		maxPauseMs: Infinity,
	};
	const end = await sendPaid(send, sending);
	if (!end) return { failure: WAS_STOPPED };
	return end.kind === 'answered' ? toGenerated(end.answer) : { failure: toRequestFailure(end) };
}

const WAS_STOPPED: Failure = {
	message: CANCELED.message,
	retryable: false,
	next: 'changeRequest',
	source: 'input',
};
