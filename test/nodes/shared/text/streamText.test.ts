import type { IDataObject } from 'n8n-workflow';

import type { Readable, StreamAnswer } from '../../../../nodes/shared/service/http';
import { streamText } from '../../../../nodes/shared/text/streamText';

const IDLE_MS = 10_000;

/** What a source does next: gives bytes, lets time pass, or breaks. */
type Step = string | number | Error;

const event = (value: unknown) => `data: ${JSON.stringify(value)}\n\n`;
const words = (text: string, finishReason?: string): IDataObject => ({
	candidates: [{ content: { parts: [{ text }] }, finishReason, index: 0 }],
});
const say = (text: string, finishReason?: string) => event(words(text, finishReason));
const RESET = Object.assign(new Error('aborted'), { code: 'ECONNRESET' });

/** A stream as Node.js has it, as far as it is needed: its class has `from`, abort ends it. */
class Source {
	static from = (chunks: unknown) => chunks;

	constructor(
		private readonly steps: Step[],
		private readonly signal: AbortSignal,
	) {}

	async *[Symbol.asyncIterator]() {
		const aborted = new Promise<never>((_resolve, reject) => {
			this.signal.addEventListener('abort', () => reject(new Error('canceled')));
		});
		aborted.catch(() => {});
		for (const step of this.steps) {
			if (step instanceof Error) throw step;
			if (typeof step === 'string') yield new TextEncoder().encode(step);
			else await Promise.race([jest.advanceTimersByTimeAsync(step), aborted]);
			if (this.signal.aborted) throw new Error('canceled');
		}
	}
}

async function play(steps: Step[], more: Partial<StreamAnswer> = {}) {
	const heard: string[] = [];
	const seen: { signal?: AbortSignal } = {};
	const result = await streamText({
		open: async (signal) => {
			seen.signal = signal;
			const stream = new Source(steps, signal) as unknown as Readable;
			return { status: 200, headers: {}, stream, ...more };
		},
		onWords: async (text) => void heard.push(text),
		idleTimeoutMs: IDLE_MS,
		redact: (text) => text.split('secret').join('[API key]'),
	});
	return { result, heard, signal: seen.signal! };
}

const said = (text: string) =>
	expect.objectContaining({ content: { parts: [{ text }] } }) as unknown;
const answered = (text: string) => ({
	kind: 'answered',
	answer: { candidates: [said(text)] },
});
const brokeOff = (text: string, message: RegExp | string) => ({
	kind: 'unclear',
	error: { message: expect.stringMatching(message) },
	partial: { candidates: expect.arrayContaining([said(text)]) },
});

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

describe('the time-out', () => {
	it('is about silence, not about the whole answer', async () => {
		const slow = Array.from({ length: 20 }, () => [9_000, say('a')]).flat();
		const { result, heard } = await play([...slow, say('!', 'STOP')]);
		expect(result).toMatchObject(answered(`${'a'.repeat(20)}!`));
		expect(heard).toHaveLength(21);
	});

	it('takes a keep-alive for a sign of life', async () => {
		const alive = Array.from({ length: 20 }, () => [9_000, ': alive\n\n']).flat();
		expect((await play([...alive, say('a', 'STOP')])).result).toMatchObject(answered('a'));
	});

	it('gives a silent answer up and keeps what came', async () => {
		const { result, heard, signal } = await play([say('Bl'), 30_000, say('ue', 'STOP')]);
		expect(result).toMatchObject(
			brokeOff('Bl', /^The service sent nothing more for 10 s \(Timeout\)$/),
		);
		expect(heard).toEqual(['Bl']);
		expect(signal.aborted).toBe(true);
	});

	it('gives an answer up that never begins', async () => {
		const { result } = await play([30_000]);
		expect(result).toMatchObject({ kind: 'unclear' });
		expect(result).not.toHaveProperty('partial');
	});
});

