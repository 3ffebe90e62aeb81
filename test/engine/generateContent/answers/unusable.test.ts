import type { IDataObject } from 'n8n-workflow';

import type { Plan } from '../../../../sandbox/service';
import { answerWith, oneCandidate } from '../support/answers';
import { CONTINUE, onlyFailure, useTextStage } from '../support/stage';

const { ask } = useTextStage();

describe('no usable answer', () => {
	const rated = {
		safetyRatings: [
			{ category: 'HARM_CATEGORY_HARASSMENT', probability: 'HIGH' },
			{ category: 'HARM_CATEGORY_HATE_SPEECH', probability: 'NEGLIGIBLE' },
		],
	};
	const rows: Array<[string, Plan, string, IDataObject]> = [
		[
			'a blocked prompt',
			{ blocked: true },
			'The prompt was blocked because the service prohibits the content (blockReason PROHIBITED_CONTENT)',
			{
				fail_reason: 'PROHIBITED_CONTENT',
				description: /^Usage: \d+ prompt, 0 answer tokens\. Change the prompt\.$/,
			},
		],
		[
			'a blocked prompt of an unknown reason, rated',
			answerWith({ promptFeedback: { blockReason: 'NEW', blockReasonMessage: 'No', ...rated } }),
			'The prompt was blocked (blockReason NEW)',
			{ fail_reason: 'NEW', description: /^No\. Safety ratings: HARASSMENT HIGH\.$/ },
		],
		[
			'SAFETY with a part of the text',
			oneCandidate('Bl', 'SAFETY', { ...rated, finishMessage: 'Too blue' }),
			'The model stopped in the middle of its answer because the safety filter blocked the content (finishReason SAFETY)',
			{
				fail_reason: 'SAFETY',
				description:
					/^Too blue\. Safety ratings: HARASSMENT HIGH\. Usage: 3 prompt, 5 answer, 7 thinking tokens\. Change the prompt, or relax Safety Settings\. The model wrote: "Bl"\.$/,
			},
		],
		[
			'SAFETY without parts',
			{ noParts: true, finishReason: 'SAFETY' },
			'The model stopped before writing any text because the safety filter blocked the content (finishReason SAFETY)',
			{ fail_reason: 'SAFETY' },
		],
		[
			'MAX_TOKENS without parts',
			{ noParts: true, finishReason: 'MAX_TOKENS' },
			'The model stopped before writing any text because the token limit was reached (finishReason MAX_TOKENS)',
			{ fail_reason: 'MAX_TOKENS', description: /Raise Max Output Tokens/ },
		],
		[
			'STOP without parts',
			{ noParts: true },
			'The model ended its answer without any text (finishReason STOP)',
			{ description: /Run it again, or change the prompt\.$/ },
		],
		[
			'nothing but a thought',
			answerWith({ candidates: [{ content: { parts: [{ text: 'Hm', thought: true }] } }] }),
			'The model ended its answer without any text (finishReason FINISH_REASON_UNSPECIFIED)',
			{},
		],
		[
			'no candidates',
			{ candidates: 0 },
			'The service sent an answer without any content',
			{ description: /^Usage: .* tokens\. Run it again/ },
		],
		[
			'null for candidates',
			answerWith({ candidates: null, usageMetadata: {} }),
			'The service sent an answer without any content',
			{},
		],
		[
			'an unknown reason without text',
			{ noParts: true, finishReason: 'NEW_WORD' },
			'The model stopped before writing any text (finishReason NEW_WORD)',
			{ fail_reason: 'NEW_WORD' },
		],
	];

	it.each(rows)('%s is a failing item', async (_what, plan, message, { description, ...rest }) => {
		const failure = onlyFailure(await ask(plan, CONTINUE));
		expect(failure).toMatchObject({ message: `${message} [item 0]`, retryable: false, ...rest });
		expect(failure).not.toHaveProperty('http_code');
		if (description) expect(failure.description).toMatch(description as unknown as RegExp);
	});

	it('stops the node with the same words in the default mode', async () => {
		const { status, error } = await ask({ noParts: true, finishReason: 'SAFETY' });
		expect(status).toBe('error');
		expect(error).toMatchObject({ name: 'NodeApiError', context: { itemIndex: 0 } });
		expect(error?.message).toContain('because the safety filter blocked the content');
		expect(error?.description).toMatch(/^SAFETY\. Usage: /);
	});
});
