import type { NoAnswer } from '../../../../nodes/shared/service/http';
import {
	answered,
	brokeOff,
	event,
	IDLE_MS,
	listen,
	opened,
	play,
	RESET,
	say,
	type Piece,
	words,
} from './support/fakeStream';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

describe('the time-out', () => {
	it('is about silence, not about the whole answer', async () => {
		const slow = Array.from({ length: 20 }, () => [9_000, say('a')]).flat();
		const { result, heard } = await play([...slow, say('!', 'STOP')]);
		expect(result).toMatchObject(answered(`${'a'.repeat(20)}!`));
		expect(heard).toHaveLength(21);
	});
});

describe('before the first chunk', () => {
	it.each([
		['refused', 429, { error: { code: 429, message: 'Slow down' } }],
		['refused', 400, { error: { code: 400, message: 'No' } }],
		['unclear', 408, { error: { code: 408, message: 'Late' } }],
	])('trouble that the service tells is %s with code %i', async (certainty, httpCode, report) => {
		const { result } = await play([event(report)]);
		expect(result).toMatchObject({ certainty });
		expect(result).toMatchObject({ httpCode });
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
		expect((await listening).result).toMatchObject({
			during: 'text',
			certainty: 'unclear',
			message: 'No complete answer arrived: the service did not answer in time',
			description: expect.stringMatching(/^The answer may have been billed, .* not sent again/),
			code: 'ETIMEDOUT',
			passes: false,
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

	it('after a large request has the time of its upload on top', async () => {
		const body = {
			contents: [{ role: 'user' as const, parts: [{ text: 'a'.repeat(2 * 1024 ** 2) }] }],
		};
		const open = async (signal: AbortSignal) => {
			await jest.advanceTimersByTimeAsync(20_000);
			return signal.aborted ? await untilCanceled(signal) : opened([say('a', 'STOP')], signal);
		};
		const { result } = await listen(open, () => {}, body);
		expect(result).toMatchObject(answered('a'));
	});
});

describe('the end of an answer', () => {
	const WHOLE: Array<[string, Piece[]]> = [
		['says so', [say('Blue', 'STOP')]],
		['says so alone before it', [say('Blue'), say('', 'STOP'), RESET]],
		[
			'says so with a usage record behind it',
			[say('Blue', 'STOP'), event({ usageMetadata: {} }), RESET],
		],
		['says so, and then nothing more', [say('Blue', 'STOP'), say('', 'STOP'), RESET]],
		['says [DONE] and gives no reason', [say('Blue'), 'data: [DONE]\n\n']],
		['is the end of a list', [JSON.stringify([words('Bl'), words('ue')])]],
		['follows objects of no known shape', [event({ type: 'ping' }), say('Blue', 'STOP')]],
	];
	it.each(WHOLE)('that %s is the end', async (_what, pieces) => {
		const { result, signal } = await play(pieces);
		expect(result).toMatchObject(answered('Blue'));
		expect(signal.aborted).toBe(true);
	});

	const CUT: Array<[string, Piece[], string]> = [
		['with the connection', [say('Bl'), RESET], 'the connection was cut before'],
		[
			'with it, where each chunk says STOP',
			[say('B', 'STOP'), say('l', 'STOP'), RESET],
			'the conn',
		],
		[
			'with silence, where each chunk says STOP',
			[say('B', 'STOP'), say('l', 'STOP'), 30_000],
			'the service sent nothing more',
		],
		['in silence', [say('Bl')], 'the stream ended before the answer was complete'],
		['inside an event', [say('Bl'), 'data: {"candi'], 'a part of the answer cannot'],
		['inside a list', [`[${JSON.stringify(words('Bl'))},`], 'a part of the answer'],
		[
			'by an event that is broken',
			[say('Bl'), 'data: {"candidates":[}\n\n', say('', 'STOP')],
			'a part of the answer cannot be read',
		],
		['by trouble', [say('Bl'), event({ error: { code: 503 } })], 'the service is not available'],
		[
			'by the other shape of trouble',
			[say('Bl'), event({ code: 'insufficient_user_quota', message: 'No' })],
			'the account is out of credit',
		],
	];
	it.each(CUT)('that comes %s is none: what came is kept', async (_what, pieces, message) => {
		expect((await play(pieces)).result).toMatchObject(brokeOff('Bl', message));
	});
});

it('an answer that goes on for ever ends after ten minutes', async () => {
	const beginMs = Date.now();
	const alive = Array.from({ length: 500 }, () => [5_000, ': alive\n\n']).flat();
	const { result, signal } = await play([say('Bl'), ...alive]);
	expect(result).toMatchObject({
		certainty: 'unclear',
		message: expect.stringMatching(/not answer in time/),
	});
	expect(signal.aborted).toBe(true);
	const seconds = (Date.now() - beginMs) / 1000;
	expect(seconds).toBeGreaterThan(590);
	expect(seconds).toBeLessThan(620);
});
