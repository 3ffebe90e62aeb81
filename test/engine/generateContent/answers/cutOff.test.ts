import type { RunResult } from '../../../support/engine';
import { SAID } from '../support/answers';
import { CONTINUE, onlyFailure, onlyItem, useTextStage } from '../support/stage';

const { ask } = useTextStage();

/** What the answers took is told as information. */
const warningsOf = (result: RunResult) => result.hints().filter(({ type }) => type === 'warning');

describe('an answer that was cut off', () => {
	it('by the token limit is an answer, with a hint', async () => {
		const result = await ask({}, { parameters: { options: { maxOutputTokens: 3 } } });
		const { json } = onlyItem(result);
		expect(json).toMatchObject({ text: SAID.slice(0, 12), finishReason: 'MAX_TOKENS' });
		expect(warningsOf(result)).toEqual([
			{
				message:
					'Incomplete because the token limit was reached (item 0). Raise Max Output Tokens or lower Thinking Budget.',
				type: 'warning',
				location: 'outputPane',
			},
		]);
	});

	it('by the token limit in another spelling is an answer, too', async () => {
		const result = await ask({ finishReason: 'length' });
		expect(onlyItem(result).json).toMatchObject({ text: SAID, finishReason: 'length' });
		expect(warningsOf(result)).toHaveLength(1);
	});

	it.each(['MALFORMED_FUNCTION_CALL', 'UNEXPECTED_TOOL_CALL', 'OTHER', '<b>NEW_WORD</b>'])(
		'for the reason %s is none, and its text is kept',
		async (finishReason) => {
			const failure = onlyFailure(await ask({ finishReason }, CONTINUE));
			expect(failure.message).toMatch(/^The model stopped in the middle of its answer/);
			expect(failure).toMatchObject({
				...{ fail_reason: finishReason, text: SAID, next: 'changeRequest', retryable: false },
			});
		},
	);

	it.each(['STOP', 'stop', 'end_turn'])('is none for the reason %s', async (finishReason) => {
		expect(warningsOf(await ask({ finishReason }))).toEqual([]);
	});

	it('gives one hint for all items of one reason', async () => {
		const items = Array.from({ length: 12 }, () => ({ json: {} }));
		const result = await ask({ finishReason: 'MAX_TOKENS' }, { items });
		expect(warningsOf(result)).toHaveLength(1);
		expect(warningsOf(result)[0].message).toContain('(item 0 and 11 more)');
	});
});
