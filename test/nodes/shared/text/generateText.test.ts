import { createLimiter } from '../../../../nodes/shared/lib/limiter';
import type { GenerateResult } from '../../../../nodes/shared/service/textApi';
import { generateText } from '../../../../nodes/shared/text/generateText';

const ANSWERED: GenerateResult = { kind: 'answered', answer: {} };
const refused = (httpCode?: number): GenerateResult => ({
	kind: 'refused',
	error: { message: 'No', httpCode, retryable: true },
});
const UNCLEAR: GenerateResult = { ...refused(503), kind: 'unclear' } as GenerateResult;

function setUp(results: GenerateResult[], abortAfterWaits = Infinity) {
	const stop = new AbortController();
	const waits: number[] = [];
	const limiter = createLimiter(1);
	let asked = 0;
	const tools = {
		limiter,
		signal: stop.signal,
		random: () => 0,
		wait: async (ms: number) => {
			waits.push(ms);
			// The place is free while one waits: with a limit of 1 this would hang otherwise.
			await limiter(async () => {});
			if (waits.length >= abortAfterWaits) stop.abort();
		},
	};
	const ask = async () => results[Math.min(asked++, results.length - 1)];
	return { run: async () => await generateText(ask, tools), waits, stop, asked: () => asked };
}

describe('generateText', () => {
	it('asks again after a refusal that may pass, with doubled delays', async () => {
		const { run, waits } = setUp([refused(429), refused(503), ANSWERED]);
		expect(await run()).toBe(ANSWERED);
		expect(waits).toEqual([1_000, 2_000]);
	});

	it.each([[UNCLEAR], [refused(500)], [refused(401)]])('asks once after %j', async (result) => {
		const { run, asked } = setUp([result, ANSWERED]);
		expect(await run()).toBe(result);
		expect(asked()).toBe(1);
	});

	it.each([
		[429, 9],
		[undefined, 3],
	])('gives up on status %j after %i tries', async (status, tries) => {
		const { run, asked } = setUp([refused(status)]);
		expect(await run()).toMatchObject({ kind: 'refused' });
		expect(asked()).toBe(tries);
	});

	it('asks nothing once it is stopped', async () => {
		const first = setUp([ANSWERED]);
		first.stop.abort();
		expect(await first.run()).toBeUndefined();
		expect(first.asked()).toBe(0);
		const second = setUp([refused(429)], 2);
		expect(await second.run()).toBeUndefined();
		expect(second.asked()).toBe(2);
	});
});
