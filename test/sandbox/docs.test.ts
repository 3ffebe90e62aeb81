import { problemOfEntry } from '../../sandbox/service/answers';
import { readPlan } from '../../sandbox/service/plan';
import { PLAN_CHECKS as SERVICE_CHECKS } from '../../sandbox/service/planKeys';
import { changeDeployment, DEFAULTS, PLAN_CHECKS } from '../../sandbox/vendors/plan';
import { withTables } from '../../sandbox/writeTables';
import { readPage } from './support/files';

// The page tells of everything that the stand-ins can do, and of nothing else.

const page = readPage('dev/sandbox');
const quotesIn = (text: string) => [...text.matchAll(/`([^`\n]+)`/g)].map(([, quote]) => quote);
const between = (start: string, end: string) => page.split(start)[1].split(end)[0];

it('has the tables that npm run docs:write writes', () => {
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

it.each(answers)('%s is a valid answer', (answer) => {
	expect(problemOfEntry(JSON.parse(answer))).toBeUndefined();
});

it("names the vendors' own plan keys and settings", () => {
	const settings = Object.keys(DEFAULTS).filter((name) => name !== 'outage');
	const [, vendors = ''] = page.split('\n## The vendors\n');
	const keys = Object.keys(PLAN_CHECKS).filter((key) => !Object.hasOwn(SERVICE_CHECKS, key));
	const wanted = [...keys, ...settings];
	expect(wanted.filter((name) => !vendors.includes(`\`${name}\``))).toEqual([]);
	expect(() => changeDeployment(DEFAULTS, { outage: 'html502' })).toThrow('no setting');
});
