import type { IDataObject } from 'n8n-workflow';

import { readAnswer } from '../../../../../nodes/GenerateContent/gemini/answer';
import { askText } from '../../../../../nodes/GenerateContent/gemini/askText';
import { isFailure } from '../../../../../nodes/shared/failure/failure';
import type { NoAnswer, Readable, StreamAnswer } from '../../../../../nodes/shared/http/answer';
import { toJsonBody } from '../../../../../nodes/shared/http/body';

export const TIMEOUT_MS = 10_000;

/** A piece of an answer: bytes, milliseconds without any, or a break. */
export type Piece = string | Uint8Array | number | Error;

export const event = (value: unknown) => `data: ${JSON.stringify(value)}\n\n`;
export const words = (text: string, finishReason?: string): IDataObject => ({
	candidates: [{ content: { parts: [{ text }] }, finishReason, index: 0 }],
});
export const say = (text: string, finishReason?: string) => event(words(text, finishReason));
export const RESET = Object.assign(new Error('aborted'), { code: 'ECONNRESET' });

async function* toBody(pieces: Piece[], signal: AbortSignal) {
	const aborted = new Promise<never>((_resolve, reject) => {
		signal.addEventListener('abort', () => reject(new Error('canceled')));
	});
	aborted.catch(() => {});
	for (const piece of pieces) {
		if (piece instanceof Error) throw piece;
		if (typeof piece === 'number') {
			await Promise.race([jest.advanceTimersByTimeAsync(piece), aborted]);
		} else yield Buffer.from(piece as string);
	}
}

/** An answer with status 200 whose body comes in these pieces. */
export const opened = (pieces: Piece[], signal: AbortSignal): StreamAnswer => ({
	status: 200,
	headers: {},
	stream: toBody(pieces, signal) as unknown as Readable,
});

interface Way {
	/** Asks for a stream. */
	streamed?: boolean;
	/** The status of the answer. */
	status?: number;
	/** Answers in any other way. */
	open?: (signal: AbortSignal) => Promise<StreamAnswer | NoAnswer>;
	/** The prompt. */
	text?: string;
}

/** Asks for an answer that comes in these pieces; tells what was heard of it. */
export async function ask(pieces: Piece[], { streamed, status = 200, open, text = '' }: Way = {}) {
	const heard: string[] = [];
	let signal = new AbortController().signal;
	const connection = {
		baseUrl: 'https://api.example.com',
		open: async (_address: unknown, options: { signal: AbortSignal }) => {
			({ signal } = options);
			return open ? await open(signal) : { ...opened(pieces, signal), status };
		},
	};
	const body = toJsonBody({ contents: [{ role: 'user', parts: [{ text }] }] }, new Map());
	const question = { model: 'm', body, timeoutMs: TIMEOUT_MS, signal };
	const onWords = streamed ? (piece: string) => void heard.push(piece) : undefined;
	const end = await askText(connection, question, onWords);
	const result = isFailure(end) ? end : { ...readAnswer(end.chunks), isWhole: true };
	return { result, heard, signal };
}

export const whole = (text: string) => ({ isWhole: true, text });
export const cut = (text: string, why: string) => ({
	message: expect.stringMatching(`^Only a part of the answer arrived: ${why}`),
	text,
});
