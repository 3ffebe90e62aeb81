import type { Plan } from '../../../../sandbox/service';
import { saying } from '../support/answers';
import { CONTINUE, onlyFailure, onlyItem } from '../support/stage';
import { orderOf, useStreamStage, wordsOf } from '../support/streamStage';

// Streamed answers that drip, burst or do not end, over real connections.

const { asked, listen } = useStreamStage();

/** More than any client waits: it has to end by itself. */
const ENDLESS = Number.MAX_SAFE_INTEGER;
const TIMEOUT = { parameters: { options: { timeout: 1 } } };

/** An answer in two chunks, and then what the plan says; compressed a thousandfold. */
const bursting = (padBytes: number, finishReason?: string): Plan => ({
	text: {
		status: 200,
		headers: { 'content-type': 'text/event-stream' },
		text: [saying('Bl'), saying('ue', finishReason)]
			.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`)
			.join(''),
		encoding: 'gzip',
		padBytes,
	},
});

it.each<[string, Plan]>([['the body', { text: { dripMs: 300 } }]])(
	'Timeout ends an answer that drips: %s',
	async (_what, plan) => {
		const beginMs = Date.now();
		const failure = onlyFailure(await listen(plan, { ...CONTINUE, ...TIMEOUT }));
		expect(Date.now() - beginMs).toBeLessThan(10_000);
		expect(JSON.stringify(failure)).toMatch(/No complete answer arrived|may be billed/);
		expect(asked()).toHaveLength(1);
	},
	20_000,
);

it.each([ENDLESS])(
	'a burst of %d bytes is given up, and its words kept',
	async (bytes) => {
		const result = await listen(bursting(bytes), CONTINUE);
		const failure = onlyFailure(result);
		expect(failure.message).toMatch(/arrived: .*larger than the 64 MB/);
		expect(failure.description).toContain('Text so far: "Blue"');
		expect(wordsOf(result.chunks)).toBe('Blue\n\n');
		expect(orderOf(result.chunks)).toBe('begin item error');
		expect(asked()).toHaveLength(1);
	},
	30_000,
);

it('a burst behind the end of an answer takes nothing away from it', async () => {
	const { json } = onlyItem(await listen(bursting(ENDLESS, 'STOP')));
	expect(json).toMatchObject({ text: 'Blue' });
}, 30_000);