describe('the end of an answer', () => {
	const WHOLE: Array<[string, Step[]]> = [
		['says so', [say('Blue', 'STOP')]],
		['says so before the connection is cut', [say('Blue', 'STOP'), RESET]],
		['has a usage record behind it', [say('Blue', 'STOP'), event({ usageMetadata: {} })]],
		['says [DONE] and gives no reason', [say('Blue'), 'data: [DONE]\n\n']],
		['is the end of a list', [JSON.stringify([words('Bl'), words('ue')])]],
		['is that of a single object', [JSON.stringify(words('Blue'))]],
		['follows objects of no known shape', [event({ type: 'ping' }), say('Blue', 'STOP')]],
	];
	it.each(WHOLE)('that %s is the end', async (_what, steps) => {
		const { result, signal } = await play(steps);
		expect(result).toMatchObject(answered('Blue'));
		expect(signal.aborted).toBe(true);
	});

	const CUT: Array<[string, Step[], string]> = [
		['with the connection', [say('Bl'), RESET], 'The connection was cut before'],
		['in silence', [say('Bl')], 'The stream ended before the answer did'],
		['in silence, one of two', [event(two('Bl'))], 'The stream ended before the answer did'],
		['inside an event', [say('Bl'), 'data: {"candi'], 'A part of what the service sent cannot'],
		['inside a list', [`[${JSON.stringify(words('Bl'))},`], 'A part of what the service sent'],
		[
			'by an event that is broken',
			[say('Bl'), 'data: {"candidates":[}\n\n', say('', 'STOP')],
			'A part of what the service sent cannot be read',
		],
		['by a report', [say('Bl'), event({ error: { code: 503 } })], 'The service is not available'],
		['by a report in words', [say('Bl'), event({ error: 'gone' })], 'The service did not go on'],
		[
			'by the other shape of a report',
			[say('Bl'), event({ code: 'insufficient_user_quota', message: 'No' })],
			'The account has no money left',
		],
	];
	it.each(CUT)('that comes %s is none: what came is kept', async (_what, steps, message) => {
		expect((await play(steps)).result).toMatchObject(brokeOff('Bl', message));
	});

	it('that is a report ends the request', async () => {
		const { result, heard, signal } = await play([event({ error: { code: 500 } }), say('late')]);
		expect(result).toMatchObject({ kind: 'unclear', error: { httpCode: 500 } });
		expect([heard, signal.aborted]).toEqual([[], true]);
	});
});

function two(text: string): IDataObject {
	const [first] = words(text, 'STOP').candidates as IDataObject[];
	return { candidates: [first, { content: { parts: [{ text: 'x' }] }, index: 1 }] };
}

describe('before the first chunk', () => {
	it.each([
		['refused', 429, { error: { code: 429, message: 'Slow down' } }],
		['refused', 400, { error: { code: 400, message: 'No' } }],
		['unclear', 503, { error: { code: 503, message: 'Busy' } }],
		['unclear', 408, { error: { code: 408, message: 'Late' } }],
	])('a report is %s with code %i', async (kind, httpCode, report) => {
		expect((await play([event(report)])).result).toMatchObject({ kind, error: { httpCode } });
	});

	it.each([
		['refused', { code: 'some_error', message: 'No' }],
		['unclear', { error: { message: 'No', code: '' } }],
		['unclear', {}],
	])('is %s, as where nothing is streamed: %j', async (kind, body) => {
		const { result } = await play([JSON.stringify(body)]);
		expect(result).toMatchObject({ kind, error: { httpCode: 200 } });
	});

	it('a refusal has its status, its words and its Retry-After, and no chunks', async () => {
		const headers = { 'retry-after': '7' };
		const { result, heard } = await play([say('The key is secret')], { status: 429, headers });
		expect(result).toMatchObject({
			kind: 'refused',
			retryAfterMs: 7_000,
			error: { httpCode: 429 },
		});
		expect(heard).toEqual([]);
	});

	it('a request that was not sent is a refusal', async () => {
		const fault = { network: 'notSent', code: 'ECONNREFUSED', message: 'Nobody' } as const;
		const result = await streamText({
			open: async () => fault,
			onWords: async () => {},
			idleTimeoutMs: 1,
			redact: String,
		});
		expect(result).toMatchObject({ kind: 'refused', error: { message: 'Nobody' } });
	});
});

it('the key is in no answer and in no report', async () => {
	const quoted = { error: { code: 500, message: 'secret' } };
	const seen = [
		await play([say('a sec'), say('ret b', 'STOP')]),
		await play([say('Bl'), event(quoted)]),
		await play([event(quoted)]),
	];
	expect(JSON.stringify(seen.map(({ result }) => result))).not.toContain('secret');
	expect(JSON.stringify(seen[0].result)).toContain('a [API key] b');
});
