import type { IDataObject } from 'n8n-workflow';

import { generateContentHints } from '../../../nodes/GenerateContent/fields';
import { GenerateContent } from '../../../nodes/GenerateContent/GenerateContent.node';
import { addHints } from '../../../nodes/GenerateContent/generateTexts';
import type { Results } from '../../../nodes/shared/item/output';
import { makeRun } from '../../support/makeRun';
import { shownHints } from '../../support/shownHints';

const node = new GenerateContent();
/** The first word of each hint. */
const shown = (parameters: IDataObject) =>
	shownHints(node, generateContentHints, parameters).map(({ message }) => message.split(' ')[0]);

const builtInTools = ['googleSearch'];

describe('the hint before a run', () => {
	it.each<[what: string, parameters: IDataObject, hints: string[]]>([
		['JSON with tools', { outputFormat: 'json', options: { builtInTools } }, ['Models']],
		['text with tools', { outputFormat: 'text', options: { builtInTools } }, []],
		[
			'tools and nobody knows',
			{ outputFormat: 'json', options: { builtInTools: '={{ [] }}' } },
			[],
		],
	])('of %s', (_what, parameters, hints) => {
		expect(shown(parameters)).toEqual(hints);
	});
});

/** One line above the output, as n8n asks of hints. */
const MAX_CHARS = 120;

const hintsAbout = (results: Results): string[] => {
	const hints: string[] = [];
	const run = makeRun();
	run.report.hint = (message) => void hints.push(message);
	addHints(run, results);
	return hints;
};

it('sums up what is paid, also for items that fail and for what tools read', () => {
	const usage = { promptTokenCount: 3, candidatesTokenCount: 5, thoughtsTokenCount: 7 };
	const failure = { message: 'No', retryable: false, next: 'changeRequest' };
	const results = [
		{ json: { finishReason: 'STOP', usageMetadata: { ...usage, toolUsePromptTokenCount: 100 } } },
		{ failure: { ...failure, usage: { ...usage, totalTokenCount: 1_000 } } },
		{ failure },
	] as Results;
	expect(hintsAbout(results)).toEqual(['2 answers (1 failing), 1,115 tokens.']);
});

it.each(['LANGUAGE', 'MAX_TOKENS', 'TOO_MANY_TOOL_CALLS', 'A_WORD_OF_THEIR_OWN'.repeat(20)])(
	'a cut-off answer is told in one line: %s',
	(finishReason) => {
		const results = Array<Results[0]>(1000).fill({ json: { finishReason } });
		const [hint, ...more] = hintsAbout(results);
		expect(more).toEqual([]);
		expect(hint).toMatch(/^Incomplete.*\(\[item 0\] and 999 more\)/);
		expect([hint, hint.length <= MAX_CHARS]).toEqual([hint, true]);
	},
);
