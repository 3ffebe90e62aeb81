import { addHints } from '../../../nodes/GenerateContent/addHints';
import { makeRun } from '../../support/makeRun';

/** One line above the output, as n8n asks of hints. */
const MAX_CHARS = 120;

const hintsOf = (finishReason: string, items: number): string[] => {
	const hints: string[] = [];
	const run = makeRun();
	run.report.hint = (message) => void hints.push(message);
	addHints(
		run,
		Array.from({ length: items }, () => ({ json: { finishReason } })),
	);
	return hints;
};

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
