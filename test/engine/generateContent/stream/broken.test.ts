import type { Plan } from '../../../../sandbox/service';
import { CONTINUE, orderOf } from '../../../support/stage';
import { ANSWER } from '../support/answers';
import { onlyFailure, useTextStage, wordsOf } from '../support/stage';

const { requests, listen } = useTextStage();

describe('an answer that breaks off', () => {
	const rows: Array<[string, Plan, RegExp, string]> = [
		[
			'because the connection is cut',
			{ chunks: 3, text: { cutAfterBytes: 500 } },
			/^Only a part of the answer arrived: the connection was cut before the answer was complete \[item 0\]$/,
			ANSWER.slice(0, 24),
		],
		[
			'because the service falls silent',
			{ chunks: 3, text: { stallAfterBytes: 500 } },
			/^Only a part of the answer arrived: the service did not answer in time \[item 0\]$/,
			ANSWER.slice(0, 24),
		],
	];

	it.each(rows)('%s keeps what came and is not asked again', async (_what, plan, message, text) => {
		const stalls = JSON.stringify(plan).includes('stall');
		const parameters = { options: stalls ? { timeout: 1 } : {} };
		const result = await listen(plan, { ...CONTINUE, parameters });
		const failure = onlyFailure(result);
		expect(failure.message).toMatch(message);
		expect(failure.description).toContain(
			'The answer may have been billed, so the prompt was not sent again.',
		);
		expect(failure.description).toContain(`The model wrote: "${text}"`);
		expect(failure).toMatchObject({ retryable: false });
		expect(requests()).toHaveLength(1);
		// What the failure says is a paragraph of its own in a chat.
		expect(wordsOf(result.chunks)).toBe(`${text}\n\n`);
		expect(orderOf(result.chunks)).toBe('begin item error');
		expect(result.chunks.at(-1)?.content).toBe(failure.message);
	});

	it('stops the node in the default mode, where n8n tells who listens', async () => {
		const result = await listen({ chunks: 5, errorAfterChunks: 2 });
		expect(result.error).toMatchObject({ name: 'NodeApiError', httpCode: '503' });
		expect(result.error?.description).toContain(`The model wrote: "${ANSWER.slice(0, 30)}"`);
		expect(orderOf(result.chunks)).toBe('begin item error error');
		expect(result.chunks.at(-2)?.content).toBe(`${result.error?.message}\n\n`);
		expect(result.chunks.at(-1)?.content).toBe(result.error?.description);
	});
});
