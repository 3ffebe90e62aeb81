import { addHints } from '../../../nodes/GenerateContent/addHints';
import type { Results } from '../../../nodes/shared/item/output';
import type { Run } from '../../../nodes/shared/item/run';

const REASONS = [
	'LANGUAGE',
	'MALFORMED_FUNCTION_CALL',
	'MALFORMED_RESPONSE',
	'MAX_TOKENS',
	'MISSING_THOUGHT_SIGNATURE',
	'NO_IMAGE',
	'OTHER',
	'TOO_MANY_TOOL_CALLS',
	'UNEXPECTED_TOOL_CALL',
	'A_WORD_THAT_NOBODY_KNOWS_'.repeat(10),
];

const hintsOf = (finishReason: string, count: number) =>
	hintsAbout(Array.from({ length: count }, () => ({ json: { finishReason } })));

function hintsAbout(results: Results): string[] {
	const hints: string[] = [];
	const run = {
		report: { hint: (message: string) => hints.push(message) },
		redaction: { redact: (text: string) => text },
	} as unknown as Run;
	addHints(run, results);
	return hints;
}

it('sums up what is paid, also for items that fail and for what tools read', () => {
	const usage = { promptTokenCount: 3, candidatesTokenCount: 5, thoughtsTokenCount: 7 };
	const failure = { message: 'No', retryable: false, next: 'changeRequest', source: 'service' };
	const results = [
		{ json: { finishReason: 'STOP', usageMetadata: { ...usage, toolUsePromptTokenCount: 100 } } },
		{ failure: { ...failure, usage: { ...usage, totalTokenCount: 1_000 } } },
		{ failure },
	] as Results;
	expect(hintsAbout(results)).toEqual(['2 answers (1 failing), 1,115 tokens.']);
});

it.each(REASONS)('a hint about %s can be read at once', (reason) => {
	for (const count of [1, 2, 3, 4, 10_000]) {
		const [hint] = hintsOf(reason, count);
		expect(hint.length).toBeLessThanOrEqual(120);
		expect(hint).toMatch(count === 1 ? /^Item 0 is incomplete/ : /^Items 0, 1.* are incomplete/);
		expect(hint).toContain(reason.slice(0, 40));
	}
});
