import { existsSync } from 'node:fs';
import { readFile, readdir, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import prettier from 'prettier';
import { n8nVersion, ROOT } from '../sandbox/n8n/folders.mjs';
import { buildPackage } from '../sandbox/n8n/package.mjs';
import { printFailure, Refusal } from '../sandbox/n8n/report.mjs';

// `npm run bench -- <name>`. A measurement has `about`, its `options` with their defaults, `rounds`,
// and `open({ source, values })`, which gives `{ measure, close }` for the package in that folder.
// `measure()` resolves to rows, `{ name, beside, figures }`: the ratio is that of the first figure
// to the one of the row `beside`.

const NAMES = path.join(import.meta.dirname, 'names');
const PAGE = path.join(ROOT, 'docs', 'dev', 'performance.md');

/** The middle of some numbers; of an even count, the mean of the two in the middle. */
function median(numbers) {
	const sorted = [...numbers].sort((a, b) => a - b);
	const middle = sorted.length / 2;
	return (sorted[Math.ceil(middle) - 1] + sorted[Math.floor(middle)]) / 2;
}

/** The rows of several rounds as one, by the median of each figure. */
const toMedians = (rounds) =>
	rounds[0].map(({ name, beside, figures }, i) => ({
		...{ name, beside },
		figures: Object.fromEntries(
			Object.keys(figures).map((key) => [key, median(rounds.map((rows) => rows[i].figures[key]))]),
		),
	}));

const inWords = (value) =>
	value === undefined ? '' : value.toFixed(value < 10 ? 2 : value < 100 ? 1 : 0);
const toRatio = (one, other) => (one / other).toFixed(2);

/** A Markdown table of rows; with those of another package, each figure is "before > now (ratio)". */
function toTable(rows, before) {
	const names = [...new Set(rows.flatMap(({ figures }) => Object.keys(figures)))];
	const [first] = names;
	const cells = rows.map(({ name, beside, figures }, i) => {
		const base = rows.find((row) => row.name === beside)?.figures;
		const told = names.map((key) => {
			const earlier = before?.[i].figures[key];
			if (earlier === undefined || figures[key] === undefined) return inWords(figures[key]);
			const ratio = toRatio(figures[key], earlier);
			return `${inWords(earlier)} > ${inWords(figures[key])} (${ratio})`;
		});
		return [name, ...told, base ? toRatio(figures[first], base[first]) : ''];
	});
	const headings = ['', ...names, 'Ratio'];
	const rule = headings.map((_, i) => (i === 0 ? '---' : '---:'));
	return [headings, rule, ...cells].map((row) => `| ${row.join(' | ')} |`).join('\n');
}

const format = async (text) =>
	await prettier.format(text, { ...(await prettier.resolveConfig(PAGE)), parser: 'markdown' });

/** Puts a table into docs/dev/performance.md between the two comments that carry its name. */
async function writeTable(name, table) {
	const page = await readFile(PAGE, 'utf8');
	const [start, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
	const [from, to] = [page.indexOf(start), page.indexOf(end)];
	if (from < 0 || to < from) throw new Error(`docs/dev/performance.md has no ${start} ... ${end}`);
	const changed = `${page.slice(0, from + start.length)}\n\n${table}\n\n${page.slice(to)}`;
	await writeFile(PAGE, await format(changed));
}

async function list() {
	const names = (await readdir(NAMES)).map((file) => path.parse(file).name);
	const lines = names.map(async (name) => {
		const { about, options } = await import(path.join(NAMES, `${name}.mjs`));
		const given = Object.entries(options).map(([key, value]) => ` --${key} ${value}`);
		return `  ${name.padEnd(10)} ${about}\n            ${given.join('')}`;
	});
	return `npm run bench -- <name> [--rounds N] [--write] [--against FOLDER]

${(await Promise.all(lines)).join('\n')}

--write puts the table into docs/dev/performance.md. --against measures the built package of another
checkout, too, in turns with this one.
`;
}

async function measure(name, args) {
	const file = path.join(NAMES, `${name}.mjs`);
	if (!existsSync(file)) throw new Refusal(`There is no "${name}".\n\n${await list()}`);
	const { options, rounds, open } = await import(file);
	const texts = { rounds: String(rounds), against: '', ...options };
	const entries = Object.entries(texts).map(([key, value]) => [
		key,
		{ type: 'string', default: value },
	]);
	const write = { type: 'boolean', default: false };
	const { values } = parseArgs({ args, options: { ...Object.fromEntries(entries), write } });
	const sources = [ROOT, ...(values.against ? [path.resolve(values.against)] : [])];
	for (const source of sources.slice(1)) {
		if (!existsSync(path.join(source, 'dist')))
			throw new Refusal(`${source} has no built package.`);
	}
	await buildPackage();
	const load = os.loadavg()[0].toFixed(1);
	const stages = [];
	const seen = sources.map(() => []);
	try {
		for (const source of sources) stages.push(await open({ source, values }));
		for (let n = 0; n < Number(values.rounds); n++) {
			// In turns each comes first.
			for (const i of n % 2 === 0 ? [...stages.keys()] : [...stages.keys()].reverse()) {
				const rows = await stages[i].measure();
				process.stderr.write(`${i === 0 ? 'now' : 'before'}: ${JSON.stringify(rows)}\n`);
				seen[i].push(rows);
			}
		}
	} finally {
		for (const stage of stages.reverse()) await stage.close();
	}
	const table = toTable(...seen.map(toMedians));
	const [{ model }] = os.cpus();
	const about = `Medians of ${values.rounds} rounds, load before ${load}. n8n ${n8nVersion()}, ${os.cpus().length} cores (${model}).`;
	process.stdout.write(`\n${await format(`${table}\n\n${about}`)}\n`);
	if (values.write && !values.against) await writeTable(name, table);
}

// A benchmark that is told to stop takes its n8n with it (startN8n listens for our exit).
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => process.exit(130));

const [name, ...args] = process.argv.slice(2);
if (!name || name.startsWith('-')) process.stdout.write(await list());
else await measure(name, args).catch((error) => (process.exitCode = printFailure(error)));
