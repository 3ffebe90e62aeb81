import { ARRIVALS, COLUMNS, TEXT_ARRIVALS } from '../../sandbox/arrivals';
import { read } from './support/files';

const page = read('docs/models.md');

/** Returns a column's rows in docs/models.md, as cells; some columns are told as those of another. */
function rowsOf(column: string): string[][] {
	const [, after = ''] = page.split(`\n### ${column}: `);
	const [section] = after.split(/\n##|\n<!--/);
	const [, other] = /^As (.*)\.$/m.exec(section) ?? [];
	if (other) return rowsOf(other);
	const rows = section.split('\n').filter((line) => line.startsWith('|'));
	return rows.map((row) => row.split(' | '));
}

it.each(COLUMNS)('docs/models.md shows what became of each setting of $name', ({ name }) => {
	const rows = rowsOf(name);
	for (const { about, sent } of ARRIVALS.filter(({ column }) => column === name)) {
		const [, option, value] = /^(\w+) (".*"|-?\d.*|true|false)$/.exec(about) ?? [];
		const label = option?.replace(/(?=[A-Z])/g, ' ') ?? about;
		const row = rows.find(([what]) => what.toLowerCase().includes(label.toLowerCase()));
		const told = row?.[sent ? 1 : 3] ?? '';
		const isSaid =
			option && !told.startsWith('no field for it') ? told.includes(value) : /\w/.test(told);
		expect([about, told, isSaid]).toEqual([about, told, true]);
	}
});

it('docs/models.md counts the recorded run, and shows its texts', () => {
	const arrived = ARRIVALS.filter(({ sent }) => sent).length;
	const counts = `${ARRIVALS.length} settings: ${arrived} arrive,\n${ARRIVALS.length - arrived} are refused`;
	expect(page).toContain(counts);
	for (const { about } of TEXT_ARRIVALS) expect(page).toContain(`| ${about} |`);
});
