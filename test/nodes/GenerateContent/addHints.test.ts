import { addHints } from '../../../nodes/GenerateContent/addHints';
import type { Results } from '../../../nodes/shared/item/output';
import { makeRun } from '../../support/makeRun';

/** One line above the output, as n8n asks of hints. */
const MAX_CHARS = 120;

const hintsAbout = (results: Results): string[] => {
	const hints: string[] = [];
	const run = makeRun();
	run.report.hint = (message) => void hints.push(message);
	addHints(run, results);
	return hints;
};

const hintsOf = (finishReason: string, items: number) =>
	hintsAbout(Array.from({ length: items }, () => ({ json: { finishReason } })));

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

it.each([
	...['LANGUAGE', 'MALFORMED_FUNCTION_CALL', 'MALFORMED_RESPONSE', 'MAX_TOKENS', 'NO_IMAGE'],
	...['OTHER', 'TOO_MANY_TOOL_CALLS', 'UNEXPECTED_TOOL_CALL', 'A_WORD_OF_THEIR_OWN'.repeat(20)],
])('a cut-off answer is told in one line: %s', (reason) => {
	for (const items of [1, 2, 1000]) {
		const [hint, ...more] = hintsOf(reason, items);
		expect(more).toEqual([]);
		expect(hint).toMatch(/^Incomplete/);
		expect([hint, hint.length <= MAX_CHARS]).toEqual([hint, true]);
	}
});
