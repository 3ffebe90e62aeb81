import type { NoAnswer } from '../../../../nodes/shared/http/answer';
import {
	ask,
	cut,
	event,
	opened,
	type Piece,
	RESET,
	say,
	TIMEOUT_MS,
	whole,
	words,
} from './support/fakeStream';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

const json = (value: unknown) => JSON.stringify(value);
const WAYS = [
	['whole', { streamed: false }],
	['streamed', { streamed: true }],
] as const;

describe.each(WAYS)('an answer that is asked for as %s', (_how, way) => {
	it.each<[string, Piece[]]>([
		['one object', [json(words('Blue', 'STOP'))]],
		['a list', [json([words('Bl'), words('ue', 'STOP')])]],
		['objects in a row', [json(words('Bl')), '\n', json(words('ue', 'STOP'))]],
		['events', [say('Bl'), say('ue', 'STOP')]],
		['events behind one of another kind', [event({ type: 'ping' }), say('Blue', 'STOP')]],
		['events with an end mark', [say('Blue', 'STOP'), 'data: [DONE]\n\n']],
		['a reason before usage', [say('Blue', 'STOP'), event({ usageMetadata: { a: 1 } })]],
		['a reason before a cut', [say('Bl'), say('ue', 'STOP'), RESET]],
		['with an error that is none', [event({ ...words('Blue', 'STOP'), error: { code: 0 } })]],
	])('is whole as %s', async (_what, pieces) => {
		const { result, signal } = await ask(pieces, way);
		expect(result).toMatchObject(whole('Blue'));
		expect(signal.aborted).toBe(true);
	});

	const NO_CREDIT = { code: 'insufficient_user_quota', message: 'No' };
	const BROKEN = 'data: {"candidates":[}\n\n';
	it.each<[string, Piece[], text: string, why: string]>([
		['with the connection', [say('Bl'), RESET], 'Bl', 'the connection was cut before'],
		['in silence', [say('Bl'), 2 * TIMEOUT_MS], 'Bl', 'the service did not answer in time'],
		['without a reason', [say('Bl')], 'Bl', 'it has no finishReason'],
		[
			'where each chunk has a reason',
			[say('B', 'STOP'), say('l', 'STOP'), RESET],
			'Bl',
			'the conn',
		],
		['by no JSON', [say('Bl'), BROKEN, say('ue', 'STOP')], 'Blue', 'a part of it cannot be read'],
		['by an error', [say('Bl'), event({ error: { code: 503 } })], 'Bl', 'the service is not avail'],
		['by one of New API', [say('Bl'), event(NO_CREDIT)], 'Bl', 'the account is out of credit'],
	])('that ends %s is unclear, and what came is kept', async (_what, pieces, text, why) => {
		expect((await ask(pieces, way)).result).toMatchObject(cut(text, why));
	});

	it('is blocked without a reason', async () => {
		const { result } = await ask([event({ promptFeedback: { blockReason: 'OTHER' } })], way);
		expect(result).toMatchObject({ isWhole: true, blockReason: 'OTHER' });
	});

	it.each<['refused' | 'missing', number, string, number?]>([
		['refused', 400, '{}'],
		['missing', 500, '{"candidates":[]}'],
		['missing', 200, '{"candidates":[]}'],
		['refused', 200, event({ error: { code: 400, message: 'No' } }), 400],
		['missing', 200, event({ error: { code: 503, message: 'Overloaded' } }), 503],
		['missing', 200, json({ code: 'some_error', message: 'No', data: null })],
	])('is %s with status %i and %s', async (how, status, body, http_code = status) => {
		const { result } = await ask([body], { ...way, status });
		const words = { refused: /^Nothing was generated/, missing: /^No complete answer/ }[how];
		expect(result).toMatchObject({ message: expect.stringMatching(words), http_code });
	});
});

it('cut at any byte, events are whole or unclear, and lose no word that came', async () => {
	const bytes = Buffer.from(say('Grü') + say('ße ') + say('😀', 'STOP'));
	for (let at = 0; at <= bytes.length; at++) {
		const begin = bytes.subarray(0, at);
		const { result } = await ask([begin, RESET], { streamed: true });
		const came = [...begin.toString().matchAll(/"text":"([^"]*)"[^]*?"index":0\}\]\}/g)];
		if ('isWhole' in result) expect(result).toMatchObject(whole('Grüße 😀'));
		else expect(result).toMatchObject({ next: 'checkUsage' });
		expect(('text' in result && result.text) || '').toBe(came.map(([, text]) => text).join(''));
		const { result: same } = await ask([begin, bytes.subarray(at)]);
		expect(same).toMatchObject(whole('Grüße 😀'));
	}
});

describe('the time-out', () => {
	const slow = Array.from({ length: 20 }, () => [0.9 * TIMEOUT_MS, say('a')]).flat();

	it('of a stream is about silence', async () => {
		const { result, heard } = await ask([...slow, say('!', 'STOP')], { streamed: true });
		expect(result).toMatchObject(whole(`${'a'.repeat(20)}!`));
		expect(heard.join('')).toBe(`${'a'.repeat(20)}!`);
	});

	it('of a whole answer is about all of it', async () => {
		expect((await ask([...slow, say('!', 'STOP')])).result).toMatchObject({
			message: 'Only a part of the answer arrived: the service did not answer in time',
		});
	});

	const untilEnded = async (signal: AbortSignal) =>
		await new Promise<NoAnswer>((resolve) => {
			const canceled = { network: 'canceled', code: 'ERR_CANCELED', message: 'Stopped' } as const;
			signal.addEventListener('abort', () => resolve(canceled));
		});

	it.each(WAYS)('ends a request that nobody answers: %s', async (_how, way) => {
		const asking = ask([], { ...way, open: untilEnded });
		await jest.advanceTimersByTimeAsync(2 * TIMEOUT_MS);
		expect((await asking).result).toMatchObject({
			message: 'No complete answer arrived: the service did not answer in time',
			description: expect.stringMatching(/^The answer may have been billed, .* not sent again/),
			retryable: false,
		});
	});

	it('leaves a large request the time of its upload', async () => {
		const open = async (signal: AbortSignal) => {
			await jest.advanceTimersByTimeAsync(2 * TIMEOUT_MS);
			return signal.aborted ? await untilEnded(signal) : opened([say('a', 'STOP')], signal);
		};
		const { result } = await ask([], { streamed: true, open, text: 'a'.repeat(2 * 1024 ** 2) });
		expect(result).toMatchObject(whole('a'));
	});
});

it('a picture in Markdown is not heard, wherever it is cut', async () => {
	const written = 'See ![a](data:image/png;base64,AAAA) and [this](b)!';
	const pieces = [...written].map((sign) => say(sign));
	const { result, heard } = await ask([...pieces, say('', 'STOP')], { streamed: true });
	expect(heard.join('')).toBe('See  and [this](b)!');
	expect(result).toMatchObject({
		text: 'See  and [this](b)!',
		files: [{ mimeType: 'image/png', pieces: ['AAAA'] }],
	});
});
