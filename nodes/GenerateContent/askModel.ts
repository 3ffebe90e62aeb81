import type { IExecuteFunctions } from 'n8n-workflow';

import type { Connection } from '../shared/service/http';
import { createSend } from '../shared/service/connection';
import {
	generateContent,
	streamGenerateContent,
	type GenerateRequest,
	type GenerateResult,
} from '../shared/service/textApi';
import { streamText } from '../shared/text/streamText';
import type { TextJob } from './readJobs';
import type { Speaker } from './sayWords';

export type Ask = (
	job: TextJob,
	body: GenerateRequest,
	speaker: Speaker | undefined,
) => Promise<GenerateResult>;

/** Asks once: for an answer in pieces where somebody hears them, else for a whole one. */
export function createAsk(context: IExecuteFunctions, connection: Connection): Ask {
	const send = createSend(context, connection);
	const stop = context.getExecutionCancelSignal();
	return async ({ model, timeoutMs }, body, speaker) => {
		if (!speaker) return await generateContent(send, model, body, timeoutMs);
		return await streamText({
			open: async (end) => {
				const signal = stop ? AbortSignal.any([stop, end]) : end;
				const options = { timeoutMs, signal };
				return await streamGenerateContent(context, connection, model, body, options);
			},
			onWords: speaker.say,
			idleTimeoutMs: timeoutMs,
			redact: connection.redact,
		});
	};
}
