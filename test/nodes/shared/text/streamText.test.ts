import { streamText } from '../../../../nodes/shared/text/streamText';
import { answered, brokeOff, event, play, say } from './support/source';

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
