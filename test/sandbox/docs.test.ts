import { problemOfEntry } from '../../sandbox/service/answers';
import { DEFAULTS, PLAN_CHECKS, readPlan } from '../../sandbox/service/plan';
import { FAULTS } from '../../sandbox/service/faults';
import { KEYS } from '../../sandbox/service/keys';
import { readPage } from './support/files';

// The page tells of everything that the sandbox can do, and of nothing else.

const page = readPage();

/** The cells of the page's tables, row by row. */
const rows = page
	.split('\n')
	.filter((line) => line.startsWith('|'))
	.map((line) => line.slice(1, -1).split(/(?<!\\)\|/))
	.map((cells) => cells.map((cell) => cell.trim()));
const namesUnder = (heading: string) => {
	const [, after = ''] = page.split(`\n${heading}\n`);
	const [section] = after.split(/\n## /);
	return [...section.matchAll(/^\| `([\w-]+)`/gm)].map(([, name]) => name);
};

it.each(Object.entries(FAULTS))('tells what %s does', (name, { about }) => {
	expect(rows).toContainEqual([`\`${name}\``, about]);
});

it.each(Object.entries(KEYS))('tells what the key %s meets', (name, { about }) => {
	expect(rows).toContainEqual([`\`${name}\``, about]);
});

it('tells every plan key', () => {
	const told = namesUnder('## Plan keys');
	const lists = ['submit', 'poll', 'content', 'lastFrame', 'text'];
	expect(Object.keys(PLAN_CHECKS).filter((key) => !told.includes(key))).toEqual(lists);
	expect(page).toContain(
		'`submit`, `poll`, `content`, `lastFrame` and `text` each hold a list of answers',
	);
});

it('tells every setting of a deployment, with its default', () => {
	expect(namesUnder('## The deployment')).toEqual(Object.keys(DEFAULTS));
	for (const name of ['renderMs', 'listings', 'outage'] as const) {
		const told = rows.filter(([cell]) => cell === `\`${name}\``).map(([, value]) => value);
		expect(told).toContain(`\`${DEFAULTS[name]}\``);
	}
});

const prompts = [...page.matchAll(/`([^`\n]*sandbox:\{[^`\n]*)`/g)].map(([, text]) => text);

it('has prompts to paste', () => {
	expect(prompts.length).toBeGreaterThan(15);
});

it.each(prompts)('%s is a valid plan', (text) => {
	const { plan, problem } = readPlan(text);
	expect(problem).toBeUndefined();
	expect(plan).not.toEqual({});
});

it.each(rows.map(([cell]) => /^`(\{".*\})`$/.exec(cell)?.[1]).filter((entry) => entry))(
	'%s is a valid entry',
	(entry) => {
		expect(problemOfEntry(JSON.parse(entry ?? ''))).toBeUndefined();
	},
);
