import type { Plan } from '../../../../sandbox/service';

/** What the sandbox answers to `ask`, where its plan does not say otherwise. */
export const ANSWER = 'You asked: "Name a colour". The sandbox answers instead of a real model.';

/** A plan: this JSON with status 200. */
const answerWith = (json: unknown): Plan => ({ text: { status: 200, json } });

/** A plan: an answer of one candidate with these parts. */
export const withParts = (...parts: object[]): Plan =>
	answerWith({ candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP' }] });

/** A plan: an answer of one candidate with this text, and with a usage. */
export const oneCandidate = (text: string, finishReason = 'STOP', more: object = {}): Plan =>
	answerWith({
		candidates: [{ content: { parts: [{ text }], role: 'model' }, finishReason, ...more }],
		usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 5, thoughtsTokenCount: 7 },
	});

/** A plan: a stream of these events, with status 200. */
export const events = (...values: unknown[]): Plan => ({
	text: {
		status: 200,
		headers: { 'content-type': 'text/event-stream' },
		text: values.map((value) => `data: ${JSON.stringify(value)}\n\n`).join(''),
	},
});

/** One chunk of a stream. */
export const saying = (text: string, finishReason?: string) => ({
	candidates: [{ content: { parts: [{ text }] }, finishReason }],
});

/** A part: a file of these bytes. */
export const fileOf = (bytes: string, mimeType: string) => ({
	inlineData: { mimeType, data: Buffer.from(bytes, 'latin1').toString('base64') },
});

/** The bytes of something that is taken for a PNG file. */
export const pngOf = (name: string) => `\x89PNG\r\n\x1a\n${name}`;
