import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import prettier from 'prettier';
import { ROOT } from '../../sandbox/n8n/folders.mjs';

const PAGE = path.join(ROOT, 'docs', 'dev', 'performance.md');

const toRow = (cells) => `| ${cells.join(' | ')} |`;

/** A Markdown table; the columns of figures stand on the right. */
export function toTable(headings, rows) {
	const rule = headings.map((_, i) => (i === 0 ? '---' : '---:'));
	return [headings, rule, ...rows].map(toRow).join('\n');
}

const format = async (text) =>
	await prettier.format(text, { ...(await prettier.resolveConfig(PAGE)), parser: 'markdown' });

/**
 * Prints a table and what is to be known of it, and with `write` puts the table into
 * docs/dev/performance.md between the two comments that carry its name.
 */
export async function publishResult(name, table, { write }, about = '') {
	process.stdout.write(`\n${await format(`${table}\n\n${about}`)}\n`);
	if (!write) return;
	const page = await readFile(PAGE, 'utf8');
	const [start, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
	const [from, to] = [page.indexOf(start), page.indexOf(end)];
	if (from < 0 || to < from) throw new Error(`docs/dev/performance.md has no ${start} ... ${end}`);
	const changed = `${page.slice(0, from + start.length)}\n\n${table}\n\n${page.slice(to)}`;
	await writeFile(PAGE, await format(changed));
}
