import { addHint } from '../../../nodes/GenerateContent/generateTexts';
import type { Results } from '../../../nodes/shared/item/output';
import { makeRun } from '../../support/makeRun';

const hintsAbout = (results: Results): string[] => {
	const hints: string[] = [];
	const run = makeRun();
	run.report.hint = (message) => void hints.push(message);
	addHint(run, results);
	return hints;
};

it('tells of all answers that are cut off in one line', () => {
	const results = Array<Results[0]>(1000).fill({ json: { finishReason: 'length' } });
	const [hint, ...more] = hintsAbout(results);
	expect(more).toEqual([]);
	expect(hint).toMatch(/^Incomplete.*\(\[item 0\] and 999 more\)/);
	// As n8n asks of hints.
	expect(hint.length).toBeLessThanOrEqual(120);
});
