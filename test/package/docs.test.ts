import type { INodeProperties } from 'n8n-workflow';

import { SERVICES } from '../../nodes/shared/services/list';
import { beside, exists, list, nodeClasses, read, readJson } from './support/files';
import { loadPackage, type LoadedPackage } from './support/loader';

// The pages say what is true: fields, defaults, files and links are compared with the code.

const PAGES = [
	...['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'SECURITY.md', 'examples/README.md'],
	...list('docs').filter((file) => file.endsWith('.md')),
];
/** Beside a node's name, the way to its page. */
const pageOf = (nodeName: string) =>
	read(`docs/nodes/${nodeName.toLowerCase().replaceAll(' ', '-')}.md`);
let loaded: LoadedPackage;
beforeAll(async () => {
	loaded = await loadPackage();
});

/** The cells of a text's tables, row by row, without headings and rules. */
const rowsOf = (text: string) =>
	text
		.split('\n')
		.filter((line) => line.startsWith('|') && !/^\|[\s|:-]+\|$/.test(line))
		.map((line) =>
			line
				.slice(1, -1)
				.split(/(?<!\\)\|/)
				.map((cell) => cell.trim()),
		);

/** The fields of a node and its options; those of a group of options by their path. */
const fieldsOf = (properties: INodeProperties[]): INodeProperties[] =>
	properties.flatMap((field) => {
		if (field.type !== 'collection') return [field];
		const inside = fieldsOf(field.options as INodeProperties[]);
		if (field.name === 'options') return inside;
		const group = field.displayName;
		return inside.map((one) => ({ ...one, displayName: `${group} > ${one.displayName}` }));
	});

/** The rows of a page that tell of fields and options, by their defaults' heading. */
const fieldRowsOf = (page: string) =>
	page
		.split('\n\n')
		.map(rowsOf)
		.filter(([heading]) => heading?.[1] === 'default')
		.flatMap((rows) => rows.slice(1));

const { scripts } = readJson<{ scripts: Record<string, string> }>('package.json');
const projects = [...read('jest.config.js').matchAll(/project\('(\w+)'/g)].map(([, name]) => name);
const tests = list('test').filter((file) => file.endsWith('.test.ts'));

/** Whether what a command runs is there, and takes its options, as far as it is of this repository. */
function isThere(command: string): boolean {
	const [words, options = ''] = command.split(' -- ');
	const [, script] = /^npm (?:run )?(\S+)$/.exec(words) ?? [];
	if (script && (words.startsWith('npm run') || script === 'test')) {
		const [file] = /\S+\.m?js/.exec(scripts[script] ?? '') ?? [];
		const source = file ? read(file) + list('sandbox/demo').map(read).join('') : '';
		const [name] = options.split(' ');
		const bench = script === 'bench' && options ? read(`bench/names/${name}.mjs`) : '';
		const flags = [...options.matchAll(/--([\w-]+)/g)].map(([, flag]) => flag);
		const isKnown = (flag: string) => new RegExp(`\\b${flag}\\b`).test(source + bench);
		return script in scripts && (!file || flags.every(isKnown));
	}
	const [, place, project] = /npx jest (\S*?) ?--selectProjects (\w+)/.exec(command) ?? [];
	if (project) {
		const path = place.replace('yours', 'first');
		return projects.includes(project) && tests.some((test) => test.includes(path));
	}
	const [, task] = /^npx gulp (\w+)/.exec(command) ?? [];
	if (task) return read('gulpfile.js').includes(`exports.${task} =`);
	const [, run] = /^node (\S+\.m?js)/.exec(command) ?? [];
	return !run || exists(run);
}

it('the page of examples names every example and shows it, light and dark', () => {
	const files = list('examples').filter((file) => file.endsWith('.json'));
	const page = read('examples/README.md');
	const names = files.map((file) => file.split('/').at(-1)!.replace('.json', ''));
	expect(names.filter((name) => !page.includes(`(${name}.json)`))).toEqual([]);
	const pictures = names.flatMap((name) => [`${name}.png`, `${name}-dark.png`]);
	expect(pictures.filter((file) => !page.includes(`/media/examples/${file}"`))).toEqual([]);
});

it('CONTRIBUTING shows a first test that is one of the suite', () => {
	const [, shown] = /```ts\n([^]*?)```/.exec(read('CONTRIBUTING.md')) ?? [];
	// Markdown is indented with spaces here.
	expect(shown).toBe(read('test/engine/first.test.ts').replaceAll('\t', '  '));
});

it('nobody is sent to OpenAI for videos: its API ended on 2026-09-24', () => {
	const files = [...PAGES, ...list('examples')].filter((file) => /\.(md|json)$/.test(file));
	const texts = files.map((file) => [file, read(file)]);
	texts.push(['the nodes and credentials', JSON.stringify(loaded)]);
	const told = texts.filter(([, text]) => /\bsora\b|used by openai/i.test(text));
	expect(told.map(([place]) => place)).toEqual([]);
});

it('what a machine carries is what was measured', () => {
	const [, table] = read('docs/in-production.md').split('| memory at its peak |');
	const told = [...table.matchAll(/\| (\d+) MB \|/g)].map(([, figure]) => figure);
	expect(told).toHaveLength(6);
	const measured = read('docs/dev/performance.md').match(/(?<![\d,.])\d+(?![,.]?\d)/g)!;
	expect(told.filter((figure) => !measured.includes(figure))).toEqual([]);
});

// Sentences that had to be read twice: two thoughts in one, or a word whose meaning only the next part tells.
it.each([
	/if it is one by another name/,
	/finds no host of/,
	/unset, because/,
	/exclude both, except/,
	/returns another value each time, such as/,
	/carry each other's/,
	/waiting executions with the same name/,
	/\| the same, if it is/,
])('nothing says %s', (sentence) => {
	const files = [...PAGES, ...list('nodes').filter((file) => file.endsWith('.ts'))];
	expect(files.filter((file) => sentence.test(read(file).replace(/\s+/g, ' ')))).toEqual([]);
});

describe('the pages of the nodes', () => {
	it.each(nodeClasses().map((name) => name.replace(/\B[A-Z]/g, ' $&')))(
		'%s: the tables hold the fields and options that the node has',
		(nodeName) => {
			const { properties } = loaded.nodes.find(({ defaults }) => defaults.name === nodeName)!;
			const shown = fieldsOf(properties).filter(({ type }) => type !== 'hidden');
			const told = fieldRowsOf(pageOf(nodeName)).map(([label]) => label);
			expect(told.sort()).toEqual(shown.map(({ displayName }) => displayName).sort());
		},
	);

	it('the defaults of numbers are those of the nodes', () => {
		for (const { defaults, properties } of loaded.nodes) {
			const rows = fieldRowsOf(pageOf(String(defaults.name)));
			const told = new Map(rows.map(([label, cell]) => [label, cell]));
			for (const { displayName: label, type, default: byDefault } of fieldsOf(properties)) {
				const cell = told.get(label) ?? '';
				if (type !== 'number' || !/^[\d.]+$/.test(cell)) continue;
				expect([defaults.name, label, Number(cell)]).toEqual([defaults.name, label, byDefault]);
			}
		}
	});
});

describe.each(PAGES)('%s', (page) => {
	const text = read(page);

	const anchorsOf = (file: string) =>
		[...read(file).matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
			heading
				.toLowerCase()
				.replace(/[^\w\- ]/g, '')
				.replace(/ /g, '-'),
		);

	it('has links and pictures that are there', () => {
		const places = /\]\((?!https?:)([^)\s]+)\)|(?:src|srcset)="([^"]+)"/g;
		const links = [...text.matchAll(places)].map(([, link, picture]) => link ?? picture);
		const dead = links.filter((link) => {
			const [place, anchor] = link.split('#');
			const file = place === '' ? page : beside(page, place);
			const isThere = exists(file) || list(file).length > 0;
			return !isThere || (anchor !== undefined && !anchorsOf(file).includes(anchor));
		});
		expect(dead).toEqual([]);
	});

	it('names commands that there are', () => {
		const code = [...text.matchAll(/`([^`\n]+)`|```sh\n([^]*?)```/g)].flatMap(
			([, inline = '', block = '']) => `${inline}\n${block}`.split(/\n|&&|;/),
		);
		expect(code.filter((command) => !isThere(command.trim()))).toEqual([]);
	});
});

it('the page of Video Tasks says of each service whether it lists and cancels', () => {
	const rows = rowsOf(pageOf('Video Tasks'));
	const told = SERVICES.map(({ label }) => {
		const [name] = label.split(' (');
		const [, lists, cancels] = rows.find(([names]) => names.split(', ').includes(name))!;
		return [label, !lists.startsWith('no'), !cancels.startsWith('no')];
	});
	const has = (one: unknown) => one !== undefined;
	expect(told).toEqual(
		SERVICES.map(({ label, recent, cancel }) => [label, has(recent), has(cancel)]),
	);
});
