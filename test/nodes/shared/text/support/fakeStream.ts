import type { IDataObject } from 'n8n-workflow';

import { wordsFor } from '../../../../../nodes/shared/item/words';
import { isFailure } from '../../../../../nodes/shared/service/failure';
import type { NoAnswer, Readable, StreamAnswer } from '../../../../../nodes/shared/service/http';
import type { GenerateRequest } from '../../../../../nodes/shared/text/askText';
import { askText } from '../../../../../nodes/shared/text/askText';

export const IDLE_MS = 10_000;

/** A piece of a stream: bytes, milliseconds without any, or a break. */
export type Piece = string | number | Error;

export const event = (value: unknown) => `data: ${JSON.stringify(value)}\n\n`;
export const words = (text: string, finishReason?: string): IDataObject => ({
	candidates: [{ content: { parts: [{ text }] }, finishReason, index: 0 }],
});
export const say = (text: string, finishReason?: string) => event(words(text, finishReason));
export const RESET = Object.assign(new Error('aborted'), { code: 'ECONNRESET' });

/** A stream as Node.js has it, as far as it is needed: its class has `from`, abort ends it. */
class FakeStream {
	static from = (chunks: unknown) => chunks;

	constructor(
		private readonly pieces: Piece[],
		private readonly signal: AbortSignal,
	) {}

	async *[Symbol.asyncIterator]() {
		const aborted = new Promise<never>((_resolve, reject) => {
			this.signal.addEventListener('abort', () => reject(new Error('canceled')));
		});
		aborted.catch(() => {});
		for (const piece of this.pieces) {
			if (piece instanceof Error) throw piece;
			if (typeof piece === 'string') yield new TextEncoder().encode(piece);
			else await Promise.race([jest.advanceTimersByTimeAsync(piece), aborted]);
			if (this.signal.aborted) throw new Error('canceled');
		}
	}
}

/** An answer with status 200 whose body comes in these pieces. */
export const opened = (pieces: Piece[], signal: AbortSignal): StreamAnswer => ({
	status: 200,
	headers: {},
	stream: new FakeStream(pieces, signal) as unknown as Readable,
});

export const play = async (pieces: Piece[], more: Partial<StreamAnswer> = {}) =>
	await listen(async (signal) => ({ ...opened(pieces, signal), ...more }));

/** Adds the words of a failure for a person. */
export const worded = (end: Awaited<ReturnType<typeof askText>>) =>
	isFailure(end) ? { ...end, ...wordsFor(end) } : end;

/** Streams the text of an answer that is opened so, and tells what was heard of it. */
export async function listen(
	open: (signal: AbortSignal) => Promise<StreamAnswer | NoAnswer>,
	onWords: (words: string) => void = () => {},
	body: GenerateRequest = { contents: [] },
) {
	const heard: string[] = [];
	const seen: { signal?: AbortSignal } = {};
	const connection = {
		send: async () => await Promise.reject(new Error('Not streamed')),
		open: async (_address: unknown, { signal }: { signal: AbortSignal }) => {
			seen.signal = signal;
			return await open(signal);
		},
	};
	const { signal: never } = new AbortController();
	const question = { model: 'm', body, timeoutMs: IDLE_MS, signal: never };
	const end = await askText(connection, question, async (text) => {
		heard.push(text);
		onWords(text);
	});
	return { result: worded(end), heard, signal: seen.signal! };
}

const candidateWith = (text: string) =>
	expect.objectContaining({ content: { parts: [{ text }] } }) as unknown;
export const answered = (text: string) => ({ answer: { candidates: [candidateWith(text)] } });
export const brokeOff = (text: string, why: string) => ({
	certainty: 'unclear',
	message: expect.stringMatching(`^Only a part of the answer arrived: ${why}`),
	text,
});
