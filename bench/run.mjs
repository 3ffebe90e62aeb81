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
// and `open(values)`, which gives `{ measure, close }`.
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

/** A Markdown table of rows. */
function toTable(rows) {
	const names = [...new Set(rows.flatMap(({ figures }) => Object.keys(figures)))];
	const [first] = names;
	const cells = rows.map(({ name, beside, figures }) => {
		const base = rows.find((row) => row.name === beside)?.figures;
		const ratio = base ? (figures[first] / base[first]).toFixed(2) : '';
		return [name, ...names.map((key) => inWords(figures[key])), ratio];
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
	return `npm run bench -- <name> [--rounds N] [--write]

${(await Promise.all(lines)).join('\n')}

--write puts the table into docs/dev/performance.md.
`;
}

async function measure(name, args) {
	const file = path.join(NAMES, `${name}.mjs`);
	if (!existsSync(file)) throw new Refusal(`There is no "${name}".\n\n${await list()}`);
	const { options, rounds, open } = await import(file);
	const texts = { rounds: String(rounds), ...options };
	const entries = Object.entries(texts).map(([key, value]) => [
		key,
		{ type: 'string', default: value },
	]);
	const write = { type: 'boolean', default: false };
	const { values } = parseArgs({ args, options: { ...Object.fromEntries(entries), write } });
	await buildPackage();
	const load = os.loadavg()[0].toFixed(1);
	const seen = [];
	const stage = await open(values);
	try {
		for (let n = 0; n < Number(values.rounds); n++) {
			const rows = await stage.measure();
			process.stderr.write(`${JSON.stringify(rows)}\n`);
			seen.push(rows);
		}
	} finally {
		await stage.close();
	}
	const table = toTable(toMedians(seen));
	const [{ model }] = os.cpus();
	const about = `Medians of ${values.rounds} rounds, load before ${load}. n8n ${n8nVersion()}, ${os.cpus().length} cores (${model}).`;
	process.stdout.write(`\n${await format(`${table}\n\n${about}`)}\n`);
	if (values.write) await writeTable(name, table);
}

// A benchmark that is told to stop takes its n8n with it (startN8n listens for our exit).
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => process.exit(130));

const [name, ...args] = process.argv.slice(2);
if (!name || name.startsWith('-')) process.stdout.write(await list());
else await measure(name, args).catch((error) => (process.exitCode = printFailure(error)));
