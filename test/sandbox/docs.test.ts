import { answer, problemOf, readPlan } from '../../sandbox/service/plan';
import { withTables } from '../../sandbox/writeTables';
import { readFile } from './support/client';

// The page tells of everything that the stand-ins can do, and of nothing else.

const page = readFile('docs/dev/sandbox.md').toString();
const quotesIn = (text: string) => [...text.matchAll(/`([^`\n]+)`/g)].map(([, quote]) => quote);
const between = (start: string, end: string) => page.split(start)[1].split(end)[0];

it('has the tables that npm run write writes', () => {
	expect(page).toBe(withTables(page));
});

const prompts = quotesIn(between('\n### Plans\n', '\n<!-- plan -->')).filter((quote) =>
	/sandbox:\{/.test(quote),
);
const answers = quotesIn(between('An answer is\n', '\nIn the table')).filter((quote) =>
	quote.startsWith('{'),
);

it('has prompts and answers to paste', () => {
	expect([prompts.length > 5, answers.length > 8]).toEqual([true, true]);
});

it.each(prompts)('%s is a valid plan', (text) => {
	const { plan, problem } = readPlan(text);
	expect([problem, Object.keys(plan).length > 0]).toEqual([undefined, true]);
});

it.each(answers)('%s is a valid answer', (text) => {
	expect(problemOf(answer, JSON.parse(text))).toBeUndefined();
});
