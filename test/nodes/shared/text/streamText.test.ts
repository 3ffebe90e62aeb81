import type { NoAnswer } from '../../../../nodes/shared/service/http';
import { type Streaming, streamText } from '../../../../nodes/shared/text/streamText';
import { answered, brokeOff, event, IDLE_MS, listen, opened, play, RESET, say } from './support/source';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

const NOT_SENT = { network: 'notSent', code: 'ECONNREFUSED', message: 'Nobody' } as const;

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

describe('before the first chunk', () => {
	it.each([
		['refused', 429, { error: { code: 429, message: 'Slow down' } }],
		['refused', 400, { error: { code: 400, message: 'No' } }],
		['unclear', 503, { error: { code: 503, message: 'Busy' } }],
		['unclear', 408, { error: { code: 408, message: 'Late' } }],
	])('trouble that the service tells is %s with code %i', async (kind, httpCode, told) => {
		expect((await play([event(told)])).result).toMatchObject({ kind, trouble: { httpCode } });
	});

	it.each([
		['refused', { code: 'some_error', message: 'No' }],
		['unclear', { error: { message: 'No', code: '' } }],
		['unclear', {}],
	])('is %s, as where nothing is streamed: %j', async (kind, body) => {
		const { result } = await play([JSON.stringify(body)]);
		expect(result).toMatchObject({ kind, trouble: { httpCode: 200 } });
	});

	it('a refusal has its status, its words and its Retry-After, and no chunks', async () => {
		const headers = { 'retry-after': '7' };
		const { result, heard } = await play([say('The key is secret')], { status: 429, headers });
		expect(result).toMatchObject({
			kind: 'refused',
			retryAfterMs: 7_000,
			trouble: { httpCode: 429 },
		});
		expect(heard).toEqual([]);
	});

	it('a request that was not sent is a refusal', async () => {
		const { result } = await listen(async () => NOT_SENT);
		expect(result).toMatchObject({ kind: 'refused', trouble: { message: 'Nobody' } });
	});
});

describe('an answer that is opened', () => {
	/** Ends when its request does, as n8n's helper does. */
	const untilCanceled = async (signal: AbortSignal, onEnd: () => void = () => {}) =>
		await new Promise<NoAnswer>((resolve) => {
			signal.addEventListener('abort', () => {
				onEnd();
				resolve({ network: 'canceled', code: 'ERR_CANCELED', message: 'The request was stopped' });
			});
		});

	it('never is given up after the time-out, and its request is ended', async () => {
		const startedAtMs = Date.now();
		let tookMs = 0;
		const listening = listen(
			async (signal) => await untilCanceled(signal, () => (tookMs = Date.now() - startedAtMs)),
		);
		await jest.advanceTimersByTimeAsync(2 * IDLE_MS);
		expect((await listening).result).toEqual({
			kind: 'unclear',
			trouble: {
				message: 'The service did not answer in time',
				code: 'ETIMEDOUT',
				retryable: true,
			},
		});
		expect(tookMs).toBeGreaterThanOrEqual(IDLE_MS);
		expect(tookMs).toBeLessThanOrEqual(1.25 * IDLE_MS);
	});

	it('late has the whole time-out for its first byte', async () => {
		const { result } = await listen(async (signal) => {
			await jest.advanceTimersByTimeAsync(9_000);
			return opened([9_000, say('a', 'STOP')], signal);
		});
		expect(result).toMatchObject(answered('a'));
	});
});

describe('the timer of an answer', () => {
	it('is one as long as it comes', async () => {
		const counts: number[] = [];
		const result = await streamText({
			open: async (signal) => opened([say('a'), say('b', 'STOP')], signal),
			onWords: async () => void counts.push(jest.getTimerCount()),
			idleTimeoutMs: IDLE_MS,
		});
		expect(result).toMatchObject(answered('ab'));
		expect([counts, jest.getTimerCount()]).toEqual([[1, 1], 0]);
	});

	it.each<[string, Streaming['open']]>([
		['a whole answer', async (signal) => opened([say('a', 'STOP')], signal)],
		['one that breaks off', async (signal) => opened([say('a'), RESET], signal)],
		['one that ends early', async (signal) => opened([say('a')], signal)],
		[
			'trouble that the service tells',
			async (signal) => opened([event({ error: { code: 500 } })], signal),
		],
		['a refusal', async (signal) => ({ ...opened(['No'], signal), status: 429 })],
		['silence', async (signal) => opened([say('a'), 30_000], signal)],
		['a request that was not sent', async () => NOT_SENT],
	])('is gone after %s', async (_what, open) => {
		const { signal } = await listen(open);
		expect([jest.getTimerCount(), signal.aborted]).toEqual([0, true]);
	});

	it('is gone where somebody throws who hears the words', async () => {
		const streaming = streamText({
			open: async (signal) => opened([say('a', 'STOP')], signal),
			onWords: async () => await Promise.reject(new Error('deaf')),
			idleTimeoutMs: IDLE_MS,
		});
		expect(await streaming).toMatchObject({ kind: 'unclear' });
		expect(jest.getTimerCount()).toBe(0);
	});
});
